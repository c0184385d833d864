#pragma once

#include "core/random.h"
#include "solvers/krylov/preconditioner.h"
#include "solvers/problem/contact_problem.h"

namespace drystone::test {

/// The entries of the lower triangle that are not zero, and the diagonal.
SymmetricSparseStorage sparseFromDense(const MatX& a);
MatX denseFromSparse(const SymmetricSparse& a);

/// (−1, 2, −1), as large as asked.
MatX tridiagonal(int size);
/// The five-point Laplacian of a square of side × side inner nodes, row by row.
MatX laplacian(int side);
/// The 4 × 4 positive definite matrix of D. S. Kershaw (1978) whose incomplete factor on its own
/// pattern has the pivots 3, 5/3, 3/5, −5.
MatX kershaw();
/// G Gᵀ + `least`, where a row of G has `perRow` random entries in 3/4 `size` columns: a Delassus
/// matrix with redundant rows. Incomplete factors of it break down.
MatX randomGram(int size, int perRow, Real least, std::uint64_t seed);
/// Positive definite matrices, of whose incomplete factors most break down.
std::vector<MatX> matricesThatBreakDown();
/// A of a contact problem.
MatX delassus(const StoredProblem& problem);
/// A ladder of spheres of 0.5 to 2 kg, held by ball joints at its two top ends, with a load at the
/// bottom: cycles, so that no order makes an incomplete factor exact.
StoredProblem loadedLadder(int rungs, Real load, Real compliance);

/// M⁻¹ of a factored preconditioner, column by column.
MatX inverseOf(const Preconditioner& preconditioner, int size,
               std::span<const std::uint8_t> isOut = {});
/// M itself.
MatX matrixOf(const Preconditioner& preconditioner, int size);
Real largest(const MatX& a);
/// In the natural order and without scaling, so that M is that of the formulas; shifts 1e-4 · 2^p.
PreconditionerSettings plainSettings(PreconditionerKind kind);
/// Makes a preconditioner of the settings for A.
std::unique_ptr<Preconditioner> factored(const PreconditionerSettings& settings, const MatX& a,
                                         std::span<const std::uint8_t> isOut = {});

// Dense linear algebra to compare with, compiled once: Eigen's decompositions take a compiler
// seconds in every file.

/// x of A x = right by LU with full pivoting; a right-hand side a column.
VecX solveDense(const MatX& matrix, const VecX& right);
MatX solveDenseColumns(const MatX& matrix, const MatX& right);
MatX inverseDense(const MatX& matrix);

/// The shortest x that makes ‖A x − right‖ least, whatever the rank.
VecX leastSquares(const MatX& matrix, const VecX& right);

/// Eigenvalues of a symmetric matrix, ascending; its lower triangle counts.
VecX symmetricEigenvalues(const MatX& matrix);

}  // namespace drystone::test
