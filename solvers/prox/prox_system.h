#pragma once

#include <span>

#include "solvers/contact_solver.h"
#include "solvers/prox/prox_settings.h"

namespace drystone {

/// Whether the blocks of a sweep see each other's new impulses (SOR) or the old ones (Jacobi).
enum class SweepOrder : std::uint8_t { kSequential, kSimultaneous };

/// How the R factors of one solve are made.
struct StepRule {
  StepStrategy strategy = StepStrategy::kLocal;
  Real relaxation = 1;
  Real globalStep = 0;  ///< R of every row for kGlobal, without α
};

/// A problem laid out for prox sweeps in one scheme. Owns the impulses while it iterates. Keeps its
/// capacity from solve to solve.
class ProxSystem {
 public:
  virtual ~ProxSystem() = default;

  virtual void reserve(const ProblemSize& size) = 0;
  /// Lays the problem out; `problem` must outlive the sweeps.
  virtual void prepare(const ContactProblem& problem, SweepOrder order, const StepRule& rule) = 0;
  virtual void setImpulses(std::span<const Real> lambda) = 0;
  virtual void getImpulses(std::span<Real> lambda) const = 0;
  /// One pass over all blocks in a fixed order.
  virtual void sweep() = 0;
  /// w = A λ + b, computed afresh from λ.
  virtual void constraintVelocity(std::span<Real> w) = 0;
  /// R ← factor R.
  virtual void scaleSteps(Real factor) = 0;
};

}  // namespace drystone
