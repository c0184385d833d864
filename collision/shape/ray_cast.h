#pragma once

#include <optional>

#include "collision/shape/placed_shape.h"

namespace drystone {

struct RayContact {
  Real fraction = 1;            ///< along the segment, in [0, 1]
  Vec3 normal = Vec3::UnitZ();  ///< unit, outwards, world
};

/// Allowance at seams between the surfaces of one shape, relative to its size.
constexpr Real kSeam = 1e-12;

/// A segment in the shape's frame and the earliest hit so far.
struct RayCast {
  Vec3 from, d;
  std::optional<RayContact> hit;

  Vec3 at(Real t) const { return from + t * d; }
  void offer(Real t, const Vec3& normal) {
    if (t < 0 || t > 1 || (hit && hit->fraction <= t)) return;
    hit = RayContact{t, normal};
  }
};

// Parts of the surfaces of several kinds.

/// Both roots of a t² + 2 b t + c, ascending; none when they are complex or a = 0.
std::optional<std::array<Real, 2>> roots(Real a, Real b, Real c);
void castSphere(RayCast& cast, const Vec3& center, Real radius);
/// Side of a cylinder about z between the heights ±half.
void castSide(RayCast& cast, Real radius, Real half);
/// Disc at height z that faces along `facing` z.
void castDisc(RayCast& cast, Real radius, Real z, Real facing);

/// First point at which the segment enters a shape. None when it misses or begins inside.
std::optional<RayContact> castRay(const PlacedShape& shape, const Vec3& from, const Vec3& to);

}  // namespace drystone
