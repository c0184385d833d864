#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "gpu/layout/sweep_view.h"
#include "solvers/problem/contact_problem.h"
#include "solvers/prox/sweep_plan.h"

namespace drystone::gpu {

/// Which bodies the islands of a plan have, and which of their elements go at the same time. Arrays
/// as in SweepView, in its order. Keeps its capacity.
class IslandLayout {
 public:
  void reserve(const ProblemSize& size);
  /// Of the units of the plan's phase of islands, if it has one; tells `sizes` what they need.
  void build(const ContactProblem& problem, const SweepPlan& plan, SweepSizes& sizes);
  template <class Scalar>
  void copyTo(const SweepView<Scalar>& view) const;

 private:
  /// Level and bodies of an element.
  struct Place {
    int level, ownA, ownB;
  };
  int ownBody(int body, int island);
  int levelAfter(int bodyA, int bodyB, int levels);

  std::vector<int> bodyStart_, bodies_;
  std::vector<Place> contacts_, rows_;
  std::vector<int> ownOf_;    ///< [bodies] its number in its island; −1: not met yet
  std::vector<int> levelOf_;  ///< [bodies] the next level that is free of it
};

template <class Scalar>
void IslandLayout::copyTo(const SweepView<Scalar>& view) const {
  if (view.sizes.islands == 0) return;
  std::copy(bodyStart_.begin(), bodyStart_.end(), view.islandBodyStart);
  std::copy(bodies_.begin(), bodies_.end(), view.islandBody);
  const auto copyPlaces = [](const std::vector<Place>& places, int* level, int* ownA, int* ownB) {
    for (std::size_t i = 0; i < places.size(); ++i) {
      level[i] = places[i].level;
      ownA[i] = places[i].ownA;
      ownB[i] = places[i].ownB;
    }
  };
  copyPlaces(contacts_, view.contactLevel, view.ownA, view.ownB);
  copyPlaces(rows_, view.rowLevel, view.rowOwnA, view.rowOwnB);
}

}  // namespace drystone::gpu
