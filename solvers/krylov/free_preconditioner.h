#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "solvers/krylov/preconditioner.h"
#include "solvers/linear/row_system.h"

namespace drystone {

/// What the preconditioners of one solve took together.
struct KrylovStatistics {
  int factorizations = 0;
  int reuses = 0;         ///< times that a factor served other free rows, or another diagonal
  std::int64_t rows = 0;  ///< free rows of all factorizations
  std::int64_t fill = 0;  ///< stored entries of all factors
  std::int64_t negativePivots = 0;
  std::int64_t zeroPivots = 0;
  std::int64_t shifts = 0;
  Real shift = 0;       ///< largest, over the mean diagonal
  double factorMs = 0;  ///< of all factorizations
};

/// A preconditioner of A_FF + E that follows the free rows F as they change. While they have
/// changed little since it was made, the one at hand serves, with the rows that left struck out.
class FreePreconditioner {
 public:
  void visitSettings(SettingVisitor& visitor);
  void reserve(const ProblemSize& size);
  /// Whether it is made from entries of A beside the diagonal.
  bool needsEntries() const;

  /// A new problem.
  void attach(const RowSystem& rows);
  /// Fits the rows that are not in `isOut`, with `added` [1/kg] on the diagonal (empty: nothing).
  /// False: the factor at hand still serves.
  bool update(std::span<const std::uint8_t> isOut, std::span<const Real> added);
  /// Steps of conjugate gradients with the factor at hand before it is made anew: no limit where it
  /// is that of the last update, else until such steps have taken about as long as making it does.
  int stepsLeft() const;
  void countSteps(int steps) { staleSteps_ += isStale_ ? steps : 0; }
  /// Makes it anew where no steps are left.
  bool renew(std::span<const std::uint8_t> isOut, std::span<const Real> added);

  const Preconditioner& get() const { return *preconditioner_; }

  void clearStatistics() { statistics_ = {}; }
  const KrylovStatistics& statistics() const { return statistics_; }

  /// The share of the free rows that may change before it is made anew.
  Real refactorShare = 0.02;

 private:
  /// How near the factor at hand is to what is asked for.
  enum class Fit : std::uint8_t { kSame, kNear, kFar };
  Fit fitOf(std::span<const std::uint8_t> isOut, std::span<const Real> added) const;
  void factor(std::span<const std::uint8_t> isOut, std::span<const Real> added);

  PreconditionerSettings settings_;
  bool isMade_ = false;  // with the settings as they are
  std::unique_ptr<Preconditioner> preconditioner_;
  SymmetricSparseStorage matrix_;  // A, or its diagonal alone
  std::vector<Real> diagonal_;     // [rows] of A
  std::vector<std::uint8_t> factoredOut_;
  std::vector<Real> factoredDiagonal_;  // with what was added
  bool isFactored_ = false;
  bool isStale_ = false;         // of other rows, or another diagonal, than the last update's
  std::int64_t staleSteps_ = 0;  // made while it was, since it was made
  KrylovStatistics statistics_;
};

}  // namespace drystone
