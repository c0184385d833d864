#include "engine/step/contact_tangent.h"

#include <cmath>

namespace drystone {

Vec3 contactTangent(const Vec3& normal) {
  int axis = 0;
  for (int i = 1; i < 3; ++i) {
    // A margin breaks near-ties the same way every step: a diagonal normal must not flip axes.
    if (std::abs(normal[i]) < std::abs(normal[axis]) - 1e-3) axis = i;
  }
  Vec3 tangent = Vec3::Unit(axis) - normal[axis] * normal;
  return tangent.normalized();
}

}  // namespace drystone
