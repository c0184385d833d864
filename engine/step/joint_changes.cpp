#include "engine/step/joint_changes.h"

#include <fmt/format.h>

#include <string>

#include "core/input_error.h"
#include "engine/step/half_done.h"
#include "engine/step/joint_reactions.h"
#include "engine/step/joint_row_list.h"
#include "engine/step/world_parts.h"

namespace drystone {
namespace {

bool isSamePose(const Pose& a, const Pose& b) {
  return a.position == b.position && a.rotation.coeffs() == b.rotation.coeffs();
}

/// Where the rows of a joint have become others.
void startAnew(WorldParts& world, int slot) {
  Joint& joint = world.joints[slot];
  startFromHere(world.bodies, world.joints, joint);
  world.data.warm.forgetJoint(slot);
  joint.forgetRates();
  joint.forgetImpulses();
  joint.force.setZero();
}

}  // namespace

void connectOrDisconnect(WorldParts& world, const Joint& joint) {
  updateConnectedCollision(world.bodies, world.joints, joint, world.collision);
  world.bodies.wake(joint.bodyA);
  world.bodies.wake(joint.bodyB);
}

void changeJoint(WorldParts& world, int slot, const JointDefinition& definition, int coordinate) {
  JointStore& joints = world.joints;
  Joint& joint = joints[slot];
  const bool isMoved = !isSamePose(joint.definedA, definition.frameA) ||
                       !isSamePose(joint.definedB, definition.frameB) ||
                       joint.gearRatio != definition.gearRatio;
  prepareToAbandon();  // before the first change
  redefine(world.bodies, definition, slot, joints);
  runWhole(world, [&] {
    if (coordinate >= 0) world.data.warm.forgetCoordinate(slot, coordinate);
    if (coordinate >= 0 && coordinate < kSwingCoordinate) joint.lockRate[coordinate] = {};
    if (isMoved) {
      startAnew(world, slot);
      // Gears measure the joint, so that it comes first.
      for (int other = 0; other < joints.slots(); ++other) {
        if (joints[other].alive && joints[other].couples(slot)) startAnew(world, other);
      }
    }
    connectOrDisconnect(world, joint);
  });
}

void requireCables(const WorldParts& world) {
  const Joint* cable = nullptr;
  bool rubs = false;
  for (const Joint& joint : world.joints) {
    if (!joint.active() || !(joint.isFirstSpan() || joint.isFurtherSpan())) continue;
    if (joint.isFirstSpan()) cable = &joint;
    rubs = rubs || joint.wrapFriction > 0;
  }
  if (cable == nullptr) return;
  const auto require = [&](bool holds, const std::string& problem) {
    if (!holds) throw InputError(fmt::format("cable '{}': {}", cable->name, problem));
  };
  require(!rubs || followsNormal(world.settings.friction),
          fmt::format("it rubs in an eyelet, and the friction model '{}' has no bounds that follow "
                      "the tension; take cone",
                      frictionModelName(world.settings.friction)));
  for (const SolverPool::Lane& lane : world.solvers.lanes) {
    for (const ContactSolver* solver : {lane.solver.get(), lane.fallback.get()}) {
      require(solver == nullptr || solver->traits().takesAssembledForm,
              fmt::format("solver '{}' does not take rows over many bodies; take auto",
                          solver == nullptr ? "" : solver->traits().name));
    }
  }
}

}  // namespace drystone
