#include "solvers/contact_problem.h"

#include <algorithm>
#include <array>

namespace drystone {
namespace {

constexpr std::array<std::string_view, kFrictionModelCount> kModelNames = {
    "none", "box", "pyramid", "diamond", "cone", "contensou"};

}  // namespace

std::string_view frictionModelName(FrictionModel model) {
  return kModelNames[static_cast<std::size_t>(model)];
}

std::optional<FrictionModel> frictionModelFromName(std::string_view name) {
  const auto found = std::find(kModelNames.begin(), kModelNames.end(), name);
  if (found == kModelNames.end()) return std::nullopt;
  return static_cast<FrictionModel>(found - kModelNames.begin());
}

int ContactProblem::contactCount() const {
  return static_cast<int>(std::count_if(blocks.begin(), blocks.end(), [](const auto& block) {
    return block.law == BlockLaw::kContact;
  }));
}

ContactProblem StoredProblem::view() const {
  ContactProblem problem;
  problem.friction = friction;
  problem.timestep = timestep;
  problem.blocks = blocks;
  problem.b = b;
  problem.compliance = compliance;
  problem.lower = lower;
  problem.upper = upper;
  problem.bodies = bodies;
  problem.jacobianA = jacobianA;
  problem.jacobianB = jacobianB;
  problem.assembled = assembled ? &*assembled : nullptr;
  return problem;
}

}  // namespace drystone
