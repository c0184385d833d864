#include "engine/model/joint_coordinates.h"
#include "engine/observe/world_state.h"
#include "engine/step/solve_islands.h"
#include "engine/step/world_parts.h"
#include "engine/world/world.h"

namespace drystone {

const StepReport& World::lastReport() const { return parts_->report; }
const StepEvents& World::lastEvents() const { return parts_->events.events; }
const WorldSettings& World::settings() const { return parts_->settings; }

bool World::isAwake(BodyId body) const {
  return !parts_->bodies.isAsleep(parts_->bodies.slotOf(body));
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
  return parts_->bodies.record[parts_->bodies.slotOf(body)].name;
}
BodyKind World::kind(BodyId body) const { return parts_->bodies.kind[parts_->bodies.slotOf(body)]; }
bool World::isSensor(BodyId body) const {
  return parts_->bodies.isSensor[parts_->bodies.slotOf(body)] != 0;
}
const Shape* World::shape(BodyId body) const {
  const auto& shape = parts_->bodies.record[parts_->bodies.slotOf(body)].shape;
  return shape ? &*shape : nullptr;
}
Real World::mass(BodyId body) const {
  const int slot = parts_->bodies.slotOf(body);
  return parts_->bodies.isDynamic(slot) ? parts_->bodies.mass[slot] : kInfinity;
}
InverseInertia World::inverseInertia(BodyId body) const {
  return parts_->bodies.inverseInertia[parts_->bodies.slotOf(body)];
}
Pose World::pose(BodyId body) const {
  return parts_->bodies.referencePose(parts_->bodies.slotOf(body));
}
Vec3 World::centerOfMass(BodyId body) const {
  return parts_->bodies.position[parts_->bodies.slotOf(body)];
}
Vec3 World::linearVelocity(BodyId body) const {
  return parts_->bodies.velocity[parts_->bodies.slotOf(body)].head<3>();
}
Vec3 World::angularVelocity(BodyId body) const {
  return parts_->bodies.velocity[parts_->bodies.slotOf(body)].tail<3>();
}
std::vector<JointId> World::joints() const {
  std::vector<JointId> ids;
  const JointStore& joints = parts_->joints;
  for (int slot = 0; slot < joints.slots(); ++slot) {
    if (joints[slot].active()) ids.push_back(joints.idOf(slot));
  }
  return ids;
}

int World::coordinateCount(JointId joint) const {
  return drystone::coordinateCount(parts_->joints.at(joint).geometry);
}

bool World::contains(JointId joint) const {
  return parts_->joints.contains(joint) && parts_->joints[joint.index].active();
}

JointId World::findJoint(std::string_view wanted) const {
  const JointStore& joints = parts_->joints;
  for (int slot = 0; slot < joints.slots(); ++slot) {
    if (joints[slot].alive && joints[slot].name == wanted) return joints.idOf(slot);
  }
  return {};
}

std::string_view World::name(JointId joint) const { return parts_->joints.at(joint).name; }

Real World::jointCoordinate(JointId joint, int coordinate) const {
  return coordinateOf(parts_->bodies, parts_->joints, joint, coordinate).value;
}

Real World::jointRate(JointId id, int coordinate) const {
  const JointCoordinate q = coordinateOf(parts_->bodies, parts_->joints, id, coordinate);
  const Joint& joint = parts_->joints.at(id);
  return q.jacobianA.dot(parts_->bodies.velocity[joint.bodyA]) +
         q.jacobianB.dot(parts_->bodies.velocity[joint.bodyB]) + q.rate;
}

JointReaction World::jointReaction(JointId id) const {
  return parts_->joints.at(id).reaction(parts_->settings.timestep);
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

int World::islandCount() const { return static_cast<int>(parts_->report.islands.size()); }

ContactProblem World::islandProblem(int island) const {
  return drystone::islandProblem(parts_->data.islands, parts_->data.rows, island);
}

std::span<const Real> World::islandImpulses(int island) const {
  return rowsOf(parts_->data.islands, parts_->data.rows.lambda, island);
}

std::span<const Real> World::islandWarmStart(int island) const {
  return rowsOf(parts_->data.islands, parts_->data.rows.warmLambda, island);
}

std::span<const RowState> World::islandWarmStates(int island) const {
  return rowsOf(parts_->data.islands, parts_->data.rows.warmState, island);
}

std::span<const ResidualHistory::Entry> World::convergence() const {
  return parts_->data.solves.convergence;
}

}  // namespace drystone
