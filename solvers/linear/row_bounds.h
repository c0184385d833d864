#pragma once

#include <vector>

#include "solvers/linear/row_system.h"
#include "solvers/problem/contact_problem.h"

namespace drystone {

/// Bounds of every row of an MLCP [N s].
struct RowBounds {
  std::vector<Real> lower, upper;

  void reserve(const ProblemSize& size);
  /// Bounds of joints and limits, [0, ∞) of normals; tangents get ± the radius of their contact,
  /// which `setFriction` fills.
  void assign(const ContactProblem& problem);
  void setFriction(const ProblemBlock& block, Real radius);
  /// `assign`, with the radius μ times the problem's bound of λ_n.
  void assignKnown(const ContactProblem& problem);
  /// Fixes each idle row, which no method could solve for, at the bound that its constant w asks
  /// for. False: one has no such bound, so there is no solution; it is fixed at the other, or at 0.
  bool fixIdleRows(const RowSystem& rows);
};

}  // namespace drystone
