#pragma once

#include "core/types.h"

namespace drystone {

/// The first tangent of a contact, orthogonal to the unit normal: along the projection of the world
/// axis that is farthest from it, so that it varies smoothly with the normal nearly everywhere. The
/// second is normal × first.
Vec3 contactTangent(const Vec3& normal);

}  // namespace drystone
