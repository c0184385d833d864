#include "solvers/sensitivity/sensitivity.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

#include "core/check.h"
#include "core/input_error.h"
#include "solvers/linear/free_entries.h"

namespace drystone {
namespace {

/// One refinement brings the residual to that of A's round-off, K being factored in double.
constexpr int kSolves = 2;

/// r_k = C_kᵀ v, the transposed of FreeBasis::expand.
void restrictByColumns(const FreeBasis& basis, std::span<const Real> v, std::span<Real> r) {
  for (int k = 0; k < basis.count(); ++k) {
    const int i = basis.row(k);
    r[k] = basis.plain(k) ? v[i] : basis.column(k).dot(Vec3(v[i], v[i + 1], v[i + 2]));
  }
}

/// s = R z, the transposed of FreeBasis::restrict.
void expandByEquations(const FreeBasis& basis, std::span<const Real> z, std::span<Real> s) {
  std::fill(s.begin(), s.end(), 0.0);
  for (int k = 0; k < basis.count(); ++k) {
    const int i = basis.row(k);
    if (basis.plain(k)) {
      s[i] += z[k];
    } else {
      for (int j = 0; j < 3; ++j) s[i + j] += basis.equation(k)[j] * z[k];
    }
  }
}

}  // namespace

void Sensitivity::checkLength(std::span<const Real> values, int length, const char* name) const {
  const int given = static_cast<int>(values.size());
  if (given != length) {
    throw InputError(std::string("sensitivity: ") + name + " has " + std::to_string(given) +
                     " values; give " + std::to_string(length));
  }
  if (!std::ranges::all_of(values, [](Real x) { return std::isfinite(x); })) {
    throw InputError(std::string("sensitivity: ") + name + " is not finite; give finite values");
  }
}

const SolutionCertificate& Sensitivity::prepare(const ContactProblem& problem,
                                                std::span<const Real> lambda) {
  isPrepared_ = false;
  if (!SolvedStates::takes(problem.friction)) {
    throw InputError("sensitivity: friction model `" +
                     std::string(frictionModelName(problem.friction)) +
                     "` has no derivative here; use none, box, pyramid, diamond or cone");
  }
  checkLength(lambda, problem.rowCount(), "lambda");
  problem_ = problem;
  lambda_.assign(lambda.begin(), lambda.end());
  rows_.prepare(problem_, true);
  certificate_ = {};
  certificate_.naturalMap = judge(problem_, lambda_, judge_).naturalMap;
  states_.read(rows_, lambda_, judge_.w);
  states_.fillBasis(basis_);
  if (basis_.count() > kMostUnknowns) {
    throw InputError("sensitivity: " + std::to_string(basis_.count()) +
                     " unknowns; a dense matrix takes " + std::to_string(kMostUnknowns) +
                     " at most, split the problem by islands");
  }
  margins_.resize(problem_.blockCount());
  states_.margins(margins_);
  for (int c = 0; c < problem_.blockCount(); ++c) {
    if (margins_[c] < certificate_.leastMargin) {
      certificate_.leastMargin = margins_[c];
      certificate_.weakestBlock = c;
    }
  }
  factorDense();
  takeNewtonStep();
  isPrepared_ = true;
  return certificate_;
}

void Sensitivity::factorDense() {
  const int count = basis_.count();
  MatX matrix = MatX::Zero(count, count);
  forEachFreeEntry(*rows_.matrix(), basis_,
                   [&](int k, int l, Real value) { matrix(k, l) = value; });
  std::vector<Real> scale(count);
  for (int k = 0; k < count; ++k) {
    matrix(k, k) += basis_.extra(k);
    // K_kk of a contact that slips may be 0 or less. Its largest A_ii has the same unit.
    const int first = basis_.row(k);
    Real size = 0;
    for (int j = 0; j < (basis_.plain(k) ? 1 : 3); ++j) {
      size = std::max(size, rows_.diagonal(first + j));
    }
    size += basis_.extra(k);
    scale[k] = size > 0 ? 1 / std::sqrt(size) : 1;
  }
  if (!factor_.factor(matrix, scale)) {
    throw InputError("sensitivity: the matrix of the problem is not finite; give finite data");
  }
  certificate_.unknowns = count;
  certificate_.rank = factor_.rank();
}

Real Sensitivity::solveStates(std::span<const Real> given, std::span<Real> lambda,
                              std::span<Real> w) {
  std::vector<Real> equations(basis_.count());
  Real residual = 0;
  for (int solve = 0; solve <= kSolves; ++solve) {
    if (solve > 0) {
      factor_.solve(equations);
      basis_.expand(equations, lambda);
    }
    rows_.multiply(lambda, w);
    for (std::size_t i = 0; i < w.size(); ++i) w[i] += given[i];
    residual = basis_.residual(lambda, w, equations);
  }
  return residual;
}

void Sensitivity::takeNewtonStep() {
  std::vector<Real> lambda = lambda_, w(lambda.size());
  states_.settle(lambda);
  certificate_.missed = solveStates(problem_.b, lambda, w);
  for (std::size_t i = 0; i < lambda.size(); ++i) {
    lambda[i] -= lambda_[i];
    w[i] -= judge_.w[i];
  }
  certificate_.step = states_.radius({}, lambda, w, 1);
}

void Sensitivity::multiplyTransposed(std::span<const Real> x, std::span<Real> y) {
  if (problem_.assembled == nullptr) return rows_.multiply(x, y);
  const BlockSparseMatrix& a = *problem_.assembled;
  std::fill(y.begin(), y.end(), 0.0);
  for (int c = 0; c < a.blockCount(); ++c) {
    for (int stored = a.blockStart[c]; stored < a.blockStart[c + 1]; ++stored) {
      const int d = a.blockColumn[stored];
      const Real* value = &a.values[a.valueStart[stored]];
      for (int i = a.rowStart[c]; i < a.rowStart[c + 1]; ++i) {
        for (int j = a.rowStart[d]; j < a.rowStart[d + 1]; ++j) y[j] += *value++ * x[i];
      }
    }
  }
}

SolutionDerivative Sensitivity::forward(const ProblemChange& change) {
  DRYSTONE_ASSERT(isPrepared_);
  const int rows = problem_.rowCount();
  if (!change.b.empty()) checkLength(change.b, rows, "b");
  if (!change.compliance.empty()) checkLength(change.compliance, rows, "compliance");
  if (!change.friction.empty()) checkLength(change.friction, problem_.blockCount(), "friction");
  if (!change.lower.empty()) checkLength(change.lower, rows, "lower");
  if (!change.upper.empty()) checkLength(change.upper, rows, "upper");

  // What w changes by at fixed λ.
  std::vector<Real> given(rows, 0);
  for (int i = 0; i < rows; ++i) {
    if (!change.b.empty()) given[i] += change.b[i];
    if (!change.compliance.empty()) given[i] += lambda_[i] * change.compliance[i];
  }
  SolutionDerivative derivative;
  derivative.lambda.resize(rows);
  derivative.w.resize(rows);
  states_.move(change, derivative.lambda);
  derivative.residual = solveStates(given, derivative.lambda, derivative.w);
  derivative.ahead = states_.radius(change, derivative.lambda, derivative.w, 1);
  derivative.behind = states_.radius(change, derivative.lambda, derivative.w, -1);
  return derivative;
}

ProblemGradient Sensitivity::adjoint(const LossGradient& loss) {
  DRYSTONE_ASSERT(isPrepared_);
  const int rows = problem_.rowCount();
  const int blocks = problem_.blockCount();
  std::vector<Real> outer(rows, 0), inner(rows), s(rows), equations(basis_.count());
  // g = ∂L/∂λ + Aᵀ ∂L/∂w.
  if (!loss.w.empty()) {
    checkLength(loss.w, rows, "w");
    multiplyTransposed(loss.w, outer);
  }
  if (!loss.lambda.empty()) {
    checkLength(loss.lambda, rows, "lambda");
    for (int i = 0; i < rows; ++i) outer[i] += loss.lambda[i];
  }
  // Kᵀ z = Cᵀ g; s = R z, and g − Aᵀ s is what is left of g, by which c acts.
  std::vector<Real> z(basis_.count(), 0), left = outer;
  for (int solve = 0; solve < kSolves; ++solve) {
    restrictByColumns(basis_, left, equations);
    for (int k = 0; k < basis_.count(); ++k) equations[k] -= basis_.extra(k) * z[k];
    factor_.solveTransposed(equations);
    for (int k = 0; k < basis_.count(); ++k) z[k] += equations[k];
    expandByEquations(basis_, z, s);
    multiplyTransposed(s, inner);
    for (int i = 0; i < rows; ++i) left[i] = outer[i] - inner[i];
  }
  ProblemGradient gradient;
  gradient.b.resize(rows);
  gradient.compliance.resize(rows);
  gradient.friction.assign(blocks, 0);
  gradient.lower.assign(rows, 0);
  gradient.upper.assign(rows, 0);
  for (int i = 0; i < rows; ++i) {
    gradient.b[i] = (loss.w.empty() ? 0 : loss.w[i]) - s[i];
    gradient.compliance[i] = gradient.b[i] * lambda_[i];
  }
  states_.pullBack(left, gradient);
  return gradient;
}

}  // namespace drystone
