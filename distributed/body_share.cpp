#include "distributed/body_share.h"

#include <algorithm>

namespace drystone {

int BodyShare::add(int body, bool isGhost, World& world, BodyStore& bodies) {
  const int slot = world.addBody(catalog[body]).index;
  globalOf.resize(bodies.slots(), -1);
  globalOf[slot] = body;
  slotOf[body] = slot;
  bodies.isGhost[slot] = isGhost ? 1 : 0;
  return slot;
}

void BodyShare::remove(int body, World& world, const BodyStore& bodies) {
  const int slot = slotOf[body];
  world.removeBody(bodies.idOf(slot));
  globalOf[slot] = -1;
  slotOf[body] = -1;
}

std::vector<int> BodyShare::owned(const BodyStore& bodies) const {
  std::vector<int> slots;
  for (const int slot : slotOf) {
    if (slot >= 0 && bodies.isDynamic(slot) && bodies.isGhost[slot] == 0) slots.push_back(slot);
  }
  return slots;
}

BodyState BodyShare::stateOf(int slot, const BodyStore& bodies) const {
  BodyState state{.body = globalOf[slot]};
  const Quat& q = bodies.rotation[slot];
  std::copy_n(bodies.position[slot].data(), 3, state.position);
  const Real rotation[] = {q.w(), q.x(), q.y(), q.z()};
  std::ranges::copy(rotation, state.rotation);
  std::copy_n(bodies.velocity[slot].data(), 6, state.velocity);
  std::copy_n(bodies.load[slot].data(), 6, state.load);
  return state;
}

void putState(const BodyState& state, int slot, BodyStore& bodies) {
  std::copy_n(state.position, 3, bodies.position[slot].data());
  const Real* q = state.rotation;
  bodies.rotation[slot] = Quat(q[0], q[1], q[2], q[3]);
  std::copy_n(state.velocity, 6, bodies.velocity[slot].data());
  std::copy_n(state.load, 6, bodies.load[slot].data());
  bodies.updateInverseInertia(slot);
}

}  // namespace drystone
