#include "solvers/staggered/qp/banded_k0.h"

#include <algorithm>

namespace drystone {

void BandedK0::attach(const SymmetricMatrix& hessian) {
  hessian_ = &hessian;
  reverseCuthillMckee(hessian.start, hessian.column, workspace_, order_);
  place_.resize(hessian.size());
  for (int i = 0; i < hessian.size(); ++i) place_[order_[i]] = i;
  bandwidth_ = 0;
  for (int row = 0; row < hessian.size(); ++row) {
    for (int k = hessian.start[row]; k < hessian.start[row + 1]; ++k) {
      bandwidth_ = std::max(bandwidth_, place_[row] - place_[hessian.column[k]]);
    }
  }
}

bool BandedK0::factor(std::span<const int> free, std::span<const Real> extra) {
  constexpr int kFixed = -1;
  const SymmetricMatrix& h = *hessian_;
  place_.assign(h.size(), kFixed);
  for (std::size_t k = 0; k < free.size(); ++k) place_[free[k]] = static_cast<int>(k);
  column_.clear();
  for (const int variable : order_) {
    if (place_[variable] == kFixed) continue;
    column_.push_back(place_[variable]);
    place_[variable] = static_cast<int>(column_.size()) - 1;
  }
  const auto forEachLower = [&](auto&& entry) {
    for (const int row : free) {
      for (int k = h.start[row]; k < h.start[row + 1]; ++k) {
        const int other = place_[h.column[k]];
        if (other != kFixed && other <= place_[row]) entry(place_[row], other, h.value[k]);
      }
    }
  };
  int bandwidth = 0;
  forEachLower([&](int row, int other, Real) { bandwidth = std::max(bandwidth, row - other); });
  const BandEntries band = cholesky_->begin(static_cast<int>(free.size()), bandwidth);
  forEachLower([&](int row, int other, Real value) { band.at(row, other) = value; });
  for (const int row : free) band.at(place_[row], place_[row]) += extra[row];
  return cholesky_->factor();
}

void BandedK0::solve(std::span<Real> columns, int count) {
  const std::size_t size = column_.size();
  turned_.resize(columns.size());
  for (int k = 0; k < count; ++k) {
    for (std::size_t i = 0; i < size; ++i) turned_[k * size + i] = columns[k * size + column_[i]];
  }
  cholesky_->solveMany(turned_, count, threads_);
  for (int k = 0; k < count; ++k) {
    for (std::size_t i = 0; i < size; ++i) columns[k * size + column_[i]] = turned_[k * size + i];
  }
}

}  // namespace drystone
