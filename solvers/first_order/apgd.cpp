#include "solvers/first_order/apgd.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/timer.h"
#include "solvers/problem/laws.h"
#include "solvers/problem/problem_ops.h"

namespace drystone {

void ApgdSettings::visit(SettingVisitor& visitor) {
  static constexpr std::array<std::string_view, 2> kLaws = {"relaxed", "exact"};
  stopping.visit(visitor);
  visitor.choice({"law", "", "friction by its convex relaxation, or exact"}, law, kLaws);
}

ApgdSolver::ApgdSolver() {
  traits_.name = "apgd";
  traits_.summary = "accelerated projected gradient on relaxed (convex) friction, or exact";
  traits_.whenToTake =
      "convex friction, whose cost is reported; with law=exact also stacks and walls";
  traits_.source = "Mazhar et al. 2015; O'Donoghue & Candès 2015";
  traits_.iterations = 20000;
  traits_.relaxesFriction = true;
  traits_.frictionModels = {FrictionModel::kNone,    FrictionModel::kBox,
                            FrictionModel::kPyramid, FrictionModel::kDiamond,
                            FrictionModel::kCone,    FrictionModel::kContensou,
                            FrictionModel::kRolling};
}

void ApgdSolver::reserveOwn(const ProblemSize& size) {
  descent_.reserve(size);
  meter_.reserve(size);
  shifts_.reserve(size.blocks);
  w_.reserve(size.rows);
}

void ApgdSolver::run(const ContactProblem& problem, const SolveContext& context,
                     ImpulseView impulses, SolverReport& report) {
  shifts_.resize(problem.blockCount());
  w_.resize(problem.rowCount());
  descent_.start(problem, impulses.lambda, coupling_);
  meter_.start(problem, settings.stopping);
  report.status = iterate(problem, context, impulses.lambda, report);
  report.stepReductions = descent_.stepReductions();
}

/// The shifts of the present velocities, which for the exact law join the gradient.
void ApgdSolver::followVelocities(const ContactProblem& problem) {
  const std::span<const Real> w = descent_.gradient();  // in the tangents: σ is in the normals only
  for (int block = 0; block < problem.blockCount(); ++block) {
    const ProblemBlock& info = problem.blocks[block];
    if (info.law == BlockLaw::kRows) {
      shifts_[block] = 0;
    } else {
      shifts_[block] = deSaxceShift(problem.friction, info, w.data() + info.firstRow + 1);
    }
  }
  if (settings.law == ApgdLaw::kExact) descent_.setShift(shifts_);
}

/// λ is optimal for a gradient exactly where it obeys the problem's own law with the velocity
/// gradient − shift n: that of the exact law, and with the exact law's residuals the relaxation's.
Measurement ApgdSolver::measure(const ContactProblem& problem, int iteration) {
  std::copy(descent_.gradient().begin(), descent_.gradient().end(), w_.begin());
  for (int block = 0; block < problem.blockCount(); ++block) {
    w_[problem.blocks[block].firstRow] -= shifts_[block];
  }
  const std::span<const Real> previous = descent_.previous();
  const Measurement own =
      meter_.measure(descent_.lambda(), iteration > 0 ? previous : previous.first(0), w_);
  if (coupling_ == nullptr) return own;
  std::array<Real, 2> largest = {own.residual, own.error};
  coupling_->takeLargest(largest);
  return {.residual = largest[0], .error = largest[1]};
}

SolverReport ApgdSolver::solveCoupled(const ContactProblem& problem, const Budget& budget,
                                      ImpulseView impulses, DescentCoupling& coupling) {
  const Timer timer;
  SolverReport report;
  coupledHistory_.clear();
  replaceNonFinite(impulses.lambda);
  const SolveContext context{.tolerance = budget.aimedTolerance(),
                             .accepted = budget.tolerance,
                             .iterations = budget.iterations.value_or(traits_.iterations),
                             .deadline = {},
                             .history = coupledHistory_};
  coupling_ = &coupling;
  run(problem, context, impulses, report);
  coupling_ = nullptr;
  report.timeMs = timer.milliseconds();
  return report;
}

Real ApgdSolver::relaxationError(const ContactProblem& problem) const {
  Real largest = 0;
  if (settings.law == ApgdLaw::kExact) return largest;
  for (int block = 0; block < problem.blockCount(); ++block) {
    const bool carries = descent_.lambda()[problem.blocks[block].firstRow] > 0;
    if (carries) largest = std::max(largest, shifts_[block]);
  }
  return largest;
}

/// `best` holds the iterate of the smallest error measured, at first the warm start; at last the
/// one that converged.
SolveStatus ApgdSolver::iterate(const ContactProblem& problem, const SolveContext& context,
                                std::span<Real> best, SolverReport& report) {
  const Real tolerance = settings.stopping.toleranceOf(context.tolerance);
  Real smallest = kInfinity;
  const auto check = [&](int iteration) {
    const auto [residual, error] = measure(problem, iteration);
    if (iteration > 0 || !meter_.needsPrevious()) context.history.add(iteration, residual);
    if (error < smallest || residual <= tolerance) {
      smallest = std::min(smallest, error);
      std::copy(descent_.lambda().begin(), descent_.lambda().end(), best.begin());
      report.relaxationError = relaxationError(problem);
    }
    return residual;
  };

  followVelocities(problem);
  report.relaxationError = relaxationError(problem);
  // A warm start may be the answer already, and no answer may be worse than it.
  if (check(0) <= tolerance) return SolveStatus::kConverged;

  for (int iteration = 1; iteration <= context.iterations; ++iteration) {
    report.iterations = iteration;
    descent_.step();
    followVelocities(problem);
    const bool late = context.deadline.passed();
    const bool last = late || iteration == context.iterations || descent_.stoodStill();
    if (!last && iteration % settings.stopping.checkEvery != 0) continue;
    const Real residual = check(iteration);
    if (residual <= tolerance) return SolveStatus::kConverged;
    if (!std::isfinite(residual) || !descent_.isFinite()) return SolveStatus::kNumericalFailure;
    if (late) return SolveStatus::kTimeLimit;
    if (descent_.stoodStill()) return SolveStatus::kStalled;
  }
  return SolveStatus::kIterationLimit;
}

std::unique_ptr<ContactSolver> makeApgd() { return std::make_unique<ApgdSolver>(); }

}  // namespace drystone
