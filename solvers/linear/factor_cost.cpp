#include "solvers/linear/factor_cost.h"

#include <algorithm>

#include "solvers/linear/block_pattern.h"

namespace drystone {
namespace {

/// Products of two blocks, in both triangles, in the time that a sweep takes for a contact: 100 ns.
constexpr Real kProductsPerContact = 1;

}  // namespace

void FactorCost::count(const ContactProblem& problem) {
  found_.clear();
  for (const ProblemBlock& block : problem.blocks) {
    if (block.bodyA < 0 || block.bodyB < 0) continue;
    const std::pair<int, int> pair = std::minmax({block.bodyA, block.bodyB});
    // The contacts of two bodies adjoin.
    if (found_.empty() || found_.back() != pair) found_.push_back(pair);
  }
  std::ranges::sort(found_);
  found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
  contacts_ = problem.blockCount();
  if (problem.bodyCount() == bodies_ && found_ == pairs_) return;
  bodies_ = problem.bodyCount();
  pairs_ = found_;
  BlockPattern pattern;
  fits_ = pattern.build(bodies_, pairs_, mostBlocks_);
  products_ = fits_ ? pattern.products() : 0;
}

Real FactorCost::inSweeps() const {
  if (!fits_) return kInfinity;
  return static_cast<Real>(products_) / (kProductsPerContact * contacts_);
}

}  // namespace drystone
