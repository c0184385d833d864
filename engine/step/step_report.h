#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/types.h"
#include "engine/model/body.h"
#include "engine/model/joint.h"
#include "engine/step/stage_times.h"
#include "solvers/driver/solve.h"

namespace drystone {

/// Where the energy of a step went [J] (M.14). The velocity update closes to round-off:
/// kineticAfter - kineticBefore = external + damping + gyroscopic + geometric + joints + normal
///                                + friction + restitution + stabilisation + ledgerError.
struct EnergyLedger {
  Real kineticBefore = 0;  ///< of the old velocities at the pose of detection
  Real kineticAfter = 0;   ///< of the new velocities at the same pose
  Real external = 0;       ///< gravity and applied forces
  Real damping = 0;        ///< of the bodies' own motion (BodyDefinition::linearDamping)
  Real gyroscopic = 0;
  Real geometric = 0;  ///< work of the geometric stiffness, which may be of either sign
  Real joints = 0;
  Real normal = 0;  ///< contact normals without the two next
  Real friction = 0;
  Real restitution = 0;
  Real stabilisation = 0;  ///< push-out, speculative approach and compliance of contact normals
  Real ledgerError = 0;    ///< what is left; round-off
  Real turnedInertia = 0;  ///< change of kinetic energy by the pose update
  Real projection = 0;     ///< change of potential energy by the projection of the poses
  Real sleep = 0;          ///< kinetic energy of what fell asleep, taken after the step
  Real kinetic = 0;        ///< at the end of the step
  Real potential = 0;      ///< of gravity, at the end of the step; zero at the origin
};

/// A source of energy of the ledger, for what lists or adds them all.
struct EnergyFlow {
  const char* name;  ///< as in reports
  Real EnergyLedger::*value;
};
/// Those of the velocity update, then those of the pose update and of sleep.
inline constexpr std::array<EnergyFlow, 12> kEnergyFlows = {{
    {"external", &EnergyLedger::external},
    {"damping", &EnergyLedger::damping},
    {"gyroscopic", &EnergyLedger::gyroscopic},
    {"geometric", &EnergyLedger::geometric},
    {"joints", &EnergyLedger::joints},
    {"normal", &EnergyLedger::normal},
    {"friction", &EnergyLedger::friction},
    {"restitution", &EnergyLedger::restitution},
    {"stabilisation", &EnergyLedger::stabilisation},
    {"turned_inertia", &EnergyLedger::turnedInertia},
    {"projection", &EnergyLedger::projection},
    {"sleep", &EnergyLedger::sleep},
}};

/// Why an island stays awake: the first that holds.
enum class AwakeReason : std::uint8_t {
  kNone,             ///< nothing: it fell asleep at the end of the step
  kDisabled,         ///< sleeping is off, or a body of it may not sleep
  kAppliedLoad,      ///< a force or torque was applied for this step, or is scheduled for the next
  kMotor,            ///< a motor drives it: a target rate, or a target that moves
  kMovingNeighbour,  ///< it touches or hangs on a moving kinematic body or a belt
  kTooFast,
  kNotLongEnough,    ///< slow, but not yet for the time that it takes
  kMissedTolerance,  ///< a solve of it in this step missed the tolerance
};
std::string_view awakeReasonName(AwakeReason reason);

/// One island's solve.
struct IslandReport {
  int bodies = 0;
  int contacts = 0;
  int rows = 0;
  SolveResult result;
  AwakeReason awake = AwakeReason::kDisabled;
  int worstContact = -1;   ///< index into the step's contacts of the judge's worst block, or -1
  int repeatedSolves = 0;  ///< on top of the first, to hold joints that turn far
  Real unsettled = 0;      ///< joint error that the last of them would still change [m]
};

/// The solve of a step that left the largest natural map, of all islands of all inner steps.
struct WorstSolve {
  int substep = -1;          ///< inner step, from 0; -1: no island was solved in the step
  int island = -1;           ///< of that inner step, by lowest body
  bool isAtContact = false;  ///< the judge's worst block is a contact, not a joint
  BodyId bodyA, bodyB;       ///< that the block acts on
  SolveResult result;

  bool exists() const { return island >= 0; }
};

/// Two bodies of which a report says something.
struct BodyPair {
  BodyId bodyA, bodyB;
};

/// All that a step says about itself.
struct StepReport {
  std::int64_t step = 0;  ///< steps done, this one included
  Real time = 0;          ///< simulated time at the end of the step [s]
  int bodies = 0, joints = 0;
  // Of the last inner step, as `islands` and `warmStarted`.
  int contacts = 0, rows = 0, islandCount = 0, largestIslandRows = 0;
  int asleepBodies = 0, asleepIslands = 0;  ///< at the end of the step
  int detections = 0;   ///< of contacts: inner steps that did not carry them along
  int warmStarted = 0;  ///< contacts that found their impulse of the step before
  StageTimes times;
  EnergyLedger energy;
  Real maxPenetration = 0;  ///< deepest overlap at detection [m], ≥ 0
  /// Largest joint position [m] and angle [rad] error at detection; with a projection: after that
  /// of the last inner step.
  Real maxJointDrift = 0, maxJointTurn = 0;
  // Of what should hold, against the tolerances: compliant joints and materials are left out.
  Real jointTolerance = kInfinity, overlapTolerance = kInfinity;  ///< [m]
  /// Largest joint error [m]: drift, and turn times the median extent of the dynamic bodies.
  Real jointError = 0;
  Real overlapError = 0;  ///< deepest overlap beyond what no step could prevent [m]
  /// Deepest overlap that was forgiven [m], as no step could prevent it; 0 where the overlap
  /// tolerance would have let it pass all the same.
  Real overlapForgiven = 0;
  JointId worstJoint;  ///< that jointError is of; index -1: none is off
  BodyPair worstJointBodies, worstOverlap, worstForgiven;  ///< index -1: none
  /// Joints with something on their angles that stand within 1° of where these lose their meaning:
  /// the second one at ±90° between two free ones. Forces on the others are then too large.
  int singularJoints = 0;
  Real maxSpeed = 0;                  ///< fastest centre of mass at the end [m/s]
  std::vector<IslandReport> islands;  ///< by lowest body
  std::vector<int> brokenJoints;      ///< indices of the joints that broke in this step, ascending
  /// The first body whose velocity or position would not be finite, or be above 1e15 (m, m/s,
  /// rad/s); index -1: none. Where there is one, the inner step was not taken: the bodies stand
  /// where they were, with the velocities that they had, and the step has no contact events.
  BodyId diverged;
  bool failed = false;  ///< it diverged, or missed a tolerance under the policy `stop`

  // Worst and total over the islands of all inner steps.
  Real naturalMap = 0;       ///< (M.11) [m/s]
  Real largestB = 0;         ///< largest |b| (M.8) [m/s]
  Real relative = 0;         ///< (M.12)
  Real energyError = 0;      ///< (M.13) largest [J]
  Real coneExcess = 0;       ///< [N s]
  Real relaxationError = 0;  ///< (M.15, M.16) [m/s], 0 of solvers that do not relax
  WorstSolve worst;          ///< the one that `naturalMap` is of
  int iterations = 0;        ///< largest of an island
  int pivots = 0;            ///< rows that changed their set, sum
  int factorizations = 0;    ///< sum
  int fallbacks = 0;         ///< islands whose answer is not the asked solver's
  int timeLimited = 0;       ///< solves that hit a time limit: the step depends on the machine
  int cutProjections = 0;    ///< islands whose projection met one, which `timeLimited` counts too
  int softIslands = 0;       ///< that soft steps took
  int handedOver = 0;        ///< of these, solved exactly in the time that was left
  int repeatedSolves = 0;    ///< sum
  int looks = 0;  ///< solves of an inner step again, with contacts found where it goes to
  /// Bodies that move so far in an inner step that all of their way is looked at: most of one.
  int swept = 0;
  int stopped = 0;     ///< of these, before what they would have passed all the same
  int halvings = 0;    ///< of inner steps at whose end joints or contacts would not hold
  Real unsettled = 0;  ///< largest [m]
  std::array<int, kSolveStatusCount> status{};  ///< islands by SolveStatus
  bool solvesWithin = true;                     ///< all of them met the tolerance of the solver
  bool withinTolerance = true;  ///< so they did, joints and overlaps are within theirs, and it
                                ///< did not diverge

  bool hasDiverged() const { return diverged.index >= 0; }
  bool jointsWithin() const { return jointError <= jointTolerance; }
  bool overlapsWithin() const { return overlapError <= overlapTolerance; }
};

/// How the islands and inner steps of a step make its figure.
enum class FigureRule : std::uint8_t { kLargest, kSum, kLast };

/// A figure of the report, for what lists, writes or shows them all.
struct StepFigure {
  using Member = std::variant<int StepReport::*, Real StepReport::*>;

  const char* name;  ///< as in files, words joined by underscores
  const char* unit;  ///< empty where it has none
  Member member;
  FigureRule rule;
  bool isOfSolves;  ///< a step without anything to solve does not count in it
  const char* help;

  bool isCount() const { return std::holds_alternative<int StepReport::*>(member); }
  Real valueIn(const StepReport& report) const {
    return std::visit([&](auto one) { return static_cast<Real>(report.*one); }, member);
  }
  /// The name in words, as people read it.
  std::string words() const;
  /// Its rule in words: "largest of the solves".
  std::string ruleText() const;
};

/// All figures, in their order everywhere. A new one is a member, a row here and what computes it;
/// files, reports, panels and replies in JSON have it from here.
inline constexpr auto kStepFigures = [] {
  using R = StepReport;
  using enum FigureRule;
  return std::to_array<StepFigure>({
      {"contacts", "", &R::contacts, kLast, false, "contact points"},
      {"rows", "", &R::rows, kLast, false, "rows of constraints, over all islands"},
      {"islands", "", &R::islandCount, kLast, false, "groups of bodies that are solved apart"},
      {"largest_island_rows", "", &R::largestIslandRows, kLast, false,
       "rows of the island with the most"},
      {"asleep_bodies", "", &R::asleepBodies, kLast, false, "bodies that sleep"},
      {"asleep_islands", "", &R::asleepIslands, kLast, false, "islands that sleep"},
      {"warm_started", "", &R::warmStarted, kLast, false,
       "contacts that found their impulse of the step before"},
      {"detections", "", &R::detections, kSum, false, "searches for contacts"},
      {"iterations", "", &R::iterations, kLargest, true, "sweeps or pivoting rounds of an island"},
      {"pivots", "", &R::pivots, kSum, true, "rows that changed their set"},
      {"factorizations", "", &R::factorizations, kSum, true, "matrices that were factored"},
      {"fallbacks", "", &R::fallbacks, kSum, true,
       "islands whose answer is not that of the solver asked for"},
      {"time_limited", "", &R::timeLimited, kSum, true,
       "solves that hit a time limit, which makes results depend on the machine"},
      {"cut_projections", "", &R::cutProjections, kSum, true,
       "islands whose projection hit a time limit, which time_limited counts too"},
      {"soft_islands", "", &R::softIslands, kSum, false, "islands that soft steps took"},
      {"handed_over", "", &R::handedOver, kSum, false,
       "islands that soft steps left to an exact solve, in the time that remained"},
      {"repeated_solves", "", &R::repeatedSolves, kSum, true,
       "solves on top of the first of an island, to hold joints that turn far"},
      {"unsettled", "m", &R::unsettled, kLargest, true,
       "joint error that another of the repeated solves would change"},
      {"looks", "", &R::looks, kSum, false,
       "repeats of a step that found new contacts where it would end"},
      {"swept", "", &R::swept, kLargest, false,
       "bodies that move so far that all of their way is looked at"},
      {"stopped", "", &R::stopped, kSum, false,
       "bodies that were stopped before what they would have passed all the same"},
      {"halvings", "", &R::halvings, kSum, false,
       "times that a step was halved for joints or contacts to hold at its end"},
      {"natural_map", "m/s", &R::naturalMap, kLargest, true, "residual as judged (M.11)"},
      {"largest_b", "m/s", &R::largestB, kLargest, true,
       "largest entry of b (M.8): the residual says little where it is no small share of it"},
      {"relative", "", &R::relative, kLargest, true, "relative error (M.12)"},
      {"energy_error", "J", &R::energyError, kLargest, true, "energy error of a row (M.13)"},
      {"cone_excess", "N s", &R::coneExcess, kLargest, true,
       "impulse by which friction leaves its cone"},
      {"relaxation_error", "m/s", &R::relaxationError, kLargest, true,
       "what a solver that relaxes friction adds (M.15, M.16), else 0"},
      {"penetration", "m", &R::maxPenetration, kLargest, false, "overlap at detection"},
      {"joint_drift", "m", &R::maxJointDrift, kLargest, false, "position error of a joint"},
      {"joint_turn", "rad", &R::maxJointTurn, kLargest, false, "angle error of a joint"},
      {"joint_error", "m", &R::jointError, kLargest, false,
       "error of a rigid joint, its turn times the median extent of the bodies"},
      {"singular_joints", "", &R::singularJoints, kLargest, false,
       "joints whose three free angles lose their meaning: the second one is at ±90°"},
      {"overlap_error", "m", &R::overlapError, kLargest, false,
       "overlap of rigid bodies that a step could have prevented"},
      {"overlap_forgiven", "m", &R::overlapForgiven, kLargest, false,
       "overlap that does not count, as bodies began with it; 0 within the tolerance"},
      {"max_speed", "m/s", &R::maxSpeed, kLast, false, "speed of the fastest centre of mass"},
  });
}();

}  // namespace drystone
