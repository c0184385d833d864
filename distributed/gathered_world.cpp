// What lies with all processes, brought together: motion, hash, pictures of a step, and the state.
#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "core/hash.h"
#include "distributed/distributed_world.h"
#include "distributed/sorted_rows.h"

namespace drystone {
namespace {

/// Adds what a process sends during its life to a count.
class TrafficMeter {
 public:
  TrafficMeter(const Processes& processes, Traffic& sum)
      : processes_(processes), before_(processes.traffic()), sum_(sum) {}
  TrafficMeter(const TrafficMeter&) = delete;
  TrafficMeter& operator=(const TrafficMeter&) = delete;
  ~TrafficMeter() {
    sum_.messages += processes_.traffic().messages - before_.messages;
    sum_.bytes += processes_.traffic().bytes - before_.bytes;
  }

 private:
  const Processes& processes_;
  const Traffic before_;
  Traffic& sum_;
};

/// What a process has of a snapshot, with the ids of the whole world. The first one tells of the
/// bodies that all have.
WorldSnapshot ownSnapshot(const World& world, const WorldParts& parts, const BodyShare& share,
                          bool isFirst) {
  WorldSnapshot own;
  world.observe().snapshot(own);
  std::erase_if(own.bodies, [&](const BodySnapshot& body) {
    const int slot = body.id.index;
    return parts.bodies.isDynamic(slot) ? parts.bodies.isGhost[slot] != 0 : !isFirst;
  });
  const auto wholeId = [&](const BodyId& id) { return share.ids[share.globalOf[id.index]]; };
  for (BodySnapshot& body : own.bodies) body.id = wholeId(body.id);
  for (ContactSnapshot& contact : own.contacts) {
    contact.bodyA = wholeId(contact.bodyA);
    contact.bodyB = wholeId(contact.bodyB);
    contact.block = -1;  // its problem is not to be had
  }
  own.joints.clear();
  return own;
}

/// Islands of a process count on from those of the ones before it.
void append(const WorldSnapshot& part, int islandsBefore, WorldSnapshot& out) {
  const auto add = [&](const auto& from, auto& to) {
    for (auto one : from) {
      if (one.island >= 0) one.island += islandsBefore;
      to.push_back(one);
    }
  };
  add(part.bodies, out.bodies);
  add(part.contacts, out.contacts);
}

RowKey keyOfBody(const BodySnapshot& body) { return {body.id.index, 0}; }
RowKey keyOfContact(const ContactSnapshot& contact) {
  const int a = contact.bodyA.index, b = contact.bodyB.index;
  return {std::min(a, b), std::max(a, b)};
}

/// What of a state one process has, or several together.
struct OwnState {
  struct JointOfWhole {
    int slot = -1;
    JointMemory state;
  };
  std::vector<BodyState> bodies;
  std::vector<JointOfWhole> joints;
  std::vector<WarmJointRow> rows;      ///< with the joints of the whole world
  std::vector<MovedContact> contacts;  ///< of the last step

  void packInto(std::vector<std::byte>& message) const {
    packList(bodies, message);
    packList(joints, message);
    packList(rows, message);
    packList(contacts, message);
  }
  void append(const std::vector<std::byte>& message) {
    const std::byte* at = message.data();
    unpackList(at, bodies);
    unpackList(at, joints);
    unpackList(at, rows);
    unpackList(at, contacts);
  }
  /// `from`: the world of one of the processes.
  void putInto(WorldParts& whole, const WorldParts& from) {
    whole.time = from.time;
    whole.stepCount = from.stepCount;
    whole.settings.timestep = from.settings.timestep;
    whole.settings.gravity = from.settings.gravity;
    for (const BodyState& body : bodies) {
      putState(body, static_cast<int>(body.body), whole.bodies);
    }
    for (const JointOfWhole& joint : joints) {
      static_cast<JointMemory&>(whole.joints[joint.slot]) = joint.state;
    }
    std::ranges::sort(rows, {},
                      [](const WarmJointRow& row) { return std::pair(row.joint, row.key); });
    std::vector<int> slots(whole.bodies.slots());
    std::iota(slots.begin(), slots.end(), 0);
    whole.data.warm.restore({}, rows, from.data.warm.timestep());
    addWarmStarts(contacts, slots, whole);
  }
};

}  // namespace

std::vector<BodyState> DistributedWorld::gatherBodies() {
  const TrafficMeter meter(processes_, gathered_);
  const int count = processes_.count();
  std::vector<BodyState> states;
  std::vector<std::vector<std::byte>> out(count), in(count);
  for (const int slot : share_.owned(parts_.bodies)) {
    states.push_back(share_.stateOf(slot, parts_.bodies));
    for (int r = 0; r < count; ++r) {
      if (r != processes_.rank()) pack(states.back(), out[r]);
    }
  }
  processes_.exchange(out, in);
  for (const std::vector<std::byte>& message : in) {
    const std::size_t first = states.size();
    states.resize(first + message.size() / sizeof(BodyState));
    if (!message.empty()) std::memcpy(&states[first], message.data(), message.size());
  }
  std::ranges::sort(states, {}, &BodyState::body);
  return states;
}

std::uint64_t DistributedWorld::hash() {
  const TrafficMeter meter(processes_, gathered_);
  // The sum does not depend on who has a body. Halves of words are exact as numbers.
  constexpr int kHalf = 32;
  constexpr std::uint64_t kLower = 0xffffffff;
  std::uint64_t sum = 0;
  for (const int slot : share_.owned(parts_.bodies)) {
    Hasher hasher;
    hasher.add(share_.stateOf(slot, parts_.bodies));
    sum += hasher.value();
  }
  const Real halves[] = {static_cast<Real>(sum >> kHalf), static_cast<Real>(sum & kLower)};
  std::vector<Real> all;
  processes_.gather(halves, all);
  sum = 0;
  for (std::size_t i = 0; i < all.size(); i += 2) {
    sum += static_cast<std::uint64_t>(all[i]) << kHalf | static_cast<std::uint64_t>(all[i + 1]);
  }
  Hasher hasher;
  hasher.add(world_.time());
  hasher.add(sum);
  return hasher.value();
}

void DistributedWorld::gatherSnapshot(WorldSnapshot& out) {
  const TrafficMeter meter(processes_, gathered_);
  const bool isFirst = processes_.rank() == 0;
  const int count = processes_.count();
  const WorldSnapshot own = ownSnapshot(world_, parts_, share_, isFirst);
  std::vector<std::vector<std::byte>> messages(count), in(count);
  if (!isFirst) {
    pack(world_.observe().islandCount(), messages[0]);
    packList(own.bodies, messages[0]);
    packList(own.contacts, messages[0]);
  }
  processes_.exchange(messages, in);
  out = {.step = world_.stepCount(), .time = world_.time()};
  if (!isFirst) return;
  append(own, 0, out);
  int islands = world_.observe().islandCount();
  for (const std::vector<std::byte>& message : in) {
    if (message.empty()) continue;
    WorldSnapshot part;
    const std::byte* at = message.data();
    const int partIslands = unpack<int>(at);
    unpackList(at, part.bodies);
    unpackList(at, part.contacts);
    append(part, islands, out);
    islands += partIslands;
  }
  std::ranges::sort(out.bodies, {}, keyOfBody);
  std::ranges::stable_sort(out.contacts, {}, keyOfContact);
}

void DistributedWorld::partSnapshot(SnapshotPart& out) {
  const TrafficMeter meter(processes_, gathered_);
  const WorldSnapshot own = ownSnapshot(world_, parts_, share_, processes_.rank() == 0);
  const auto islands = static_cast<std::size_t>(world_.observe().islandCount());
  out.snapshot = {.step = world_.stepCount(), .time = world_.time()};
  append(own, static_cast<int>(partOf(islands, processes_).first), out.snapshot);
  out.bodies = sortRows(out.snapshot.bodies, keyOfBody, processes_);
  out.contacts = sortRows(out.snapshot.contacts, keyOfContact, processes_);
}

void DistributedWorld::gatherInto(World& whole) {
  const TrafficMeter meter(processes_, gathered_);
  const BodyStore& bodies = parts_.bodies;
  OwnState own;
  for (int slot = 0; slot < bodies.slots(); ++slot) {
    // All processes have the same of what is not dynamic.
    const bool isOwn = bodies.isGhost[slot] == 0 && share_.globalOf[slot] >= 0;
    if (isOwn) own.bodies.push_back(share_.stateOf(slot, bodies));
  }
  for (int slot = 0; slot < std::ssize(jointOf_); ++slot) {
    own.joints.push_back({jointOf_[slot], parts_.joints[slot]});
  }
  for (WarmJointRow row : parts_.data.warm.joints()) {
    row.joint = jointOf_[row.joint];
    own.rows.push_back(row);
  }
  for (const WarmContact& contact : parts_.data.warm.contacts()) {
    const int a = parts_.bodyOfCollider[contact.colliderA];
    const int b = parts_.bodyOfCollider[contact.colliderB];
    own.contacts.push_back({share_.globalOf[a], share_.globalOf[b], contact});
  }
  std::vector<std::vector<std::byte>> out(processes_.count()), in(processes_.count());
  for (int r = 0; r < processes_.count(); ++r) {
    if (r != processes_.rank()) own.packInto(out[r]);
  }
  processes_.exchange(out, in);
  for (const std::vector<std::byte>& message : in) {
    if (!message.empty()) own.append(message);
  }
  own.putInto(*whole.parts_, parts_);
}

std::vector<std::string> DistributedWorld::names() const {
  std::vector<std::string> names;
  for (const BodyDefinition& body : share_.catalog) names.push_back(body.name);
  return names;
}

}  // namespace drystone
