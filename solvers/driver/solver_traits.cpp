#include "solvers/driver/solver_traits.h"

#include <fmt/format.h>

#include <algorithm>

namespace drystone {

bool SolverTraits::supports(FrictionModel model) const {
  return std::find(frictionModels.begin(), frictionModels.end(), model) != frictionModels.end();
}

SolverNeeds needsOf(const ContactProblem& problem) {
  SolverNeeds needs{.isAssembled = problem.assembled != nullptr};
  for (const ProblemBlock& block : problem.blocks) {
    if (block.law == BlockLaw::kContact) {
      needs.friction = problem.friction;
    } else {
      needs.hasRows = true;
    }
  }
  return needs;
}

std::string whyNot(const SolverTraits& traits, const SolverNeeds& needs) {
  if (needs.isHere && !traits.unavailable().empty()) {
    return fmt::format("cannot run here: {}", traits.unavailable());
  }
  if (needs.friction && !traits.supports(*needs.friction)) {
    return fmt::format("does not solve the friction model '{}'",
                       frictionModelName(*needs.friction));
  }
  if (needs.hasRows && !traits.handlesRows) return "takes contacts only, no joints";
  if (needs.isAssembled && !traits.takesAssembledForm) return "does not take the assembled form";
  if (!needs.isAssembled && !traits.takesBodyForm) return "takes assembled problems only";
  return "";
}

}  // namespace drystone
