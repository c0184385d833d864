// What several processes cannot share of a world, by name.
#include <fmt/format.h>

#include "distributed/distributed_world.h"
#include "engine/model/cable.h"

namespace drystone {
namespace {

void checkWorldSettings(const WorldSettings& settings, std::vector<std::string>& problems) {
  const auto refuse = [&](bool is, const char* problem) {
    if (is) problems.push_back(fmt::format("several processes: {}", problem));
  };
  refuse(settings.substeps != 1,
         "substeps must be 1: divide the timestep by their number in their place");
  refuse(settings.stepping != Stepping::kExact, "stepping must be exact");
  refuse(settings.integrator != Integrator::kSemiImplicitEuler,
         "the integrator must be semi_implicit_euler");
  refuse(settings.impactLaw != ImpactLaw::kNewton, "the impact law must be newton");
  refuse(settings.jointRows != JointRows::kEnd, "joint rows must be those of the end");
  refuse(settings.projection.isOn(), "the projection of the poses must be off");
  refuse(settings.geometricStiffness, "geometric stiffness must be off");
  refuse(settings.sleeping.enabled, "sleeping must be off");
  refuse(settings.solver.stepSeconds < kUnlimited || settings.solver.budget.seconds < kUnlimited,
         "solves must have no time limit: processes would end at different iterations");
}

void checkJoint(const JointStore& joints, const Joint& joint, std::vector<std::string>& problems) {
  if (joint.geometry == JointGeometry::kGear) {
    problems.push_back(
        fmt::format("several processes: joint '{}' is a gear: take gears out", joint.name));
  }
  if ((joint.isFirstSpan() || joint.drumRadius > 0) && isCableWhole(joints, joint)) {
    problems.push_back(
        fmt::format("several processes: joint '{}' is a cable over several bodies or on a drum: "
                    "take cables out",
                    joint.name));
  }
  for (const JointAxis& axis : joint.axes) {
    if (!axis.motor || axis.motor->maxForce < kInfinity) continue;
    problems.push_back(
        fmt::format("several processes: a motor of joint '{}' has no cap, which would be found "
                    "from all that it "
                    "moves: set its max_force",
                    joint.name));
    return;
  }
}

}  // namespace

std::vector<std::string> unsupportedIn(const WorldParts& world) {
  std::vector<std::string> problems;
  checkWorldSettings(world.settings, problems);
  for (int body = 0; body < world.bodies.slots(); ++body) {
    const BodyRecord& record = world.bodies.record[body];
    if (record.isSensor) {
      problems.push_back(
          fmt::format("several processes: body '{}' is a sensor: take sensors out", record.name));
    }
    if (!record.adhesion.empty()) {
      problems.push_back(fmt::format(
          "several processes: body '{}' has adhesion, whose contacts no process sees all: hold it "
          "by a joint",
          record.name));
    }
  }
  if (world.materials.adhere()) {
    problems.emplace_back(
        "several processes: materials must be without adhesion: set it to 0, or hold by joints");
  }
  for (const Joint& joint : world.joints) {
    if (joint.alive) checkJoint(world.joints, joint, problems);
  }
  const bool hasCallbacks = world.callbacks.accepts || world.callbacks.modify;
  if (hasCallbacks) {
    problems.emplace_back("several processes: pair filters and contact modifiers must be empty");
  }
  if (!world.bodies.freeSlots.empty()) {
    problems.emplace_back(
        "several processes: the world must be without removed bodies: build it anew without them");
  }
  return problems;
}

WorldSettings sharedSettings(WorldSettings settings) {
  settings.holdJoints = false;
  return settings;
}

}  // namespace drystone
