#pragma once

#include <vector>

#include "engine/core/timer.h"
#include "solvers/contact_solver.h"
#include "solvers/prox/convergence.h"
#include "solvers/prox/factorized_system.h"
#include "solvers/prox/naive_system.h"
#include "solvers/prox/relaxation.h"

namespace drystone {

/// Prox fixed-point iteration λ ← prox(λ − R (A λ + b)) on all six friction models and on joint
/// rows (003 §4.6, 004 ch. 3). The order of the updates makes it `sor-prox` or `jacobi-prox`.
///
/// Joint rows are swept first, then contacts, each in problem order. What is measured every
/// `check_every` sweeps also guards against divergence: see `Progress` in the .cpp.
class ProxSolver : public ContactSolver {
 public:
  const SolverTraits& traits() const override { return traits_; }
  void visitSettings(SettingVisitor& visitor) override { settings.visit(visitor); }
  void reserve(const ProblemSize& size) override;
  SolverReport solve(const ContactProblem& problem, ImpulseView impulses) override;

  ProxSettings settings;

 protected:
  ProxSolver(SolverTraits traits, SweepOrder order);

 private:
  ProxSystem& layOut(const ContactProblem& problem, SolverReport& report);
  SolveStatus iterate(ProxSystem& system, ImpulseView impulses, const Timer& timer,
                      SolverReport& report);
  Real measure(ProxSystem& system);

  SolverTraits traits_;
  SweepOrder order_;
  FactorizedSystem factorized_;
  NaiveSystem naive_;
  SpectrumWorkspace spectrum_;
  ConvergenceMeter meter_;
  std::vector<Real> lambda_, previous_, w_;
};

/// Projected Gauss–Seidel (SOR prox, 003 §4.6.2).
class SorProxSolver : public ProxSolver {
 public:
  SorProxSolver();
};

/// Projected over-relaxed Jacobi (JOR prox, 003 §4.6.1), with R factors that make it converge by
/// default: see `FactorizedSystem::countUpdates` and `NaiveSystem::computeSteps`.
class JacobiProxSolver : public ProxSolver {
 public:
  JacobiProxSolver();
};

}  // namespace drystone
