#pragma once

#include <span>

#include "core/types.h"

namespace drystone {

// Matrices of at most kMaxBlockRows rows, n×n by rows, by Jacobi's rotations [Golub, Van Loan,
// Matrix Computations, §8.5 and §8.6.3]: as accurate as any method for so few rows.

/// The largest eigenvalue of a symmetric matrix; NaN when an entry is not finite. Works on the
/// matrix in place.
Real largestEigenvalueInPlace(std::span<Real> matrix, int rows);

/// The pseudo-inverse A⁺ of Moore and Penrose of a matrix that need not be symmetric: singular
/// values at the round-off of the largest count as zero. A is finite.
void pseudoInverse(std::span<const Real> matrix, int rows, std::span<Real> inverse);

}  // namespace drystone
