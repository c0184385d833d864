#include "core/types.h"

#include <cmath>

namespace drystone {
namespace {

/// Directions opposite to this angle [rad] count as opposite: round-off in their cross product
/// leaves ten digits of the axis.
constexpr Real kOpposite = 1e-6;

/// Unit vector square to the unit vector `direction`.
Vec3 squareTo(const Vec3& direction) {
  const Vec3 other = std::abs(direction.z()) < 0.9 ? Vec3(0, 0, 1) : Vec3(1, 0, 0);
  return direction.cross(other).normalized();
}

}  // namespace

// Eigen has FromTwoVectors, whose singular value decomposition takes a compiler five seconds.
Quat rotationBetween(const Vec3& from, const Vec3& to) {
  const Vec3 a = from.stableNormalized(), b = to.stableNormalized();
  const Real twiceCosine = (a + b).norm();  // of half the angle
  if (twiceCosine < kOpposite) {
    const Vec3 halfway = squareTo(a);
    return rotationBetween(halfway, b) * rotationBetween(a, halfway);
  }
  const Vec3 sine = a.cross(b) / twiceCosine;  // of half the angle, along the axis
  return Quat(twiceCosine / 2, sine.x(), sine.y(), sine.z()).normalized();
}

}  // namespace drystone
