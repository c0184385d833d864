#pragma once

#include <memory>
#include <vector>

#include "solvers/driver/contact_solver.h"
#include "solvers/driver/convergence.h"
#include "solvers/first_order/descend.h"
#include "solvers/first_order/nesterov.h"

namespace drystone {

/// Accelerated projected gradient descent on the convex relaxation of friction (Mazhar, Heyn,
/// Negrut & Tasora 2015), which reports what the relaxation costs; or on the exact law, by adding
/// De Saxcé's shift of the present velocities to the gradient (the fixed point of Cadoux 2009 and
/// Acary, Cadoux, Lemaréchal & Malick 2011, advanced at every step). It ends when what
/// its StoppingRule measures, by default the natural map [m/s], meets the tolerance handed to it.
class ApgdSolver : public ContactSolver, private Descent {
 public:
  ApgdSolver();

  const SolverTraits& traits() const override { return traits_; }

  /// Solves this process's part of a problem that several processes have: see DescentCoupling. All
  /// of them call it, those without rows too, with the same settings and budget, whose time has no
  /// limit. The status is the same on all.
  SolverReport solveCoupled(const ContactProblem& problem, const Budget& budget,
                            ImpulseView impulses, DescentCoupling& coupling);

  ApgdSettings settings;

 private:
  void visitSettings(SettingVisitor& visitor) override { settings.visit(visitor); }
  void reserveOwn(const ProblemSize& size) override;
  void run(const ContactProblem& problem, const SolveContext& context, ImpulseView impulses,
           SolverReport& report) override;
  int advance(int iteration, int end, const Deadline& deadline) override;
  Measurement measure(int iteration) override;
  void keep() override;
  bool stoodStill() const override { return descent_.stoodStill(); }
  bool isFinite() const override { return descent_.isFinite(); }
  void followVelocities();

  SolverTraits traits_;
  NesterovDescent descent_;
  DescentCoupling* coupling_ = nullptr;  ///< within solveCoupled()
  ResidualHistory coupledHistory_;
  ContactProblem problem_;    ///< within a solve, as the next two
  std::span<Real> best_;      ///< the answer so far
  Real relaxationError_ = 0;  ///< its own [m/s]
  ConvergenceMeter meter_;
  std::vector<Real> shifts_;  ///< [blocks] De Saxcé's shift at the present velocities, 0 for joints
  std::vector<Real> w_;       ///< [rows]
};

std::unique_ptr<ContactSolver> makeApgd();

}  // namespace drystone
