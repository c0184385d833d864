#include "solvers/prox/sweep_plan.h"

#include <atomic>
#include <numeric>

namespace drystone {
namespace {

/// Joints before contacts, each in the problem's order.
void orderByLaw(const ContactProblem& problem, std::vector<int>& blocks) {
  blocks.clear();
  for (const BlockLaw law : {BlockLaw::kRows, BlockLaw::kContact}) {
    for (int i = 0; i < problem.blockCount(); ++i) {
      if (problem.blocks[i].law == law) blocks.push_back(i);
    }
  }
}

}  // namespace

std::uint64_t newRevision() {
  static std::atomic<std::uint64_t> last = 0;
  return ++last;
}

GraphPattern::Block GraphPattern::patternOf(const ProblemBlock& block) {
  const int rows = block.law == BlockLaw::kRows ? -block.rows : block.rows;
  return {block.firstRow, block.bodyA, block.bodyB, rows};
}

bool GraphPattern::isKept(const ContactProblem& problem, int threads) {
  constexpr int kGrain = 4096;  // blocks of a range: some 10 µs of work
  const int count = problem.blockCount();
  const bool isComparable = !problem.assembled && bodies_ == problem.bodyCount() &&
                            static_cast<int>(blocks_.size()) == count;
  const auto differs = [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      if (blocks_[i] != patternOf(problem.blocks[i])) return true;
    }
    return false;
  };
  if (isComparable && !parallelAny(count, kGrain, threads, differs)) return true;
  bodies_ = problem.assembled ? -1 : problem.bodyCount();
  blocks_.resize(problem.assembled ? 0 : count);
  parallelRanges(static_cast<int>(blocks_.size()), kGrain, threads, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) blocks_[i] = patternOf(problem.blocks[i]);
  });
  return false;
}

void SweepPlan::reserve(const ProblemSize& size) {
  blocks.reserve(size.blocks);
  unitStart.reserve(size.blocks + 1);
  phaseOf.reserve(size.blocks);
  phases.reserve(kMaxPhases);
}

void SweepPlan::setSequential(const ContactProblem& problem) {
  orderByLaw(problem, blocks);
  unitStart.assign({0, problem.blockCount()});
  phases.assign({Phase{0, 1, false}});
  phaseOf.assign(problem.blockCount(), 0);
}

void SweepPlan::copyPhase(const Phase& phase, const ContactProblem& problem,
                          std::span<const Real> from, std::span<Real> to) const {
  for (int k = unitStart[phase.firstUnit]; k < unitStart[phase.endUnit]; ++k) {
    const ProblemBlock& block = problem.blocks[blocks[k]];
    std::copy_n(&from[block.firstRow], block.rows, &to[block.firstRow]);
  }
}

void SweepPlan::setSimultaneous(const ContactProblem& problem) {
  orderByLaw(problem, blocks);
  unitStart.resize(problem.blockCount() + 1);
  std::iota(unitStart.begin(), unitStart.end(), 0);
  phases.assign({Phase{0, problem.blockCount(), true}});
  phaseOf.assign(problem.blockCount(), 0);
}

}  // namespace drystone
