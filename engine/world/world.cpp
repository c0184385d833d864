#include "engine/world/world.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/input_error.h"
#include "engine/model/joint_coordinates.h"
#include "engine/observe/world_observer.h"
#include "engine/observe/world_state.h"
#include "engine/step/connected_collision.h"
#include "engine/step/sleeping.h"
#include "engine/step/solve_islands.h"
#include "engine/step/step.h"
#include "engine/step/warm_start.h"
#include "engine/step/world_parts.h"

namespace drystone {
namespace {

CollisionSettings collisionSettings(const WorldSettings& settings) {
  return {.margin = settings.contactMargin,
          .reduceManifolds = settings.reduceManifolds,
          .threads = settings.threads};
}

/// Slot of a body, or InputError when the handle is stale.
int slotOf(const BodyStore& bodies, BodyId body) {
  if (!bodies.contains(body)) {
    throw InputError(
        fmt::format("body {} (generation {}) does not exist", body.index, body.generation));
  }
  return body.index;
}

/// The joint, or InputError when it is not there.
Joint& jointOf(WorldParts& world, JointId joint) {
  if (joint.index < 0 || joint.index >= static_cast<int>(world.joints.size()) ||
      !world.joints[joint.index].alive) {
    throw InputError(fmt::format("joint {} does not exist", joint.index));
  }
  return world.joints[joint.index];
}

/// A coordinate of a joint, or InputError when it has no such one.
JointCoordinate coordinateOf(WorldParts& world, JointId id, int coordinate) {
  const Joint& joint = jointOf(world, id);
  if (coordinate < 0 || coordinate >= coordinateCount(joint.geometry)) {
    throw InputError(fmt::format("joint '{}' has coordinates 0 to {}, not {}", joint.name,
                                 coordinateCount(joint.geometry) - 1, coordinate));
  }
  std::array<JointCoordinate, 6> all;
  jointCoordinates(world.bodies, world.joints, joint, all);
  return all[coordinate];
}

void wakeBodies(WorldParts& world, const Joint& joint) {
  wakeBody(world.bodies, joint.bodyA);
  wakeBody(world.bodies, joint.bodyB);
}

void requireFinite(const Vec3& value, std::string_view what) {
  if (!value.allFinite()) throw InputError(fmt::format("{} must be finite", what));
}

}  // namespace

World::World(const WorldSettings& settings, const SolverRegistry& registry) {
  checkSettings(settings);
  parts_ = std::make_unique<WorldParts>(
      WorldParts{.settings = settings,
                 .registry = &registry,
                 .collision = CollisionWorld(collisionSettings(settings)),
                 .solvers = SolverPool(settings, registry)});
}

World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

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
  const int slot = slotOf(parts_->bodies, body);
  disturbBody(*parts_, slot);
  for (std::size_t j = 0; j < parts_->joints.size(); ++j) {
    const Joint& joint = parts_->joints[j];
    if (joint.alive && (joint.bodyA == slot || joint.bodyB == slot)) {
      removeJoint({static_cast<int>(j)});
    }
  }
  const int collider = parts_->bodies.collider[slot];
  if (collider >= 0) {
    parts_->collision.remove(collider);
    parts_->bodyOfCollider[collider] = -1;
    forgetWarmStarts(parts_->data, collider);
  }
  forgetContacts(parts_->data, slot);
  parts_->bodies.remove(slot);
}

JointId World::addJoint(const JointDefinition& definition) {
  JointStore& joints = parts_->joints;
  joints.push_back(makeJoint(definition, parts_->bodies, joints));
  updateConnectedCollision(*parts_, joints.back());
  wakeBodies(*parts_, joints.back());
  return {static_cast<int>(joints.size()) - 1};
}

void World::removeJoint(JointId id) {
  Joint& joint = jointOf(*parts_, id);
  joint.alive = false;
  updateConnectedCollision(*parts_, joint);
  wakeBodies(*parts_, joint);
  JointStore& joints = parts_->joints;
  for (Joint& gear : joints) {
    const bool couples = gear.gear1 == id.index || gear.gear2 == id.index;
    if (!gear.alive || !couples) continue;
    gear.alive = false;
    updateConnectedCollision(*parts_, gear);
    wakeBodies(*parts_, gear);
  }
}

const StepReport& World::step() {
  stepWorld(*parts_);
  return parts_->report;
}

const StepReport& World::lastReport() const { return parts_->report; }
const StepEvents& World::lastEvents() const { return parts_->events.events; }
const WorldSettings& World::settings() const { return parts_->settings; }

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
  parts_->solvers = SolverPool(changed, *parts_->registry);
  parts_->collision.setThreads(threads);
  parts_->settings = changed;
}

void World::setSolver(const SolverChoice& choice) {
  WorldSettings changed = parts_->settings;
  changed.solver = choice;
  checkSettings(changed);
  parts_->solvers = SolverPool(changed, *parts_->registry);
  parts_->settings = changed;
}

void World::applyForce(BodyId body, const Vec3& force) {
  requireFinite(force, "force");
  const int slot = slotOf(parts_->bodies, body);
  parts_->bodies.load[slot].head<3>() += force;
  if (!force.isZero(0)) wakeBody(parts_->bodies, slot);
}

void World::applyForceAt(BodyId body, const Vec3& force, const Vec3& worldPoint) {
  applyForce(body, force);
  applyTorque(body, (worldPoint - centerOfMass(body)).cross(force));
}

void World::applyTorque(BodyId body, const Vec3& torque) {
  requireFinite(torque, "torque");
  const int slot = slotOf(parts_->bodies, body);
  parts_->bodies.load[slot].tail<3>() += torque;
  if (!torque.isZero(0)) wakeBody(parts_->bodies, slot);
}

void World::setVelocity(BodyId body, const Vec3& linear, const Vec3& angular) {
  const int slot = slotOf(parts_->bodies, body);
  requireFinite(linear, "linear velocity");
  requireFinite(angular, "angular velocity");
  if (parts_->bodies.kind[slot] == BodyKind::kStatic) {
    throw InputError(fmt::format("body '{}' is static and has no velocity", name(body)));
  }
  disturbBody(*parts_, slot);
  parts_->bodies.velocity[slot] << linear, angular;
}

void World::setPose(BodyId body, const Pose& pose) {
  const int slot = slotOf(parts_->bodies, body);
  requireFinite(pose.position, "position");
  if (!(std::abs(pose.rotation.norm() - 1) < 1e-3)) {
    throw InputError("rotation must be a unit quaternion");
  }
  disturbBody(*parts_, slot);
  parts_->bodies.setReferencePose(slot, pose);
  const int collider = parts_->bodies.collider[slot];
  if (collider >= 0) parts_->collision.setPose(collider, parts_->bodies.referencePose(slot));
}

void World::setMotorTarget(JointId id, int coordinate, Real target) {
  coordinateOf(*parts_, id, coordinate);  // checks both
  Joint& joint = jointOf(*parts_, id);
  if (!joint.axes[coordinate].motor) {
    throw InputError(
        fmt::format("joint '{}' has no motor on coordinate {}", joint.name, coordinate));
  }
  if (!std::isfinite(target)) throw InputError("the target of a motor must be finite");
  if (joint.target[coordinate] != target) wakeBodies(*parts_, joint);
  joint.target[coordinate] = target;
}

void World::wake(BodyId body) { wakeBody(parts_->bodies, slotOf(parts_->bodies, body)); }
bool World::isAwake(BodyId body) const {
  return !parts_->bodies.isAsleep(slotOf(parts_->bodies, body));
}

int World::bodyCount() const { return static_cast<int>(bodies().size()); }

int World::jointCount() const { return static_cast<int>(joints().size()); }

std::vector<BodyId> World::bodies() const {
  std::vector<BodyId> ids;
  const BodyStore& store = parts_->bodies;
  for (int slot = 0; slot < store.slots(); ++slot) {
    if (store.record[slot].alive) ids.push_back({slot, store.record[slot].generation});
  }
  return ids;
}

bool World::contains(BodyId body) const { return parts_->bodies.contains(body); }

BodyId World::findBody(std::string_view wanted) const {
  for (const BodyId body : bodies()) {
    if (name(body) == wanted) return body;
  }
  return {};
}

std::string_view World::name(BodyId body) const {
  return parts_->bodies.record[slotOf(parts_->bodies, body)].name;
}
BodyKind World::kind(BodyId body) const {
  return parts_->bodies.kind[slotOf(parts_->bodies, body)];
}
bool World::isSensor(BodyId body) const {
  return parts_->bodies.isSensor[slotOf(parts_->bodies, body)] != 0;
}
const Shape* World::shape(BodyId body) const {
  const auto& shape = parts_->bodies.record[slotOf(parts_->bodies, body)].shape;
  return shape ? &*shape : nullptr;
}
Real World::mass(BodyId body) const {
  const int slot = slotOf(parts_->bodies, body);
  return parts_->bodies.isDynamic(slot) ? parts_->bodies.mass[slot] : kInfinity;
}
InverseInertia World::inverseInertia(BodyId body) const {
  return parts_->bodies.inverseInertia[slotOf(parts_->bodies, body)];
}
Pose World::pose(BodyId body) const {
  return parts_->bodies.referencePose(slotOf(parts_->bodies, body));
}
Vec3 World::centerOfMass(BodyId body) const {
  return parts_->bodies.position[slotOf(parts_->bodies, body)];
}
Vec3 World::linearVelocity(BodyId body) const {
  return parts_->bodies.velocity[slotOf(parts_->bodies, body)].head<3>();
}
Vec3 World::angularVelocity(BodyId body) const {
  return parts_->bodies.velocity[slotOf(parts_->bodies, body)].tail<3>();
}
std::vector<JointId> World::joints() const {
  std::vector<JointId> ids;
  for (std::size_t slot = 0; slot < parts_->joints.size(); ++slot) {
    if (parts_->joints[slot].active()) ids.push_back({static_cast<int>(slot)});
  }
  return ids;
}

int World::coordinateCount(JointId joint) const {
  return drystone::coordinateCount(jointOf(*parts_, joint).geometry);
}

bool World::contains(JointId joint) const {
  return joint.index >= 0 && joint.index < static_cast<int>(parts_->joints.size()) &&
         parts_->joints[joint.index].active();
}

JointId World::findJoint(std::string_view wanted) const {
  const JointStore& joints = parts_->joints;
  for (std::size_t slot = 0; slot < joints.size(); ++slot) {
    if (joints[slot].alive && joints[slot].name == wanted) return {static_cast<int>(slot)};
  }
  return {};
}

std::string_view World::name(JointId joint) const { return jointOf(*parts_, joint).name; }

Real World::jointCoordinate(JointId joint, int coordinate) const {
  return coordinateOf(*parts_, joint, coordinate).value;
}

Real World::jointRate(JointId id, int coordinate) const {
  const JointCoordinate q = coordinateOf(*parts_, id, coordinate);
  const Joint& joint = jointOf(*parts_, id);
  return q.jacobianA.dot(parts_->bodies.velocity[joint.bodyA]) +
         q.jacobianB.dot(parts_->bodies.velocity[joint.bodyB]) + q.rate;
}

JointReaction World::jointReaction(JointId id) const {
  return jointOf(*parts_, id).reaction(parts_->settings.timestep);
}

Real World::time() const { return parts_->time; }
std::int64_t World::stepCount() const { return parts_->stepCount; }

CollisionWorld& World::collision() { return parts_->collision; }

BodyId World::bodyOfCollider(int collider) const {
  const auto& table = parts_->bodyOfCollider;
  if (collider < 0 || collider >= static_cast<int>(table.size()) || table[collider] < 0) return {};
  const int slot = table[collider];
  return {slot, parts_->bodies.record[slot].generation};
}

void World::snapshot(WorldSnapshot& out) const { takeSnapshot(*parts_, out); }
std::uint64_t World::hash() const { return hashWorld(*parts_); }
void World::copyState(std::vector<std::byte>& out) const { drystone::copyState(*parts_, out); }
std::vector<std::byte> World::save() const {
  std::vector<std::byte> state;
  save(state);
  return state;
}
void World::save(std::vector<std::byte>& out) const { saveWorld(*parts_, out); }
void World::restore(std::span<const std::byte> state) { restoreWorld(*parts_, state); }

int World::islandCount() const { return static_cast<int>(parts_->report.islands.size()); }

ContactProblem World::islandProblem(int island) const {
  return drystone::islandProblem(parts_->settings, parts_->data, island);
}

std::span<const Real> World::islandImpulses(int island) const {
  const Islands& islands = parts_->data.islands;
  return std::span(parts_->data.rows.lambda)
      .subspan(islands.rowStart[island], islands.rowStart[island + 1] - islands.rowStart[island]);
}

std::span<const Real> World::islandWarmStart(int island) const {
  const Islands& islands = parts_->data.islands;
  return std::span(parts_->data.rows.warmLambda)
      .subspan(islands.rowStart[island], islands.rowStart[island + 1] - islands.rowStart[island]);
}

std::span<const RowState> World::islandWarmStates(int island) const {
  const Islands& islands = parts_->data.islands;
  return std::span(parts_->data.rows.warmState)
      .subspan(islands.rowStart[island], islands.rowStart[island + 1] - islands.rowStart[island]);
}

std::span<const ResidualHistory::Entry> World::convergence() const {
  return parts_->data.convergence;
}

}  // namespace drystone
