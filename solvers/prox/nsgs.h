#pragma once

#include <memory>
#include <vector>

#include "solvers/driver/contact_solver.h"
#include "solvers/driver/convergence.h"
#include "solvers/driver/stopping.h"
#include "solvers/prox/nsgs_anderson.h"
#include "solvers/prox/nsgs_system.h"

namespace drystone {

/// How the sweeps of `nsgs` are sped up.
enum class NsgsAcceleration : std::uint8_t { kNone, kAnderson };

/// Settings of `nsgs`.
struct NsgsSettings {
  StoppingRule stopping;
  NsgsAcceleration acceleration = NsgsAcceleration::kAnderson;
  int memory = 30;
  Real relaxation = 1;
  NsgsScheme scheme = NsgsScheme::kAuto;
  /// Ends early, as stalled, where the sweeps get on so slowly that all of the iterations would not
  /// do. For solvers that know what else to do.
  bool givesUp = false;

  void visit(SettingVisitor& visitor);
};

/// Non-smooth Gauss–Seidel: sweeps over the blocks and solves each one exactly with the others held
/// fixed, contacts with exact Coulomb friction by a scalar root (LocalConeSolve). The reference
/// method of contact dynamics (Moreau, Jean 1999; Acary & Brogliato 2008, ch. 13), with Anderson
/// acceleration of the sweeps. It ends when what its StoppingRule measures, by default the natural
/// map [m/s], meets the tolerance handed to it.
class NsgsSolver : public ContactSolver {
 public:
  NsgsSolver();

  const SolverTraits& traits() const override { return traits_; }

  NsgsSettings settings;

 private:
  class Pace;

  void visitSettings(SettingVisitor& visitor) override { settings.visit(visitor); }
  void reserveOwn(const ProblemSize& size) override;
  void run(const ContactProblem& problem, const SolveContext& context, ImpulseView impulses,
           SolverReport& report) override;
  SolveStatus iterate(const ContactProblem& problem, const SolveContext& context,
                      SolverReport& report);
  SweepChange sweepOnce();
  Measurement measure(int iteration, ResidualHistory& history);
  void accelerate();
  void changeMode(bool returnToBest);

  SolverTraits traits_;
  NsgsSystem system_;
  AndersonAcceleration anderson_;
  ConvergenceMeter meter_;
  std::vector<Real> start_;   ///< λ before the sweeps that one acceleration step looks at
  std::vector<Real> before_;  ///< λ before the last sweep, where the criterion asks
  std::vector<Real> w_, weights_;
  std::vector<Real> best_;  ///< λ of the smallest error measured, or that converged
  Real tolerance_ = 0;      ///< of the criterion
  Real smallestError_ = 0;
  Real smallestChange_ = 0;  ///< squared, weighted, since the acceleration last restarted
};

std::unique_ptr<ContactSolver> makeNsgs();

}  // namespace drystone
