#pragma once

#include <span>
#include <vector>

#include "solvers/contact_solver.h"
#include "solvers/direct/contact_states.h"
#include "solvers/direct/free_system.h"
#include "solvers/residual.h"

namespace drystone {

struct NewtonSettings {
  Real tolerance = 1e-9;  ///< natural map (M.11) that ends the iteration, over the largest |b|
  int maxPlain = 20;      ///< undamped steps, before any damped one
  int maxDamped = 200;    ///< damped steps; beyond 1000 rows fewer in proportion, at least 30

  void visit(SettingVisitor& visitor);
};

/// How a run of the coupled iteration ended.
struct NewtonOutcome {
  SolveStatus status = SolveStatus::kIterationLimit;  ///< or kConverged, kStalled
  int iterations = 0;
  int changes = 0;      ///< rows and contacts that changed their state
  Real naturalMap = 0;  ///< of the λ left behind [m/s]
};

/// Solves a problem with all laws at once, friction bound to the solved normal impulse, by
/// semismooth Newton steps on its natural map: the block pivots of the coupled problem.
///
/// Plain steps first: from the sets of the previous step they end at round-off in one or a few
/// factorizations. Far from a solution they may wander, because nothing holds impulses back that
/// the masses hardly see. Then steps with a proximal term δ/ρ (λ − λ_k) take over, whose δ grows
/// when the natural map does not fall and shrinks when it does: a small δ is the plain step again,
/// a large one the fixed point of the projection. Where that gets stuck, one step is taken all the
/// same. The λ left behind is the best one seen.
class FrictionNewton {
 public:
  void reserve(const ProblemSize& size);
  /// Starts from `lambda`, w = A λ + b and the sets in `states`, and leaves the answer there.
  NewtonOutcome run(RowSystem& rows, FreeSystem& system, ContactStates& states,
                    std::span<Real> lambda, std::span<Real> w, const NewtonSettings& settings,
                    ResidualHistory& history);

 private:
  /// What one run works on: the problem, the iterate at hand and its outcome so far.
  struct Task {
    RowSystem& rows;
    FreeSystem& system;
    ContactStates& states;
    std::span<Real> lambda, w;
    ResidualHistory& history;
    Real tolerance;  ///< [m/s]
    NaturalMapSize error{};
    NewtonOutcome outcome{};

    bool converged() const { return outcome.status == SolveStatus::kConverged; }
  };

  struct Iterate {
    std::vector<Real> lambda, w;
    NaturalMapSize error;

    void copyFrom(const Task& task);
    void copyTo(Task& task) const;
  };

  /// One step from the iterate with the sets as they are. False: the factorization failed.
  bool step(Task& task, Real damping);
  void plainSteps(Task& task, int limit);
  void dampedSteps(Task& task, int limit);

  Iterate current_, best_;
};

}  // namespace drystone
