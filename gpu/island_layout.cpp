#include "gpu/island_layout.h"

#include <algorithm>

namespace drystone::gpu {

void IslandLayout::reserve(const ProblemSize& size) {
  bodyStart_.reserve(size.blocks + 1);
  for (auto* array : {&bodies_, &ownOf_, &levelOf_}) array->reserve(size.bodies);
  contacts_.reserve(size.blocks);
  rows_.reserve(size.rows);
}

/// The fixed body is −1 until the island has all of its own.
int IslandLayout::ownBody(int body, int island) {
  if (body < 0) return -1;
  if (ownOf_[body] < 0) {
    ownOf_[body] = static_cast<int>(bodies_.size()) - bodyStart_[island];
    bodies_.push_back(body);
  }
  return ownOf_[body];
}

/// Takes so many levels in a row of both bodies, from the first that both have free.
int IslandLayout::levelAfter(int bodyA, int bodyB, int levels) {
  int first = 0;
  for (const int body : {bodyA, bodyB}) {
    if (body >= 0) first = std::max(first, levelOf_[body]);
  }
  for (const int body : {bodyA, bodyB}) {
    if (body >= 0) levelOf_[body] = first + levels;
  }
  return first;
}

void IslandLayout::build(const ContactProblem& problem, const SweepPlan& plan, SweepSizes& sizes) {
  const bool hasIslands = !plan.phases.empty() && plan.phases.front().isOfIslands;
  const int islands = hasIslands ? plan.phases.front().endUnit : 0;
  bodyStart_.assign(1, 0);
  for (auto* array : {&contacts_, &rows_}) array->clear();
  bodies_.clear();
  ownOf_.assign(hasIslands ? problem.bodyCount() : 0, -1);
  levelOf_.assign(ownOf_.size(), 0);
  int mostLevels = 0;
  for (int island = 0; island < islands; ++island) {
    const std::size_t firstContact = contacts_.size(), firstRow = rows_.size();
    for (int k = plan.unitStart[island]; k < plan.unitStart[island + 1]; ++k) {
      const ProblemBlock& block = problem.blocks[plan.blocks[k]];
      const bool isJoint = block.law == BlockLaw::kRows;
      const int elements = isJoint ? block.rows : 1;
      const int ownA = ownBody(block.bodyA, island), ownB = ownBody(block.bodyB, island);
      const int level = levelAfter(block.bodyA, block.bodyB, elements);
      for (int i = 0; i < elements; ++i) {
        (isJoint ? rows_ : contacts_).push_back({level + i, ownA, ownB});
      }
      mostLevels = std::max(mostLevels, level + elements);
    }
    bodyStart_.push_back(static_cast<int>(bodies_.size()));
    const int fixed = bodyStart_[island + 1] - bodyStart_[island];
    const auto setFixed = [fixed](std::vector<Place>& places, std::size_t first) {
      for (std::size_t i = first; i < places.size(); ++i) {
        if (places[i].ownA < 0) places[i].ownA = fixed;
        if (places[i].ownB < 0) places[i].ownB = fixed;
      }
    };
    setFixed(contacts_, firstContact);
    setFixed(rows_, firstRow);
  }
  sizes.islands = islands;
  sizes.islandContacts = static_cast<int>(contacts_.size());
  sizes.islandRows = static_cast<int>(rows_.size());
  sizes.islandBodies = static_cast<int>(bodies_.size());
  sizes.islandLevels = mostLevels;
}

}  // namespace drystone::gpu
