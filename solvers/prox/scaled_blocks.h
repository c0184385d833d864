#pragma once

#include <vector>

#include "solvers/problem/mass_root.h"
#include "solvers/problem/scale_math.h"
#include "solvers/prox/prox_system.h"

namespace drystone {

// Six entries at 16-byte alignment: three SSE2 registers.
using Six = Eigen::Map<Vec6, Eigen::Aligned16>;
using ConstSix = Eigen::Map<const Vec6, Eigen::Aligned16>;

/// A contact in mass-scaled coordinates (see FactorizedSystem). J̃ row by row: six entries of body
/// A, six of body B.
template <int kRows>
struct alignas(16) ScaledContact {
  Real jacobian[kRows][12];
  Real b[kRows];
  Real compliance[kRows];
  Real lambda[kRows];
  ContactSteps<kRows> steps;
  Real friction;
  Real second;  ///< secondCoefficient()
  int bodyA;
  int bodyB;
  int firstRow;
};

/// One row of a joint.
struct alignas(16) ScaledJointRow {
  Real jacobian[12];
  Real b;
  Real compliance;
  Real lambda;
  Real lower;
  Real upper;
  Real step;
  int bodyA;
  int bodyB;
  int row;
};

/// Simultaneous updates that each body takes part in, the fixed one last; a row of a joint is one.
void countUpdates(const ContactProblem& problem, const SweepPlan& plan, std::vector<Real>& updates);
StepFigures figuresOf(const StepRule& rule);

/// Brings the blocks of a problem in body form into mass-scaled coordinates, with their R factors.
/// Impulses are left to the system.
class BlockScaling {
 public:
  void reserve(const ProblemSize& size);
  void prepare(const ContactProblem& problem, const SweepPlan& plan, const StepRule& rule);

  /// Stands for body -1: one past the last, always at rest.
  int fixedBody() const { return fixedBody_; }
  /// Asks for the memory of a block that is scaled some blocks later: colors jump about in it.
  void prefetch(int block) const;
  static constexpr int kPrefetchAhead = 6;
  template <int kRows>
  void scale(int block, ScaledContact<kRows>& contact) const;
  /// Fills as many rows as the block has.
  void scaleRows(int block, ScaledJointRow* rows) const;

 private:
  void scaleRow(int row, int bodyA, int bodyB, Real* scaled) const;
  Real updatesOf(int block, int body) const;
  int bodyIndex(int body) const { return body < 0 ? fixedBody_ : body; }

  ContactProblem problem_;
  const SweepPlan* plan_ = nullptr;
  StepFigures figures_;
  int fixedBody_ = 0;
  std::vector<MassRoot> roots_;
  std::vector<Real> updatesPerBody_;  ///< simultaneous updates that a body takes part in
};

}  // namespace drystone
