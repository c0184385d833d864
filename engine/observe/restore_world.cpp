// Back to a saved state: read as a whole, compared with the world, and only then brought in.
#include <algorithm>
#include <utility>
#include <vector>

#include "engine/observe/match_state.h"
#include "engine/observe/restore_checks.h"
#include "engine/observe/saved_state.h"
#include "engine/observe/world_state.h"
#include "engine/step/body_changes.h"
#include "engine/step/half_done.h"
#include "engine/step/joint_reactions.h"
#include "engine/step/sleeping.h"
#include "engine/step/world_parts.h"

namespace drystone {
namespace {

/// Gives the bodies the properties that they had. With `keepsIndices` their colliders have the
/// indices again that they had, too.
void restoreProperties(const SavedState& saved, const std::vector<RestoredBody>& bodies,
                       std::span<const int> here, bool keepsIndices, WorldParts& world) {
  std::vector<std::pair<int, int>> moved;  // bodies and their colliders
  for (std::size_t from = 0; from < here.size(); ++from) {
    const int slot = here[from];
    if (slot < 0) continue;
    const int collider = saved.properties[from].collider;
    const auto isMoved = [&] { return keepsIndices && collider != world.bodies.collider[slot]; };
    const RestoredBody& body = bodies[from];
    if (!body.definition && !isMoved()) continue;
    const BodyDefinition same = world.bodies.record[slot];
    changeBody(world, slot, body.definition.value_or(same), body.isNewShape);
    if (saved.properties[from].hasAddedShape) world.bodies.record[slot].addedShape = nullptr;
    if (!isMoved()) continue;
    removeCollider(world, slot);
    moved.emplace_back(slot, collider);
  }
  for (const auto& [slot, collider] : moved) addCollider(world, slot, collider);
}

void restoreBodies(const BodyStore& then, std::span<const int> here, BodyStore& bodies) {
  for (std::size_t from = 0; from < here.size(); ++from) {
    const int slot = here[from];
    if (slot < 0) continue;
    bodies.position[slot] = then.position[from];
    bodies.rotation[slot] = then.rotation[from];
    bodies.velocity[slot] = then.velocity[from];
    bodies.load[slot] = then.load[from];
    bodies.jointTorque[slot] = then.jointTorque[from];
    bodies.asleep[slot] = then.asleep[from];
    bodies.disturbed[slot] = then.disturbed[from];
    bodies.stillTime[slot] = then.stillTime[from];
    bodies.placed[slot] = then.placed[from];
  }
}

void restoreJoints(const JointStore& then, std::span<const int> here, WorldParts& world) {
  for (int slot = 0; slot < then.slots(); ++slot) {
    if (here[slot] < 0) continue;
    const Joint& from = then[slot];
    Joint& to = world.joints[here[slot]];
    static_cast<JointMemory&>(to) = from;
    static_cast<JointProperties&>(to) = from;
    placeFrames(world.bodies, to);
  }
  // Joints between the same bodies ask each other whether these collide.
  for (const Joint& joint : world.joints) {
    if (joint.alive) {
      updateConnectedCollision(world.bodies, world.joints, joint, world.collision);
    }
  }
}

void placeAll(WorldParts& world) {
  for (int i = 0; i < world.bodies.slots(); ++i) {
    if (world.bodies.collider[i] < 0) continue;
    world.collision.setPose(world.bodies.collider[i], world.bodies.referencePose(i));
  }
}

/// Drops what was found before, and brings what follows from the state in line.
void settle(WorldParts& world) {
  world.bodies.noteChange();
  forgetSleepers(world.data.sleep);
  world.data.contacts.clear();
  world.data.motion.end.clear();
  world.data.motion.endVersion = 0;
  for (ForcePlate& plate : world.plates.plates) plate.hasReading = false;
  std::ranges::fill(world.data.islands.ofBody, -1);
  for (int i = 0; i < world.bodies.slots(); ++i) world.bodies.updateInverseInertia(i);
  placeAll(world);
}

/// Brings in a state that fits the world.
void bringIn(SavedState& saved, const StateMatch& match, const std::vector<RestoredBody>& bodies,
             bool isByName, WorldParts& world) {
  restoreProperties(saved, bodies, match.body, !isByName, world);
  if (isByName || !match.report.isComplete()) renumber(world, match, saved);
  world.materials.restore(saved.materials.materials(), saved.materials.pairs());
  world.time = saved.time;
  world.stepCount = saved.stepCount;
  world.settings.timestep = saved.settings.timestep;
  world.settings.gravity = saved.settings.gravity;
  restoreBodies(saved.bodies, match.body, world.bodies);
  restoreJoints(saved.joints, match.joint, world);
  restartOthers(world.bodies, match, world.joints);
  world.data.warm = std::move(saved.data.warm);
  beginEvents(world.events);
  world.events.touching = std::move(saved.events.touching);
  world.events.resting.clear();
  world.events.restingVersion = 0;
  world.events.sensing = std::move(saved.events.sensing);
  settle(world);
  world.collision.loadState(saved.collision);  // after the poses, which count as moves
  if (match.report.isComplete()) return;
  // What carried a sleeping body may be gone, or another one may have come.
  world.bodies.wakeAll();
  placeAll(world);
}

}  // namespace

RestoreReport restoreWorld(WorldParts& world, std::span<const std::byte> state, RestoreMode mode) {
  SavedState saved = readState(world, state, mode);
  const StateMatch match = matchState(world, saved, mode);
  const std::vector<RestoredBody> bodies = restoredBodies(world, saved, match);
  requireGears(world, saved, match);

  RestoreReport report = match.report;
  runWhole(world, [&] {
    if (world.isHalfDone || !world.collision.isWhole()) remakeParts(world);
    bringIn(saved, match, bodies, mode == RestoreMode::kByName, world);
  });
  world.isHalfDone = false;
  return report;
}

}  // namespace drystone
