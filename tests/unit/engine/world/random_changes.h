#pragma once

#include "core/random.h"
#include "engine/world/world.h"

namespace drystone::test {

// Changes that numbers of a generator choose: the same ones of worlds that are the same. Every
// setter has its turn. Some calls are refused with InputError, such as the motion of a body that is
// not kinematic or the frames of a gear; then nothing is changed.

inline int below(Random& random, int count) { return static_cast<int>(random.uniform(0, count)); }
inline bool coin(Random& random) { return below(random, 2) == 1; }
inline Vec3 randomVector(Random& random, Real size) {
  const Real x = random.uniform(-size, size), y = random.uniform(-size, size);
  return {x, y, random.uniform(-size, size)};
}
inline Quat randomTurn(Random& random) {
  const Vec3 axis = randomVector(random, 1) + Vec3(0, 0, 1e-3);
  return Quat(Eigen::AngleAxisd(random.uniform(-3, 3), axis.normalized()));
}

/// Of a body: one of its setters.
void changeBodyAtRandom(const BodyHandle& body, int materials, Random& random);
/// Of a joint.
void changeJointAtRandom(const JointHandle& joint, Random& random);
/// Of materials, gravity, the timestep or the number of threads.
void changeWorldAtRandom(World& world, int materials, Random& random);

}  // namespace drystone::test
