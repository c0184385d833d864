#pragma once

#include <algorithm>
#include <cmath>

#include "core/types.h"

namespace drystone {

/// Where a cable from a point leaves a drum, which winds up where it turns forwards about the x
/// axis of its frame. The cable is at a right angle to the axis: it winds wherever along the axis
/// the point is.
struct DrumEnd {
  Vec3 point;      ///< world [m]
  Vec3 direction;  ///< of the cable, from the point to the drum: unit, world
  Real length;     ///< of the cable between the two [m]
  Real angle;      ///< of the point of the drum, about its axis in its frame, within a turn [rad]
};

/// `from`: the point, world [m]. `drum`: the drum's frame, world. From inside of the radius [m] the
/// cable leaves the drum where the point is nearest to its face.
inline DrumEnd drumEnd(const Vec3& from, const Pose& drum, Real radius) {
  const Vec3 at = drum.inverse() * from;
  const Real apart = std::hypot(at.y(), at.z());
  const Real between = std::acos(radius / std::max(apart, radius));
  const Real angle = std::atan2(at.z(), at.y()) + between;
  const Real y = std::cos(angle), z = std::sin(angle);
  return {.point = drum * Vec3(at.x(), radius * y, radius * z),
          .direction = drum.rotation * Vec3(0, -z, y),
          .length = std::sqrt(std::max<Real>(apart * apart - radius * radius, 0)),
          .angle = angle};
}

}  // namespace drystone
