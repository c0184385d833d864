// Back to a saved state: read as a whole, compared with the world, and only then brought in.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/input_error.h"
#include "engine/observe/body_properties.h"
#include "engine/observe/joint_properties.h"
#include "engine/observe/state_walks.h"
#include "engine/observe/world_state.h"
#include "engine/step/body_changes.h"
#include "engine/step/joint_reactions.h"
#include "engine/step/sleeping.h"
#include "engine/step/world_parts.h"

namespace drystone {
namespace {

/// A body or joint of a saved state.
struct Entry {
  bool alive = false;
  std::uint32_t generation = 0;
  std::uint64_t structure = 0;
  std::string name;
};

/// All of a saved state.
struct Saved {
  WorldSettings settings;  ///< those of the world, but for what is saved
  Real time = 0;
  std::int64_t stepCount = 0;
  std::vector<Entry> bodyEntries, jointEntries;  ///< by slot
  std::vector<SavedProperties> properties;       ///< likewise
  MaterialTable materials;
  std::vector<std::byte> collision;
  BodyStore bodies;   ///< no more of it than what evolves
  JointStore joints;  ///< likewise, and what may be changed
  struct {
    WarmStarts warm;
  } data;
  EventTracker events;
};

void readEntries(StateReader& reader, std::vector<Entry>& entries) {
  walkList(reader, entries, [&](Entry& entry) {
    reader.value(entry.alive);
    if (!entry.alive) return;
    reader.value(entry.generation);
    reader.value(entry.structure);
    reader.text(entry.name);
  });
}

/// Throws InputError where the bytes are damaged, or of other settings.
Saved readState(const WorldParts& world, std::span<const std::byte> state) {
  if (state.size() < 3 * sizeof(std::uint64_t))
    throw InputError("saved world: the data ends early");
  const auto body = state.first(state.size() - sizeof(std::uint64_t));
  std::uint64_t stored = 0;
  StateReader(state.last(sizeof(std::uint64_t))).value(stored);
  if (stored != checksum(body)) throw InputError("saved world: the data is damaged (checksum)");
  StateReader reader(body);
  std::uint64_t magic = 0, structure = 0;
  reader.value(magic);
  reader.value(structure);
  if (magic != kStateMagic)
    throw InputError("saved world: not a state of this version of drystone");
  if (structure != structureOf(world)) {
    throw InputError(
        "saved world: it has other settings, or more or fewer materials, than this world; build "
        "the world with the same ones before restoring");
  }
  Saved saved;
  saved.settings = world.settings;
  readEntries(reader, saved.bodyEntries);
  readEntries(reader, saved.jointEntries);
  saved.properties.resize(saved.bodyEntries.size());
  for (std::size_t slot = 0; slot < saved.properties.size(); ++slot) {
    if (!saved.bodyEntries[slot].alive) continue;
    reader.value(saved.properties[slot].collider);
    readProperties(reader, saved.properties[slot]);
  }
  for (std::size_t slot = 0; slot < saved.jointEntries.size(); ++slot) {
    Joint joint;
    if (saved.jointEntries[slot].alive) readProperties(reader, joint);
    saved.joints.add(std::move(joint));
  }
  readMaterials(reader, saved.materials);
  std::size_t size = 0;
  reader.count(size);
  const auto collision = reader.take(size);
  saved.collision.assign(collision.begin(), collision.end());
  saved.bodies.resize(static_cast<int>(saved.bodyEntries.size()));
  walkState(reader, saved);
  walkObserved(reader, saved);
  return saved;
}

/// Of the slots of a saved state and of a world, which hold the same.
template <class Left>
struct Match {
  std::vector<std::uint8_t> isSame;  ///< [saved slots]
  std::vector<Left> notHere, notSaved;
};

/// `slots`: of the world. `here(slot)` is the entry of one of them.
template <class Left, class Here>
Match<Left> match(const std::vector<Entry>& saved, int slots, Here&& here) {
  Match<Left> match;
  const int count = static_cast<int>(saved.size());
  match.isSame.assign(saved.size(), 0);
  for (int slot = 0; slot < std::max(count, slots); ++slot) {
    const Entry then = slot < count ? saved[slot] : Entry{};
    const Entry now = slot < slots ? here(slot) : Entry{};
    if (then.alive && now.alive && then.generation == now.generation &&
        then.structure == now.structure) {
      match.isSame[slot] = 1;
      continue;
    }
    if (then.alive) match.notHere.push_back({{slot, then.generation}, then.name});
    if (now.alive) match.notSaved.push_back({{slot, now.generation}, now.name});
  }
  return match;
}

/// `body 'crate' (index 3, generation 1)`, for all of a list.
template <class Left>
void addProblems(std::string_view what, std::string_view problem, const std::vector<Left>& left,
                 std::vector<std::string>& problems) {
  for (const Left& one : left) {
    problems.push_back(fmt::format("saved world: {} '{}' (index {}, generation {}) {}", what,
                                   one.name, one.id.index, one.id.generation, problem));
  }
}

/// Throws InputError that names all that is not on both sides.
void requireComplete(const RestoreReport& report) {
  if (report.isComplete()) return;
  std::vector<std::string> problems;
  constexpr std::string_view kNotHere = "was saved, and this world has not the same one";
  constexpr std::string_view kNotSaved = "is in this world, and not the same in the saved one";
  addProblems("body", kNotHere, report.bodiesNotHere, problems);
  addProblems("body", kNotSaved, report.bodiesNotSaved, problems);
  addProblems("joint", kNotHere, report.jointsNotHere, problems);
  addProblems("joint", kNotSaved, report.jointsNotSaved, problems);
  problems.emplace_back(
      "saved world: add or remove these before restoring, or leave them out with "
      "RestoreMode::kMatching");
  throw InputError(std::move(problems));
}

/// Gives the bodies the properties that they had, and the colliders their indices.
void restoreProperties(const Saved& saved, std::span<const std::uint8_t> isSame,
                       WorldParts& world) {
  std::vector<int> changed;
  for (int slot = 0; slot < static_cast<int>(isSame.size()); ++slot) {
    if (isSame[slot] == 0) continue;
    const BodyRecord& record = world.bodies.record[slot];
    const SavedProperties& then = saved.properties[slot];
    const SavedProperties now = propertiesOf(record);
    const bool isNewShape =
        now.hasAddedShape != then.hasAddedShape || now.shapeBytes != then.shapeBytes;
    const bool isMoved = then.collider != world.bodies.collider[slot];
    if (!isNewShape && !isMoved && now.bytes == then.bytes) continue;
    BodyDefinition definition = then.definition;
    definition.name = record.name;
    definition.userData = record.userData;
    if (then.hasAddedShape) {
      definition.shape = record.addedShape ? *record.addedShape : record.shape;
    }
    changeBody(world, slot, definition, isNewShape);
    if (then.hasAddedShape) world.bodies.record[slot].addedShape = nullptr;
    if (then.collider == world.bodies.collider[slot]) continue;
    removeCollider(world, slot);
    changed.push_back(slot);
  }
  for (const int slot : changed) addCollider(world, slot, saved.properties[slot].collider);
}

void restoreBodies(const Saved& saved, std::span<const std::uint8_t> isSame, BodyStore& bodies) {
  const BodyStore& then = saved.bodies;
  for (int slot = 0; slot < static_cast<int>(isSame.size()); ++slot) {
    // What removed bodies left in their slots is part of the hash.
    const bool areGone =
        slot < bodies.slots() && !saved.bodyEntries[slot].alive && !bodies.record[slot].alive;
    if (isSame[slot] == 0 && !areGone) continue;
    bodies.position[slot] = then.position[slot];
    bodies.rotation[slot] = then.rotation[slot];
    bodies.velocity[slot] = then.velocity[slot];
    bodies.load[slot] = then.load[slot];
    bodies.jointTorque[slot] = then.jointTorque[slot];
    bodies.asleep[slot] = then.asleep[slot];
    bodies.disturbed[slot] = then.disturbed[slot];
    bodies.stillTime[slot] = then.stillTime[slot];
    bodies.placed[slot] = then.placed[slot];
  }
}

void restoreJoints(const JointStore& then, std::span<const std::uint8_t> isSame,
                   WorldParts& world) {
  for (int slot = 0; slot < static_cast<int>(isSame.size()); ++slot) {
    if (slot >= world.joints.slots() || (isSame[slot] == 0 && world.joints[slot].alive)) continue;
    const Joint& from = then[slot];
    Joint& to = world.joints[slot];
    to.broken = from.broken;
    to.target = from.target;
    to.angle = from.angle;
    to.lockRate = from.lockRate;
    to.impulse = from.impulse;
    to.angularImpulse = from.angularImpulse;
    to.force = from.force;
    to.drift = from.drift;
    to.turnError = from.turnError;
    if (!to.alive) continue;
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

/// Leaves the warm starts and touches of bodies and joints that are the same on both sides, and
/// what the collision world remembers of pairs, which only fits as a whole.
void leaveOthersOut(const WorldParts& world, std::span<const std::uint8_t> isSameBody,
                    std::span<const std::uint8_t> isSameJoint, Saved& saved) {
  const auto isCollider = [&](int collider) {
    const bool isKnown = collider < static_cast<int>(world.bodyOfCollider.size());
    const int body = isKnown ? world.bodyOfCollider[collider] : -1;
    return body >= 0 && body < static_cast<int>(isSameBody.size()) && isSameBody[body] != 0 &&
           saved.properties[body].collider == collider;
  };
  const auto isBody = [&](BodyId id) { return isSameBody[id.index] != 0; };
  std::vector<WarmContact> contacts = saved.data.warm.contacts();
  std::vector<WarmJointRow> rows = saved.data.warm.joints();
  std::erase_if(contacts, [&](const WarmContact& contact) {
    return !isCollider(contact.colliderA) || !isCollider(contact.colliderB);
  });
  std::erase_if(rows, [&](const WarmJointRow& row) { return isSameJoint[row.joint] == 0; });
  saved.data.warm.restore(contacts, rows, saved.data.warm.timestep());
  std::erase_if(saved.events.touching, [&](const ContactEvent& pair) {
    return !isBody(pair.bodyA) || !isBody(pair.bodyB);
  });
  std::erase_if(saved.events.sensing, [&](const SensorEvent& pair) {
    return !isBody(pair.sensor) || !isBody(pair.visitor);
  });
  CollisionWorld({}).saveState(saved.collision);
}

/// Drops what was found before, and brings what follows from the state in line.
void settle(WorldParts& world) {
  world.bodies.noteChange();
  forgetSleepers(world.data.sleep);
  world.data.contacts.clear();
  world.data.motion.end.clear();
  world.data.motion.endVersion = 0;
  std::ranges::fill(world.data.islands.ofBody, -1);
  for (int i = 0; i < world.bodies.slots(); ++i) {
    world.bodies.updateInverseInertia(i);
    if (world.bodies.collider[i] >= 0) {
      world.collision.setPose(world.bodies.collider[i], world.bodies.referencePose(i));
    }
  }
}

}  // namespace

RestoreReport restoreWorld(WorldParts& world, std::span<const std::byte> state, RestoreMode mode) {
  Saved saved = readState(world, state);
  const auto bodies = match<RestoreReport::LeftOutBody>(
      saved.bodyEntries, world.bodies.slots(), [&](int slot) -> Entry {
        const BodyRecord& record = world.bodies.record[slot];
        return {record.alive, record.generation, structureOf(record), record.name};
      });
  const auto joints = match<RestoreReport::LeftOutJoint>(
      saved.jointEntries, world.joints.slots(), [&](int slot) -> Entry {
        const Joint& joint = world.joints[slot];
        return {joint.alive, joint.generation, structureOf(joint), joint.name};
      });
  RestoreReport report{bodies.notHere, bodies.notSaved, joints.notHere, joints.notSaved};
  if (mode == RestoreMode::kExact) requireComplete(report);

  restoreProperties(saved, bodies.isSame, world);
  if (!report.isComplete()) leaveOthersOut(world, bodies.isSame, joints.isSame, saved);
  world.collision.loadState(saved.collision);
  world.materials.restore(saved.materials.materials(), saved.materials.pairs());
  world.time = saved.time;
  world.stepCount = saved.stepCount;
  world.settings.timestep = saved.settings.timestep;
  world.settings.gravity = saved.settings.gravity;
  restoreBodies(saved, bodies.isSame, world.bodies);
  restoreJoints(saved.joints, joints.isSame, world);
  world.data.warm = std::move(saved.data.warm);
  beginEvents(world.events);
  world.events.touching = std::move(saved.events.touching);
  world.events.resting.clear();
  world.events.restingVersion = 0;
  world.events.sensing = std::move(saved.events.sensing);
  settle(world);
  // What carried a sleeping body may be gone, or another one may have come.
  if (!report.isComplete()) world.bodies.wakeAll();
  return report;
}

}  // namespace drystone
