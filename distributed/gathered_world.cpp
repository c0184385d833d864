// What lies with all processes, brought together: motion, hash, and pictures of a step.
#include <algorithm>
#include <cstring>
#include <utility>

#include "core/hash.h"
#include "distributed/distributed_world.h"

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
    // How many islands and bodies, and then these and the contacts.
    pack(static_cast<std::int64_t>(world_.observe().islandCount()), messages[0]);
    pack(static_cast<std::int64_t>(own.bodies.size()), messages[0]);
    for (const BodySnapshot& body : own.bodies) pack(body, messages[0]);
    for (const ContactSnapshot& contact : own.contacts) pack(contact, messages[0]);
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
    const std::byte* const end = at + message.size();
    const auto partIslands = static_cast<int>(unpack<std::int64_t>(at));
    for (auto left = unpack<std::int64_t>(at); left > 0; --left) {
      part.bodies.push_back(unpack<BodySnapshot>(at));
    }
    while (at < end) part.contacts.push_back(unpack<ContactSnapshot>(at));
    append(part, islands, out);
    islands += partIslands;
  }
  std::ranges::sort(out.bodies, {}, [](const BodySnapshot& body) { return body.id.index; });
  std::ranges::stable_sort(out.contacts, {}, [](const ContactSnapshot& contact) {
    const int a = contact.bodyA.index, b = contact.bodyB.index;
    return std::pair(std::min(a, b), std::max(a, b));
  });
}

std::vector<std::string> DistributedWorld::names() const {
  std::vector<std::string> names;
  for (const BodyDefinition& body : share_.catalog) names.push_back(body.name);
  return names;
}

}  // namespace drystone
