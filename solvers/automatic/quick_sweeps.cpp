#include "solvers/automatic/quick_sweeps.h"

#include <algorithm>

#include "core/timer.h"
#include "solvers/driver/stopping.h"
#include "solvers/linear/block_pattern.h"

namespace drystone {
namespace {

/// Fewer bodies have a cheap factor, whatever they touch.
constexpr int kLeastBodies = 100;

/// Products of two blocks, in both triangles, in the time that a sweep takes for a contact: 100 ns.
constexpr Real kProductsPerContact = 1;
/// Sweeps in the time that a Newton step takes beside its factor.
constexpr Real kSweepsBeside = 5;
/// Newton steps of a large problem: sweeps that cost more than these do not pay.
constexpr Real kNewtonSteps = 30;
/// A factor must cost so many sweeps for them to come first. Walls and pyramids have 8 to 10: their
/// bricks rest on many contacts each, and a few Newton steps hold them.
constexpr Real kLeastRatio = 20;

}  // namespace

void QuickSweeps::count(int bodies) {
  graph_.bodies = bodies;
  graph_.pairs = pairs_;
  BlockPattern pattern;
  graph_.factorFits = pattern.build(bodies, pairs_, mostBlocks_);
  graph_.products = graph_.factorFits ? pattern.products() : 0;
}

bool QuickSweeps::plan(const ContactProblem& problem) {
  factorFits_ = true;
  if (problem.assembled != nullptr || problem.bodyCount() < kLeastBodies) return false;
  pairs_.clear();
  for (const ProblemBlock& block : problem.blocks) {
    if (block.law != BlockLaw::kContact) return false;
    if (block.bodyA >= 0 && block.bodyB >= 0) {
      pairs_.emplace_back(std::min(block.bodyA, block.bodyB), std::max(block.bodyA, block.bodyB));
    }
  }
  std::ranges::sort(pairs_);
  pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
  if (problem.bodyCount() != graph_.bodies || pairs_ != graph_.pairs) count(problem.bodyCount());
  factorFits_ = graph_.factorFits;
  most_ = kMost;
  if (!factorFits_) return true;
  const Real ratio =
      static_cast<Real>(graph_.products) / (kProductsPerContact * problem.blockCount());
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
