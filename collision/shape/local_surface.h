#pragma once

#include <cmath>
#include <cstdint>

#include "core/types.h"

namespace drystone {

/// The surface of a collider next to a point of contact, as far as it takes to follow the contact
/// while the body rolls, slides and turns a little.
struct LocalSurface {
  enum class Kind : std::uint8_t {
    kFace,   ///< flat: the normal of the contact is its own
    kPoint,  ///< a sphere of `radius` around `core`; a corner where the radius is 0
    kLine,   ///< a cylinder of `radius` around `axis` through `core`; an edge where that is 0
    kRim,    ///< a circle of `radius` around `axis` through `core`: the end of a cylinder or cone
  };
  Kind kind = Kind::kPoint;
  Vec3 core = Vec3::Zero();  ///< moves with the body, world [m]
  Vec3 axis = Vec3::Zero();  ///< of lines and rims: unit, world
  Real radius = 0;           ///< [m]

  static LocalSurface face(const Vec3& point) { return {.kind = Kind::kFace, .core = point}; }
  static LocalSurface corner(const Vec3& point) { return {.kind = Kind::kPoint, .core = point}; }
  static LocalSurface edge(const Vec3& point, const Vec3& axis) {
    return {.kind = Kind::kLine, .core = point, .axis = axis};
  }
};

/// Sine below which a normal is that of a face, or square to a line: far above round-off, far below
/// any turn that matters.
constexpr Real kSameSine = 1e-5;
/// How far off an edge a point may lie and still be on it, relative to the shape.
constexpr Real kOnEdge = 1e-6;

inline bool isAlong(const Vec3& axis, const Vec3& normal) {
  return axis.cross(normal).squaredNorm() < kSameSine * kSameSine;
}

/// True when the contact, seen in the frame of the edge, lies on it and is square to it.
inline bool liesOnEdge(const Vec3& from, const Vec3& direction, Real size, const Vec3& point,
                       const Vec3& normal) {
  return std::abs(direction.dot(normal)) < kSameSine &&
         direction.cross(point - from).norm() < kOnEdge * size;
}

}  // namespace drystone
