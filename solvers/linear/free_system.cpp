#include "solvers/linear/free_system.h"

#include <algorithm>
#include <cmath>

namespace drystone {

void FreeSystem::reserve(const ProblemSize& size) {
  basis_.reserve(size);
  residual_.reserve(size.rows);
  lastLambda_.reserve(size.rows);
  lastW_.reserve(size.rows);
}

void FreeSystem::attach(RowSystem& rows, FreeFactor& factor, BasisKind kind) {
  rows_ = &rows;
  factor_ = &factor;
  factorizations_ = 0;
  factorName_ = {};
  regularization_ = 0;
  kind_ = kind;
  factor.analyze(rows, kind);
}

void FreeSystem::change(BasisKind kind) {
  if (kind == kind_) return;
  kind_ = kind;
  factor_->analyze(*rows_, kind);
}

bool FreeSystem::factor() {
  const bool good = factor_->factor(*rows_, basis_);
  factorizations_ += factor_->isFresh() ? 1 : 0;
  factorName_ = factor_->name();
  noteRegularization();
  return good;
}

void FreeSystem::noteRegularization() {
  regularization_ = std::max(regularization_, factor_->regularization());
}

Real FreeSystem::correct(std::span<Real> lambda, std::span<Real> w, Real tolerance,
                         int maxCorrections) {
  const Real residual = refine(lambda, w, tolerance, maxCorrections);
  if (maxCorrections == 0 || !(residual > tolerance) || !factor_->sharpen(*rows_)) return residual;
  ++factorizations_;
  noteRegularization();
  return refine(lambda, w, tolerance, maxCorrections);
}

void FreeSystem::solve(std::span<const Real> r, std::span<Real> step, int corrections) {
  residual_.resize(basis_.count());
  basis_.restrict(r, residual_);
  factor_->solve(residual_);
  std::fill(step.begin(), step.end(), 0.0);
  basis_.expand(residual_, step);
  lastW_.resize(r.size());
  for (int i = 0; i < corrections; ++i) {
    rows_->multiply(step, lastW_);
    for (int row = 0; row < rows_->rowCount(); ++row) lastW_[row] -= r[row];
    basis_.residual(step, lastW_, residual_);
    factor_->solve(residual_);
    basis_.expand(residual_, step);
  }
}

Real FreeSystem::refine(std::span<Real> lambda, std::span<Real> w, Real tolerance,
                        int maxCorrections) {
  residual_.resize(basis_.count());
  Real residual = basis_.residual(lambda, w, residual_);
  for (int i = 0; i < maxCorrections && residual > tolerance; ++i) {
    lastLambda_.assign(lambda.begin(), lambda.end());
    lastW_.assign(w.begin(), w.end());
    factor_->solveTo(tolerance, residual_);
    noteRegularization();  // solves that iterate find out only now that K is singular
    basis_.expand(residual_, lambda);
    rows_->velocity(lambda, w);
    const Real next = basis_.residual(lambda, w, residual_);
    if (!(next < residual) && i > 0) {
      std::copy(lastLambda_.begin(), lastLambda_.end(), lambda.begin());
      std::copy(lastW_.begin(), lastW_.end(), w.begin());
      return residual;
    }
    const bool slow = next > 0.25 * residual;
    residual = next;
    if (slow && i > 0) break;
  }
  return residual;
}

}  // namespace drystone
