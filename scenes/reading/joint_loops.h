#pragma once

#include <string>
#include <vector>

#include "scenes/scene.h"

namespace drystone {

/// Error of positions that typed numbers of this size may leave without a word [m].
inline Real closingTolerance(Real reach) { return 1e-6 + 1e-3 * reach; }

/// How far the points of a joint are at the start from where the joint wants them [m]; gears: 0.
Real gapAtStart(const Scene& scene, const SceneJoint& joint);

/// A loop of bodies and joints one part of which is longer than all others together.
struct OpenLoop {
  std::vector<int> joints;  ///< indices into Scene::joints, the one that closes the loop first
  std::string longest;      ///< the part, in words
  Real needs = 0;           ///< least length of that part [m]
  Real reach = 0;           ///< of all others together [m]
};

/// Loops that no placement closes. Finds those that the lengths forbid, in one loop for each joint
/// that a spanning tree leaves over; loops that only their axes forbid are not found.
std::vector<OpenLoop> loopsThatCannotClose(const Scene& scene);

}  // namespace drystone
