#include "solvers/automatic/quick_sweeps.h"

#include <algorithm>

#include "core/timer.h"
#include "solvers/driver/stopping.h"

namespace drystone {
namespace {

/// Fewer bodies have a cheap factor, whatever they touch.
constexpr int kLeastBodies = 100;
/// Blocks of the largest factor, 1.2 GB where it has two triangles.
constexpr int kMostEntries = 1 << 21;

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
  graph_.factorFits = pattern_.build(bodies, pairs_, kMostEntries);
  graph_.products = graph_.factorFits ? pattern_.products() : 0;
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
                                ImpulseView impulses, ContactSolver& sweeps,
                                JudgeWorkspace& judge) const {
  const Timer timer;
  const Real resting = kRestingTolerances * budget.tolerance;
  const bool rests = judgeWithin(problem, impulses.lambda, resting, judge).has_value();
  Budget left = budget;
  left.iterations = std::min(most_, *budget.iterations);
  SolverReport report = sweeps.solve(problem, left, impulses, &judge);
  *left.iterations -= report.iterations;
  if (!rests || report.status != SolveStatus::kConverged || *left.iterations <= 0) return report;
  left.tolerance *= kWarmShare / 2;
  left.seconds -= timer.milliseconds() / 1e3;
  // No worse, whether it gets there or not.
  addSolve(sweeps.solve(problem, left, impulses, &judge), report);
  return report;
}

}  // namespace drystone
