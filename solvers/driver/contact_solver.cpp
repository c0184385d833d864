#include "solvers/driver/contact_solver.h"

#include <algorithm>
#include <array>

namespace drystone {

std::string_view solveStatusName(SolveStatus status) {
  static constexpr std::array<std::string_view, kSolveStatusCount> kNames = {
      "converged", "iteration_limit", "time_limit",        "stalled",
      "cycled",    "infeasible",      "numerical_failure", "unsupported"};
  return kNames[static_cast<std::size_t>(status)];
}

std::string_view solveStatusMeaning(SolveStatus status) {
  static constexpr std::array<std::string_view, kSolveStatusCount> kMeanings = {
      "within the solver's own tolerance",
      "ran out of its rounds; its last or best iterate was taken",
      "ran out of its time; its last or best iterate was taken",
      "no longer got better; the best iterate was taken",
      "index sets came back; the best of them was taken",
      "no impulse satisfies all rows; the best iterate was taken",
      "a number was not finite or a factor failed",
      "the solver does not take this problem"};
  return kMeanings[static_cast<std::size_t>(status)];
}

bool SolverTraits::supports(FrictionModel model) const {
  return std::find(frictionModels.begin(), frictionModels.end(), model) != frictionModels.end();
}

}  // namespace drystone
