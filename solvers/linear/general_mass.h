#pragma once

#include <Eigen/SparseCore>
#include <optional>

#include "core/types.h"

namespace drystone {

/// The problem in the space of the rows: w = A λ + b.
struct LocalForm {
  Eigen::SparseMatrix<Real> delassus;  ///< A = Hᵀ M⁻¹ H, n×n
  VecX b;                              ///< w₀ + Hᵀ M⁻¹ f, n
};

/// Eliminates the velocities of M v = H λ + f, w = Hᵀ v + w₀ for a mass matrix M (m×m) that need
/// not be block-diagonal by body nor symmetric (gyroscopic terms): sparse Cholesky where it is
/// symmetric, LU otherwise. H is m×n, f of m, w₀ of n. Nothing when a pivot is zero or the
/// result is not finite; a pivot at round-off is not noticed. Source: FCLIB's
/// global form (Acary, Brémond, Koziara, Pérignon, RT-444, 2014).
std::optional<LocalForm> eliminateVelocities(const Eigen::SparseMatrix<Real>& mass,
                                             const Eigen::SparseMatrix<Real>& jacobianT,
                                             const VecX& force, const VecX& offset);

}  // namespace drystone
