#include "engine/observe/world_state.h"

#include <optional>
#include <utility>

#include "collision/shape/shape.h"
#include "core/hash.h"
#include "engine/observe/body_properties.h"
#include "engine/observe/joint_properties.h"
#include "engine/observe/saved_state.h"
#include "engine/observe/state_walks.h"
#include "engine/step/world_parts.h"

namespace drystone {
namespace {

/// Which bodies and joints there are.
void writeDirectory(const WorldParts& world, StateWriter& writer) {
  writer.value(static_cast<std::uint64_t>(world.bodies.slots()));
  for (const BodyRecord& record : world.bodies.record) {
    writer.value(record.alive);
    if (!record.alive) continue;
    writer.value(record.generation);
    writer.value(structureOf(record));
    writer.text(record.name);
  }
  writer.value(static_cast<std::uint64_t>(world.joints.slots()));
  for (const Joint& joint : world.joints) {
    writer.value(joint.alive);
    if (!joint.alive) continue;
    writer.value(joint.generation);
    writer.value(structureOf(joint));
    writer.text(joint.name);
  }
}

}  // namespace

std::uint64_t hashWorld(const WorldParts& world) {
  HashSink sink;
  walkState(sink, world);
  return sink.result();
}

void copyState(const WorldParts& world, std::vector<std::byte>& out) {
  StateWriter writer(std::move(out));
  walkState(writer, world);
  out = std::move(writer.bytes());
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
  hasher.add(joint.cable);
  return hasher.value();
}

std::uint64_t checksum(std::span<const std::byte> bytes) {
  Hasher hasher;
  hasher.bytes(bytes.data(), bytes.size());
  return hasher.value();
}

void saveWorld(const WorldParts& world, std::vector<std::byte>& out) {
  StateWriter writer(std::move(out));
  writer.value(kStateMagic);
  writeSettings(world.settings, writer);
  writeDirectory(world, writer);
  for (int slot = 0; slot < world.bodies.slots(); ++slot) {
    if (!world.bodies.record[slot].alive) continue;
    writer.value(world.bodies.collider[slot]);
    writeProperties(world.bodies.record[slot], writer);
  }
  for (const Joint& joint : world.joints) {
    if (joint.alive) writeProperties(joint, writer);
  }
  writeMaterials(world.materials, writer);
  std::vector<std::byte> collision;
  world.collision.saveState(collision);
  std::size_t size = collision.size();
  writer.count(size);
  writer.bytes().insert(writer.bytes().end(), collision.begin(), collision.end());
  walkState(writer, world);
  walkObserved(writer, world);
  writer.value(checksum(writer.bytes()));
  out = std::move(writer.bytes());
}

}  // namespace drystone
