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
  addPose(hasher, joint.definedA);
  addPose(hasher, joint.definedB);
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
  for (int a = 0; a < world.materials.count(); ++a) {
    for (int b = a; b < world.materials.count(); ++b) {
      const SurfacePair pair = world.materials.combine(a, b);
      addFields(hasher, pair.material);
      for (const FrictionGrain& grain : {pair.grainA, pair.grainB}) {
        hasher.add(grain.stretch);
        for (int i = 0; i < 3; ++i) hasher.add(grain.direction[i]);
      }
    }
  }
  return hasher.value();
}

std::uint64_t structureOf(const BodyRecord& body) {
  const std::optional<Shape>& shape = body.addedShape ? *body.addedShape : body.shape;
  Hasher hasher;
  if (shape) addShape(hasher, *shape);
  return hasher.value();
}

std::uint64_t structureOf(const Joint& joint) {
  Hasher hasher;
  addJoint(hasher, joint);
  return hasher.value();
}

}  // namespace drystone
