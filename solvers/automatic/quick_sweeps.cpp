#include "solvers/automatic/quick_sweeps.h"

#include <algorithm>

#include "core/timer.h"
#include "solvers/driver/stopping.h"

namespace drystone {
namespace {

/// Fewer bodies have a cheap factor, whatever they touch.
constexpr int kLeastBodies = 100;

/// Sweeps in the time that a Newton step takes beside its factor.
constexpr Real kSweepsBeside = 5;
/// Newton steps of a large problem: sweeps that cost more than these do not pay.
constexpr Real kNewtonSteps = 30;
/// A factor must cost so many sweeps for them to come first. Walls and pyramids have 8 to 10: their
/// bricks rest on many contacts each, and a few Newton steps hold them.
constexpr Real kLeastRatio = 20;

}  // namespace

bool QuickSweeps::plan(const ContactProblem& problem) {
  factorFits_ = true;
  if (problem.assembled != nullptr || problem.bodyCount() < kLeastBodies) return false;
  for (const ProblemBlock& block : problem.blocks) {
    if (block.law != BlockLaw::kContact) return false;
  }
  factor_.count(problem);
  factorFits_ = factor_.fits();
  most_ = kMost;
  if (!factorFits_) return true;
  const Real ratio = factor_.inSweeps();
  most_ = static_cast<int>(std::min<Real>(kNewtonSteps * (ratio + kSweepsBeside), kMost));
  return ratio >= kLeastRatio;
}

SolverReport QuickSweeps::solve(const ContactProblem& problem, const Budget& budget,
                                ImpulseView impulses, ContactSolver& sweeps, JudgeWorkspace& judge,
                                ResidualHistory& history) {
  const Timer timer;
  const Deadline until{&timer, budget.seconds};
  const Real resting = kRestingTolerances * budget.tolerance;
  const bool rests = judgeWithin(problem, impulses.lambda, resting, judge).has_value();
  Budget left = budget;
  left.iterations = std::min(most_, *budget.iterations);
  SolverReport report;
  const auto sweep = [&] {
    const SolverReport one = sweeps.solve(problem, left, impulses, &judge);
    for (const ResidualHistory::Entry& entry : sweeps.history().entries()) {
      history.add(report.iterations + entry.iteration, entry.residual);
    }
    addSolve(one, report);
    *left.iterations -= one.iterations;
    left.seconds = until.secondsLeft();
    return one.status;
  };
  report.status = sweep();
  leavesJitter_ = rests && report.status == SolveStatus::kConverged;
  if (!leavesJitter_ || *left.iterations <= 0 || until.passed()) return report;
  left.tolerance *= kWarmShare / 2;
  // No worse, whether it gets there or not.
  leavesJitter_ = sweep() != SolveStatus::kConverged;
  return report;
}

}  // namespace drystone
