#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "collision/collision_world.h"
#include "engine/model/body_store.h"
#include "engine/model/joint_store.h"
#include "engine/model/material.h"
#include "engine/model/world_settings.h"
#include "engine/step/callbacks.h"
#include "engine/step/contact_anchors.h"
#include "engine/step/contacts.h"
#include "engine/step/distant_points.h"
#include "engine/step/events.h"
#include "engine/step/force_plates.h"
#include "engine/step/hold_joints.h"
#include "engine/step/impacts.h"
#include "engine/step/islands.h"
#include "engine/step/joint_row_list.h"
#include "engine/step/late_contacts.h"
#include "engine/step/position_errors.h"
#include "engine/step/projection.h"
#include "engine/step/rows.h"
#include "engine/step/sleeping.h"
#include "engine/step/soft_islands.h"
#include "engine/step/solve_islands.h"
#include "engine/step/solved_islands.h"
#include "engine/step/step_report.h"
#include "engine/step/waits.h"
#include "engine/step/warm_starts.h"
#include "solvers/driver/registry.h"

namespace drystone {

class Parallel;
struct WorldParts;

/// What was so at a detection: its contacts are carried along only while it stays so.
struct DetectionMark {
  int asleep = 0;          ///< bodies
  std::size_t broken = 0;  ///< joints broken in the step until then
  bool operator==(const DetectionMark&) const = default;
};

/// What the stages of a step hand on; arrays keep their capacity, so that a warm step allocates
/// nothing.
struct StepData {
  std::vector<ContactPoint> points;    ///< as detected
  MovingGroups groups;                 ///< work space
  std::vector<StepContact> contacts;   ///< sorted by (colliderA, colliderB, feature)
  std::vector<StepContact> woken;      ///< those of islands that woke after the detection
  std::vector<ContactAnchor> anchors;  ///< [contacts] where contacts are carried or projected
  DetectionMark detection;
  JointRowList joints;
  StepMotion motion;
  Waits waits;
  Islands islands;
  ConstraintRows rows;
  WarmStarts warm;
  Impacts impacts;
  bool hasImpacts = false;  ///< of the present solve
  IslandSolves solves;
  SolvedIslands solved;
  SoftIslands soft;
  HoldData hold;
  LateLook look;
  std::vector<ProjectionWorkspace> projection;  ///< [threads]
  SleepData sleep;
  PositionErrors positionErrors;
  std::vector<EnergyLedger> energyParts;  ///< work space
};

/// Solves the islands of a world that is one of several, on as many processes, whose contacts reach
/// each other. Such a world takes its inner steps whole, and what bounces does so at once.
class IslandCoupling {
 public:
  virtual ~IslandCoupling() = default;
  /// In place of solveIslands(). What other processes do to a body joins `data.motion.free`.
  virtual void solve(WorldParts& world, const Deadline& until) = 0;
  /// Whether there is one process, which sees all that touches.
  virtual bool isAlone() const = 0;
};

/// What a World owns, as plain parts that the stages of a step work on.
struct WorldParts {
  WorldSettings settings;
  SolverRegistry registry;
  MaterialTable materials;
  BodyStore bodies;
  JointStore joints;
  CollisionWorld collision;
  std::vector<int> bodyOfCollider;  ///< [colliders] body slot
  SolverPool solvers;               ///< made by the first step where none are given
  StepData data;
  StepReport report;
  EventTracker events;
  ForcePlates plates;
  /// Told the contacts of every detection, while the bodies stand where they were found; may be
  /// none.
  std::function<void(std::span<const ContactPoint>)> onDetection;
  Callbacks callbacks;
  IslandCoupling* coupling = nullptr;  ///< null: the world is alone
  std::shared_ptr<Parallel> executor;  ///< of the loops; null: the thread's own
  bool isHalfDone = false;             ///< for a restore alone: see half_done.h
  Real time = 0;                       ///< [s]
  std::int64_t stepCount = 0;
};

/// The time of a world as it is told: steps times timestep, where no more than the round-off of
/// their sum tells `WorldParts::time` from it, else that sum [s].
Real simulatedTime(const WorldParts& world);

/// Advances a world by one timestep: `step.cpp` reads as the table of contents.
void stepWorld(WorldParts& world);

}  // namespace drystone
