#pragma once

#include <memory>
#include <vector>

#include "engine/core/timer.h"
#include "solvers/contact_solver.h"
#include "solvers/direct/body_factor.h"
#include "solvers/direct/dense_factor.h"
#include "solvers/direct/free_system.h"
#include "solvers/direct/friction_newton.h"
#include "solvers/direct/pivoting.h"
#include "solvers/direct/row_system.h"
#include "solvers/direct/sparse_factor.h"
#include "solvers/prox/nsgs.h"

namespace drystone {

struct BppSettings {
  PivotSettings pivoting;
  NewtonSettings newton;
};

/// Block principal pivoting with a new factorization for every candidate.
class BlockPrincipalPivotingSolver : public ContactSolver {
 public:
  const SolverTraits& traits() const override;
  void visitSettings(SettingVisitor& visitor) override;
  void reserve(const ProblemSize& size) override;
  SolverReport solve(const ContactProblem& problem, ImpulseView impulses) override;

 private:
  FreeFactor& chooseFactor(const ContactProblem& problem);
  void solveFixedBounds(ImpulseView impulses, const Timer& timer, SolverReport& report);
  void pivot(ImpulseView impulses, SolverReport& report);
  Real naturalMapOf(std::span<const Real> lambda);
  void solveCoupled(ImpulseView impulses, const Timer& timer, SolverReport& report);
  /// Gauss–Seidel sweeps from λ. They see the whole problem at once where a Newton step sees only
  /// its present sets, and lead away from points around which the sets circle. False: they do not
  /// know the friction model.
  bool sweepToNewStart(int rescue, std::span<Real> lambda, const Timer& timer);

  BppSettings settings_;
  RowSystem rows_;
  BodyFactor bodyFactor_;
  DenseFactor denseFactor_;
  SparseFactor sparseFactor_;
  FreeSystem system_;
  Candidate candidate_;
  BlockPivoting pivoting_;
  RowBounds bounds_;
  IndexSets sets_;
  ContactStates states_;
  FrictionNewton newton_;
  NsgsSolver sweeps_;
  std::vector<Real> w_, startLambda_;
  std::vector<RowState> startState_;
};

std::unique_ptr<ContactSolver> makeBppSolver();

}  // namespace drystone
