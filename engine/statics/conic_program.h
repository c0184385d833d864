#pragma once

#include <Eigen/SparseCore>
#include <vector>

#include "core/types.h"

namespace drystone {

/// A conic program and its dual, in units of the caller:
///
///   min cᵀ x  with  A x = b,  x ∈ K;      max bᵀ y  with  c − Aᵀ y ∈ K*.
///
/// K is a product, column by column: first free unknowns, then cones {x : ‖(x_2 … x_k)‖ ≤ x_1} of
/// the sizes listed; size 1 is x ≥ 0. Well scaled rows, columns, b and c are of the order of 1.
struct ConicProgram {
  Eigen::SparseMatrix<Real> a;  ///< [rows × columns]
  VecX b;                       ///< [rows]
  VecX c;                       ///< [columns]
  int free = 0;                 ///< columns
  std::vector<int> cones;       ///< sizes, ≥ 1
};

enum class ConicStatus {
  kSolved,
  kInfeasible,  ///< no x: y has bᵀ y = 1 and −Aᵀ y ∈ K*
  kUnbounded,   ///< x is a direction without end: A x = 0, cᵀ x = −1
  kStalled,     ///< undecided within the tolerance: x and y are the last
};

struct ConicSolution {
  ConicStatus status = ConicStatus::kStalled;
  VecX x, y;
  Real error = 0;  ///< largest of both infeasibilities and the gap, relative; of rays their own
  int steps = 0;   ///< each with one factor
  const char* reason = "";  ///< why it stalled, in words
};

/// Interior point for the homogeneous self-dual embedding, with the scaling of Nesterov and Todd.
/// It needs no inner points: infeasible and unbounded programs end with their proofs.
ConicSolution solveConic(const ConicProgram& program);

}  // namespace drystone
