#include "solvers/block_steps.h"

#include "solvers/problem_ops.h"
#include "solvers/residual.h"

namespace drystone {

void BlockSteps::start(const ContactProblem& problem) {
  problem_ = problem;
  values_.clear();
}

std::span<const Real> BlockSteps::values() const {
  if (values_.empty()) {
    values_.resize(problem_.blockCount());
    for (int block = 0; block < problem_.blockCount(); ++block) {
      Real diagonal[kMaxBlockRows * kMaxBlockRows];
      diagonalBlock(problem_, block, diagonal);
      values_[block] = blockStep(problem_, block, diagonal);
    }
  }
  return values_;
}

}  // namespace drystone
