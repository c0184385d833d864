#pragma once

#include <memory>
#include <vector>

#include "solvers/contact_solver.h"
#include "solvers/direct/body_factor.h"
#include "solvers/direct/dense_factor.h"
#include "solvers/direct/free_system.h"
#include "solvers/direct/friction_newton.h"
#include "solvers/direct/pivoting.h"
#include "solvers/direct/proximal_newton.h"
#include "solvers/direct/row_system.h"
#include "solvers/direct/sparse_factor.h"

namespace drystone {

struct BppSettings {
  PivotSettings pivoting;
  Real tolerance = 1e-10;     ///< natural map that ends the friction iteration, over the largest |b|
  int maxOuter = 30;          ///< rounds of the friction bound loop (M.10)
  int maxNewton = 20;         ///< coupled steps before the bound loop takes over
  Real stiffness = 1e-4;
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
  SolverReport solveFixedBounds(ImpulseView impulses);
  SolverReport solveCoupled(ImpulseView impulses);

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
  ProximalNewton proximal_;
  std::vector<Real> w_, bestLambda_, outerLambda_;
};

std::unique_ptr<ContactSolver> makeBppSolver();

}  // namespace drystone
