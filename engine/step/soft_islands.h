#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/model/body_store.h"
#include "engine/model/joint_store.h"
#include "engine/model/world_settings.h"
#include "engine/step/rows.h"
#include "engine/step/soft_clusters.h"
#include "engine/step/soft_sweeps.h"
#include "engine/step/solve_islands.h"
#include "engine/step/start_ahead.h"
#include "engine/step/step_report.h"
#include "solvers/linear/factor_cost.h"

namespace drystone {

/// What soft steps of an inner step of h work with.
struct SoftStepInput {
  const WorldSettings& settings;
  Real h;  ///< [s]
  const BodyStore& bodies;
  const Islands& islands;
  std::span<const StepContact> contacts;
  const StepMotion& motion;
  const JointStore& joints;
  JointRowList& list;  ///< gets what its rows hold
};

/// The islands of an inner step that soft steps take (docs/theory/soft_steps.md), and how their
/// bodies move: those in which something moves fast, those whose factor costs too much, and those
/// that a few Newton steps do not solve. For an exact step of bodies at rest costs less than a soft
/// one. Joints are condensed (SoftClusters). Small islands are solved as ever, and so are those
/// with large clusters, with materials that yield or with other friction than the cone.
class SoftIslands {
 public:
  /// Chooses the islands that may be soft, by what is known before the solve.
  void choose(const SoftStepInput& input, const ConstraintRows& rows);
  /// Steps these, or solves them: λ, states and reports of each, judged by the rigid law of the
  /// whole step. No attempt to solve one begins after `until`.
  /// Poses are the same before and after.
  void solve(const SoftStepInput& input, const Deadline& until, SolverPool& pool, BodyStore& bodies,
             ConstraintRows& rows, std::vector<IslandReport>& reports);
  /// While there is time until `until`, has those that miss the tolerance solved exactly, the
  /// smallest first. A better answer is taken, and the island is none of the soft ones any more.
  /// Does nothing where the time has no limit.
  void handOver(const SoftStepInput& input, const Deadline& until, SolverPool& pool,
                ConstraintRows& rows, std::vector<IslandReport>& reports);

  /// [islands] whether it has its answer by solve(): not where joints are not for sweeps.
  std::span<const char> isTaken() const { return isTaken_; }
  /// [islands] whether soft steps took it.
  std::span<const char> isSoft() const { return isSoft_; }
  int handedOver() const { return handedOver_; }  ///< islands
  /// Before the impulses are kept: filters those of soft contacts, takes those of the others as
  /// they are, where they are no impact, and counts how long attempts to solve an island wait.
  void remember(const SoftStepInput& input, const ConstraintRows& rows,
                std::span<const IslandReport> reports, std::span<StepContact> contacts) const;
  /// Moves their bodies, and has the angles of their joints follow.
  void move(const Islands& islands, BodyStore& bodies, JointStore& joints);
  /// [body slots] share of the step that a body moves with its velocity: 0 for theirs.
  void shareStep(const Islands& islands, std::vector<Real>& share) const;

 private:
  enum class Way : std::uint8_t {
    kExact,  ///< as ever
    kQuiet,  ///< exactly, if a few Newton steps do
    kFirst,  ///< at rest and never solved before: exactly, if some more steps do
    kWaits,  ///< soft: the last attempt to solve it failed
    kSoft,   ///< fast, or too dear to solve
  };

  /// One thread's arrays.
  struct Work {
    SoftWorkspace sweeps;
    SoftClusters clusters;
    std::vector<Real> gap, average, fixed;
    std::vector<Real> error, taken;  ///< [rows] of held locks, and what is taken back of it [m]
    std::vector<Vec6> old, free, predicted;
    std::vector<Pose> poses;
    AheadWorkspace ahead;
    std::vector<InverseInertia> inertias;
  };

  Way wayOf(const SoftStepInput& input, const ConstraintRows& rows, int island);
  bool trySolve(const SoftStepInput& input, int island, int iterations, const Deadline& until,
                SolverPool::Lane& lane, ConstraintRows& rows, IslandReport& report) const;
  /// Returns false where its joints are not for sweeps.
  bool step(const SoftStepInput& input, int island, SolverPool::Lane& lane, Work& work,
            BodyStore& bodies, ConstraintRows& rows, IslandReport& report);
  bool stepClusters(const SoftStepInput& input, int island, const SoftInput& soft, Work& work,
                    BodyStore& bodies, ConstraintRows& rows);

  std::vector<Way> ways_;               // [islands]
  std::vector<int> mostSteps_;          // [islands] Newton steps of an attempt to solve it
  std::vector<char> isTaken_, isSoft_;  // [islands]
  int handedOver_ = 0;
  std::vector<int> parent_;         // work space of choose()
  std::vector<Real> masses_;        // [body slots] of clusters [kg]
  std::vector<Vec6> displacement_;  // [bodies in the order of the islands] of the step [m], [rad]
  std::vector<Vec3> turn_;          // [body slots] of the step; work space of move() [rad]
  std::vector<Work> work_;
  FactorCost factor_;
  std::vector<int> missed_;
  std::vector<Real> softLambda_;
  std::vector<RowState> softState_;
};

}  // namespace drystone
