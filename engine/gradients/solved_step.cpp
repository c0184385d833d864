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

void requireDifferentiable(const WorldSettings& settings, const Joint& joint) {
  require(settings.jointRows == JointRows::kEnd,
          "mean rows of joints go by steps before; use joint rows at the end");
  require(!settings.geometricStiffness,
          "geometric stiffness of joints has none yet; switch it off");
  require(!joint.isFirstSpan() && !joint.isFurtherSpan(), "cables of several spans have none yet");
  require(joint.drumRadius == 0, "drums have none yet");
  for (const JointAxis& axis : joint.axes) {
    require(
        !axis.spring || (axis.spring->forceTable.isEmpty() && axis.spring->damperTable.isEmpty()),
        "springs by a table have none yet; give them a stiffness");
  }
}

/// What is known before the step.
void requireDifferentiable(const WorldParts& parts) {
  const WorldSettings& s = parts.settings;
  require(s.stepping == Stepping::kExact, "soft stepping has none; use exact stepping");
  require(!s.carriesContacts(),
          "contacts that inner steps carry along have none yet; detect in each of them");
  require(!s.projection.isOn(), "the projection of poses has none yet; switch it off");
  require(s.friction == FrictionModel::kCone || s.friction == FrictionModel::kNone,
          "this friction model has none yet; use cone or none");
  require(s.impactLaw == ImpactLaw::kNewton, "this impact law has none yet; use newton");
  require(!s.sleeping.enabled, "sleep has none; switch sleeping off");
  require(!parts.callbacks.modify, "contact modifiers have none; take the modifier away");
  require(parts.coupling == nullptr, "worlds on several processes have none; use one");
  for (const Joint& joint : parts.joints) {
    if (joint.active()) requireDifferentiable(s, joint);
  }
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
  require(report.repeatedSolves == 0,
          "joints or contacts turn too far within the step; shorten it, or hold no joints");
  require(std::ranges::all_of(data.motion.addedInertia, [](const Mat3& k) { return k.isZero(0); }),
          "a joint swings too fast for the step; shorten it, or hold no joints");
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
  step.joints = parts.joints;
  step.jointRows = data.joints;
  step.velocity = parts.bodies.velocity;
  for (std::size_t c = 0; c < step.contacts.size(); ++c) {
    step.motions.push_back(contactMotion(step.bodies, parts.collision, step.contacts, c));
  }
}

/// What is there before an inner step; the bodies where contacts will be met.
SolvedStep begin(const WorldParts& parts) {
  SolvedStep step;
  step.settings = parts.settings;
  step.time = parts.time;
  step.bodies = parts.bodies;
  step.materials = parts.materials;
  if (step.settings.integrator == Integrator::kMoreau) {
    for (int i = 0; i < step.bodies.slots(); ++i) {
      if (!step.bodies.record[i].alive || !step.bodies.isDynamic(i)) continue;
      displaceBody(i, 0.5 * step.settings.timestep * step.bodies.velocity[i], step.bodies);
    }
  }
  return step;
}

/// Takes the inner steps as steps of their own under the loads of all, which each step forgets.
std::vector<SolvedStep> takeInnerSteps(World& world, WorldParts& parts, int count) {
  parts.settings.timestep /= count;
  parts.settings.substeps = 1;
  const auto loads = parts.bodies.load;
  std::vector<SolvedStep> steps;
  for (int i = 0; i < count; ++i) {
    parts.bodies.load = loads;
    steps.push_back(begin(parts));
    world.step();
    read(parts, steps.back());
  }
  return steps;
}

}  // namespace

std::vector<SolvedStep> solveStep(World& world, WorldParts& parts, Real tolerance) {
  requireDifferentiable(parts);
  const std::vector<std::byte> state = world.save();
  const WorldSettings own = parts.settings;
  SolverChoice tight = own.solver;
  tight.budget.tolerance = std::min(tight.budget.tolerance, tolerance);
  std::vector<SolvedStep> steps;
  std::exception_ptr failure;
  try {
    world.setSolver(tight);
    steps = takeInnerSteps(world, parts, own.substeps);
  } catch (...) {
    failure = std::current_exception();
  }
  parts.settings.timestep = own.timestep;
  parts.settings.substeps = own.substeps;
  world.restore(state);
  world.setSolver(own.solver);
  if (failure) std::rethrow_exception(failure);
  return steps;
}

}  // namespace drystone
