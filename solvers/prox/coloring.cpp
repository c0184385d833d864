#include "solvers/prox/coloring.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <tuple>
#include <utility>

namespace drystone {
namespace {

constexpr int kMaxColors = 64;  // of one word
static_assert(kMaxColors + 1 < SweepPlan::kMaxPhases);
constexpr int kUnsafe = kMaxColors;

/// Columns of the row of A that belongs to a unit.
std::span<const int> columnsOf(const BlockSparseMatrix& matrix, int block) {
  return std::span(matrix.blockColumn)
      .subspan(matrix.blockStart[block], matrix.blockStart[block + 1] - matrix.blockStart[block]);
}

}  // namespace

void ColoringSettings::visit(SettingVisitor& visitor) {
  visitColors(visitor);
  visitUnit(visitor);
}

void ColoringSettings::visitUnit(SettingVisitor& visitor) {
  static constexpr std::array<std::string_view, 2> kUnits = {"contact", "manifold"};
  visitor.choice({"color_unit", "", "what is colored"}, unit, kUnits);
}

void ColoringSettings::visitColors(SettingVisitor& visitor) {
  static constexpr std::array<std::string_view, 2> kChoices = {"greedy", "balanced"};
  visitor.choice({"coloring", "", "which free color a unit takes"}, choice, kChoices);
}

void Coloring::reserve(const ProblemSize& size) {
  units_.reserve(size.blocks);
  for (auto* array : {&parent_, &islandSize_}) array->reserve(size.bodies);
  islandUnits_.reserve(size.blocks);
  takenAt_.reserve(size.bodies);
  sizes_.reserve(kMaxColors + 1);
  cursor_.reserve(kMaxColors + 1);
}

void Coloring::findUnits(const ContactProblem& problem, ColorUnit unit) {
  units_.clear();
  for (int i = 0; i < problem.blockCount(); ++i) {
    const ProblemBlock& block = problem.blocks[i];
    if (unit == ColorUnit::kManifold && matrix_ == nullptr && !units_.empty()) {
      Unit& last = units_.back();
      const bool isSamePair = last.bodyA == block.bodyA && last.bodyB == block.bodyB;
      if (isSamePair && problem.blocks[last.firstBlock].law == block.law) {
        last.endBlock = i + 1;
        continue;
      }
    }
    units_.push_back({i, i + 1, block.bodyA, block.bodyB, kUnsafe, -1});
  }
}

std::uint64_t Coloring::taken(const Unit& unit) const {
  std::uint64_t colors = 0;
  if (matrix_ != nullptr) {
    // What neighbours before it have marked here, and, should A have the entry on this side only,
    // their own colors.
    colors = takenAt_[unit.firstBlock];
    for (const int block : columnsOf(*matrix_, unit.firstBlock)) {
      if (units_[block].color != kUnsafe) colors |= std::uint64_t{1} << units_[block].color;
    }
    return colors;
  }
  if (unit.bodyA >= 0) colors |= takenAt_[unit.bodyA];
  if (unit.bodyB >= 0) colors |= takenAt_[unit.bodyB];
  return colors;
}

void Coloring::take(const Unit& unit) {
  const std::uint64_t bit = std::uint64_t{1} << unit.color;
  if (matrix_ != nullptr) {
    for (const int block : columnsOf(*matrix_, unit.firstBlock)) takenAt_[block] |= bit;
    return;
  }
  if (unit.bodyA >= 0) takenAt_[unit.bodyA] |= bit;
  if (unit.bodyB >= 0) takenAt_[unit.bodyB] |= bit;
}

/// Returns how many colors it needs.
int Coloring::colorGreedily() {
  int colors = 0;
  for (Unit& unit : units_) {
    unit.color = std::countr_one(taken(unit));
    if (unit.color == kMaxColors) continue;  // the unsafe one
    take(unit);
    colors = std::max(colors, unit.color + 1);
  }
  return colors;
}

/// A unit that finds none of the colors free opens another.
void Coloring::colorEvenly(int colors) {
  std::fill(takenAt_.begin(), takenAt_.end(), 0);
  for (Unit& unit : units_) unit.color = kUnsafe;
  std::array<int, kMaxColors> uses{};
  for (Unit& unit : units_) {
    const std::uint64_t unavailable = taken(unit);
    for (int color = 0; color < colors; ++color) {
      const bool isFree = (unavailable >> color & 1) == 0;
      if (isFree && (unit.color == kUnsafe || uses[color] < uses[unit.color])) unit.color = color;
    }
    if (unit.color == kUnsafe && colors < kMaxColors) unit.color = colors++;
    if (unit.color == kUnsafe) continue;
    ++uses[unit.color];
    take(unit);
  }
}

void Coloring::mergeSmallColors(Real leastShare) {
  const Real least = leastShare * static_cast<Real>(units_.size() - islandUnits_.size());
  const auto count = [&] {
    sizes_.assign(kMaxColors + 1, 0);
    for (const Unit& unit : units_) {
      if (unit.island < 0) ++sizes_[unit.color];
    }
  };
  count();
  for (Unit& unit : units_) {
    if (unit.island < 0 && unit.color != kUnsafe && sizes_[unit.color] < least) {
      unit.color = kUnsafe;
    }
  }
  count();
}

int Coloring::rootOf(int body) {
  while (parent_[body] != body) body = parent_[body] = parent_[parent_[body]];
  return body;
}

/// An island in which a unit found no color stays with the colors.
void Coloring::gatherIslands(const ContactProblem& problem, int islandSize) {
  islandUnits_.clear();
  if (islandSize == 0 || matrix_ != nullptr) return;
  parent_.resize(problem.bodyCount());
  std::iota(parent_.begin(), parent_.end(), 0);
  for (const Unit& unit : units_) {
    if (unit.bodyA >= 0 && unit.bodyB >= 0) parent_[rootOf(unit.bodyA)] = rootOf(unit.bodyB);
  }
  islandSize_.assign(problem.bodyCount(), 0);
  for (Unit& unit : units_) {
    const int body = std::max(unit.bodyA, unit.bodyB);
    if (body < 0) continue;
    unit.island = rootOf(body);
    int& size = islandSize_[unit.island];
    for (int index = unit.firstBlock; index < unit.endBlock; ++index) {
      const ProblemBlock& block = problem.blocks[index];
      size += block.law == BlockLaw::kRows ? block.rows : 1;
    }
    if (unit.color == kUnsafe) size = std::max(size, islandSize + 1);
  }
  for (std::size_t i = 0; i < units_.size(); ++i) {
    if (units_[i].island < 0) continue;
    if (islandSize_[units_[i].island] <= islandSize) {
      islandUnits_.push_back(static_cast<int>(i));
    } else {
      units_[i].island = -1;
    }
  }
  std::sort(islandUnits_.begin(), islandUnits_.end(), [&](int i, int j) {
    const Unit &a = units_[i], &b = units_[j];
    return std::tie(a.island, a.color, i) < std::tie(b.island, b.color, j);
  });
}

/// One unit an island.
void Coloring::writeIslands(SweepPlan& plan) {
  int island = -1;
  for (const int index : islandUnits_) {
    const Unit& unit = units_[index];
    if (unit.island != std::exchange(island, unit.island)) {
      plan.unitStart.push_back(plan.blockCount());
    }
    for (int block = unit.firstBlock; block < unit.endBlock; ++block) {
      plan.blocks.push_back(block);
      plan.phaseOf[block] = 0;
    }
  }
  const int islands = static_cast<int>(plan.unitStart.size());
  if (islands > 0) plan.phases.push_back({0, islands, false, true});
}

/// Colors in order, the unsafe one last: it is mostly made up of contacts that many others lean on,
/// which converge faster so (Poulsen 2010, §7.4).
void Coloring::writePlan(const ContactProblem& problem, SweepPlan& plan) {
  plan.phases.clear();
  plan.phaseOf.resize(problem.blockCount());
  plan.blocks.clear();
  plan.unitStart.clear();
  writeIslands(plan);
  cursor_.assign(kMaxColors + 1, 0);
  const int islands = static_cast<int>(plan.unitStart.size());
  int first = islands;
  for (int color = 0; color <= kMaxColors; ++color) {
    cursor_[color] = first;
    if (sizes_[color] == 0) continue;
    plan.phases.push_back({first, first + sizes_[color], color == kUnsafe});
    first += sizes_[color];
  }
  // Units by color, in their own order: a counting sort.
  std::vector<int>& order = plan.unitStart;
  order.resize(first + 1);
  for (std::size_t i = 0; i < units_.size(); ++i) {
    if (units_[i].island < 0) order[cursor_[units_[i].color]++] = static_cast<int>(i);
  }
  int phase = 0;
  for (int i = islands; i < first; ++i) {
    const Unit& unit = units_[order[i]];
    if (i == plan.phases[phase].endUnit) ++phase;
    order[i] = plan.blockCount();
    for (int block = unit.firstBlock; block < unit.endBlock; ++block) {
      plan.blocks.push_back(block);
      plan.phaseOf[block] = phase;
    }
  }
  order.back() = plan.blockCount();
}

void Coloring::plan(const ContactProblem& problem, const ColoringSettings& settings,
                    SweepPlan& plan) {
  matrix_ = problem.assembled;
  findUnits(problem, settings.unit);
  takenAt_.assign(matrix_ != nullptr ? problem.blockCount() : problem.bodyCount(), 0);
  const int colors = colorGreedily();
  if (settings.choice == ColorChoice::kBalanced) colorEvenly(colors);
  gatherIslands(problem, settings.islandSize);
  mergeSmallColors(settings.leastShare);
  writePlan(problem, plan);
}

}  // namespace drystone
