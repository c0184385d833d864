#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "solvers/linear/free_factor.h"

namespace drystone {

/// Moves λ along the unknowns of a basis until their equations hold: factor, solve, refine. What
/// every direct method does to evaluate a candidate.
class FreeSystem {
 public:
  void reserve(const ProblemSize& size);
  /// Binds to the problem of one solve. Both must outlive it.
  void attach(RowSystem& rows, FreeFactor& factor, BasisKind kind);

  /// Prepares the factor for bases of the kind, where it is not.
  void change(BasisKind kind);

  /// The basis to fill before `factor`.
  FreeBasis& basis() { return basis_; }
  const FreeBasis& basis() const { return basis_; }
  /// Factors K of the present basis.
  bool factor();
  /// λ += C y with refinement until the largest residual of the basis's equations is below
  /// `tolerance` [m/s] or no longer falls, even with a sharper factor. On entry and on return
  /// w = A λ + b. Returns that residual.
  Real correct(std::span<Real> lambda, std::span<Real> w, Real tolerance,
               int maxCorrections = kMostRefinements);

  /// step := C y with K y = Rᵀ r; zero in rows without unknown. Corrections take a basis of plain
  /// rows. r, step: [rows].
  void solve(std::span<const Real> r, std::span<Real> step, int corrections);

  int factorizations() const { return factorizations_ + factor_->factorsWithinSolves(); }
  /// The factor that ran last since `attach`; empty: none did.
  std::string_view factorName() const { return factorName_; }
  /// Steps of iterative solves so far.
  std::int64_t innerIterations() const { return factor_->innerIterations(); }
  /// Largest diagonal term of any factor since `attach` beyond the problem's own [1/kg].
  Real regularization() const { return regularization_; }

 private:
  void noteRegularization();
  Real refine(std::span<Real> lambda, std::span<Real> w, Real tolerance, int maxCorrections);

  RowSystem* rows_ = nullptr;
  FreeFactor* factor_ = nullptr;
  BasisKind kind_{};
  FreeBasis basis_;
  std::vector<Real> residual_, lastLambda_, lastW_;
  int factorizations_ = 0;
  std::string_view factorName_;
  Real regularization_ = 0;
};

}  // namespace drystone
