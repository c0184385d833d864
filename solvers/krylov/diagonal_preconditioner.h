#pragma once

#include <vector>

#include "solvers/krylov/preconditioner.h"

namespace drystone {

/// M = 1, or M = |diag A| with 1 for an entry that is zero or not finite.
class DiagonalPreconditioner : public Preconditioner {
 public:
  explicit DiagonalPreconditioner(PreconditionerKind kind) : kind_(kind) {}

  void applyMasked(std::span<const std::uint8_t> isOut, std::span<const Real> r,
                   std::span<Real> z) const override;

 private:
  void make(const SymmetricSparse& a, std::span<const std::uint8_t> isOut) override;

  PreconditionerKind kind_;
  std::vector<Real> inverse_;  // [rows]
};

}  // namespace drystone
