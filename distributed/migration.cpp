#include "distributed/migration.h"

#include <algorithm>
#include <tuple>

namespace drystone {
namespace {

/// Of the two bodies of a contact the one whose process has it: see isOwnPair().
int homeOf(const BodyShare& share, const BodyStore& bodies, int slotA, int slotB) {
  if (!bodies.isDynamic(slotA)) return slotB;
  if (!bodies.isDynamic(slotB)) return slotA;
  return share.globalOf[slotA] < share.globalOf[slotB] ? slotA : slotB;
}

}  // namespace

int migrateBodies(const Regions& regions, Processes& processes, BodyShare& share, World& world,
                  WorldParts& parts, std::vector<MovedContact>& contacts) {
  contacts.clear();
  BodyStore& bodies = parts.bodies;
  const int count = processes.count();
  if (count == 1) return 0;
  std::vector<int> target(bodies.slots(), -1);  // [slots] process that a body goes to
  std::vector<std::vector<BodyState>> leaving(count);
  int moved = 0;
  for (const int slot : share.owned(bodies)) {
    const int to = regions.regionOf(bodies.position[slot]);
    if (to == processes.rank() || share.isBound[share.globalOf[slot]] != 0) continue;
    target[slot] = to;
    leaving[to].push_back(share.stateOf(slot, bodies));
    ++moved;
  }
  // A message: how many bodies, those, and then the contacts.
  std::vector<std::vector<std::byte>> out(count), in(count);
  for (int r = 0; r < count; ++r) {
    if (leaving[r].empty()) continue;
    packList(leaving[r], out[r]);
  }
  for (const WarmContact& warm : parts.data.warm.lists().awake) {
    const int a = parts.bodyOfCollider[warm.colliderA], b = parts.bodyOfCollider[warm.colliderB];
    const int to = target[homeOf(share, bodies, a, b)];
    if (to >= 0) pack(MovedContact{share.globalOf[a], share.globalOf[b], warm}, out[to]);
  }
  processes.exchange(out, in);
  // What left stays as a ghost; the next refresh removes it where nothing here can touch it.
  for (int slot = 0; slot < static_cast<int>(target.size()); ++slot) {
    if (target[slot] >= 0) bodies.isGhost[slot] = 1;
  }
  for (const std::vector<std::byte>& message : in) {
    if (message.empty()) continue;
    const std::byte* at = message.data();
    const std::byte* const end = at + message.size();
    for (auto left = unpack<std::int64_t>(at); left > 0; --left) {
      const auto state = unpack<BodyState>(at);
      const int body = static_cast<int>(state.body);
      const int slot =
          share.slotOf[body] >= 0 ? share.slotOf[body] : share.add(body, false, world, bodies);
      bodies.isGhost[slot] = 0;
      putState(state, slot, bodies);
    }
    while (at < end) contacts.push_back(unpack<MovedContact>(at));
  }
  return moved;
}

void addWarmStarts(std::span<const MovedContact> contacts, std::span<const int> slotOf,
                   WorldParts& parts) {
  if (contacts.empty()) return;
  WarmStarts& warm = parts.data.warm;
  std::vector<WarmContact> all = warm.contacts();
  for (const MovedContact& moved : contacts) {
    const int a = slotOf[moved.bodyA], b = slotOf[moved.bodyB];
    if (a < 0 || b < 0) continue;
    WarmContact here = moved.warm;
    here.colliderA = parts.bodies.collider[a];
    here.colliderB = parts.bodies.collider[b];
    if (here.colliderA < here.colliderB) all.push_back(here);
  }
  const auto keyOf = [](const WarmContact& one) {
    return std::tuple(one.colliderA, one.colliderB, one.feature);
  };
  std::ranges::stable_sort(all, {}, keyOf);
  const auto isAgain = [&](const WarmContact& p, const WarmContact& q) {
    return keyOf(p) == keyOf(q);
  };
  all.erase(std::unique(all.begin(), all.end(), isAgain), all.end());
  const std::vector<WarmJointRow> joints = warm.joints();
  warm.restore(all, joints, warm.timestep() > 0 ? warm.timestep() : parts.settings.substep());
}

bool rebalance(Real most, Processes& processes, const BodyShare& share, const BodyStore& bodies,
               Regions& regions) {
  const int count = processes.count();
  if (count == 1) return false;
  const std::vector<int> owned = share.owned(bodies);
  const Real own = static_cast<Real>(owned.size());
  std::vector<Real> counts;
  processes.gather({&own, 1}, counts);
  Real largest = 0, sum = 0;
  for (const Real number : counts) {
    largest = std::max(largest, number);
    sum += number;
  }
  if (largest <= most * sum / count) return false;
  std::vector<std::vector<std::byte>> out(count), in(count);
  for (int r = 0; r < count; ++r) {
    if (r == processes.rank()) continue;
    for (const int slot : owned) {
      for (int axis = 0; axis < 3; ++axis) pack(bodies.position[slot][axis], out[r]);
    }
  }
  processes.exchange(out, in);
  std::vector<Vec3> points;
  for (int r = 0; r < count; ++r) {
    if (r == processes.rank()) {
      for (const int slot : owned) points.push_back(bodies.position[slot]);
    }
    const std::byte* at = in[r].data();
    for (std::size_t i = 0; i < in[r].size() / (3 * sizeof(Real)); ++i) {
      Vec3& point = points.emplace_back();
      for (int axis = 0; axis < 3; ++axis) point[axis] = unpack<Real>(at);
    }
  }
  regions = Regions(points, count);
  return true;
}

}  // namespace drystone
