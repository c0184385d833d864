#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solvers/problem/contact_problem.h"
#include "solvers/problem/mass_root.h"
#include "solvers/problem/problem_ops.h"
#include "solvers/problem/residual.h"

namespace drystone {

/// One row of G = J L, where M⁻¹ = L Lᵀ, so that A = G Gᵀ + C. The scaling by L makes every body
/// look like unit mass, which keeps mass ratios out of the body-space factor. [kg^-1/2]
struct ScaledRow {
  Vec6 onA = Vec6::Zero();
  Vec6 onB = Vec6::Zero();
};

/// The linear map λ → A λ + b of one problem, prepared once per solve: scaled Jacobians in body
/// form, the matrix itself in assembled form. Keeps its capacity; the problem's arrays must outlive
/// the solve.
class RowSystem {
 public:
  void reserve(const ProblemSize& size);
  /// `assemble`: also make A in body form, for a factor that works on it.
  void prepare(const ContactProblem& problem, bool assemble);

  const ContactProblem& problem() const { return problem_; }
  int rowCount() const { return problem_.rowCount(); }
  /// A, or null in body form when it was not asked for.
  const BlockSparseMatrix* matrix() const { return matrix_; }
  std::span<const ScaledRow> scaledRows() const { return scaledRows_; }
  /// C of a row; 0 in assembled form, where it is inside A. [1/kg]
  Real compliance(int row) const { return problem_.compliance.empty() ? 0 : compliance_[row]; }

  /// Added to b until the next `prepare` [m/s]; zero at first. Lets a method that solves nearby
  /// problems, with a proximal term or with De Saxcé's shift held fixed, use the same parts.
  std::span<Real> shift() { return shift_; }

  /// y = A x.
  void multiply(std::span<const Real> x, std::span<Real> y) { multiply(x, bodyImpulse_, y); }
  /// The same with the caller's work space of one entry a body.
  void multiply(std::span<const Real> x, std::span<Vec6> bodyImpulse, std::span<Real> y) const;
  /// w = A λ + b + shift [m/s].
  void velocity(std::span<const Real> lambda, std::span<Real> w);

  /// A_ii [1/kg].
  Real diagonal(int row) const { return diagonal_[row]; }
  std::span<const Real> diagonals() const { return diagonal_; }
  /// Whether the row of A is zero: its w is b whatever λ.
  bool isIdle(int row) const { return isIdle_[row] != 0; }
  bool hasIdleRows() const { return hasIdleRows_; }
  /// ρ_c of the natural map (M.11) [kg].
  std::span<const Real> steps() const { return steps_.values(); }
  Real step(int block) const { return steps()[block]; }
  /// Largest |b| [m/s], the scale of the velocity tolerance; ∞ where one is not finite.
  Real velocityScale() const { return velocityScale_; }
  /// What round-off leaves of w: that of its largest term [m/s].
  Real roundOff(std::span<const Real> lambda) const;
  /// Largest |A_ij - A_ji| relative to the largest entry; 0 in body form.
  Real asymmetry() const { return asymmetry_; }
  double assemblyMs() const { return assemblyMs_; }

 private:
  void scaleRows();
  void measureDiagonal();
  void findIdleRows();

  ContactProblem problem_;
  std::vector<ScaledRow> scaledRows_;
  std::vector<MassRoot> roots_;    // [bodies]
  std::vector<Vec6> bodyImpulse_;  // [bodies] Gᵀ λ
  std::vector<Real> compliance_, diagonal_, shift_;
  std::vector<std::uint8_t> isIdle_;
  bool hasIdleRows_ = false;
  BlockSteps steps_;
  AssemblyWorkspace assembly_;
  BlockSparseMatrix assembled_;
  const BlockSparseMatrix* matrix_ = nullptr;
  Real velocityScale_ = 0;
  Real asymmetry_ = 0;
  double assemblyMs_ = 0;
};

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
