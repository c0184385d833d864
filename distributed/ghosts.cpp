#include "distributed/ghosts.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace drystone {
namespace {

/// No point of a body leaves this ball within the step.
struct ReachedBall {
  Vec3 center;
  Real radius;
};

ReachedBall ballOf(const BodyStore& bodies, int slot, const WorldSettings& settings, Real h) {
  // As the way that the search for contacts looks along; the margin is all of each body, and half
  // would do for two.
  const Vec3 way =
      h * bodies.velocity[slot].head<3>() + h * h * bodies.gravityOf(slot, settings.gravity);
  return {bodies.position[slot], bodies.reach[slot] + settings.contactMargin + way.norm()};
}

/// Least and most corner; a process without bodies has none that anything reaches.
using Box = std::array<Real, 6>;
constexpr Box kNoBox = {kInfinity, kInfinity, kInfinity, -kInfinity, -kInfinity, -kInfinity};

Box boxAround(const std::vector<ReachedBall>& balls) {
  Box box = kNoBox;
  for (const ReachedBall& ball : balls) {
    for (int axis = 0; axis < 3; ++axis) {
      box[axis] = std::min(box[axis], ball.center[axis] - ball.radius);
      box[axis + 3] = std::max(box[axis + 3], ball.center[axis] + ball.radius);
    }
  }
  return box;
}

bool reaches(const ReachedBall& ball, const Real* box) {
  Real square = 0;
  for (int axis = 0; axis < 3; ++axis) {
    if (!(box[axis] <= box[axis + 3])) return false;
    const Real beyond =
        std::max({box[axis] - ball.center[axis], ball.center[axis] - box[axis + 3], Real{0}});
    square += beyond * beyond;
  }
  return square <= ball.radius * ball.radius;
}

}  // namespace

void refreshGhosts(Real h, Processes& processes, BodyShare& share, World& world, BodyStore& bodies,
                   GhostLists& lists) {
  const int count = processes.count();
  lists.sent.assign(count, {});
  lists.held.assign(count, {});
  if (count == 1) return;
  const std::vector<int> owned = share.owned(bodies);
  std::vector<ReachedBall> balls;
  for (const int slot : owned) balls.push_back(ballOf(bodies, slot, world.settings(), h));
  std::vector<Real> boxes;
  processes.gather(boxAround(balls), boxes);
  std::vector<std::vector<std::byte>> out(count), in(count);
  for (int r = 0; r < count; ++r) {
    if (r == processes.rank()) continue;
    for (std::size_t i = 0; i < owned.size(); ++i) {
      if (!reaches(balls[i], &boxes[6 * static_cast<std::size_t>(r)])) continue;
      lists.sent[r].push_back(owned[i]);
      pack(share.stateOf(owned[i], bodies), out[r]);
    }
  }
  processes.exchange(out, in);

  std::vector<std::vector<BodyState>> states(count);
  std::vector<char> isSent(share.catalog.size(), 0);
  for (int r = 0; r < count; ++r) {
    states[r].resize(in[r].size() / sizeof(BodyState));
    if (!in[r].empty()) std::memcpy(states[r].data(), in[r].data(), in[r].size());
    for (const BodyState& state : states[r]) isSent[state.body] = 1;
  }
  for (int slot = 0; slot < bodies.slots(); ++slot) {
    const int body = share.globalOf[slot];
    if (body >= 0 && bodies.isGhost[slot] != 0 && isSent[body] == 0) {
      share.remove(body, world, bodies);
    }
  }
  for (int r = 0; r < count; ++r) {
    for (const BodyState& state : states[r]) {
      const int body = static_cast<int>(state.body);
      const int slot =
          share.slotOf[body] >= 0 ? share.slotOf[body] : share.add(body, true, world, bodies);
      putState(state, slot, bodies);
      lists.held[r].push_back(slot);
    }
  }
}

bool isOwnPair(const BodyShare& share, const BodyStore& bodies, int slotA, int slotB) {
  const bool isGhostA = bodies.isGhost[slotA] != 0, isGhostB = bodies.isGhost[slotB] != 0;
  if (!isGhostA && !isGhostB) return true;
  if (!bodies.isDynamic(slotA) || !bodies.isDynamic(slotB) || (isGhostA && isGhostB)) return false;
  const bool isFirstA = share.globalOf[slotA] < share.globalOf[slotB];
  return isFirstA ? !isGhostA : !isGhostB;
}

}  // namespace drystone
