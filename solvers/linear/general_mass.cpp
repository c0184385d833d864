#include "solvers/linear/general_mass.h"

#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>
#include <vector>

namespace drystone {
namespace {

using SparseColumns = Eigen::SparseMatrix<Real>;

/// M⁻¹ H and M⁻¹ f; false when the factorisation fails or gives what is not finite. Column by
/// column, in the way of sparse_factor.cpp: Eigen's own loop over sparse columns takes long to
/// compile.
template <class Factor>
bool solveMass(const Factor& factor, const SparseColumns& jacobianT, const VecX& force,
               SparseColumns& response, VecX& freeVelocity) {
  if (factor.info() != Eigen::Success) return false;
  freeVelocity = factor.solve(force);
  std::vector<Eigen::Triplet<Real>> entries;
  for (int column = 0; column < jacobianT.cols(); ++column) {
    const VecX right = jacobianT.col(column);
    const VecX solution = factor.solve(right);
    if (!solution.allFinite()) return false;
    for (int row = 0; row < solution.size(); ++row) {
      if (solution[row] != 0) entries.emplace_back(row, column, solution[row]);
    }
  }
  response.resize(jacobianT.rows(), jacobianT.cols());
  response.setFromTriplets(entries.begin(), entries.end());
  return freeVelocity.allFinite();
}

bool isSymmetric(const SparseColumns& matrix) {
  const SparseColumns difference = matrix - SparseColumns(matrix.transpose());
  return difference.coeffs().size() == 0 || difference.coeffs().abs().maxCoeff() == 0;
}

}  // namespace

std::optional<LocalForm> eliminateVelocities(const SparseColumns& mass,
                                             const SparseColumns& jacobianT, const VecX& force,
                                             const VecX& offset) {
  SparseColumns response;  // M⁻¹ H
  VecX freeVelocity;       // M⁻¹ f
  const bool solved = isSymmetric(mass) ? solveMass(Eigen::SimplicialLDLT<SparseColumns>(mass),
                                                    jacobianT, force, response, freeVelocity)
                                        : solveMass(Eigen::SparseLU<SparseColumns>(mass), jacobianT,
                                                    force, response, freeVelocity);
  if (!solved) return std::nullopt;
  LocalForm local;
  local.delassus = jacobianT.transpose() * response;
  local.b = offset + jacobianT.transpose() * freeVelocity;
  return local;
}

}  // namespace drystone
