// One timestep, stage by stage. Each stage is a free function on data, in the file of its name.
// Equation numbers: docs/theory.md.
#include "engine/step/step.h"

#include "engine/core/timer.h"
#include "engine/model/world_parts.h"
#include "engine/step/contact_rows.h"
#include "engine/step/contacts.h"
#include "engine/step/energy.h"
#include "engine/step/integrate.h"
#include "engine/step/islands.h"
#include "engine/step/joint_rows.h"
#include "engine/step/report.h"
#include "engine/step/row_layout.h"
#include "engine/step/solve_islands.h"
#include "engine/step/warm_start.h"

namespace drystone {
namespace {

/// Time since the last lap [ms]; restarts the watch.
double lap(Timer& timer) {
  const double elapsed = timer.milliseconds();
  timer.restart();
  return elapsed;
}

}  // namespace

void stepWorld(WorldParts& world) {
  const WorldSettings& settings = world.settings;
  StepData& data = world.data;
  StepReport& report = world.report;
  const bool midpoint = settings.integrator == Integrator::kMoreau;
  const Real h = settings.timestep;

  beginReport(report);
  Timer whole, stage;

  setPrescribedVelocities(world.bodies, world.time + h / 2);
  data.oldVelocity = world.bodies.velocity;
  const Real kineticStart = kineticEnergy(world.bodies, data.oldVelocity);
  if (midpoint) advancePoses(world.bodies, h / 2, settings.threads);  // (M.4)
  report.times.integrate = lap(stage);

  detectContacts(world, data);
  listJointRows(world, data);
  measureErrors(world, data, report);
  report.times.collision = lap(stage);

  freeMotion(world.bodies, settings, data.freeVelocity);  // (M.1)
  findIslands(world.bodies, data.jointBlocks, data.contacts, settings.friction, data.islands);
  layOutRows(world.bodies, settings.friction, data);
  jointRows(world, data);    // (M.7), (M.8)
  contactRows(world, data);  // (M.5) to (M.8)
  matchWarmStarts(settings, data, report);
  report.times.rows = lap(stage);

  solveIslands(world, data, report);  // (M.9), judged (M.11)
  report.times.solve = lap(stage);

  applyImpulses(world.bodies, data, settings.threads);  // (M.7)
  finishJoints(world, data, report);
  storeWarmStarts(data, h);
  accountEnergy(world, data, kineticStart, report.energy);             // (M.14)
  advancePoses(world.bodies, midpoint ? h / 2 : h, settings.threads);  // (M.2)
  finishEnergy(world, report.energy);
  for (Vec6& load : world.bodies.load) load.setZero();
  world.time += h;
  ++world.stepCount;
  report.times.integrate += lap(stage);

  finishReport(world, data, report);
  report.times.step = whole.milliseconds();
}

}  // namespace drystone
