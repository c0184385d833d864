#pragma once

#include <memory>
#include <utility>

#include "solvers/linear/body_factor.h"
#include "solvers/linear/dense_factor.h"
#include "solvers/linear/envelope_factor.h"
#include "solvers/linear/free_factor.h"
#include "solvers/linear/sparse_factor.h"

namespace drystone {

/// A factor that picks one of several for each problem when it analyses it.
class ChosenFactor : public FreeFactor {
 public:
  /// Of the one that was picked; after `analyze`.
  std::string_view name() const final { return chosen_->name(); }
  void analyze(const RowSystem& system, BasisKind kind) final;
  bool factor(const RowSystem& system, const FreeBasis& basis) final;
  bool sharpen(const RowSystem& system) final;
  void solve(std::span<Real> x) final { chosen_->solve(x); }
  std::size_t cacheBytes() const final { return chosen_->cacheBytes(); }

 protected:
  virtual FreeFactor& choose(const RowSystem& system, BasisKind kind) = 0;
  /// What takes over, until the next `analyze`, where the chosen one fails; null: nothing.
  virtual FreeFactor* fallback() { return nullptr; }

 private:
  FreeFactor* chosen_ = nullptr;
  BasisKind kind_ = BasisKind::kGeneral;
};

/// In the space of the rows, from scratch for every candidate: densely up to `kDenseRows` rows,
/// sparsely beyond.
class RowFactor : public ChosenFactor {
 public:
  static constexpr int kDenseRows = 500;

  void reserve(const ProblemSize& size) override { dense_.reserve(size); }
  bool needsMatrix(const ContactProblem&) const override { return true; }

 protected:
  FreeFactor& choose(const RowSystem& system, BasisKind kind) override;

 private:
  DenseFactor dense_;
  SparseFactor sparse_;
};

/// Body form in the space of the body velocities; assembled form in that of the rows.
class SparseSpaceFactor : public ChosenFactor {
 public:
  void reserve(const ProblemSize& size) override;
  bool needsMatrix(const ContactProblem&) const override { return false; }

 protected:
  FreeFactor& choose(const RowSystem& system, BasisKind kind) override;

 private:
  BodyFactor bodies_;
  RowFactor rows_;
};

/// A factor for symmetric positive semi-definite A and the bases that it takes; where A or the
/// basis is another, or the factor too large to store, the row factor.
class SymmetricFactor : public ChosenFactor {
 public:
  explicit SymmetricFactor(std::unique_ptr<FreeFactor> factor) : factor_(std::move(factor)) {}
  void reserve(const ProblemSize& size) override;
  bool needsMatrix(const ContactProblem&) const override { return true; }

 protected:
  FreeFactor& choose(const RowSystem& system, BasisKind kind) override;
  FreeFactor* fallback() override { return &rows_; }

 private:
  std::unique_ptr<FreeFactor> factor_;
  RowFactor rows_;
};

/// The factor that was measured to be the fastest (docs/solvers/bpp-auto.md). Body form goes to the
/// space of the bodies. Plain rows of assembled form are factored within their envelope, downdated
/// or anew, unless that is nearly full or A is not symmetric.
class CheapestFactor : public ChosenFactor {
 public:
  CheapestFactor() : envelope_({.reorder = true, .update = EnvelopeUpdate::kCheaper}) {}
  void reserve(const ProblemSize& size) override;
  bool needsMatrix(const ContactProblem&) const override { return false; }

 protected:
  FreeFactor& choose(const RowSystem& system, BasisKind kind) override;
  FreeFactor* fallback() override { return &rows_; }

 private:
  EnvelopeFactor envelope_;
  BodyFactor bodies_;
  RowFactor rows_;
};

}  // namespace drystone
