#include "solvers/krylov/factored_preconditioner.h"

#include <algorithm>
#include <cmath>

#include "core/check.h"

namespace drystone {

void FactoredPreconditioner::make(const SymmetricSparse& a, std::span<const std::uint8_t> isOut) {
  statistics_.newPattern = matrix_.load(a, isOut, settings_.order, settings_.prescaling);
  pivot_.resize(a.size);
  sign_.resize(a.size);
  factorize();
  const auto count = [&](PivotSign sign) {
    return static_cast<int>(std::count(sign_.begin(), sign_.end(), sign));
  };
  statistics_.negativePivots = count(PivotSign::kNegative);
  statistics_.zeroPivots = count(PivotSign::kZero);
  inversePivot_.resize(a.size);
  for (int j = 0; j < a.size; ++j) inversePivot_[j] = 1 / std::abs(pivot_[j]);
  statistics_.fill = a.size + static_cast<std::int64_t>(lower().row.size());
  x_.resize(a.size);
  masked_.resize(a.size);
}

Real FactoredPreconditioner::pivotScale(int place) const {
  const Real scale = std::abs(matrix_.diagonal()[place]);
  return std::isfinite(scale) && scale > 0 ? scale : 1;
}

void FactoredPreconditioner::applyMasked(std::span<const std::uint8_t> isOut,
                                         std::span<const Real> r, std::span<Real> z) const {
  const int size = matrix_.size();
  DRYSTONE_ASSERT(static_cast<int>(r.size()) == size && static_cast<int>(z.size()) == size);
  const LowerColumns l = lower();
  const std::span<const int> order = matrix_.order();
  const std::span<const Real> scale = matrix_.scale();
  for (int j = 0; j < size; ++j) {
    masked_[j] = isOut.empty() ? 0 : isOut[order[j]];
    x_[j] = masked_[j] ? 0 : scale[j] * r[order[j]];
  }
  for (int j = 0; j < size; ++j) {
    // What the columns before left at a struck row goes with it.
    if (masked_[j]) {
      x_[j] = 0;
      continue;
    }
    const Real x = x_[j];
    for (int e = l.start[j]; e < l.start[j + 1]; ++e) x_[l.row[e]] -= l.value[e] * x;
  }
  for (int j = size - 1; j >= 0; --j) {
    if (masked_[j]) continue;
    Real x = x_[j] * inversePivot_[j];
    for (int e = l.start[j]; e < l.start[j + 1]; ++e) x -= l.value[e] * x_[l.row[e]];
    x_[j] = x;
  }
  for (int j = 0; j < size; ++j) z[order[j]] = scale[j] * x_[j];
}

}  // namespace drystone
