#include "solvers/linear/dense_factor.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "core/check.h"
#include "solvers/linear/free_entries.h"
#include "solvers/linear/usable_pivot.h"

namespace drystone {
namespace {

using DenseMap = Eigen::Map<MatX>;

}  // namespace

void DenseFactor::reserve(const ProblemSize& size) {
  diagonal_.reserve(size.rows);
  swaps_.reserve(size.rows);
}

void DenseFactor::fill(const RowSystem& system, const FreeBasis& basis) {
  DRYSTONE_ASSERT(system.matrix() != nullptr);
  size_ = basis.count();
  values_.assign(static_cast<std::size_t>(size_) * size_, 0);
  forEachFreeEntry(*system.matrix(), basis, [&](int k, int l, Real value) {
    values_[static_cast<std::size_t>(l) * size_ + k] = value;
  });
  own_.resize(size_);
  for (int k = 0; k < size_; ++k) {
    Real& entry = values_[static_cast<std::size_t>(k) * size_ + k];
    own_[k] = std::abs(entry);
    entry += basis.extra(k) + (regularization_ > 0 ? kRegularization * own_[k] : 0);
  }
}

bool DenseFactor::factor(const RowSystem& system, const FreeBasis& basis) {
  regularization_ = 0;
  fill(system, basis);
  diagonal_.resize(size_);
  Real largest = 0;
  for (int k = 0; k < size_; ++k) {
    diagonal_[k] = values_[static_cast<std::size_t>(k) * size_ + k];
    largest = std::max(largest, own_[k]);
  }
  const bool symmetric = basis.symmetric() && system.asymmetry() < 1e-14;
  cholesky_ = symmetric;
  if (symmetric ? factorCholesky() : factorLu()) return true;
  if (!(largest > 0)) return size_ == 0;
  regularization_ = kRegularization * largest;
  fill(system, basis);
  if (symmetric && factorCholesky()) return true;
  cholesky_ = false;
  if (symmetric) fill(system, basis);
  return factorLu();
}

bool DenseFactor::factorCholesky() {
  DenseMap k(values_.data(), size_, size_);
  if (Eigen::internal::llt_inplace<Real, Eigen::Lower>::blocked(k) >= 0) return false;
  for (int i = 0; i < size_; ++i) {
    if (!isUsablePivot(k(i, i) * k(i, i), diagonal_[i])) return false;
  }
  return true;
}

bool DenseFactor::factorLu() {
  DenseMap k(values_.data(), size_, size_);
  swaps_.resize(size_);
  Eigen::Map<Eigen::Matrix<Eigen::Index, Eigen::Dynamic, 1>> swaps(swaps_.data(), size_);
  Eigen::Index exchanges = 0;
  if (size_ == 0) return true;
  Eigen::internal::partial_lu_inplace(k, swaps, exchanges);
  const auto pivots = k.diagonal().cwiseAbs();
  return pivots.allFinite() && pivots.minCoeff() > kTinyPivot * pivots.maxCoeff();
}

void DenseFactor::solve(std::span<Real> x) {
  const Eigen::Map<const MatX> k(values_.data(), size_, size_);
  Eigen::Map<VecX> y(x.data(), size_);
  if (cholesky_) {
    k.triangularView<Eigen::Lower>().solveInPlace(y);
    k.triangularView<Eigen::Lower>().transpose().solveInPlace(y);
    return;
  }
  for (int i = 0; i < size_; ++i) std::swap(x[i], x[swaps_[i]]);
  k.triangularView<Eigen::UnitLower>().solveInPlace(y);
  k.triangularView<Eigen::Upper>().solveInPlace(y);
}

}  // namespace drystone
