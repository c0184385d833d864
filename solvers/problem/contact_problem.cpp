#include "solvers/problem/contact_problem.h"

#include <algorithm>
#include <array>

namespace drystone {
namespace {

constexpr std::array<std::string_view, kFrictionModelCount> kModelNames = {
    "none", "box", "pyramid", "diamond", "cone", "contensou", "rolling"};

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

bool ContactProblem::followsNormals() const {
  return std::any_of(blocks.begin(), blocks.end(),
                     [this](const ProblemBlock& block) { return followsNormal(block); });
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

StoredProblem storedCopy(const ContactProblem& problem) {
  StoredProblem copy;
  copy.friction = problem.friction;
  copy.timestep = problem.timestep;
  copy.blocks.assign(problem.blocks.begin(), problem.blocks.end());
  copy.b.assign(problem.b.begin(), problem.b.end());
  copy.compliance.assign(problem.compliance.begin(), problem.compliance.end());
  copy.lower.assign(problem.lower.begin(), problem.lower.end());
  copy.upper.assign(problem.upper.begin(), problem.upper.end());
  copy.bodies.assign(problem.bodies.begin(), problem.bodies.end());
  copy.jacobianA.assign(problem.jacobianA.begin(), problem.jacobianA.end());
  copy.jacobianB.assign(problem.jacobianB.begin(), problem.jacobianB.end());
  if (problem.assembled != nullptr) copy.assembled = *problem.assembled;
  return copy;
}

}  // namespace drystone
