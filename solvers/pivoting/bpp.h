#pragma once

#include <memory>

#include "solvers/pivoting/bound_loop.h"
#include "solvers/pivoting/pivot_stage.h"
#include "solvers/pivoting/staged_solver.h"

namespace drystone {

/// Block principal pivoting (Júdice & Pires 1994) for w = A λ + b with bounds on rows and friction
/// of the six models at contacts, by these stages:
///   pivots         where bounds are known
///   Newton         steps on all laws at once, from the warm start
///   proximal       points, where such steps wander
///   again          both from nothing
class BlockPrincipalPivotingSolver : public StagedSolver {
 public:
  BlockPrincipalPivotingSolver(SolverTraits traits, std::unique_ptr<FreeFactor> factor);

  AdaptiveRegularization& regularization() { return *method_.regularization(); }

  bool startsAgain = true;  ///< from nothing

 private:
  void visitSettings(SettingVisitor& visitor) override;
  void reserveOwn(const ProblemSize& size) override;
  void run(const ContactProblem& problem, const SolveContext& context, ImpulseView impulses,
           SolverReport& report) override;
  bool needsMatrix(const ContactProblem& problem) const override {
    return method_.needsMatrix(problem);
  }
  FreeSystem& begin(RowSystem& rows, const SolveContext& context, const Allowance& allowance,
                    bool isPossible) override;
  bool beginsAtStates(const ContactProblem& problem) const override {
    return !problem.followsNormals();
  }
  bool changedProblem() const override;
  void end(ImpulseView impulses, SolverReport& report) override;
  /// The loop over bounds, on which adaptive regularization lives where friction follows λ_n:
  /// Newton steps make no pivots.
  void runLoop(const ContactProblem& problem, const SolveContext& context, ImpulseView impulses,
               SolverReport& report);

  BlockMethod method_;
  PivotStage pivots_;
  BoundLoop loop_;
};

}  // namespace drystone
