// Which bodies and joints of a world those of a saved state are, and the lists of the state in the
// numbers of the world.
#include "engine/observe/match_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

#include "core/input_error.h"
#include "engine/observe/world_state.h"
#include "engine/step/world_parts.h"

namespace drystone {
namespace {

std::vector<SavedEntry> bodiesOf(const WorldParts& world) {
  std::vector<SavedEntry> entries;
  for (const BodyRecord& record : world.bodies.record) {
    entries.push_back({record.alive, record.generation, structureOf(record), record.name});
  }
  return entries;
}

/// A joint as it would be with other numbers of its bodies and of the joints that it couples.
std::uint64_t structureWith(const Joint& joint, const std::vector<int>& bodies,
                            const std::vector<int>& joints) {
  // Of nothing in the other numbers: no joint has it there.
  constexpr int kNothing = -2;
  const auto renumbered = [&](const std::vector<int>& to, int slot) {
    return slot < 0 ? slot : (to[slot] < 0 ? kNothing : to[slot]);
  };
  Joint other;
  other.geometry = joint.geometry;
  other.bodyA = renumbered(bodies, joint.bodyA);
  other.bodyB = renumbered(bodies, joint.bodyB);
  other.gear1 = renumbered(joints, joint.gear1);
  other.gear2 = renumbered(joints, joint.gear2);
  other.cable = renumbered(joints, joint.cable);
  return structureOf(other);
}

/// [then] the slots that hold the same by their id.
std::vector<int> pairIds(const std::vector<SavedEntry>& then, const std::vector<SavedEntry>& now) {
  std::vector<int> to(then.size(), -1);
  for (std::size_t slot = 0; slot < std::min(then.size(), now.size()); ++slot) {
    const bool isSame = then[slot].alive && now[slot].alive &&
                        then[slot].generation == now[slot].generation &&
                        then[slot].structure == now[slot].structure;
    if (isSame) to[slot] = static_cast<int>(slot);
  }
  return to;
}

/// Slots by their names, those without one and those of which several have the name left out.
std::map<std::string_view, int> slotsByName(const std::vector<SavedEntry>& entries) {
  std::map<std::string_view, int> slots, repeated;
  for (std::size_t slot = 0; slot < entries.size(); ++slot) {
    if (!entries[slot].alive || entries[slot].name.empty()) continue;
    const auto [found, isNew] = slots.emplace(entries[slot].name, static_cast<int>(slot));
    if (!isNew) repeated.insert(*found);
  }
  for (const auto& [name, slot] : repeated) slots.erase(name);
  return slots;
}

/// [then] the slots that hold one of the same name. `isSame(then, now)` says whether it is the same
/// otherwise, too.
template <class IsSame>
std::vector<int> pairNames(const std::vector<SavedEntry>& then, const std::vector<SavedEntry>& now,
                           IsSame&& isSame) {
  std::vector<int> to(then.size(), -1);
  const auto here = slotsByName(now);
  for (const auto& [name, slot] : slotsByName(then)) {
    const auto found = here.find(name);
    if (found != here.end() && isSame(slot, found->second)) to[slot] = found->second;
  }
  return to;
}

/// [slots] where each is that another list leads to.
std::vector<int> inverse(const std::vector<int>& to, std::size_t slots) {
  std::vector<int> from(slots, -1);
  for (std::size_t slot = 0; slot < to.size(); ++slot) {
    if (to[slot] >= 0) from[to[slot]] = static_cast<int>(slot);
  }
  return from;
}

std::vector<int> pairJointNames(const JointStore& joints, const std::vector<int>& bodies,
                                const std::vector<SavedEntry>& then,
                                const std::vector<SavedEntry>& now) {
  std::vector<int> none(now.size(), -1);
  const auto pair = [&](const std::vector<int>& coupled) {
    return pairNames(then, now, [&](int saved, int slot) {
      return then[saved].structure == structureWith(joints[slot], bodies, coupled);
    });
  };
  // Gears come after the joints that they couple, which are none.
  return pair(inverse(pair(none), now.size()));
}

/// Lists what is on one side alone.
template <class Left>
void addLeft(const std::vector<SavedEntry>& entries, const std::vector<int>& to,
             std::vector<Left>& left) {
  for (std::size_t slot = 0; slot < entries.size(); ++slot) {
    if (!entries[slot].alive || to[slot] >= 0) continue;
    left.push_back({{static_cast<int>(slot), entries[slot].generation}, entries[slot].name});
  }
}

/// `body 'crate' (index 3, generation 1)`, for the first of a list, and how many more there are: of
/// another scene all are in it.
template <class Left>
void addProblems(std::string_view what, std::string_view problem, const std::vector<Left>& left,
                 std::vector<std::string>& problems) {
  constexpr std::size_t kNamed = 3;
  for (const Left& one : std::span(left).first(std::min(kNamed, left.size()))) {
    problems.push_back(fmt::format("saved world: {} '{}' (index {}, generation {}) {}", what,
                                   one.name, one.id.index, one.id.generation, problem));
  }
  if (left.size() <= kNamed) return;
  problems.push_back(fmt::format("saved world: the same of {} more {}", left.size() - kNamed,
                                 what == "body" ? "bodies" : "joints"));
}

/// Throws InputError that names what is not on both sides.
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
      "saved world: add or remove these before restoring. RestoreMode::kByName restores what has "
      "the same name: take it where bodies were removed and added again, or for a world that was "
      "built anew. RestoreMode::kMatching restores what has the same id");
  throw InputError(std::move(problems));
}

auto rankOf(const WarmContact& warm) {
  return std::tuple(warm.colliderA, warm.colliderB, warm.feature);
}
auto rankOf(const WarmJointRow& row) { return std::pair(row.joint, row.key); }
auto rankOf(BodyId a, BodyId b) { return std::tuple(a.index, a.generation, b.index, b.generation); }
auto rankOf(const ContactEvent& pair) { return rankOf(pair.bodyA, pair.bodyB); }
auto rankOf(const SensorEvent& pair) { return rankOf(pair.sensor, pair.visitor); }

void sortByRank(auto& list) {
  std::ranges::sort(list, [](const auto& p, const auto& q) { return rankOf(p) < rankOf(q); });
}

/// The same contact, seen from the other body.
void turnAround(const CollisionWorld& collision, WarmContact& contact) {
  contact.feature = collision.turnedFeature(
      {.colliderA = contact.colliderA, .colliderB = contact.colliderB, .feature = contact.feature});
  std::swap(contact.colliderA, contact.colliderB);
  std::swap(contact.arms.a, contact.arms.b);
  contact.impulse = -contact.impulse;
  contact.ahead = -contact.ahead;
  contact.trend = -contact.trend;
  contact.moment = -contact.moment;
}

void turnAround(ContactEvent& pair) {
  std::swap(pair.bodyA, pair.bodyB);
  pair.normal = -pair.normal;
}

/// [saved colliders] collider in the world; -1: none
std::vector<int> colliderMap(const WorldParts& world, const StateMatch& match,
                             const SavedState& saved) {
  std::vector<int> to;
  for (std::size_t slot = 0; slot < match.body.size(); ++slot) {
    const int collider = saved.bodyEntries[slot].alive ? saved.properties[slot].collider : -1;
    if (collider < 0 || match.body[slot] < 0) continue;
    if (collider >= static_cast<int>(to.size())) to.resize(collider + 1, -1);
    to[collider] = world.bodies.collider[match.body[slot]];
  }
  return to;
}

void renumberWarmStarts(const CollisionWorld& collision, const std::vector<int>& colliders,
                        const std::vector<int>& joints, WarmStarts& warm) {
  const auto colliderOf = [&](int collider) {
    return collider < static_cast<int>(colliders.size()) ? colliders[collider] : -1;
  };
  std::vector<WarmContact> contacts = warm.contacts();
  for (WarmContact& contact : contacts) {
    contact.colliderA = colliderOf(contact.colliderA);
    contact.colliderB = colliderOf(contact.colliderB);
  }
  std::erase_if(contacts, [](const WarmContact& contact) {
    return contact.colliderA < 0 || contact.colliderB < 0;
  });
  for (WarmContact& contact : contacts) {
    if (contact.colliderA > contact.colliderB) turnAround(collision, contact);
  }
  sortByRank(contacts);
  std::vector<WarmJointRow> rows = warm.joints();
  for (WarmJointRow& row : rows) row.joint = joints[row.joint];
  std::erase_if(rows, [](const WarmJointRow& row) { return row.joint < 0; });
  sortByRank(rows);
  warm.restore(contacts, rows, warm.timestep());
}

void renumberTouches(const BodyStore& bodies, const StateMatch& match, SavedState& saved) {
  const auto toHere = [&](BodyId id) -> BodyId {
    const SavedEntry& entry = saved.bodyEntries[id.index];
    const int slot = match.body[id.index];
    const bool isHere = entry.alive && entry.generation == id.generation && slot >= 0;
    return isHere ? bodies.idOf(slot) : BodyId{};
  };
  std::vector<ContactEvent>& touching = saved.events.touching;
  for (ContactEvent& pair : touching) {
    pair.bodyA = toHere(pair.bodyA);
    pair.bodyB = toHere(pair.bodyB);
  }
  std::erase_if(touching, [](const ContactEvent& pair) {
    return pair.bodyA.index < 0 || pair.bodyB.index < 0;
  });
  // The body of the lower collider is the first one.
  for (ContactEvent& pair : touching) {
    if (bodies.collider[pair.bodyA.index] > bodies.collider[pair.bodyB.index]) turnAround(pair);
  }
  sortByRank(touching);
  std::vector<SensorEvent>& sensing = saved.events.sensing;
  for (SensorEvent& pair : sensing) pair = {toHere(pair.sensor), toHere(pair.visitor)};
  std::erase_if(sensing, [](const SensorEvent& pair) {
    return pair.sensor.index < 0 || pair.visitor.index < 0;
  });
  sortByRank(sensing);
}

}  // namespace

StateMatch matchState(const WorldParts& world, const SavedState& saved, RestoreMode mode) {
  const std::vector<SavedEntry> bodies = bodiesOf(world);
  std::vector<SavedEntry> joints;
  for (const Joint& joint : world.joints) {
    joints.push_back({joint.alive, joint.generation, structureOf(joint), joint.name});
  }
  StateMatch match;
  if (mode == RestoreMode::kByName) {
    match.body = pairNames(saved.bodyEntries, bodies, [&](int then, int now) {
      return saved.bodyEntries[then].structure == bodies[now].structure;
    });
    match.joint = pairJointNames(world.joints, inverse(match.body, bodies.size()),
                                 saved.jointEntries, joints);
  } else {
    match.body = pairIds(saved.bodyEntries, bodies);
    match.joint = pairIds(saved.jointEntries, joints);
  }
  addLeft(saved.bodyEntries, match.body, match.report.bodiesNotHere);
  addLeft(bodies, inverse(match.body, bodies.size()), match.report.bodiesNotSaved);
  addLeft(saved.jointEntries, match.joint, match.report.jointsNotHere);
  addLeft(joints, inverse(match.joint, joints.size()), match.report.jointsNotSaved);
  if (mode == RestoreMode::kExact) requireComplete(match.report);
  return match;
}

void renumber(const WorldParts& world, const StateMatch& match, SavedState& saved) {
  const std::vector<int> colliders = colliderMap(world, match, saved);
  renumberWarmStarts(world.collision, colliders, match.joint, saved.data.warm);
  renumberTouches(world.bodies, match, saved);
  if (match.report.isComplete()) {
    saved.collision = renumberedState(saved.collision, colliders);
  } else {
    CollisionWorld({}).saveState(saved.collision);
  }
}

}  // namespace drystone
