#pragma once

#include <memory>
#include <vector>

#include "engine/core/timer.h"
#include "solvers/contact_solver.h"
#include "solvers/prox/convergence.h"
#include "solvers/prox/nsgs_anderson.h"
#include "solvers/prox/nsgs_system.h"
#include "solvers/stopping.h"

namespace drystone {

/// How the sweeps of `nsgs` are sped up.
enum class NsgsAcceleration : std::uint8_t { kNone, kAnderson };

/// Order of the blocks in a sweep.
enum class NsgsOrder : std::uint8_t {
  kForward,    ///< problem order
  kSymmetric,  ///< problem order and its reverse by turns
};

/// Settings of `nsgs`.
struct NsgsSettings {
  NsgsSettings() { stopping.maxIterations = 20000; }

  StoppingRule stopping;
  NsgsAcceleration acceleration = NsgsAcceleration::kAnderson;
  int memory = 10;
  Real relaxation = 1;
  NsgsOrder order = NsgsOrder::kForward;
  NsgsScheme scheme = NsgsScheme::kAuto;

  void visit(SettingVisitor& visitor);
};

/// Non-smooth Gauss–Seidel: sweeps over the blocks and solves each one exactly with the others held
/// fixed, contacts with exact Coulomb friction by a scalar root (LocalConeSolve). The reference
/// method of contact dynamics (Moreau, Jean 1999; Acary & Brogliato 2008, ch. 13), with Anderson
/// acceleration of the sweeps.
class NsgsSolver : public ContactSolver {
 public:
  NsgsSolver();

  const SolverTraits& traits() const override { return traits_; }
  void visitSettings(SettingVisitor& visitor) override { settings.visit(visitor); }
  void reserve(const ProblemSize& size) override;
  SolverReport solve(const ContactProblem& problem, ImpulseView impulses) override;

  NsgsSettings settings;

 private:
  SolveStatus iterate(const ContactProblem& problem, const Timer& timer, SolverReport& report);
  Real measure(int iteration);
  void weighRows(const ContactProblem& problem);

  SolverTraits traits_;
  NsgsSystem system_;
  AndersonAcceleration anderson_;
  ConvergenceMeter meter_;
  std::vector<Real> before_, change_, w_, best_, weights_;
  Real bestResidual_ = 0;
};

std::unique_ptr<ContactSolver> makeNsgs();

}  // namespace drystone
