// What changes a world; what asks it is in world_queries.cpp.
#include "engine/world/world.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "core/input_error.h"
#include "engine/model/joint_coordinates.h"
#include "engine/observe/world_state.h"
#include "engine/step/joint_reactions.h"
#include "engine/step/sleeping.h"
#include "engine/step/world_parts.h"

namespace drystone {
namespace {

CollisionSettings collisionSettings(const WorldSettings& settings) {
  return {.margin = settings.contactMargin,
          .reduceManifolds = settings.reduceManifolds,
          .threads = settings.threads};
}

/// Before a body is changed from outside.
void disturb(WorldParts& world, int slot) {
  if (!world.settings.sleeping.enabled) return;
  disturbBody(slot, world.joints, world.data.warm, world.bodyOfCollider, world.bodies);
}

/// When a joint comes or goes.
void connectOrDisconnect(WorldParts& world, const Joint& joint) {
  updateConnectedCollision(world.bodies, world.joints, joint, world.collision);
  wakeBody(world.bodies, joint.bodyA);
  wakeBody(world.bodies, joint.bodyB);
}

/// Drops the last step's contacts and island of a body that is removed, so that no observer sees
/// them on the next body in its slot.
void forgetContacts(int body, StepData& data) {
  std::erase_if(data.contacts, [&](const StepContact& contact) {
    return contact.bodyA == body || contact.bodyB == body;
  });
  std::vector<int>& islandOf = data.islands.ofBody;
  if (body < static_cast<int>(islandOf.size())) islandOf[body] = -1;
}

void requireFinite(const Vec3& value, std::string_view what) {
  if (!value.allFinite()) throw InputError(fmt::format("{} must be finite", what));
}

}  // namespace

World::World(const WorldSettings& settings, SolverRegistry registry) {
  checkSettings(settings);
  SolverPool solvers(settings, registry);
  parts_ = std::make_unique<WorldParts>(
      WorldParts{.settings = settings,
                 .registry = std::move(registry),
                 .collision = CollisionWorld(collisionSettings(settings)),
                 .solvers = std::move(solvers)});
}

World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

void World::observeDetections(std::function<void(std::span<const ContactPoint>)> observer) {
  parts_->onDetection = std::move(observer);
}

MaterialId World::addMaterial(const Material& material) { return parts_->materials.add(material); }

void World::setMaterialPair(MaterialId a, MaterialId b, const Material& material) {
  parts_->materials.setPair(a, b, material);
  wakeAll(parts_->bodies);
}

BodyId World::addBody(const BodyDefinition& definition) {
  if (definition.material < 0 || definition.material >= parts_->materials.count()) {
    throw InputError(fmt::format("body '{}': material {} does not exist; there are {}",
                                 definition.name, definition.material, parts_->materials.count()));
  }
  BodyStore& bodies = parts_->bodies;
  const BodyId body = bodies.add(definition);
  if (definition.shape) {
    const int collider =
        parts_->collision.add(*definition.shape, bodies.referencePose(body.index),
                              definition.filter, definition.kind == BodyKind::kStatic);
    bodies.collider[body.index] = collider;
    if (collider >= static_cast<int>(parts_->bodyOfCollider.size())) {
      parts_->bodyOfCollider.resize(collider + 1, -1);
    }
    parts_->bodyOfCollider[collider] = body.index;
  }
  return body;
}

void World::removeBody(BodyId body) {
  const int slot = parts_->bodies.slotOf(body);
  disturb(*parts_, slot);
  const JointStore& joints = parts_->joints;
  for (int j = 0; j < joints.slots(); ++j) {
    const bool isOn = joints[j].bodyA == slot || joints[j].bodyB == slot;
    if (joints[j].alive && isOn) removeJoint(joints.idOf(j));
  }
  const int collider = parts_->bodies.collider[slot];
  if (collider >= 0) {
    parts_->collision.remove(collider);
    parts_->bodyOfCollider[collider] = -1;
    parts_->data.warm.forget(collider);
  }
  forgetContacts(slot, parts_->data);
  parts_->bodies.remove(slot);
}

JointId World::addJoint(const JointDefinition& definition) {
  JointStore& joints = parts_->joints;
  const JointId id = joints.add(makeJoint(definition, parts_->bodies, joints));
  connectOrDisconnect(*parts_, joints[id.index]);
  return id;
}

void World::removeJoint(JointId id) {
  JointStore& joints = parts_->joints;
  joints.at(id);  // checks that it is there
  for (int slot = 0; slot < joints.slots(); ++slot) {
    const Joint& joint = joints[slot];
    const bool couples = joint.gear1 == id.index || joint.gear2 == id.index;
    if (!joint.alive || !(slot == id.index || couples)) continue;
    joints.remove(slot);
    parts_->data.warm.forgetJoint(slot);
    connectOrDisconnect(*parts_, joint);
  }
}

const StepReport& World::step() {
  stepWorld(*parts_);
  return parts_->report;
}

void World::setGravity(const Vec3& gravity) {
  requireFinite(gravity, "gravity");
  if (gravity != parts_->settings.gravity) wakeAll(parts_->bodies);
  parts_->settings.gravity = gravity;
}

void World::setTimestep(Real timestep) {
  WorldSettings changed = parts_->settings;
  changed.timestep = timestep;
  checkSettings(changed);
  // Reactions are forces: those of joints that sleep stay what they are.
  for (Joint& joint : parts_->joints) joint.scaleImpulses(timestep / parts_->settings.timestep);
  parts_->settings = changed;
}

void World::setThreads(int threads) {
  WorldSettings changed = parts_->settings;
  changed.threads = threads;
  checkSettings(changed);
  parts_->solvers = SolverPool(changed, parts_->registry);
  parts_->collision.setThreads(threads);
  parts_->settings = changed;
}

void World::setSolver(const SolverChoice& choice) {
  WorldSettings changed = parts_->settings;
  changed.solver = choice;
  checkSettings(changed);
  parts_->solvers = SolverPool(changed, parts_->registry);
  parts_->settings = changed;
}

void World::applyForce(BodyId body, const Vec3& force) {
  requireFinite(force, "force");
  const int slot = parts_->bodies.slotOf(body);
  parts_->bodies.load[slot].head<3>() += force;
  if (!force.isZero(0)) wakeBody(parts_->bodies, slot);
}

void World::applyForceAt(BodyId body, const Vec3& force, const Vec3& worldPoint) {
  requireFinite(worldPoint, "the point of the force");
  const Vec3 torque = (worldPoint - centerOfMass(body)).cross(force);
  requireFinite(torque, "force and its torque");  // nothing is added unless all is
  applyForce(body, force);
  applyTorque(body, torque);
}

void World::applyTorque(BodyId body, const Vec3& torque) {
  requireFinite(torque, "torque");
  const int slot = parts_->bodies.slotOf(body);
  parts_->bodies.load[slot].tail<3>() += torque;
  if (!torque.isZero(0)) wakeBody(parts_->bodies, slot);
}

void World::setVelocity(BodyId body, const Vec3& linear, const Vec3& angular) {
  const int slot = parts_->bodies.slotOf(body);
  requireFinite(linear, "linear velocity");
  requireFinite(angular, "angular velocity");
  if (parts_->bodies.kind[slot] == BodyKind::kStatic) {
    throw InputError(fmt::format("body '{}' is static and has no velocity", name(body)));
  }
  disturb(*parts_, slot);
  parts_->bodies.velocity[slot] << linear, angular;
}

void World::setPose(BodyId body, const Pose& pose) {
  const int slot = parts_->bodies.slotOf(body);
  requireFinite(pose.position, "position");
  if (!(std::abs(pose.rotation.norm() - 1) < 1e-3)) {
    throw InputError("rotation must be a unit quaternion");
  }
  disturb(*parts_, slot);
  parts_->bodies.setReferencePose(slot, {pose.position, pose.rotation.normalized()});
  const int collider = parts_->bodies.collider[slot];
  if (collider >= 0) parts_->collision.setPose(collider, parts_->bodies.referencePose(slot));
}

void World::setMotorTarget(JointId id, int coordinate, Real target) {
  coordinateOf(parts_->bodies, parts_->joints, id, coordinate);  // checks both
  Joint& joint = parts_->joints.at(id);
  if (!joint.axes[coordinate].motor) {
    throw InputError(
        fmt::format("joint '{}' has no motor on coordinate {}", joint.name, coordinate));
  }
  if (!std::isfinite(target)) throw InputError("the target of a motor must be finite");
  if (joint.target[coordinate] != target) {
    wakeBody(parts_->bodies, joint.bodyA);
    wakeBody(parts_->bodies, joint.bodyB);
  }
  joint.target[coordinate] = target;
}

void World::wake(BodyId body) { wakeBody(parts_->bodies, parts_->bodies.slotOf(body)); }

void World::restore(std::span<const std::byte> state) { restoreWorld(*parts_, state); }

}  // namespace drystone
