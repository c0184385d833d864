#include "solvers/first_order/descend.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "solvers/problem/laws.h"

namespace drystone {

void ApgdSettings::visit(SettingVisitor& visitor) {
  static constexpr std::array<std::string_view, 2> kLaws = {"relaxed", "exact"};
  stopping.visit(visitor);
  visitor.choice({"law", "", "friction by its convex relaxation, or exact"}, law, kLaws);
}

SolveStatus descend(Descent& descent, const StoppingRule& rule, const SolveContext& context,
                    SolverReport& report) {
  const Real tolerance = rule.toleranceOf(context.tolerance);
  Real smallest = kInfinity;
  const auto check = [&](int iteration) {
    const auto [residual, error] = descent.measure(iteration);
    const bool hasPrevious = iteration > 0 || rule.criterion != StopCriterion::kImpulseChange;
    if (hasPrevious) context.history.add(iteration, residual);
    if (error < smallest || residual <= tolerance) {
      smallest = std::min(smallest, error);
      descent.keep();
    }
    return residual;
  };

  // A warm start may be the answer already, and no answer may be worse than it.
  if (check(0) <= tolerance) return SolveStatus::kConverged;

  while (report.iterations < context.iterations) {
    const int next = (report.iterations / rule.checkEvery + 1) * rule.checkEvery;
    const int end = std::min(next, context.iterations);
    report.iterations = descent.advance(report.iterations, end, context.deadline);
    const bool late = context.deadline.passed();
    const Real residual = check(report.iterations);
    if (residual <= tolerance) return SolveStatus::kConverged;
    if (!std::isfinite(residual) || !descent.isFinite()) return SolveStatus::kNumericalFailure;
    if (late) return SolveStatus::kTimeLimit;
    if (descent.stoodStill()) return SolveStatus::kStalled;
  }
  return SolveStatus::kIterationLimit;
}

Real relaxationError(const ContactProblem& problem, std::span<const Real> lambda,
                     std::span<const Real> w) {
  Real largest = 0;
  for (const ProblemBlock& block : problem.blocks) {
    if (block.law == BlockLaw::kRows || !(lambda[block.firstRow] > 0)) continue;
    largest =
        std::max(largest, deSaxceShift(problem.friction, block, w.data() + block.firstRow + 1));
  }
  return largest;
}

}  // namespace drystone
