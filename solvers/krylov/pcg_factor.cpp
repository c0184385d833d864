#include "solvers/krylov/pcg_factor.h"

#include <algorithm>
#include <cmath>

#include "solvers/linear/usable_pivot.h"

namespace drystone {
namespace {

/// Residual of a solve whose caller names none, as a share of the right-hand side.
constexpr Real kShare = 1e-8;

}  // namespace

void PcgFactor::visitSettings(SettingVisitor& visitor) {
  visitor.integer({"max_inner_iterations", "", "steps of conjugate gradients in one solve"},
                  maxIterations_, 1, 1'000'000'000);
  preconditioner_->visitSettings(visitor);
}

void PcgFactor::reserve(const ProblemSize& size) {
  preconditioner_->reserve(size);
  pcg_.reserve(size.rows);
  row_.reserve(size.rows);
  isOut_.reserve(size.rows);
  for (auto* array : {&extra_, &diagonal_, &right_, &solution_}) array->reserve(size.rows);
  bodyImpulse_.reserve(size.bodies);
}

void PcgFactor::analyze(const RowSystem& system, BasisKind) {
  preconditioner_->attach(system);
  bodyImpulse_.resize(system.problem().bodyCount());
  diagonal_.resize(system.rowCount());
  for (int row = 0; row < system.rowCount(); ++row) diagonal_[row] = system.diagonal(row);
}

bool PcgFactor::factor(const RowSystem& system, const FreeBasis& basis) {
  system_ = &system;
  regularization_ = 0;
  isRegularized_ = false;
  isOut_.assign(system.rowCount(), 1);
  extra_.assign(system.rowCount(), 0);
  row_.resize(basis.count());
  for (int k = 0; k < basis.count(); ++k) {
    if (!basis.plain(k)) return false;
    row_[k] = basis.row(k);
    isOut_[row_[k]] = 0;
    extra_[row_[k]] = basis.extra(k);
  }
  isFresh_ = preconditioner_->update(isOut_, extra_);
  return true;
}

void PcgFactor::solve(std::span<Real> x) {
  Real squared = 0;
  for (const Real value : x) squared += value * value;
  solveTo(kShare * std::sqrt(squared), x);
}

void PcgFactor::solveTo(Real tolerance, std::span<Real> x) {
  right_.assign(isOut_.size(), 0);
  for (std::size_t k = 0; k < x.size(); ++k) right_[row_[k]] = x[k];
  solution_.assign(isOut_.size(), 0);
  int left = maxIterations_;
  if (iterate(tolerance, left) == PcgStatus::kNegativeCurvature && !isRegularized_) {
    // As a factor of a singular matrix: impulses that nothing opposes grow far beyond the others,
    // and their rows leave the set.
    isRegularized_ = true;
    for (const int row : row_) {
      regularization_ = std::max(regularization_, kRegularization * system_->diagonal(row));
    }
    std::fill(solution_.begin(), solution_.end(), 0.0);
    iterate(tolerance, left);
  }
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = solution_[row_[k]];
}

PcgStatus PcgFactor::iterate(Real tolerance, int& left) {
  const auto product = [&](std::span<const Real> x, std::span<Real> y) {
    system_->multiply(x, bodyImpulse_, y);
    for (const int row : row_) {
      const Real added = isRegularized_ ? kRegularization * system_->diagonal(row) : 0;
      y[row] += (extra_[row] + added) * x[row];
    }
  };
  PcgOutcome outcome;
  while (true) {
    const int most = std::min(left, preconditioner_->stepsLeft());
    outcome = pcg_.solve(product, preconditioner_->get(), right_, isOut_,
                         {tolerance, most, diagonal_, deadline_}, solution_);
    innerIterations_ += outcome.iterations;
    left -= outcome.iterations;
    preconditioner_->countSteps(outcome.iterations);
    if (outcome.status != PcgStatus::kIterationLimit || left == 0) break;
    if (!preconditioner_->renew(isOut_, extra_)) break;
    ++renewals_;
  }
  return outcome.status;
}

}  // namespace drystone
