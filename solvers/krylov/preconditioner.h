#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "solvers/driver/settings.h"
#include "solvers/linear/symmetric_sparse.h"

namespace drystone {

/// How M ≈ A is made (Ho 2022, ch. 4). Incomplete factors are M = L D Lᵀ with L unit lower
/// triangular.
enum class PreconditionerKind : std::uint8_t {
  kNone,             ///< M = 1
  kJacobi,           ///< M = diag A
  kIc0,              ///< L on the pattern of A; pivots that are not positive are replaced
  kIc0Shift,         ///< the same of A + γ, γ growing until all pivots are positive
  kIc0PartialShift,  ///< only the columns that feed a breakdown are shifted
  kIct,              ///< L with fill, without its small entries; shifted as kIc0Shift
  kIc0Imaginary,     ///< kIc0 that keeps negative pivots and applies their absolute value
};

/// Order of the rows in a factor.
enum class RowOrder : std::uint8_t {
  kNatural,  ///< as given
  kRcm,      ///< reverse Cuthill–McKee
  kAmd,      ///< approximate minimum degree
};

/// S of the matrix S A S that is factored.
enum class Prescaling : std::uint8_t {
  kNone,        ///< 1
  kDiagonal,    ///< 1/√|A_ii|
  kColumnNorm,  ///< 1/√‖A_·i‖₂
};

struct PreconditionerSettings {
  PreconditionerKind kind = PreconditionerKind::kIct;
  RowOrder order = RowOrder::kRcm;
  Prescaling prescaling = Prescaling::kDiagonal;
  Real shift = 1e-3;          ///< first γ, over the mean diagonal entry of S A S
  Real shiftGrowth = 4;       ///< γ after a breakdown over γ before it
  Real dropTolerance = 1e-5;  ///< kIct: of an entry over the norm of A's column
  Real fillCap = 10;          ///< kIct: entries of a column over those of A's column

  void visit(SettingVisitor& visitor);
};

/// What the last `factor` met.
struct PreconditionerStatistics {
  int rows = 0;           ///< of A
  std::int64_t fill = 0;  ///< stored entries of L with its diagonal
  int negativePivots = 0;
  int zeroPivots = 0;       ///< zero to rounding, or not finite
  int shifts = 0;           ///< times that the diagonal was raised
  Real shift = 0;           ///< largest term added, over the mean diagonal entry of S A S
  bool newPattern = false;  ///< the pattern differed from the last one and was analysed
  double timeMs = 0;
};

/// A symmetric positive definite M ≈ A whose inverse is cheap. Keeps the analysis of A's pattern
/// while the pattern stands, and its capacity; a factor of the same pattern allocates nothing. One
/// object per thread.
class Preconditioner {
 public:
  virtual ~Preconditioner() = default;

  /// Makes M for A without the rows of `isOut` (empty: all are in). Never fails: pivots that are
  /// not positive, and entries that are not finite, are replaced as the kind says, and counted.
  void factor(const SymmetricSparse& a, std::span<const std::uint8_t> isOut = {});

  /// z = M⁻¹ r, zero in the rows that were out; r there is not read. r and z may be the same.
  void apply(std::span<const Real> r, std::span<Real> z) const { applyMasked(isOut_, r, z); }

  /// The same with other rows out than those of the last `factor`: what is left of M when the rows
  /// and columns of L that are out now are struck, and the diagonal of A for rows that were out.
  /// Positive definite for every set; the further the sets differ, the worse it approximates.
  virtual void applyMasked(std::span<const std::uint8_t> isOut, std::span<const Real> r,
                           std::span<Real> z) const = 0;

  const PreconditionerStatistics& statistics() const { return statistics_; }

 protected:
  virtual void make(const SymmetricSparse& a, std::span<const std::uint8_t> isOut) = 0;

  PreconditionerStatistics statistics_;

 private:
  std::vector<std::uint8_t> isOut_;
};

std::unique_ptr<Preconditioner> makePreconditioner(const PreconditionerSettings& settings);

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
