#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "solvers/driver/contact_solver.h"
#include "solvers/linear/row_system.h"
#include "solvers/pivoting/block_method.h"
#include "solvers/pivoting/bound_loop.h"
#include "solvers/pivoting/friction_newton.h"
#include "solvers/pivoting/proximal_newton.h"

namespace drystone {

/// How friction that is bound to the solved normal impulse is solved.
enum class FrictionMethod : std::uint8_t {
  kNewton,  ///< with all laws at once (FrictionNewton)
  kBounds,  ///< the loop over fixed bounds (BoundLoop)
};

/// Block principal pivoting. Friction that follows λ_n, and problems whose pivots lead nowhere, go
/// through semismooth Newton steps with the same factor, and where these wander
/// through proximal points.
class BlockPrincipalPivotingSolver : public ContactSolver {
 public:
  BlockPrincipalPivotingSolver(SolverTraits traits, std::unique_ptr<FreeFactor> factor);

  const SolverTraits& traits() const override { return traits_; }
  AdaptiveRegularization& regularization() { return *method_.regularization(); }

  FrictionMethod frictionMethod = FrictionMethod::kNewton;
  // But for the tolerance and the allowance of a solve.
  NewtonSettings newtonSettings;
  BoundLoopSettings loopSettings;

 private:
  void visitSettings(SettingVisitor& visitor) override;
  void reserveOwn(const ProblemSize& size) override;
  void run(const ContactProblem& problem, const SolveContext& context, ImpulseView impulses,
           SolverReport& report) override;
  void runStages(const ContactProblem& problem, const SolveContext& context, ImpulseView impulses,
                 SolverReport& report);
  void solveFixedBounds(const SolveContext& context, ImpulseView impulses, SolverReport& report);
  void pivot(const SolveContext& context, ImpulseView impulses, SolverReport& report);
  Real naturalMapOf(std::span<const Real> lambda);
  void solveCoupled(const SolveContext& context, ImpulseView impulses, SolverReport& report);

  /// Plain steps, and where they wander proximal points. Adds to `outcome`.
  void iterate(const FrictionNewton::Problem& problem, const SolveContext& context,
               NewtonOutcome& outcome);

  SolverTraits traits_;
  Spending spending_;  // of the solve at work
  RowSystem rows_;
  BlockMethod method_;
  BoundLoop loop_;
  RowBounds bounds_;
  IndexSets sets_;
  ContactStates states_;
  FrictionNewton newton_;
  ProximalNewton proximal_;
  std::vector<Real> w_, startLambda_, bestLambda_;
  std::vector<RowState> startState_;
};

}  // namespace drystone
