#pragma once

#include <Eigen/SparseCore>
#include <span>

#include "solvers/problem/contact_problem.h"

namespace drystone {

// Contact problems from arrays in memory, in the two forms of FCLIB. A contact has three rows,
// normal and tangents, or two in the plane; what the plane lacks gets decoupled rows, whose
// impulses are zero. All throw InputError, which names the argument, where sizes do not fit, a
// number is not finite, a coefficient of friction is negative, or a matrix that must be symmetric
// is not, or has a negative number on its diagonal.
//
// A block of 2 kg on the ground that 0.3 N s push in x: M = 2 I, f = (0.3, 0, -0.1962) N s, and the
// columns of H are the directions of its rows, z for the normal, then x and y. It slides where mu
// is less than 0.3 / 0.1962.

/// u = W r + q: W symmetric, n×n [1/kg], q of n [m/s], mu of the contacts. r are impulses [N s] and
/// u velocities [m/s], of which the first row of a contact is the normal one.
StoredProblem delassusProblem(const Eigen::SparseMatrix<Real>& W, std::span<const Real> q,
                              std::span<const Real> mu);

/// M v = f + H r, u = Hᵀ v + w, without its velocities v: M of m×m [kg], H of m×n, f of m [N s],
/// w of n [m/s], mu of the contacts. Throws likewise where M is singular.
StoredProblem bodyProblem(const Eigen::SparseMatrix<Real>& M, const Eigen::SparseMatrix<Real>& H,
                          std::span<const Real> f, std::span<const Real> w,
                          std::span<const Real> mu);

}  // namespace drystone
