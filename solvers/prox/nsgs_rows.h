#pragma once

#include "solvers/problem/contact_problem.h"

namespace drystone {

/// The rows of one kRows block, or of a `box` contact, on their own: w = A λ + q with
/// lower ≤ λ ≤ upper, w ≥ 0 at lower, w ≤ 0 at upper, w = 0 between (M.9). Exact, by pivoting on
/// the at most six rows; A need not be symmetric.
class LocalRowSolve {
 public:
  LocalRowSolve() = default;
  /// `a` is row-major, rows x rows. Bounds may be infinite.
  LocalRowSolve(const Real* a, int rows, const Real* lower, const Real* upper);

  /// λ on entry tells which rows were at a bound, a guess that saves pivots; on return the answer.
  void solve(const Real* q, Real* lambda) const;

 private:
  using Small = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor, kMaxBlockRows,
                              kMaxBlockRows>;
  using Column = Eigen::Matrix<Real, Eigen::Dynamic, 1, 0, kMaxBlockRows, 1>;

  void solveOneRow(Real q, Real& lambda) const;
  bool solveByPivoting(const Column& q, Column& lambda) const;
  void solveByProjection(const Column& q, Column& lambda) const;

  Small a_, inverse_;
  Column lower_, upper_;
  bool bilateral_ = false;  ///< no row has a bound: inverse_ gives the answer
};

}  // namespace drystone
