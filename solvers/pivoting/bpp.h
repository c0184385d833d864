#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "solvers/driver/contact_solver.h"
#include "solvers/linear/row_system.h"
#include "solvers/pivoting/friction_newton.h"
#include "solvers/pivoting/pivot_stages.h"
#include "solvers/pivoting/proximal_newton.h"

namespace drystone {

/// How friction that is bound to the solved normal impulse is solved.
enum class FrictionMethod : std::uint8_t {
  kNewton,  ///< with all laws at once (FrictionNewton)
  kBounds,  ///< the loop over fixed bounds (BoundLoop)
};

/// Block principal pivoting (Júdice & Pires 1994) for w = A λ + b with bounds on rows and friction
/// of the six models at contacts. It ends when the natural map [m/s] meets the tolerance handed to
/// it, else with the best iterate. It is a cascade of stages, each on from where the one before it
/// failed.
///   pivots         where bounds are known
///   Newton         steps on all laws at once, from the warm start
///   proximal       points, where such steps wander
///   again          both from nothing, then from rounds over fixed bounds, then pivots again
class BlockPrincipalPivotingSolver : public ContactSolver {
 public:
  BlockPrincipalPivotingSolver(SolverTraits traits, std::unique_ptr<FreeFactor> factor);

  const SolverTraits& traits() const override { return traits_; }
  AdaptiveRegularization& regularization() { return *method_.regularization(); }

  FrictionMethod frictionMethod = FrictionMethod::kNewton;
  FrictionNewton newton;
  ProximalNewton proximal;
  bool startsAgain = true;         ///< from nothing and from rounds over fixed bounds
  BoundLoopSettings loopSettings;  // but for the tolerance and the allowance of a solve

 private:
  void visitSettings(SettingVisitor& visitor) override;
  void reserveOwn(const ProblemSize& size) override;
  void run(const ContactProblem& problem, const SolveContext& context, ImpulseView impulses,
           SolverReport& report) override;
  void runStages(const SolveContext& context, ImpulseView impulses, SolverReport& report);
  /// The stages for the problem at hand, in their order.
  void listSteps(bool couples);
  /// Takes an answer within the tolerance to round-off, where that goes quickly.
  void polish(Iterate& iterate, const StageContext& context);

  SolverTraits traits_;
  RowSystem rows_;
  BlockMethod method_;
  PivotStage pivots_;
  BoundRoundsStage boundRounds_;
  Cascade cascade_;
  std::vector<CascadeStep> steps_;
  ContactStates states_;
  std::vector<Real> w_;
};

}  // namespace drystone
