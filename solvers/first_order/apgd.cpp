#include "solvers/first_order/apgd.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/timer.h"
#include "solvers/problem/laws.h"
#include "solvers/problem/problem_ops.h"

namespace drystone {

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
  problem_ = problem;
  best_ = impulses.lambda;
  descent_.start(problem, impulses.lambda, coupling_);
  meter_.start(problem, settings.stopping);
  followVelocities();
  keep();
  report.status = descend(*this, settings.stopping, context, report);
  report.relaxationError = relaxationError_;
  report.stepReductions = descent_.stepReductions();
}

/// The shifts of the present velocities, which for the exact law join the gradient.
void ApgdSolver::followVelocities() {
  const std::span<const Real> w = descent_.gradient();  // in the tangents: σ is in the normals only
  for (int block = 0; block < problem_.blockCount(); ++block) {
    const ProblemBlock& info = problem_.blocks[block];
    if (info.law == BlockLaw::kRows) {
      shifts_[block] = 0;
    } else {
      shifts_[block] = deSaxceShift(problem_.friction, info, w.data() + info.firstRow + 1);
    }
  }
  if (settings.law == ApgdLaw::kExact) descent_.setShift(shifts_);
}

int ApgdSolver::advance(int iteration, int end, const Deadline& deadline) {
  do {
    descent_.step();
    followVelocities();
    ++iteration;
  } while (iteration < end && !deadline.passed() && !descent_.stoodStill());
  return iteration;
}

void ApgdSolver::keep() {
  std::copy(descent_.lambda().begin(), descent_.lambda().end(), best_.begin());
  const bool isRelaxed = settings.law == ApgdLaw::kRelaxed;
  relaxationError_ =
      isRelaxed ? relaxationError(problem_, descent_.lambda(), descent_.gradient()) : 0;
}

/// λ is optimal for a gradient exactly where it obeys the problem's own law with the velocity
/// gradient − shift n: that of the exact law, and with the exact law's residuals the relaxation's.
Measurement ApgdSolver::measure(int iteration) {
  std::copy(descent_.gradient().begin(), descent_.gradient().end(), w_.begin());
  for (int block = 0; block < problem_.blockCount(); ++block) {
    w_[problem_.blocks[block].firstRow] -= shifts_[block];
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

std::unique_ptr<ContactSolver> makeApgd() { return std::make_unique<ApgdSolver>(); }

}  // namespace drystone
