#pragma once

#include <vector>

#include "solvers/driver/contact_solver.h"
#include "solvers/driver/convergence.h"
#include "solvers/prox/coloring.h"
#include "solvers/prox/factorized_system.h"
#include "solvers/prox/naive_system.h"
#include "solvers/prox/relaxation.h"
#include "solvers/prox/t_system.h"

namespace drystone {

/// Prox fixed-point iteration λ ← prox(λ − R (A λ + b)) on all six friction models and on joint
/// rows (Nützi 2011, §4.6; Poulsen 2010, ch. 3). The plan of the sweeps makes it `sor-prox`,
/// `jacobi-prox` or `sor-prox-colored`. What is measured every `check_every` sweeps also guards
/// against divergence: see `Progress` in the .cpp. It ends when what its StoppingRule
/// measures, by default the natural map [m/s], meets the tolerance handed to it.
class ProxSolver : public ContactSolver {
 public:
  const SolverTraits& traits() const override { return traits_; }
  /// Times [ms] of so many sweeps from zero impulses, without layout, copies and measurements: one
  /// a repeat, after one that warms up. The problem is laid out once. Empty: it is not taken.
  std::vector<double> timeSweeps(const ContactProblem& problem, int sweeps, int repeats,
                                 int threads = 1);

  ProxSettings settings;

 protected:
  explicit ProxSolver(SolverTraits traits);
  void visitSettings(SettingVisitor& visitor) override { settings.visit(visitor); }
  void reserveOwn(const ProblemSize& size) override;
  bool takes(const ContactProblem& problem) const override;
  void run(const ContactProblem& problem, const SolveContext& context, ImpulseView impulses,
           SolverReport& report) override;
  /// Reserves the systems that layOut() may choose from.
  virtual void reserveSystems(const ProblemSize& size);
  /// The order of the updates.
  virtual void makePlan(const ContactProblem& problem, SweepPlan& plan) = 0;
  /// The system of the scheme, prepared.
  virtual ProxSystem* layOut(const ContactProblem& problem, const SweepPlan& plan,
                             const StepRule& rule, SolverReport& report);
  /// Goes on where the round-off of the present system is reached; null: nothing does.
  virtual ProxSystem* sharper(const ContactProblem&, const SweepPlan&, const StepRule&) {
    return nullptr;
  }
  /// Threads of the solve at work.
  int threads() const { return threads_; }

 private:
  StepRule stepRule(const ContactProblem& problem);
  ProxSystem* prepare(const ContactProblem& problem, int threads, SolverReport& report);
  SolveStatus iterate(const ContactProblem& problem, const SolveContext& context,
                      ProxSystem* system, ImpulseView impulses, SolverReport& report);
  OwnMeasurement* ownMeasurement(ProxSystem& system) const;
  Measurement measure(ProxSystem& system);

  SolverTraits traits_;
  int threads_ = 1;
  SweepPlan plan_;
  FactorizedSystem factorized_;
  NaiveSystem naive_;
  TSystem t_;
  SpectrumWorkspace spectrum_;
  ConvergenceMeter meter_;
  std::vector<Real> lambda_, previous_, w_;
};

/// Projected Gauss–Seidel (SOR prox, Nützi 2011, §4.6.2).
class SorProxSolver : public ProxSolver {
 public:
  SorProxSolver();

 private:
  void makePlan(const ContactProblem& problem, SweepPlan& plan) override;
};

/// Projected over-relaxed Jacobi (JOR prox, Nützi 2011, §4.6.1), with R factors that make it
/// converge by default: see `FactorizedSystem::countUpdates` and `NaiveSystem::computeSteps`.
class JacobiProxSolver : public ProxSolver {
 public:
  JacobiProxSolver();

 private:
  void makePlan(const ContactProblem& problem, SweepPlan& plan) override;
};

/// Projected Gauss–Seidel on many threads: the contacts of one color at a time (Poulsen 2010, ch. 4
/// and 7).
class SorProxColoredSolver : public ProxSolver {
 public:
  SorProxColoredSolver();

  ColoringSettings coloringSettings;

 private:
  void visitSettings(SettingVisitor& visitor) override;
  void reserveOwn(const ProblemSize& size) override;
  void makePlan(const ContactProblem& problem, SweepPlan& plan) override;

  Coloring coloring_;
};

}  // namespace drystone
