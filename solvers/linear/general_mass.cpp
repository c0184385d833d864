#include "solvers/linear/general_mass.h"

#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>

namespace drystone {
namespace {

using SparseColumns = Eigen::SparseMatrix<Real>;

/// False when the factorisation fails or gives what is not finite.
template <class Factor>
bool solveMass(const Factor& factor, const SparseColumns& jacobianT, const VecX& force,
               SparseColumns& response, VecX& freeVelocity) {
  if (factor.info() != Eigen::Success) return false;
  response = factor.solve(jacobianT);
  freeVelocity = factor.solve(force);
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
