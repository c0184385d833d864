// One inner step, stage by stage. Each stage is a free function in the file of its name: it is
// handed what it reads, then what it writes. Equation numbers: docs/theory.md.
#include "engine/step/inner_step.h"

#include <algorithm>

#include "core/timer.h"
#include "engine/step/energy.h"
#include "engine/step/force_plates.h"
#include "engine/step/hold_joints.h"
#include "engine/step/impacts.h"
#include "engine/step/integrate.h"
#include "engine/step/joint_reactions.h"
#include "engine/step/late_contacts.h"
#include "engine/step/position_errors.h"
#include "engine/step/report.h"
#include "engine/step/world_parts.h"

namespace drystone {
namespace {

/// Most solves on top of the first one for what is found where the step goes to. Two do for most;
/// what needs more than six jumps between two answers, and its step is halved.
constexpr int kMostLooks = 6;
/// Most halvings: an eighth of a step turns what a whole step turns by 1 rad by 0.1 rad.
constexpr int kMostHalvings = 3;

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

EnergyWork energyWork(WorldParts& world) {
  return {world.settings.threads, world.data.energyParts};
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
  accountProjection(world.bodies, world.settings.gravity, energyWork(world), energy);
}

/// Brings velocities and poses to where the rows are made, and lists what has rows. `isAgain`: the
/// inner step starts where one did that was given up. Returns the kinetic energy that a half step
/// of the poses adds by turning inertia [J].
Real beginInnerStep(WorldParts& world, Real h, bool isAgain) {
  const WorldSettings& settings = world.settings;
  BodyStore& bodies = world.bodies;
  StepMotion& motion = world.data.motion;
  const bool midpoint = settings.integrator == Integrator::kMoreau;
  // The one that the pose update integrates exactly: of the middle, or by the trapezoidal rule.
  setPrescribedVelocities(midpoint ? world.time : world.time + h / 2, bodies);
  keepVelocities(bodies, motion);
  if (settings.jointRows == JointRows::kMean && !isAgain) correctLockRates(bodies, h, world.joints);
  if (!midpoint) return 0;
  const Real kinetic = kineticEnergy(bodies, motion.old, energyWork(world));
  advancePoses(h / 2, {}, settings.threads, bodies, world.joints);  // (M.4)
  setPrescribedVelocities(world.time + h, bodies);
  return kineticEnergy(bodies, motion.old, energyWork(world)) - kinetic;
}

/// Lists the contacts and the rows of the joints, and measures how well they hold. Returns whether
/// the contacts were carried along.
bool meet(WorldParts& world, int index, Real h, StageClock& clock) {
  StepData& data = world.data;
  const bool carried = findContacts(world, index, h, clock);
  listJointRows(world.bodies, stepRules(world.settings, world.time, h), world.joints, data.joints);
  clock.end(StepStage::kRows);
  measureOverlaps(data.contacts, data.sleep.overlap, world.bodies, world.report);
  measureJoints(world.bodies, world.joints, data.positionErrors.size, world.report);
  clock.end(StepStage::kContacts);
  return carried;
}

/// Makes the rows of the inner step out of its contacts and joints. Returns how many contacts start
/// from an impulse. Soft steps meet within the step, and await no touch.
int makeRows(WorldParts& world, Real h, bool keepsLayout, StageClock& clock) {
  const WorldSettings& settings = world.settings;
  const BodyStore& bodies = world.bodies;
  StepData& data = world.data;
  ConstraintRows& rows = data.rows;
  freeMotion(bodies, settings, world.time, h, data.motion);  // (M.1)
  if (settings.stepping == Stepping::kExact && world.coupling == nullptr)
    awaitTouches(bodies, settings, h, data.joints.blocks, data.contacts, data.motion, data.waits);
  if (!keepsLayout || !keepLayout(rows, data.joints.blocks)) {
    findIslands(bodies, settings.friction, data.joints.blocks, data.contacts, data.islands);
    layOutRows(bodies, data.islands, data.joints.blocks, data.contacts, settings.friction, h,
               settings.threads, rows);
  }
  tieSpans(data.islands, data.joints.blocks, rows);
  attract(bodies, data.contacts, world.time, h, rows, data.motion);  // (M.17)
  clock.end(StepStage::kIslands);
  stiffen(world, h);
  clearRows(bodies, data.islands, rows);
  jointRows(bodies, data.joints, data.motion, h, rows);  // (M.7), (M.8)
  capMotors(bodies, world.joints, data.islands, data.joints, data.motion, settings.gravity, h,
            rows);
  contactRows(bodies, data.contacts, data.motion, settings, h, rows);  // (M.5) to (M.8)
  clock.end(StepStage::kRows);
  const int started = data.warm.match(data.contacts, data.joints, h, settings.warmStart,
                                      settings.stepping == Stepping::kSoft, settings.threads, rows);
  clock.end(StepStage::kWarmStarts);
  return started;
}

/// Whether the islands that get no late contact keep their answers. Solvers for all islands at once
/// solve them together anew, and so do laws whose impacts come before the solve.
bool keepsAnswers(const WorldParts& world) {
  return world.settings.impactLaw == ImpactLaw::kNewton &&
         !world.solvers.lanes.front().solver->traits().batchesIslands;
}

/// Whether the velocities lead out of all bounds. The report names the first such body then.
bool diverges(WorldParts& world, Real h) {
  const int body = firstDiverging(world.bodies, h, world.settings.threads);
  if (body >= 0) world.report.diverged = world.bodies.idOf(body);
  return body >= 0;
}

/// What soft steps go by.
SoftStepInput softInput(WorldParts& world, Real h) {
  StepData& d = world.data;
  return {world.settings, h, world.bodies, d.islands, d.contacts, d.motion, world.joints, d.joints};
}

/// Steps the islands that soft steps take, and solves the others.
void stepSoftly(WorldParts& world, Real h, const Deadline& until) {
  StepData& data = world.data;
  StepReport& report = world.report;
  SoftIslands& soft = data.soft;
  const SoftStepInput input = softInput(world, h);
  soft.choose(input, data.rows);
  soft.solve(input, until, world.solvers, world.bodies, data.rows, report.islands);
  solveIslands(data.islands, soft.isTaken(), world.settings.solver, until, world.solvers, data.rows,
               data.solves, report.islands);
  report.softIslands += static_cast<int>(std::ranges::count(soft.isSoft(), 1));
  soft.handOver(input, until, world.solvers, data.rows, report.islands);
  report.handedOver += soft.handedOver();
}

/// Lets impacts collide, solves the rows (M.9), judged (M.11), and moves the velocities on (M.7).
/// Returns false where they diverge.
bool solveRows(WorldParts& world, Real h, const Deadline& until, StageClock& clock) {
  const WorldSettings& settings = world.settings;
  StepData& data = world.data;
  StepReport& report = world.report;
  data.hasImpacts =
      resolveImpacts({settings, h, world.bodies, data.islands, data.joints, data.contacts, until},
                     world.solvers, data.rows, data.motion, data.impacts);
  const bool isSoft = settings.stepping == Stepping::kSoft;
  if (isSoft) {
    stepSoftly(world, h, until);
  } else if (world.coupling != nullptr) {
    world.coupling->solve(world, until);
  } else {
    solveIslands(data.islands, data.solved.isSolved(), settings.solver, until, world.solvers,
                 data.rows, data.solves, report.islands);
  }
  applyImpulses(data.islands, data.rows, data.motion.free, settings.threads, world.bodies);
  const bool isBounded = !diverges(world, h);
  clock.end(StepStage::kSolve);
  if (!isBounded || !settings.holdsJoints()) return isBounded;
  holdJoints(
      {settings, h, data.islands, isSoft ? data.soft.isSoft() : data.solved.isSolved(), data.joints,
       world.joints, settings.carriesContacts() ? std::span<StepContact>() : data.contacts,
       world.collision, report.overlapTolerance, data.motion.free, until},
      world.solvers, world.bodies, data.rows, report.islands, data.hold);
  const bool staysBounded = !diverges(world, h);
  clock.end(StepStage::kHold);
  return staysBounded;
}

void keepWarmStarts(WorldParts& world, Real h) {
  StepData& data = world.data;
  data.warm.store(data.contacts, data.joints, data.rows, h, world.bodies, world.joints,
                  world.bodyOfCollider, world.settings.threads);
}

/// Brings the velocities and inertias back to what they were before the solve.
void forgetSolve(WorldParts& world) {
  BodyStore& bodies = world.bodies;
  const StepMotion& motion = world.data.motion;
  for (const int i : bodies.active()) {
    if (!bodies.isDynamic(i)) continue;
    bodies.velocity[i] = motion.old[i];
    const bool isStiffened = !motion.addedInertia.empty() && !motion.addedInertia[i].isZero(0);
    if (isStiffened) bodies.updateInverseInertia(i);
  }
}

/// Whether bodies overlap where the step goes to, at contacts that it does not have. `data.look`
/// has these then.
bool findsMore(WorldParts& world, Real h) {
  const WorldSettings& settings = world.settings;
  StepData& data = world.data;
  data.look.touches.clear();
  if (!settings.findsLateContacts()) return false;
  shareStep(world.bodies, data.contacts, data.joints.blocks, h, data.waits);
  const LookInput input{.settings = settings,
                        .h = h,
                        .overlapTolerance = world.report.overlapTolerance,
                        .share = data.waits.share,
                        .islands = data.islands,
                        .reports = world.report.islands,
                        .bodyOfCollider = world.bodyOfCollider,
                        .materials = world.materials,
                        .oldVelocity = data.motion.old,
                        .callbacks = world.callbacks};
  findLateContacts(input, world.bodies, data.contacts, world.collision, data.look);
  world.report.swept = std::max(world.report.swept, data.look.swept);
  return !data.look.found.empty();
}

/// Gives the inner step the contacts that were found. It starts from what was solved.
void addFound(WorldParts& world, Real h) {
  StepData& data = world.data;
  keepWarmStarts(world, h);
  data.solved.keep(data.islands, data.rows, world.report.islands);
  addLateContacts(data.look.found, data.contacts);
  forgetSolve(world);
}

/// Solves the inner step, again and again with what it finds where it goes to. Returns whether its
/// joints and contacts hold there, as far as its solves meet their tolerance.
bool settle(WorldParts& world, Real h, bool carried, const Deadline& until, StageClock& clock) {
  StepData& data = world.data;
  StepReport& report = world.report;
  for (int look = 0;; ++look) {
    const int started = makeRows(world, h, carried, clock);
    if (look == 0) {
      report.warmStarted = started;
      data.solved.clear();
    } else if (keepsAnswers(world)) {
      data.solved.restore(world.bodies, data.look.found, data.islands, data.rows, report);
    } else {
      for (const IslandReport& island : report.islands) addGivenUp(island, report);
    }
    clock.end(StepStage::kLook);
    if (!solveRows(world, h, until, clock)) return false;
    const bool finds = findsMore(world, h);
    clock.end(StepStage::kLook);
    if (!finds) return areSettled(report);
    if (until.passed()) {
      ++report.timeLimited;
      return false;
    }
    if (look == kMostLooks) return false;
    ++report.looks;
    addFound(world, h);
    clock.end(StepStage::kLook);
  }
}

/// Makes what was solved the state of the world, and adds it to the report.
/// Its projection, if it has one, may take `seconds`. Returns the time of that [s].
Real finishInnerStep(WorldParts& world, int index, Real h, Real seconds, Real turnedInertia,
                     StageClock& clock) {
  const WorldSettings& settings = world.settings;
  BodyStore& bodies = world.bodies;
  JointStore& joints = world.joints;
  StepReport& report = world.report;
  StepData& data = world.data;
  std::vector<StepContact>& contacts = data.contacts;
  const bool midpoint = settings.integrator == Integrator::kMoreau;
  EnergyLedger energy;
  report.solvesWithin = report.solvesWithin && data.impacts.withinTolerance;
  if (data.hasImpacts) finishImpacts(bodies, contacts, data.rows, data.motion, data.impacts);
  addIslands(index, bodies, data.islands, data.joints.blocks, contacts, report);
  noteMisses(data.islands, report.islands, data.sleep);
  clock.end(StepStage::kReport);
  addReactions(bodies, data.joints, data.rows, h, joints);
  if (midpoint) keepTorques(data.joints, data.rows, h, bodies);
  breakJoints(bodies, joints, world.collision, report.brokenJoints, world.events);
  collectTouches(bodies, contacts, data.rows, data.motion.old, settings.threads, world.events);
  clock.end(StepStage::kEvents);
  const bool isSoft = settings.stepping == Stepping::kSoft;
  if (isSoft) data.soft.remember(softInput(world, h), data.rows, report.islands, contacts);
  keepWarmStarts(world, h);
  addToForcePlates(world, h);  // reads the warm starts of what sleeps
  clock.end(StepStage::kWarmStarts);
  keepRotations(bodies, data.motion);
  std::ranges::fill(bodies.placed, 0);
  accountEnergy(bodies, data.islands, data.rows, data.motion, h, turnedInertia, energyWork(world),
                energy);  // (M.14)
  clock.end(StepStage::kEnergy);
  if (isSoft) {
    data.soft.shareStep(data.islands, data.waits.share);
  } else {
    shareStep(bodies, contacts, data.joints.blocks, h, data.waits);
    report.stopped += stopAtTouches(bodies, data.look.touches, world.bodyOfCollider,
                                    data.joints.blocks, settings.integrator, data.waits);
  }
  advancePoses(midpoint ? h / 2 : h, data.waits.share, settings.threads, bodies, joints);  // (M.2)
  if (isSoft) data.soft.move(data.islands, bodies, joints);
  if (!midpoint) {
    carryStopped(data.look.touches, data.look.sweeps, world.bodyOfCollider, data.joints.blocks,
                 data.waits, bodies);
  }
  clock.end(StepStage::kPoses);
  finishEnergy(bodies, settings.gravity, energyWork(world), energy);
  clock.end(StepStage::kEnergy);
  Real spent = 0;
  if (settings.projection.isOn()) {
    const Timer projecting;
    project(world, h, {&projecting, seconds}, energy);
    spent = projecting.milliseconds() / 1e3;
    clock.end(StepStage::kPoses);
  }
  noteEnergy(energy, index, report.energy);
  world.time += h;
  return spent;
}

/// Ends an inner step that diverges: what was solved is forgotten, and the bodies stay where they
/// are, with the velocities that they came with.
void standStill(WorldParts& world, int index, Real h) {
  const BodyStore& bodies = world.bodies;
  StepReport& report = world.report;
  StepData& data = world.data;
  report.solvesWithin = report.solvesWithin && data.impacts.withinTolerance;
  forgetSolve(world);
  addIslands(index, bodies, data.islands, data.joints.blocks, data.contacts, report);
  noteMisses(data.islands, report.islands, data.sleep);
  EnergyLedger energy;
  energy.kineticBefore = energy.kineticAfter =
      kineticEnergy(bodies, bodies.velocity, energyWork(world));
  finishEnergy(bodies, world.settings.gravity, energyWork(world), energy);
  noteEnergy(energy, index, report.energy);
  world.time += h;
}

/// Whether an inner step may be taken in halves. Under `moreau` the next detection lies half of a
/// whole step after the last part, and no part could look there.
bool mayHalve(const WorldSettings& settings) {
  return settings.stepping == Stepping::kExact && settings.integrator != Integrator::kMoreau &&
         !settings.carriesContacts();
}

/// What is left of the time for solves [s].
Real timeLeft(Real seconds, Real spent) {
  return seconds < kUnlimited ? std::max<Real>(seconds - spent, 0) : kUnlimited;
}

/// An inner step, or a part of one. `halvings`: how often it may still be halved. Returns the time
/// of the solves [s].
Real takePart(WorldParts& world, int& index, Real h, Real seconds, int halvings, bool isAgain,
              StageClock& clock) {
  StepReport& report = world.report;
  if (report.hasDiverged()) {
    world.time += h;  // what comes after it in the step is not taken either
    return 0;
  }
  const Real turnedInertia = beginInnerStep(world, h, isAgain);
  clock.end(StepStage::kPoses);
  const bool carried = meet(world, index, h, clock);
  const Timer solving;
  const bool holds = settle(world, h, carried, {&solving, seconds}, clock);
  Real spent = solving.milliseconds() / 1e3;
  if (report.hasDiverged()) {
    standStill(world, index++, h);
    return spent;
  }
  if (!holds && halvings > 0 && mayHalve(world.settings) && timeLeft(seconds, spent) > 0) {
    ++report.halvings;
    for (const IslandReport& island : report.islands) addGivenUp(island, report);
    forgetSolve(world);
    const Real first = timeLeft(seconds, spent);
    spent += takePart(world, index, h / 2, first < kUnlimited ? first / 2 : first, halvings - 1,
                      true, clock);
    return spent +
           takePart(world, index, h / 2, timeLeft(seconds, spent), halvings - 1, false, clock);
  }
  const Real left = timeLeft(seconds, spent);
  return spent + finishInnerStep(world, index++, h, left, turnedInertia, clock);
}

}  // namespace

Real takeInnerStep(WorldParts& world, int& index, Real h, Real seconds, StageClock& clock) {
  return takePart(world, index, h, seconds, kMostHalvings, false, clock);
}

}  // namespace drystone
