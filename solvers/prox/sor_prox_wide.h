#pragma once

#include "solvers/prox/prox_solver.h"
#include "solvers/prox/wide_system.h"

namespace drystone {

/// `sor-prox-colored` with the contacts of a color in lanes of vector instructions. Body form only.
class SorProxWideSolver : public ProxSolver {
 public:
  SorProxWideSolver();

  SweepPrecision precision = SweepPrecision::kMixed;
  ColoringSettings coloringSettings;  ///< of contacts: manifolds cannot share lanes

 private:
  void visitSettings(SettingVisitor& visitor) override;
  void reserveOwn(const ProblemSize& size) override;
  void reserveSystems(const ProblemSize& size) override;
  void makePlan(const ContactProblem& problem, SweepPlan& plan) override;
  ProxSystem* layOut(const ContactProblem& problem, const SweepPlan& plan, const StepRule& rule,
                     SolverReport& report) override;
  ProxSystem* sharper(const ContactProblem& problem, const SweepPlan& plan,
                      const StepRule& rule) override;

  Coloring coloring_;
  WideSystem<float> floats_;
  WideSystem<double> doubles_;
};

}  // namespace drystone
