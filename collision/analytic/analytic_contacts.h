#pragma once

#include <vector>

#include "collision/narrow/contact_point.h"
#include "collision/shape/shape.h"

namespace drystone {

/// Contacts of two placed shapes by closed form, with gap ≤ margin [m], to judge the general narrow
/// phase by: it shares no code with it. Collider A is 0, B is 1; features are 0. Knows sphere with
/// sphere, plane and box, and box with plane, in either order; anything else asserts. A box and a
/// plane give one point for every corner within the margin, in the order of the corners' signs.
std::vector<ContactPoint> analyticContacts(const Shape& a, const Pose& poseA, const Shape& b,
                                           const Pose& poseB, Real margin);

}  // namespace drystone
