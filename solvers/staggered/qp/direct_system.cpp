#include "solvers/staggered/qp/working_set_system.h"

namespace drystone {

bool DirectSystem::isFactorOf(std::span<const RowState> sets) const {
  std::size_t next = 0;
  for (int i = 0; i < static_cast<int>(sets.size()); ++i) {
    const bool wasFree = next < free_.size() && free_[next] == i;
    if (wasFree != (sets[i] == RowState::kFree)) return false;
    next += wasFree ? 1 : 0;
  }
  return true;
}

bool DirectSystem::solve(std::span<const RowState> sets, std::span<Real> x) {
  if ((!isFactored_ || !isFactorOf(sets)) && !factorFree(sets)) return false;
  for (int i = 0; i < qp_.size(); ++i) x[i] = sets[i] == RowState::kFree ? 0 : boundOf(i, sets[i]);
  right_.clear();
  for (const int i : free_) right_.push_back(qp_.linear[i] - hessian_->rowTimes(i, x));
  k0_->solve(right_, 1);
  ++solves_;
  for (std::size_t k = 0; k < free_.size(); ++k) x[free_[k]] = right_[k];
  return true;
}

void DirectSystem::correct(std::span<const Real> r, std::span<Real> x) {
  right_.clear();
  for (const int i : free_) right_.push_back(r[i]);
  k0_->solve(right_, 1);
  ++solves_;
  for (std::size_t k = 0; k < free_.size(); ++k) x[free_[k]] += right_[k];
}

}  // namespace drystone
