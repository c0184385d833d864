#pragma once

#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>
#include <vector>

#include "solvers/linear/free_factor.h"

namespace drystone {

/// Free systems factored sparsely in the space of the rows, on the assembled A, by Eigen: Cholesky
/// with a minimum-degree order when K is symmetric positive definite, LU otherwise. For large
/// stored problems. Allocates.
class SparseFactor : public FreeFactor {
 public:
  std::string_view name() const override { return "sparse"; }
  void reserve(const ProblemSize&) override {}
  bool needsMatrix(const ContactProblem&) const override { return true; }
  void analyze(const RowSystem&, BasisKind) override {}
  bool factor(const RowSystem& system, const FreeBasis& basis) override;
  void solve(std::span<Real> x) override;

 private:
  using Matrix = Eigen::SparseMatrix<Real>;

  bool factorCholesky();
  bool factorLu();

  Matrix matrix_;
  std::vector<Eigen::Triplet<Real>> triplets_;
  std::vector<Real> own_;  // |K_kk − E_k|, which E may drown
  Eigen::SimplicialLLT<Matrix> cholesky_;
  Eigen::SparseLU<Matrix> lu_;
  bool useCholesky_ = true;
};

}  // namespace drystone
