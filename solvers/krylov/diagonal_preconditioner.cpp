#include "solvers/krylov/preconditioner.h"

#include <cmath>

namespace drystone {

void DiagonalPreconditioner::make(const SymmetricSparse& a, std::span<const std::uint8_t> isOut) {
  inverse_.assign(a.size, 1);
  statistics_.fill = a.size;
  if (kind_ == PreconditionerKind::kNone) return;
  for (int i = 0; i < a.size; ++i) {
    const Real entry = a.value[a.columnStart[i]];
    const Real inverse = 1 / std::abs(entry);
    const bool isUsable = std::isfinite(inverse) && inverse > 0;
    if (isUsable) inverse_[i] = inverse;
    if (!isOut.empty() && isOut[i]) continue;
    if (!isUsable) {
      ++statistics_.zeroPivots;
    } else if (entry < 0) {
      ++statistics_.negativePivots;
    }
  }
}

void DiagonalPreconditioner::applyMasked(std::span<const std::uint8_t> isOut,
                                         std::span<const Real> r, std::span<Real> z) const {
  for (std::size_t i = 0; i < inverse_.size(); ++i) {
    z[i] = !isOut.empty() && isOut[i] ? 0 : inverse_[i] * r[i];
  }
}

}  // namespace drystone
