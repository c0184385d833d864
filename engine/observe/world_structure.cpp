#include "collision/shape/shape.h"
#include "core/field_hasher.h"
#include "engine/observe/world_state.h"
#include "engine/step/world_parts.h"

namespace drystone {
namespace {

void addVector(Hasher& hasher, const Vec3& v) { hasher.bytes(v.data(), 3 * sizeof(Real)); }

void addPose(Hasher& hasher, const Pose& pose) {
  addVector(hasher, pose.position);
  hasher.bytes(pose.rotation.coeffs().data(), 4 * sizeof(Real));
}

void addSettings(Hasher& hasher, WorldSettings settings) {
  // What may change between two steps is no part of the structure.
  const WorldSettings any;
  settings.gravity = any.gravity;
  settings.timestep = any.timestep;
  settings.threads = any.threads;
  settings.jointTolerance = any.jointTolerance;
  settings.overlapTolerance = any.overlapTolerance;
  addFields(hasher, settings);
}

void addBody(Hasher& hasher, const BodyStore& bodies, int slot) {
  const BodyRecord& record = bodies.record[slot];
  hasher.add(record.alive);
  hasher.add(record.generation);
  hasher.add(bodies.kind[slot]);
  hasher.add(bodies.collider[slot]);
  hasher.add(bodies.material[slot]);
  hasher.add(bodies.mass[slot]);
  addVector(hasher, bodies.moments[slot]);
  addVector(hasher, bodies.surfaceVelocity[slot]);
  hasher.add(bodies.isSensor[slot]);
  hasher.add(bodies.maySleep[slot]);
  addPose(hasher, bodies.reference[slot]);
  if (record.shape) addShape(hasher, *record.shape);
  for (const VelocityKey& key : record.motion) {
    hasher.add(key.time);
    addVector(hasher, key.linear);
    addVector(hasher, key.angular);
  }
  for (const ForceKey& key : record.forces) {
    hasher.add(key.time);
    addVector(hasher, key.force);
    addVector(hasher, key.torque);
  }
}

void addSchedule(Hasher& hasher, const Schedule& schedule) {
  hasher.add(schedule.keys().size());
  for (const Schedule::Key& key : schedule.keys()) {
    hasher.add(key.time);
    hasher.add(key.value);
  }
}

void addTable(Hasher& hasher, const ForceTable& table) {
  if (table.isEmpty()) return;
  hasher.add(table.points().size());
  for (const ForceTable::Point& point : table.points()) {
    hasher.add(point.at);
    hasher.add(point.force);
  }
}

void addSpring(Hasher& hasher, const std::optional<JointSpring>& spring) {
  hasher.add(spring.has_value());
  if (!spring) return;
  hasher.add(spring->stiffness);
  hasher.add(spring->damping);
  hasher.add(spring->rest);
  addTable(hasher, spring->forceTable);
  hasher.add(!spring->damperTable.isEmpty());
  addTable(hasher, spring->damperTable);
}

void addJoint(Hasher& hasher, const Joint& joint) {
  hasher.add(joint.alive);
  hasher.add(joint.generation);
  hasher.add(joint.geometry);
  hasher.add(joint.bodyA);
  hasher.add(joint.bodyB);
  addPose(hasher, joint.frameA);
  addPose(hasher, joint.frameB);
  for (const JointAxis& axis : joint.axes) {
    hasher.add(axis.lower);
    hasher.add(axis.upper);
    hasher.add(axis.friction);
    addSpring(hasher, axis.spring);
    hasher.add(axis.motor.has_value());
    if (!axis.motor) continue;
    hasher.add(axis.motor->kind);
    hasher.add(axis.motor->maxForce);
    addSchedule(hasher, axis.motor->target);
    addSpring(hasher, axis.motor->servo);
  }
  hasher.add(joint.swingLimit);
  hasher.add(joint.gear1);
  hasher.add(joint.gear2);
  hasher.add(joint.gearRatio);
  hasher.add(joint.gearStart);
  hasher.add(joint.compliance.value_or(-1.0));
  hasher.add(joint.breakingImpulse);
  hasher.add(joint.collide);
}

}  // namespace

std::uint64_t structureOf(const WorldParts& world) {
  Hasher hasher;
  addSettings(hasher, world.settings);
  hasher.add(world.bodies.slots());
  for (int slot = 0; slot < world.bodies.slots(); ++slot) addBody(hasher, world.bodies, slot);
  hasher.add(world.joints.slots());
  for (const Joint& joint : world.joints) addJoint(hasher, joint);
  for (int a = 0; a < world.materials.count(); ++a) {
    for (int b = a; b < world.materials.count(); ++b) {
      addFields(hasher, world.materials.combine(a, b));
    }
  }
  return hasher.value();
}

}  // namespace drystone
