#include "engine/step/body_changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "core/input_error.h"
#include "engine/step/half_done.h"
#include "engine/step/integrate.h"
#include "engine/step/joint_reactions.h"
#include "engine/step/sleeping.h"
#include "engine/step/world_parts.h"

namespace drystone {
namespace {

/// Calls `visit(slot, joint)` for the joints and gears on a body.
template <class Visit>
void forEachJointOn(WorldParts& world, int body, Visit&& visit) {
  for (int slot = 0; slot < world.joints.slots(); ++slot) {
    Joint& joint = world.joints[slot];
    if (joint.alive && (joint.bodyA == body || joint.bodyB == body)) visit(slot, joint);
  }
}

bool isSame(const CollisionFilter& a, const CollisionFilter& b) {
  return a.group == b.group && a.mask == b.mask;
}

/// The changes of changeBody(), of a definition that was checked.
void applyChange(WorldParts& world, int body, const BodyDefinition& definition, bool isNewShape) {
  BodyStore& bodies = world.bodies;
  BodyRecord& record = bodies.record[body];
  const bool isNewKind = record.kind != definition.kind;
  const bool isNewFilter = !isSame(record.filter, definition.filter);
  const bool isOtherwiseStatic =
      (record.kind == BodyKind::kStatic) != (definition.kind == BodyKind::kStatic);
  const bool meetsOthers =
      isNewShape || isNewKind || isNewFilter || record.isSensor != definition.isSensor;

  disturb(world, body);
  forgetEnd(body, world.data.motion);
  if (isNewShape && record.addedShape == nullptr) {
    record.addedShape = std::make_shared<const std::optional<Shape>>(record.shape);
  }
  const int collider = bodies.collider[body];
  bodies.redefine(body, definition);
  if (isNewShape || isOtherwiseStatic) {
    removeCollider(world, body);
    try {
      addCollider(world, body, collider);
    } catch (...) {
      bodies.collider[body] = collider;  // for remakeParts()
      throw;
    }
  } else {
    if (isNewFilter && collider >= 0) world.collision.setFilter(collider, definition.filter);
    if (isNewKind && collider >= 0) world.data.warm.forget(collider);
  }
  forEachJointOn(world, body, [&](int slot, Joint& joint) {
    placeFrames(bodies, joint);
    if (!isNewKind) return;
    world.data.warm.forgetJoint(slot);
    joint.forgetImpulses();
    joint.force.setZero();
  });
  if (meetsOthers) {
    forgetContacts(world, body);
    bodies.placed[body] = 1;
  }
  world.data.positionErrors.isSizeKnown = false;
}

}  // namespace

void disturb(WorldParts& world, int body) {
  if (world.settings.jointRows == JointRows::kMean) {
    forEachJointOn(world, body, [](int, Joint& joint) { joint.forgetRates(); });
  }
  if (!world.settings.sleeping.enabled) return;
  disturbBody(body, world.joints, world.data.warm, world.bodyOfCollider, world.bodies);
}

void checkMaterial(const WorldParts& world, const BodyDefinition& definition) {
  const int count = world.materials.count();
  const auto require = [&](bool exists, MaterialId material) {
    if (exists) return;
    throw InputError(fmt::format("body '{}': material {} does not exist; there are {}",
                                 definition.name, material, count));
  };
  require(definition.material >= 0 && definition.material < count, definition.material);
  for (const MaterialId own : definition.partMaterials) require(own >= -1 && own < count, own);
}

void makeCollider(WorldParts& world, int body, int at) {
  BodyStore& bodies = world.bodies;
  const BodyRecord& record = bodies.record[body];
  if (!record.shape) return;
  if (at >= 0 && world.collision.contains(at)) at = -1;
  const int collider = world.collision.add(*record.shape, bodies.referencePose(body), record.filter,
                                           record.kind == BodyKind::kStatic, at);
  if (collider >= static_cast<int>(world.bodyOfCollider.size())) {
    try {
      world.bodyOfCollider.resize(collider + 1, -1);
    } catch (...) {
      world.collision.remove(collider);
      throw;
    }
  }
  bodies.collider[body] = collider;
  world.bodyOfCollider[collider] = body;
}

void addCollider(WorldParts& world, int body, int at) {
  makeCollider(world, body, at);
  forEachJointOn(world, body, [&](int, const Joint& joint) {
    updateConnectedCollision(world.bodies, world.joints, joint, world.collision);
  });
}

void removeCollider(WorldParts& world, int body) {
  const int collider = world.bodies.collider[body];
  if (collider < 0) return;
  world.collision.remove(collider);
  world.bodyOfCollider[collider] = -1;
  world.bodies.collider[body] = -1;
  world.data.warm.forget(collider);
}

void forgetContacts(WorldParts& world, int body) {
  StepData& data = world.data;
  std::erase_if(data.contacts, [&](const StepContact& contact) {
    return contact.bodyA == body || contact.bodyB == body;
  });
  forgetSleepingPairs(body, data.sleep);
  std::vector<int>& islandOf = data.islands.ofBody;
  if (body < static_cast<int>(islandOf.size())) islandOf[body] = -1;
}

void changeBody(WorldParts& world, int body, const BodyDefinition& definition, bool isNewShape) {
  BodyStore::check(definition, body);
  checkMaterial(world, definition);
  runWhole(world, [&] { applyChange(world, body, definition, isNewShape); });
}

}  // namespace drystone
