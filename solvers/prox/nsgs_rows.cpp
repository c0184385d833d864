#include "solvers/prox/nsgs_rows.h"

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>

#include "solvers/problem/small_matrix.h"

namespace drystone {

LocalRowSolve::LocalRowSolve(const Real* a, int rows, const Real* lower, const Real* upper)
    : a_(Eigen::Map<const Small>(a, rows, rows)),
      lower_(Eigen::Map<const Column>(lower, rows)),
      upper_(Eigen::Map<const Column>(upper, rows)) {
  bilateral_ = (lower_.array() == -kInfinity).all() && (upper_.array() == kInfinity).all();
  if (rows == 1 || !bilateral_ || !a_.allFinite()) return;
  // The pseudo-inverse: rows of a joint that repeat each other share the impulse.
  inverse_.resize(rows, rows);
  const auto count = static_cast<std::size_t>(rows * rows);
  pseudoInverse({a, count}, rows, {inverse_.data(), count});
}

void LocalRowSolve::solve(const Real* q, Real* lambda) const {
  const auto rows = a_.rows();
  if (rows == 1) return solveOneRow(q[0], lambda[0]);
  Eigen::Map<Column> result(lambda, rows);
  const Column right = Eigen::Map<const Column>(q, rows);
  if (inverse_.rows() == rows) {
    result.noalias() = -(inverse_ * right);
    return;
  }
  Column x = result;
  if (!solveByPivoting(right, x)) {
    x = result;
    solveByProjection(right, x);
  }
  result = x;
}

void LocalRowSolve::solveOneRow(Real q, Real& lambda) const {
  const Real diagonal = a_(0, 0);
  if (diagonal > 0) {
    lambda = std::clamp(-q / diagonal, lower_[0], upper_[0]);
  } else if (const Real bound = q > 0 ? lower_[0] : upper_[0]; q != 0 && std::isfinite(bound)) {
    lambda = bound;  // nothing moves the row: its impulse leans on the bound that w points at
  } else {
    lambda = std::clamp(lambda, lower_[0], upper_[0]);
  }
}

bool LocalRowSolve::solveByPivoting(const Column& q, Column& lambda) const {
  // Block pivoting as long as it makes fewer violations, then the least index alone (Murty), which
  // ends for P-matrices.
  constexpr int kMaxPivots = 200;
  const int rows = static_cast<int>(q.size());
  enum State : std::uint8_t { kFreeRow, kAtLower, kAtUpper };
  std::array<State, kMaxBlockRows> state;
  for (int i = 0; i < rows; ++i) {
    state[i] = lambda[i] <= lower_[i] ? kAtLower : lambda[i] >= upper_[i] ? kAtUpper : kFreeRow;
  }
  int fewest = rows + 1;
  for (int pivot = 0; pivot < kMaxPivots; ++pivot) {
    std::array<int, kMaxBlockRows> freeRows;
    int freeCount = 0;
    for (int i = 0; i < rows; ++i) {
      if (state[i] == kFreeRow) {
        freeRows[freeCount++] = i;
      } else {
        lambda[i] = state[i] == kAtLower ? lower_[i] : upper_[i];
      }
    }
    Small aFree(freeCount, freeCount);
    Column right(freeCount);
    for (int i = 0; i < freeCount; ++i) {
      right[i] = -q[freeRows[i]];
      for (int j = 0; j < rows; ++j) {
        if (state[j] != kFreeRow) right[i] -= a_(freeRows[i], j) * lambda[j];
      }
      for (int j = 0; j < freeCount; ++j) aFree(i, j) = a_(freeRows[i], freeRows[j]);
    }
    if (freeCount > 0) {
      const Column free = Eigen::FullPivLU<Small>(aFree).solve(right);
      for (int i = 0; i < freeCount; ++i) lambda[freeRows[i]] = free[i];
    }
    if (!lambda.allFinite()) return false;
    const Column w = a_ * lambda + q;
    Real scale = 0;
    for (int i = 0; i < rows; ++i) scale = std::max(scale, std::abs(q[i]) + std::abs(w[i]));
    const Real tolerance = 1e-14 * scale;
    int violations = 0;
    std::array<State, kMaxBlockRows> next = state;
    for (int i = 0; i < rows; ++i) {
      if (state[i] == kFreeRow && lambda[i] < lower_[i]) next[i] = kAtLower;
      if (state[i] == kFreeRow && lambda[i] > upper_[i]) next[i] = kAtUpper;
      if (lower_[i] == upper_[i]) continue;
      if (state[i] == kAtLower && w[i] < -tolerance) next[i] = kFreeRow;
      if (state[i] == kAtUpper && w[i] > tolerance) next[i] = kFreeRow;
      if (next[i] == state[i]) continue;
      ++violations;
    }
    if (next == state) return true;
    if (violations >= fewest) {
      const auto [first, changed] =
          std::mismatch(state.begin(), state.begin() + rows, next.begin());
      *first = *changed;
    } else {
      state = next;
      fewest = violations;
    }
  }
  return false;
}

void LocalRowSolve::solveByProjection(const Column& q, Column& lambda) const {
  constexpr int kSweeps = 50;
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    for (int i = 0; i < q.size(); ++i) {
      if (!(a_(i, i) > 0)) continue;
      const Real w = a_.row(i).dot(lambda) + q[i];
      lambda[i] = std::clamp(lambda[i] - w / a_(i, i), lower_[i], upper_[i]);
    }
  }
}

}  // namespace drystone
