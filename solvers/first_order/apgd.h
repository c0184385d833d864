#pragma once

#include <memory>
#include <vector>

#include "core/timer.h"
#include "solvers/driver/contact_solver.h"
#include "solvers/driver/convergence.h"
#include "solvers/driver/stopping.h"
#include "solvers/first_order/nesterov.h"
#include "solvers/problem/idle_rows.h"

namespace drystone {

/// Which law `apgd` solves.
enum class ApgdLaw : std::uint8_t {
  kRelaxed,  ///< the convex relaxation (M.15): one optimum, in which sliding contacts open
  kExact,    ///< the problem's own (M.9)
};

/// Settings of `apgd`.
struct ApgdSettings {
  ApgdSettings() { stopping.maxIterations = 20000; }

  StoppingRule stopping;
  ApgdLaw law = ApgdLaw::kRelaxed;

  void visit(SettingVisitor& visitor);
};

/// Accelerated projected gradient descent on the convex relaxation of friction (Mazhar, Heyn,
/// Negrut & Tasora 2015), which reports what the relaxation costs; or on the exact law, by adding
/// De Saxcé's shift of the present velocities to the gradient (the fixed point of Cadoux 2009 and
/// Acary, Cadoux, Lemaréchal & Malick 2011, advanced at every step).
class ApgdSolver : public ContactSolver {
 public:
  ApgdSolver();

  const SolverTraits& traits() const override { return traits_; }
  void visitSettings(SettingVisitor& visitor) override { settings.visit(visitor); }
  void reserve(const ProblemSize& size) override;
  SolverReport solve(const ContactProblem& problem, ImpulseView impulses) override;

  ApgdSettings settings;

 private:
  SolveStatus iterate(const ContactProblem& problem, std::span<Real> best, const Timer& timer,
                      SolverReport& report);
  void followVelocities(const ContactProblem& problem);
  Measurement measure(const ContactProblem& problem, int iteration);
  Real relaxationError(const ContactProblem& problem) const;

  SolverTraits traits_;
  IdleRows idleRows_;
  NesterovDescent descent_;
  ConvergenceMeter meter_;
  std::vector<Real> shifts_;  ///< [blocks] De Saxcé's shift at the present velocities, 0 for joints
  std::vector<Real> w_;       ///< [rows]
};

std::unique_ptr<ContactSolver> makeApgd();

}  // namespace drystone
