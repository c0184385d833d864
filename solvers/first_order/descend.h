#pragma once

#include "solvers/driver/contact_solver.h"
#include "solvers/driver/convergence.h"
#include "solvers/driver/stopping.h"

namespace drystone {

/// Which law an accelerated descent solves.
enum class ApgdLaw : std::uint8_t {
  kRelaxed,  ///< the convex relaxation (M.15): one optimum, in which sliding contacts open
  kExact,    ///< the problem's own (M.9)
};

/// Settings of `apgd`.
struct ApgdSettings {
  StoppingRule stopping;
  ApgdLaw law = ApgdLaw::kRelaxed;

  void visit(SettingVisitor& visitor);
};

/// The steps that descend() drives, wherever they run.
class Descent {
 public:
  virtual ~Descent() = default;
  /// Does the steps after `iteration` up to `end`, or until it stands still or the time has passed.
  /// Returns the iteration that it got to.
  virtual int advance(int iteration, int end, const Deadline& deadline) = 0;
  /// Of the present iterate, by the law that is solved.
  virtual Measurement measure(int iteration) = 0;
  /// The iterate measured last is the answer so far.
  virtual void keep() = 0;
  /// The last step moved nothing, or no more than round-off.
  virtual bool stoodStill() const = 0;
  /// False: A bends beyond all bounds along a step, so that no step is short enough.
  virtual bool isFinite() const = 0;
};

/// Steps until the rule says stop. What is kept is the iterate of the smallest error measured, the
/// start among them; at last the one that converged. Fills iterations and history.
SolveStatus descend(Descent& descent, const StoppingRule& rule, const SolveContext& context,
                    SolverReport& report);

/// Largest shift of a contact that carries an impulse [m/s]: by how much the relaxation opens it.
/// `w`: velocities whose tangents are those of λ.
Real relaxationError(const ContactProblem& problem, std::span<const Real> lambda,
                     std::span<const Real> w);

}  // namespace drystone
