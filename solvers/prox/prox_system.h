#pragma once

#include <span>

#include "core/timer.h"
#include "solvers/driver/contact_solver.h"
#include "solvers/prox/prox_settings.h"
#include "solvers/prox/sweep_plan.h"

namespace drystone {

/// How the R factors of one solve are made.
struct StepRule {
  StepStrategy strategy = StepStrategy::kSplit;
  Real relaxation = 1;
  Real globalStep = 0;  ///< R of every row for kGlobal, without α

  /// Whether the tangents of a contact see the change of its normal at once. One R for all rows is
  /// made for plain Jacobi sweeps; there they see the old normal.
  bool couplesTangents(bool isSimultaneous) const {
    return !isSimultaneous || strategy != StepStrategy::kGlobal;
  }
};

/// A system's own look at what a sweep has changed, where its impulses lie elsewhere and are dear
/// to fetch.
class SweepComparison {
 public:
  virtual ~SweepComparison() = default;
  /// Whether the last sweep left every element within |Δλ| ≤ T_rel |λ| + T_abs (Nützi 2011,
  /// Eq. 4.49).
  virtual bool standsStill() = 0;
  /// λ before the last sweep.
  virtual void getPrevious(std::span<Real> lambda) = 0;
};

/// A system's own measurement of its iterates, where its impulses lie elsewhere and are dear to
/// fetch.
class OwnMeasurement {
 public:
  virtual ~OwnMeasurement() = default;
  /// Largest error of a block at the present λ by the natural map (M.11), that of naturalMapSize()
  /// [m/s]; +∞: it is not finite. `steps`: ρ_c of every block, the same until the next layout.
  virtual Real naturalMap(std::span<const Real> steps) = 0;
  /// Remembers the λ that was measured last.
  virtual void keep() = 0;
  virtual void getKept(std::span<Real> lambda) = 0;
};

/// A problem laid out for prox sweeps in one scheme. Owns the impulses while it iterates. Keeps its
/// capacity from solve to solve.
class ProxSystem {
 public:
  virtual ~ProxSystem() = default;

  virtual void reserve(const ProblemSize& size) = 0;
  /// Lays the problem out; `problem` and `plan` must outlive the sweeps. More threads change no
  /// bit.
  virtual void prepare(const ContactProblem& problem, const SweepPlan& plan, const StepRule& rule,
                       int threads) = 0;
  virtual void setImpulses(std::span<const Real> lambda) = 0;
  virtual void getImpulses(std::span<Real> lambda) const = 0;
  /// One pass over the phases of the plan.
  virtual void sweep() = 0;
  /// Does so many sweeps and nothing else, and returns what they took [ms].
  virtual double timeSweeps(int count) {
    const Timer timer;
    for (int i = 0; i < count; ++i) sweep();
    return timer.milliseconds();
  }
  /// w = A λ + b, computed afresh from λ.
  virtual void constraintVelocity(std::span<Real> w) = 0;
  /// R ← factor R.
  virtual void scaleSteps(Real factor) = 0;
  /// Null: it has none, or was not asked for it.
  virtual SweepComparison* comparison() { return nullptr; }
  /// Null: it has none.
  virtual OwnMeasurement* measurement() { return nullptr; }
  /// Residual below which sweeps gain nothing for round-off [m/s]; 0: below every tolerance.
  virtual Real roundOff() const { return 0; }
};

}  // namespace drystone
