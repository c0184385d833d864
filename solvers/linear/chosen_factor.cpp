#include "solvers/linear/chosen_factor.h"

namespace drystone {
namespace {

/// Largest factor stored, 128 MiB: 4096 rows with full columns, which take some ten seconds.
constexpr std::int64_t kMaxStorage = std::int64_t{1} << 24;

}  // namespace

void ChosenFactor::analyze(const RowSystem& system, BasisKind kind) {
  kind_ = kind;
  chosen_ = &choose(system, kind);
  chosen_->analyze(system, kind);
}

bool ChosenFactor::factor(const RowSystem& system, const FreeBasis& basis) {
  chosen_->setDeadline(deadline_);
  bool good = chosen_->factor(system, basis);
  FreeFactor* other = fallback();
  if (!good && !deadline_.passed() && other != nullptr && other != chosen_ &&
      system.matrix() != nullptr) {
    chosen_ = other;
    chosen_->analyze(system, kind_);
    chosen_->setDeadline(deadline_);
    good = chosen_->factor(system, basis);
  }
  regularization_ = chosen_->regularization();
  return good;
}

bool ChosenFactor::sharpen(const RowSystem& system) {
  const bool good = chosen_->sharpen(system);
  regularization_ = chosen_->regularization();
  return good;
}

FreeFactor& RowFactor::choose(const RowSystem& system, BasisKind) {
  if (system.rowCount() <= kDenseRows) return dense_;
  return sparse_;
}

void SparseSpaceFactor::reserve(const ProblemSize& size) {
  bodies_.reserve(size);
  rows_.reserve(size);
}

FreeFactor& SparseSpaceFactor::choose(const RowSystem& system, BasisKind) {
  if (system.problem().assembled == nullptr) return bodies_;
  return rows_;
}

void SymmetricFactor::reserve(const ProblemSize& size) {
  factor_->reserve(size);
  rows_.reserve(size);
}

FreeFactor& SymmetricFactor::choose(const RowSystem& system, BasisKind kind) {
  if (!factor_->takes(kind) || system.asymmetry() > kRoundOff) return rows_;
  factor_->analyze(system, kind);
  if (factor_->storage() > kMaxStorage) return rows_;
  return *factor_;
}

void CheapestFactor::reserve(const ProblemSize& size) {
  envelope_.reserve(size);
  bodies_.reserve(size);
  rows_.reserve(size);
}

FreeFactor& CheapestFactor::choose(const RowSystem& system, BasisKind kind) {
  if (system.problem().assembled == nullptr) return bodies_;
  if (kind == BasisKind::kGeneral || system.asymmetry() > kRoundOff) return rows_;
  envelope_.analyze(system, kind);
  const std::int64_t size = system.rowCount();
  const bool isNearlyFull = 4 * envelope_.storage() > size * size;
  if (isNearlyFull || envelope_.storage() > kMaxStorage) return rows_;
  return envelope_;
}

}  // namespace drystone
