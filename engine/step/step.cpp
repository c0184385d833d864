// One timestep: its inner steps, and sleep after them.
#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/step/inner_step.h"
#include "engine/step/integrate.h"
#include "engine/step/joint_reactions.h"
#include "engine/step/position_errors.h"
#include "engine/step/report.h"
#include "engine/step/stage_times.h"
#include "engine/step/world_parts.h"

namespace drystone {
namespace {

/// For the solves of the next inner step [s]: an equal share of what is left of the step's time.
Real solveShare(const SolverChoice& choice, Real spent, int substepsLeft) {
  if (choice.stepSeconds >= kUnlimited) return kUnlimited;
  return std::max<Real>(choice.stepSeconds - spent, 0) / substepsLeft;
}

/// Keeps what bodies measure of the last inner step; after one that diverged there is nothing.
void keepMeasured(WorldParts& world) {
  StepMotion& motion = world.data.motion;
  if (!world.report.hasDiverged()) {
    keepEnd(world.bodies, world.settings.gravity, motion);
    return;
  }
  motion.end.clear();
  motion.endVersion = 0;
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

Real simulatedTime(const WorldParts& world) {
  const Real steps = static_cast<Real>(world.stepCount);
  const Real product = steps * world.settings.timestep;
  // Half an epsilon a sum; a halved inner step may take several.
  const Real additions = 4 * steps * world.settings.substeps;
  const Real roundOff = additions * std::numeric_limits<Real>::epsilon() * product;
  return std::abs(product - world.time) <= roundOff ? product : world.time;
}

void stepWorld(WorldParts& world) {
  if (world.solvers.lanes.empty()) world.solvers = SolverPool(world.settings, world.registry);
  const WorldSettings& settings = world.settings;
  StepReport& report = world.report;
  StageClock clock(report.times);
  const Real h = settings.substep();
  beginReport(report);
  beginPositionErrors(settings, world.bodies, world.data.positionErrors, report);
  beginEvents(world.events);
  beginForcePlates(world.plates);
  forgetReactions(world.bodies, world.joints);
  beginMisses(world.bodies.slots(), world.data.sleep);
  clock.end(StepStage::kReport);
  Real solving = 0;
  int index = 0;
  for (int left = settings.substeps; left > 0; --left) {
    solving += takeInnerStep(world, index, h, solveShare(settings.solver, solving, left), clock);
  }
  keepMeasured(world);
  finishForcePlates(world);
  clock.end(StepStage::kPoses);
  if (!report.hasDiverged()) finishEvents(world.bodies, world.settings.threads, world.events);
  clock.end(StepStage::kEvents);
  if (settings.sleeping.enabled && !report.hasDiverged()) rest(world);
  clock.end(StepStage::kSleep);
  for (const int i : world.bodies.active()) world.bodies.load[i].setZero();
  endPositionErrors(settings, world.data.warm.awakeContacts());
  endPositionErrors(settings, world.data.warm.forgivenAsleep());
  report.step = ++world.stepCount;
  report.time = simulatedTime(world);
  finishReport(world.bodies, world.joints, static_cast<int>(world.data.contacts.size()),
               static_cast<int>(world.data.rows.b.size()), settings.solver.policy, report);
  clock.end(StepStage::kReport);
}

}  // namespace drystone
