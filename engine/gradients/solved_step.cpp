#include "engine/gradients/solved_step.h"

#include <algorithm>
#include <cstddef>
#include <exception>
#include <string>

#include "core/input_error.h"
#include "engine/step/integrate.h"
#include "engine/step/world_parts.h"

namespace drystone {
namespace {

void require(bool holds, const char* what) {
  if (!holds) throw InputError(std::string("step derivative: ") + what);
}

/// What is known before the step.
void requireDifferentiable(const WorldParts& parts) {
  const WorldSettings& s = parts.settings;
  require(s.stepping == Stepping::kExact, "soft stepping has none; use exact stepping");
  require(s.substeps == 1, "several inner steps have none yet; use substeps 1, shorter steps");
  require(!s.projection.isOn(), "the projection of poses has none yet; switch it off");
  require(s.friction == FrictionModel::kCone || s.friction == FrictionModel::kNone,
          "this friction model has none yet; use cone or none");
  require(s.impactLaw == ImpactLaw::kNewton, "this impact law has none yet; use newton");
  require(!s.sleeping.enabled, "sleep has none; switch sleeping off");
  require(!parts.callbacks.modify, "contact modifiers have none; take the modifier away");
  require(parts.coupling == nullptr, "worlds on several processes have none; use one");
  require(parts.joints.begin() == parts.joints.end(), "joints have none yet; use a world without");
  const BodyStore& bodies = parts.bodies;
  for (int i = 0; i < bodies.slots(); ++i) {
    if (!bodies.record[i].alive) continue;
    require(bodies.kind[i] != BodyKind::kKinematic, "kinematic bodies have none yet");
    require(bodies.locked[i] == 0, "locked axes have none yet; free them");
    require(!bodies.hasMovingSurface(i), "moving surfaces have none yet");
    require(bodies.hasAdhesion[i] == 0, "adhesion has none yet; use a world without");
    require(bodies.asleep[i] == 0, "a body sleeps; wake it");
  }
}

/// What the step shows.
void requireSmooth(const WorldParts& parts) {
  const StepReport& report = parts.report;
  const StepData& data = parts.data;
  require(!report.hasDiverged(), "the step diverges");
  require(report.halvings == 0, "the step is taken in halves; shorten it");
  require(report.looks == 0 && report.stopped == 0,
          "bodies meet within the step at features that its start does not show; shorten it");
  require(report.repeatedSolves == 0, "contacts turn too far within the step; shorten it");
  require(data.waits.contacts == 0 && data.waits.share.empty(),
          "a bounce lies within the step, whose pose then ends at the touch; begin there");
  for (const StepContact& contact : data.contacts) {
    require(!contact.isLate && !contact.waits && contact.beyond == 0,
            "a contact is found late; shorten the step");
    require(!contact.hasGrain && contact.across == 1 && !contact.slip,
            "friction with a direction has none yet");
    require(contact.adhesion == 0, "adhesion has none yet; use materials without");
    require(contact.tangentialRestitution == 0, "tangential restitution has none yet");
  }
}

void read(const WorldParts& parts, SolvedStep& step) {
  requireSmooth(parts);
  const StepData& data = parts.data;
  step.contacts = data.contacts;
  step.motion = data.motion;
  step.islands = data.islands;
  step.rows = data.rows;
  step.velocity = parts.bodies.velocity;
  for (std::size_t c = 0; c < step.contacts.size(); ++c) {
    const StepContact& contact = step.contacts[c];
    const ContactAnchor anchor = anchorContact(step.bodies, parts.collision, contact);
    step.motions.push_back(contactMotion(step.bodies, step.contacts, c,
                                         parts.collision.localSurfaces(contact.point), anchor));
  }
}

/// Takes a step with a solver, reads it, and brings the world back, whatever happens.
template <class Read>
void tryStep(World& world, const SolverChoice& solver, Read&& read) {
  const std::vector<std::byte> state = world.save();
  const SolverChoice own = world.settings().solver;
  std::exception_ptr failure;
  try {
    world.setSolver(solver);
    world.step();
    read();
  } catch (...) {
    failure = std::current_exception();
  }
  world.restore(state);
  world.setSolver(own);
  if (failure) std::rethrow_exception(failure);
}

}  // namespace

SolvedStep solveStep(World& world, WorldParts& parts, Real tolerance) {
  requireDifferentiable(parts);
  SolvedStep step;
  step.settings = parts.settings;
  step.time = parts.time;
  step.bodies = parts.bodies;
  if (step.settings.integrator == Integrator::kMoreau) {
    for (int i = 0; i < step.bodies.slots(); ++i) {
      if (!step.bodies.record[i].alive || !step.bodies.isDynamic(i)) continue;
      displaceBody(i, 0.5 * step.settings.timestep * step.bodies.velocity[i], step.bodies);
    }
  }
  SolverChoice tight = step.settings.solver;
  tight.budget.tolerance = std::min(tight.budget.tolerance, tolerance);
  tryStep(world, tight, [&] { read(parts, step); });
  return step;
}

}  // namespace drystone
