#pragma once

#include <span>
#include <vector>

#include "solvers/driver/contact_solver.h"
#include "solvers/linear/free_system.h"
#include "solvers/pivoting/contact_states.h"
#include "solvers/problem/residual.h"

namespace drystone {

struct NewtonSettings {
  Real tolerance = 0;        ///< natural map (M.11) that ends the iteration [m/s]
  int maxPlain = 20;         ///< plain steps of a run
  int maxProximal = 1000;    ///< Newton steps on proximal points after them (ProximalNewton)
  Allowance allowance = {};  ///< of the whole solve, of which a step takes one iteration

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
/// From the sets of the previous step they end at round-off in one or a few factorizations. Far
/// from a solution they may wander, because nothing holds impulses back that the masses hardly see;
/// then ProximalNewton takes over. The λ left behind is the best one seen.
class FrictionNewton {
 public:
  void reserve(const ProblemSize& size);
  /// Where a run works: λ, w = A λ + b and the sets in `states` are its start and its answer.
  struct Problem {
    RowSystem& rows;
    FreeSystem& system;
    ContactStates& states;
    std::span<Real> lambda, w;
  };
  /// Adds to `outcome`.
  void runPlain(const Problem& problem, const NewtonSettings& settings, ResidualHistory& history,
                NewtonOutcome& outcome);

 private:
  /// What one run works on: the problem, the iterate at hand and its outcome so far.
  struct Task : Problem {
    const NewtonSettings& settings;
    ResidualHistory& history;
    NewtonOutcome& outcome;
    Real tolerance;  ///< [m/s]
    NaturalMapSize error{};

    bool converged() const { return outcome.status == SolveStatus::kConverged; }
    /// Asks for one more step; sets the status where nothing is left.
    bool mayStep();
  };

  struct Iterate {
    std::vector<Real> lambda, w;
    NaturalMapSize error;

    void copyFrom(const Task& task);
    void copyTo(Task& task) const;
  };

  /// One step from the iterate with the sets as they are. False: the factorization failed.
  bool step(Task& task);
  Task begin(const Problem& problem, const NewtonSettings& settings, ResidualHistory& history,
             NewtonOutcome& outcome);
  void finish(Task& task);
  void leaveNoExcess(Task& task);
  void plainSteps(Task& task, int limit);

  Iterate best_;
};

}  // namespace drystone
