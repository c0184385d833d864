#pragma once

#include "engine/world/world.h"

namespace drystone::viewer {

/// The spring by which a body is held. 5 Hz: quick beside the motion of a hand, and it hangs only a
/// centimetre below where it is held.
constexpr Real kDragFrequency = 31.4;  ///< ω of the body's mass on the spring [rad/s]
/// Cap of the force over the mass [m/s²]: 20 times its weight moves a body from under a pile of its
/// like, and is no more than what contacts bear in a fall from some metres.
constexpr Real kDragMaxAcceleration = 200;

/// Force on a body at a point of it that pulls the point to the target for a step of length h [N]:
/// spring and damper, critical for the body's mass, taken at the end of the step. The point feels
/// the body's rotation as well, so it is stable for every inertia and step; what else the body
/// hangs on only makes it heavier.
Vec3 dragForce(const World& world, BodyId body, const Vec3& pointInBody, const Vec3& target);

}  // namespace drystone::viewer
