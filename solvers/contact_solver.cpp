#include "solvers/contact_solver.h"

#include <algorithm>
#include <array>

namespace drystone {

std::string_view solveStatusName(SolveStatus status) {
  static constexpr std::array<std::string_view, kSolveStatusCount> kNames = {
      "converged", "iteration_limit", "time_limit",        "stalled",
      "cycled",    "infeasible",      "numerical_failure", "unsupported"};
  return kNames[static_cast<std::size_t>(status)];
}

bool SolverTraits::supports(FrictionModel model) const {
  return std::find(frictionModels.begin(), frictionModels.end(), model) != frictionModels.end();
}

}  // namespace drystone
