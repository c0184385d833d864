#include "engine/model/sleep_state.h"

#include <algorithm>

namespace drystone {

void wakeBody(BodyStore& bodies, int body) {
  bodies.asleep[body] = 0;
  bodies.stillTime[body] = 0;
}

void wakeAll(BodyStore& bodies) {
  for (int i = 0; i < bodies.slots(); ++i) wakeBody(bodies, i);
}

bool areAsleep(const BodyStore& bodies, int a, int b) {
  return !bodies.isAwake(a) && !bodies.isAwake(b) && (bodies.isAsleep(a) || bodies.isAsleep(b));
}

bool isAsleep(const BodyStore& bodies, const Joint& joint) {
  return joint.active() && areAsleep(bodies, joint.bodyA, joint.bodyB);
}

int countAsleep(const BodyStore& bodies) {
  return static_cast<int>(std::count(bodies.asleep.begin(), bodies.asleep.end(), 1));
}

}  // namespace drystone
