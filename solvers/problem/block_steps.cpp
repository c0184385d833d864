#include "solvers/problem/block_steps.h"

#include <algorithm>
#include <array>

#include "solvers/problem/problem_ops.h"
#include "solvers/problem/residual.h"

namespace drystone {

void BlockSteps::start(const ContactProblem& problem) {
  problem_ = problem;
  values_.clear();
}

std::span<const Real> BlockSteps::values() const {
  if (values_.empty()) {
    values_.resize(problem_.blockCount());
    for (int begin = 0; begin < problem_.blockCount(); begin += kBlocksAtOnce) {
      const int end = std::min(problem_.blockCount(), begin + kBlocksAtOnce);
      std::array<DiagonalBlock, kBlocksAtOnce> diagonals;
      for (int i = begin; i < end; ++i) diagonalBlock(problem_, i, diagonals[i - begin].data());
      blockSteps(problem_, begin, end, diagonals.data(), &values_[begin]);
    }
  }
  return values_;
}

}  // namespace drystone
