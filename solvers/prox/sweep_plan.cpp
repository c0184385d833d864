#include "solvers/prox/sweep_plan.h"

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
