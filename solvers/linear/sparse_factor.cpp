#include "solvers/linear/sparse_factor.h"

#include <algorithm>
#include <cmath>

#include "core/check.h"
#include "solvers/linear/free_entries.h"
#include "solvers/linear/usable_pivot.h"

namespace drystone {

bool SparseFactor::factor(const RowSystem& system, const FreeBasis& basis) {
  DRYSTONE_ASSERT(system.matrix() != nullptr);
  regularization_ = 0;
  triplets_.clear();
  own_.assign(basis.count(), 0);
  forEachFreeEntry(*system.matrix(), basis, [&](int k, int l, Real value) {
    if (k == l) {
      own_[k] = std::abs(value);
      triplets_.emplace_back(k, k, value + basis.extra(k));
    } else if (value != 0) {
      triplets_.emplace_back(k, l, value);
    }
  });
  matrix_.resize(basis.count(), basis.count());
  matrix_.setFromTriplets(triplets_.begin(), triplets_.end());
  if (basis.count() == 0) return true;
  useCholesky_ = basis.symmetric() && system.asymmetry() < 1e-14;
  if (useCholesky_ && factorCholesky()) return true;
  if (deadline_.passed()) return false;
  for (int k = 0; k < basis.count(); ++k) {
    const Real added = kRegularization * own_[k];
    matrix_.coeffRef(k, k) += added;
    regularization_ = std::max(regularization_, added);
  }
  if (useCholesky_ && factorCholesky()) return true;
  if (deadline_.passed()) return false;
  // Sparse LU gives no measure of how near to singular its matrix is, hence always regularized.
  useCholesky_ = false;
  return factorLu();
}

bool SparseFactor::factorCholesky() {
  cholesky_.analyzePattern(matrix_);
  if (deadline_.passed()) return false;
  cholesky_.factorize(matrix_);
  if (cholesky_.info() != Eigen::Success) return false;
  const auto& order = cholesky_.permutationPinv();
  for (int k = 0; k < matrix_.rows(); ++k) {
    const int node = order.size() > 0 ? order.indices()[k] : k;
    const Real pivot = cholesky_.matrixL().nestedExpression().coeff(k, k);
    if (!isUsablePivot(pivot * pivot, matrix_.coeff(node, node))) return false;
  }
  return true;
}

bool SparseFactor::factorLu() {
  lu_.analyzePattern(matrix_);
  if (deadline_.passed()) return false;
  lu_.factorize(matrix_);
  return lu_.info() == Eigen::Success;
}

void SparseFactor::solve(std::span<Real> x) {
  if (matrix_.rows() == 0) return;
  Eigen::Map<VecX> y(x.data(), static_cast<Eigen::Index>(x.size()));
  const VecX solution = useCholesky_ ? VecX(cholesky_.solve(y)) : VecX(lu_.solve(y));
  y = solution;
}

}  // namespace drystone
