#pragma once

#include <Eigen/LU>
#include <vector>

#include "solvers/linear/free_factor.h"

namespace drystone {

/// Free systems factored densely in the space of the rows, on the assembled A: Cholesky when K is
/// symmetric, LU with pivoting otherwise or when K is not positive definite. For small problems and
/// for matrices without structure. O(n³).
class DenseFactor : public FreeFactor {
 public:
  std::string_view name() const override { return "dense"; }
  void reserve(const ProblemSize& size) override;
  bool needsMatrix(const ContactProblem&) const override { return true; }
  void analyze(const RowSystem&, BasisKind) override {}
  bool factor(const RowSystem& system, const FreeBasis& basis) override;
  void solve(std::span<Real> x) override;

 private:
  void fill(const RowSystem& system, const FreeBasis& basis);
  bool factorCholesky();
  bool factorLu();

  std::vector<Real> values_;         // n x n, by column
  std::vector<Real> diagonal_;       // of K before it was factored
  std::vector<Real> own_;            // |K_kk − E_k|, which E may drown
  std::vector<Eigen::Index> swaps_;  // row exchanged with row k at step k of LU
  int size_ = 0;
  bool cholesky_ = true;
};

}  // namespace drystone
