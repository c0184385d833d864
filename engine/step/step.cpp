// One timestep, stage by stage. Each stage is a free function in the file of its name: it is handed
// what it reads, then what it writes. h of the inner steps is derived here, once. Equation numbers:
// docs/theory.md.
#include <algorithm>

#include "core/timer.h"
#include "engine/step/energy.h"
#include "engine/step/hold_joints.h"
#include "engine/step/impacts.h"
#include "engine/step/integrate.h"
#include "engine/step/joint_reactions.h"
#include "engine/step/position_errors.h"
#include "engine/step/report.h"
#include "engine/step/world_parts.h"

namespace drystone {
namespace {

/// Time since the last lap [ms]; restarts the watch.
double lap(Timer& timer) {
  const double elapsed = timer.milliseconds();
  timer.restart();
  return elapsed;
}

/// Finds the contacts at the present poses anew.
void detect(WorldParts& world, Real h) {
  StepData& data = world.data;
  placeColliders(world.bodies, world.settings, h, world.collision);
  world.collision.detect(data.points);
  if (world.onDetection) world.onDetection(data.points);
  senseTouches(data.points, world.bodyOfCollider, world.bodies, world.events);
  keepSolid(world.bodyOfCollider, world.bodies, data.points);
  world.collision.dropGhosts(data.points);
  listContacts(data.points, world.bodyOfCollider, world.bodies, world.materials, world.settings, h,
               data.contacts);
  forgiveOverlaps(data.warm.contacts(), world.bodies, data.contacts);
  ++world.report.detections;
}

/// Wakes the islands that are disturbed, and leaves the contacts of the others out.
void wake(WorldParts& world, Real h) {
  StepData& data = world.data;
  wakeIslands(data.contacts, world.joints, data.warm, world.bodyOfCollider, world.time, h,
              world.bodies, data.sleep);
  forgetWokenReactions(world.bodies, data.sleep, world.joints);
  dropSleepingContacts(world.bodies, data.contacts, data.sleep);
}

DetectionMark markOf(const WorldParts& world) {
  return {world.bodies.countAsleep(), world.report.brokenJoints.size()};
}

/// Contacts of inner step number `index`: found anew, or carried along from the one before, in
/// which case it returns true. What wakes or comes apart within a step may touch what had no
/// contacts.
bool findContacts(WorldParts& world, int index, Real h) {
  const WorldSettings& settings = world.settings;
  StepData& data = world.data;
  if (index > 0 && settings.carriesContacts()) {
    const int islandsAsleep = data.sleep.islands;
    wake(world, h);
    if (markOf(world) == data.detection) {
      // Contacts of what sleeps were left out after the detection: only then were groups known.
      data.sleep.islands = islandsAsleep;
      carryContacts(world.bodies, data.anchors, settings.threads, data.contacts);
      return true;
    }
  }
  detect(world, h);
  wake(world, h);
  if (settings.carriesContacts() || settings.projection.isOn()) {
    anchorContacts(world.bodies, world.collision, data.contacts, settings.threads, data.anchors);
  }
  data.detection = markOf(world);
  return false;
}

/// Adds the geometric stiffness: everywhere where it is asked for, or where joints are held with
/// the mean turning of each island left alone.
void stiffen(WorldParts& world, Real h) {
  const WorldSettings& settings = world.settings;
  StepData& data = world.data;
  const bool isDamped = settings.geometricStiffness;
  data.motion.addedInertia.clear();
  if (isDamped || (settings.holdsJoints() && !data.joints.blocks.empty())) {
    addGeometricStiffness(world.joints, h, isDamped ? nullptr : &data.islands, world.bodies,
                          data.motion);
  }
}

/// Takes the errors of the joints and contacts back, and measures the joints anew.
void project(WorldParts& world, Real h, const Deadline& until, EnergyLedger& energy) {
  StepData& data = world.data;
  StepReport& report = world.report;
  const int cut = projectPoses({world.settings, h, data.islands, data.joints.blocks, data.contacts,
                                data.anchors, data.motion.addedInertia, until},
                               world.solvers, world.bodies, world.joints, data.projection);
  report.cutProjections += cut;
  report.timeLimited += cut;
  forgetJointErrors(report);  // those before it are gone
  measureJoints(world.bodies, world.joints, data.positionErrors.size, report);
  accountProjection(world.bodies, world.settings.gravity, energy);
}

/// For the solves of the next inner step [s]: an equal share of what is left of the step's time.
Real solveShare(const SolverChoice& choice, Real spent, int substepsLeft) {
  if (choice.stepSeconds >= kUnlimited) return kUnlimited;
  return std::max<Real>(choice.stepSeconds - spent, 0) / substepsLeft;
}

/// Inner step number `index`, of h [s], whose solves may take `seconds`; adds its part to the
/// report. Returns the time of the solves [s].
Real takeSubstep(WorldParts& world, int index, Real h, Real seconds) {
  const WorldSettings& settings = world.settings;
  const Vec3& gravity = settings.gravity;
  BodyStore& bodies = world.bodies;
  JointStore& joints = world.joints;
  StepReport& report = world.report;
  StepData& data = world.data;
  StepMotion& motion = data.motion;
  std::vector<StepContact>& contacts = data.contacts;
  JointRowList& list = data.joints;
  Islands& islands = data.islands;
  ConstraintRows& rows = data.rows;
  StageTimes& times = report.times;
  EnergyLedger energy;
  const bool midpoint = settings.integrator == Integrator::kMoreau;
  Timer stage;

  // The one that the pose update integrates exactly: of the middle, or by the trapezoidal rule.
  setPrescribedVelocities(midpoint ? world.time : world.time + h / 2, bodies);
  motion.old = bodies.velocity;
  const Real kineticStart = kineticEnergy(bodies, motion.old);
  if (settings.jointRows == JointRows::kMean) correctLockRates(bodies, h, joints);
  if (midpoint) advancePoses(h / 2, {}, settings.threads, bodies);  // (M.4)
  times.integrate += lap(stage);

  if (midpoint) setPrescribedVelocities(world.time + h, bodies);
  const bool carried = findContacts(world, index, h);
  listJointRows(bodies, stepRules(settings, world.time, h), joints, list);
  measureOverlaps(contacts, data.sleep.overlap, bodies, report);
  measureJoints(bodies, joints, data.positionErrors.size, report);
  times.collision += lap(stage);

  freeMotion(bodies, settings, world.time, h, motion);  // (M.1)
  awaitTouches(bodies, settings, h, contacts, motion, data.waits);
  if (!carried || !keepLayout(rows, list.blocks)) {
    findIslands(bodies, settings.friction, list.blocks, contacts, islands);
    layOutRows(bodies, islands, list.blocks, contacts, settings.friction, h, rows);
  }
  stiffen(world, h);
  clearRows(bodies, islands, rows);
  jointRows(bodies, list, motion, rows);                     // (M.7), (M.8)
  contactRows(bodies, contacts, motion, settings, h, rows);  // (M.5) to (M.8)
  report.warmStarted = data.warm.match(contacts, list, h, settings.warmStart, rows);
  times.rows += lap(stage);

  const Deadline until{&stage, seconds};
  const bool impacts = resolveImpacts({settings, h, bodies, islands, list, contacts, until},
                                      world.solvers, rows, motion, data.impacts);
  report.solvesWithin = report.solvesWithin && data.impacts.withinTolerance;
  // (M.9), judged (M.11)
  solveIslands(islands, settings.solver, until, world.solvers, rows, data.solves, report.islands);
  applyImpulses(islands, rows, motion.free, settings.threads, bodies);  // (M.7)
  if (settings.holdsJoints()) {
    holdJoints({settings, h, islands, list, joints,
                settings.carriesContacts() ? std::span<const StepContact>() : contacts,
                world.collision, report.overlapTolerance, motion.free, until},
               world.solvers, bodies, rows, report.islands, data.hold);
  }
  if (impacts) finishImpacts(bodies, contacts, rows, motion, data.impacts);
  addIslands(index, bodies, islands, list.blocks, contacts, report);
  noteMisses(islands, report.islands, data.sleep);
  const double solveMs = lap(stage);
  times.solve += solveMs;

  addReactions(bodies, list, rows, h, joints);
  if (midpoint) keepTorques(list, rows, h, bodies);
  breakJoints(bodies, joints, world.collision, report.brokenJoints, world.events);
  collectTouches(bodies, contacts, rows, motion.old, index, world.events);
  data.warm.store(contacts, list, rows, h, bodies, joints, world.bodyOfCollider);
  accountEnergy(bodies, islands, rows, motion, h, kineticStart, energy);  // (M.14)
  shareStep(bodies, contacts, list.blocks, h, data.waits);
  advancePoses(midpoint ? h / 2 : h, data.waits.share, settings.threads, bodies);  // (M.2)
  finishEnergy(bodies, gravity, energy);
  const Timer projecting;
  if (settings.projection.isOn()) {
    project(world, h, {&projecting, seconds < kUnlimited ? seconds - solveMs / 1e3 : kUnlimited},
            energy);
  }
  const double projectionMs = projecting.milliseconds();
  if (index == 0) {
    report.energy = energy;
  } else {
    addEnergy(energy, report.energy);
  }
  world.time += h;
  times.integrate += lap(stage);
  return (solveMs + projectionMs) / 1e3;
}

/// Puts the islands to sleep that have been at rest for long enough.
void rest(WorldParts& world) {
  const WorldSettings& settings = world.settings;
  const StepData& data = world.data;
  timeStillness(settings.sleeping, settings.timestep, world.bodies);
  findAwakeReasons(world.bodies, world.joints, data.islands, data.joints.blocks, data.contacts,
                   settings.sleeping, world.time, settings.timestep, data.sleep.missed,
                   world.report.islands);
  fallAsleep(data.islands, data.sleep, settings, world.time, world.bodies, world.collision,
             world.report);
}

}  // namespace

void stepWorld(WorldParts& world) {
  const Timer whole;
  const WorldSettings& settings = world.settings;
  StepReport& report = world.report;
  const Real h = settings.substep();
  beginReport(report);
  beginPositionErrors(settings, world.bodies, world.data.positionErrors, report);
  beginEvents(world.events);
  forgetReactions(world.bodies, world.joints);
  beginMisses(world.bodies.slots(), world.data.sleep);
  Real solving = 0;
  for (int i = 0; i < settings.substeps; ++i) {
    solving +=
        takeSubstep(world, i, h, solveShare(settings.solver, solving, settings.substeps - i));
  }
  finishEvents(world.bodies, world.events);
  if (settings.sleeping.enabled) rest(world);
  for (Vec6& load : world.bodies.load) load.setZero();
  endPositionErrors(settings, world.data.warm.contacts());
  report.step = ++world.stepCount;
  report.time = world.time;
  finishReport(world.bodies, world.joints, static_cast<int>(world.data.contacts.size()),
               static_cast<int>(world.data.rows.b.size()), settings.solver.policy, report);
  report.times.step = whole.milliseconds();
}

}  // namespace drystone
