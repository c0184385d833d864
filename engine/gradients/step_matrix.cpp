#include "engine/gradients/step_matrix.h"

#include <algorithm>
#include <cstddef>

#include "core/input_error.h"
#include "engine/world/world.h"

namespace drystone {
namespace {

using Triplets = std::vector<Eigen::Triplet<Real>>;

void addRow(int row, int firstColumn, const Vec6& values, Triplets& out) {
  for (int i = 0; i < 6; ++i) {
    if (values[i] != 0) out.emplace_back(row, firstColumn + i, values[i]);
  }
}

}  // namespace

StepMatrix stepMatrix(StepDerivative& derivative, std::span<const BodyId> bodies) {
  const std::vector<int>& groups = derivative.groups();
  StepMatrix matrix;
  matrix.certificate = derivative.certificate();
  std::vector<std::vector<int>> members;  // of each group: numbers of its bodies
  for (const BodyId id : bodies) {
    if (static_cast<std::size_t>(id.index) >= groups.size()) {
      throw InputError("step matrix: a body was added after the derivative was made");
    }
    const int group = groups[static_cast<std::size_t>(id.index)];
    if (group < 0) continue;
    members.resize(std::max(members.size(), static_cast<std::size_t>(group) + 1));
    members[static_cast<std::size_t>(group)].push_back(static_cast<int>(matrix.bodies.size()));
    matrix.bodies.push_back(id);
  }
  std::size_t most = 0;
  for (const auto& group : members) most = std::max(most, group.size());
  const auto slotOf = [&](int body) {
    return static_cast<std::size_t>(matrix.bodies[static_cast<std::size_t>(body)].index);
  };
  Triplets byState, byLoad;
  std::vector<Vec6> pose(groups.size(), Vec6::Zero()), velocity(groups.size(), Vec6::Zero());
  // One row of each group at a time: what groups have in common, as gravity, is not asked for.
  for (std::size_t member = 0; member < most; ++member) {
    for (int entry = 0; entry < 12; ++entry) {
      std::vector<Vec6>& ends = entry < 6 ? pose : velocity;
      const auto setEach = [&](Real value) {
        for (const auto& group : members) {
          if (member < group.size()) ends[slotOf(group[member])][entry % 6] = value;
        }
      };
      setEach(1);
      const StepGradient gradient = derivative.adjoint({.pose = pose, .velocity = velocity});
      setEach(0);
      for (const auto& group : members) {
        if (member >= group.size()) continue;
        const int row = 12 * group[member] + entry;
        for (const int body : group) {
          addRow(row, 12 * body, gradient.pose[slotOf(body)], byState);
          addRow(row, 12 * body + 6, gradient.velocity[slotOf(body)], byState);
          addRow(row, 6 * body, gradient.load[slotOf(body)], byLoad);
        }
      }
    }
  }
  const auto count = static_cast<Eigen::Index>(matrix.bodies.size());
  matrix.byState.resize(12 * count, 12 * count);
  matrix.byState.setFromTriplets(byState.begin(), byState.end());
  matrix.byLoad.resize(12 * count, 6 * count);
  matrix.byLoad.setFromTriplets(byLoad.begin(), byLoad.end());
  return matrix;
}

StepMatrix linearize(World& world, Real tolerance) {
  StepDerivative derivative(world, tolerance);
  return stepMatrix(derivative, world.bodies());
}

}  // namespace drystone
