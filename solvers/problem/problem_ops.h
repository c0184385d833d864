#pragma once

#include <span>
#include <vector>

#include "solvers/problem/contact_problem.h"

namespace drystone {

/// M⁻¹ y for one body's wrench-impulse y: (y_linear / m, I⁻¹ y_angular).
inline Vec6 applyInverseInertia(const InverseInertia& body, const Vec6& y) {
  Vec6 u;
  u.head<3>() = body.inverseMass * y.head<3>();
  u.tail<3>() = body.inverseInertia * y.tail<3>();
  return u;
}

/// bodyVelocity_i = (M⁻¹ Jᵀ λ)_i for every body; body form only. The bits are the same for any
/// number of threads. [bodies]
void impulseToVelocity(const ContactProblem& problem, std::span<const Real> lambda,
                       std::span<Vec6> bodyVelocity, int threads = 1);

/// y = J v + C x for the rows of the blocks in [begin, end), v being the velocities of the bodies;
/// body form only.
void relativeVelocity(const ContactProblem& problem, int begin, int end,
                      std::span<const Vec6> bodyVelocity, std::span<const Real> x,
                      std::span<Real> y);

/// y = A x, in either form, without assembling. `bodyVelocity` is work space of bodyCount() entries
/// and holds M⁻¹ Jᵀ x on return (body form). [rows]
void applyDelassus(const ContactProblem& problem, std::span<const Real> x,
                   std::span<Vec6> bodyVelocity, std::span<Real> y);

/// w = A λ + b, in either form, without assembling. `bodyVelocity` is work space of bodyCount()
/// entries and holds M⁻¹ Jᵀ λ on return (body form). [rows]
void constraintVelocity(const ContactProblem& problem, std::span<const Real> lambda,
                        std::span<Vec6> bodyVelocity, std::span<Real> w);

/// The diagonal block Â_cc of one block, row-major [rows x rows], without assembling.
void diagonalBlock(const ContactProblem& problem, int block, Real* values);
/// The entries A_ii of the same block, in their places, to the same bits. The others are undefined.
void diagonalEntries(const ContactProblem& problem, int block, Real* values);

/// Entries of a warm start that are not finite become 0: a solver starts from what is left.
void replaceNonFinite(std::span<Real> lambda, int threads = 1);

/// Brings λ that was rounded to single precision back to what the laws allow, in double: contacts
/// by projectContact, joint rows between their limits. More threads change no bit.
void returnToLaws(const ContactProblem& problem, std::span<Real> lambda, int threads = 1);

/// Assembles A = J M⁻¹ Jᵀ + C block by block (M.7): block (i, j) is stored when blocks i and j
/// share a dynamic body. Symmetric to the last bit. Reuses the capacity of `out` and of the work
/// space.
struct AssemblyWorkspace {
  std::vector<int> bodyStart, bodyBlocks;  ///< blocks by body
  std::vector<Vec6> weightedA, weightedB;  ///< [rows] M⁻¹ J
  std::vector<int> cursor;                 ///< [blocks] next stored block of a row to fill
};
void assembleDelassus(const ContactProblem& problem, AssemblyWorkspace& workspace,
                      BlockSparseMatrix& out);

}  // namespace drystone
