#include "collision/shape/shape.h"
#include "core/field_hasher.h"
#include "engine/observe/world_state.h"
#include "engine/step/world_parts.h"

namespace drystone {
namespace {

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

}  // namespace

std::uint64_t structureOf(const WorldParts& world) {
  Hasher hasher;
  addSettings(hasher, world.settings);
  hasher.add(world.materials.count());
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
  hasher.add(joint.geometry);
  hasher.add(joint.bodyA);
  hasher.add(joint.bodyB);
  hasher.add(joint.gear1);
  hasher.add(joint.gear2);
  return hasher.value();
}

}  // namespace drystone
