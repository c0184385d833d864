// One timestep, stage by stage. Each stage is a free function on data, in the file of its name.
// Equation numbers: docs/theory.md.
#include "engine/step/step.h"

#include "core/timer.h"
#include "engine/step/contact_anchors.h"
#include "engine/step/contact_rows.h"
#include "engine/step/contacts.h"
#include "engine/step/energy.h"
#include "engine/step/events.h"
#include "engine/step/geometric_stiffness.h"
#include "engine/step/integrate.h"
#include "engine/step/islands.h"
#include "engine/step/joint_rows.h"
#include "engine/step/projection.h"
#include "engine/step/report.h"
#include "engine/step/row_layout.h"
#include "engine/step/sleeping.h"
#include "engine/step/solve_islands.h"
#include "engine/step/warm_start.h"
#include "engine/step/world_parts.h"

namespace drystone {
namespace {

/// Time since the last lap [ms]; restarts the watch.
double lap(Timer& timer) {
  const double elapsed = timer.milliseconds();
  timer.restart();
  return elapsed;
}

/// Contacts of inner step number `index`: found anew, or carried along from the one before, in
/// which case it returns true. What wakes or comes apart within a step may touch what had no
/// contacts.
bool findContacts(WorldParts& world, int index) {
  const WorldSettings& settings = world.settings;
  StepData& data = world.data;
  if (index > 0 && settings.carriesContacts()) {
    const int islandsAsleep = data.sleep.islands;
    wakeIslands(world, data);
    if (countAsleep(world.bodies) == data.asleepAtDetection &&
        world.report.brokenJoints.size() == data.brokenAtDetection) {
      // Contacts of what sleeps were left out after the detection: only then were groups known.
      data.sleep.islands = islandsAsleep;
      carryContacts(world, data);
      return true;
    }
  }
  detectContacts(world, data);
  wakeIslands(world, data);
  if (settings.carriesContacts() || settings.projection.isOn()) anchorContacts(world, data);
  data.asleepAtDetection = countAsleep(world.bodies);
  data.brokenAtDetection = world.report.brokenJoints.size();
  ++world.report.detections;
  return false;
}

/// Inner step number `index`, of h = settings.substep(); adds its part to the report.
void takeSubstep(WorldParts& world, int index) {
  const WorldSettings& settings = world.settings;
  StepData& data = world.data;
  StepReport& report = world.report;
  StageTimes& times = report.times;
  EnergyLedger energy;
  const bool midpoint = settings.integrator == Integrator::kMoreau;
  const Real h = settings.substep();
  Timer stage;

  // The one that the pose update integrates exactly: of the middle, or by the trapezoidal rule.
  setPrescribedVelocities(world.bodies, midpoint ? world.time : world.time + h / 2);
  data.oldVelocity = world.bodies.velocity;
  const Real kineticStart = kineticEnergy(world.bodies, data.oldVelocity);
  if (midpoint) advancePoses(world.bodies, h / 2, settings.threads);  // (M.4)
  times.integrate += lap(stage);

  if (midpoint) setPrescribedVelocities(world.bodies, world.time + h);
  const bool carried = findContacts(world, index);
  listJointRows(world, data);
  measureErrors(world, data, report);
  times.collision += lap(stage);

  freeMotion(world.bodies, settings, data.freeVelocity);  // (M.1)
  if (settings.geometricStiffness) addGeometricStiffness(world, data);
  if (!carried || !keepLayout(data)) {
    findIslands(world.bodies, data.jointBlocks, data.contacts, settings.friction, data.islands);
    layOutRows(world.bodies, settings.friction, data);
  }
  clearRows(world.bodies, data.rows, data.islands);
  jointRows(world, data);    // (M.7), (M.8)
  contactRows(world, data);  // (M.5) to (M.8)
  matchWarmStarts(settings, data, report);
  times.rows += lap(stage);

  solveIslands(world, data, report);  // (M.9), judged (M.11)
  addIslands(report);
  times.solve += lap(stage);

  applyImpulses(world.bodies, data, settings.threads);  // (M.7)
  finishJoints(world, data, report);
  collectTouches(world, data, index);
  setAsideWarmStarts(world, h, data);
  storeWarmStarts(data, h);
  putBackWarmStarts(data);
  accountEnergy(world, data, kineticStart, energy);                    // (M.14)
  advancePoses(world.bodies, midpoint ? h / 2 : h, settings.threads);  // (M.2)
  finishEnergy(world, energy);
  if (settings.projection.isOn()) {
    projectPoses(world, data, report);
    accountProjection(world, energy);
  }
  if (index == 0) {
    report.energy = energy;
  } else {
    addEnergy(energy, report.energy);
  }
  world.time += h;
  times.integrate += lap(stage);
}

}  // namespace

void stepWorld(WorldParts& world) {
  const Timer whole;
  beginReport(world.report);
  beginEvents(world.events);
  forgetJointImpulses(world);
  for (int i = 0; i < world.settings.substeps; ++i) takeSubstep(world, i);
  finishEvents(world);
  fallAsleep(world, world.data, world.report);
  for (Vec6& load : world.bodies.load) load.setZero();
  ++world.stepCount;
  finishReport(world, world.data, world.report);
  world.report.times.step = whole.milliseconds();
}

}  // namespace drystone
