#pragma once

#include "collision/shape/shape_operations.h"

namespace drystone {

/// Circle at the end of a cylinder or the base of a cone.
struct Rim {
  Vec3 center = Vec3::Zero();  ///< world [m]
  Real radius = 0;             ///< [m]
  int firstId = 0;             ///< of its samples' feature ids
};

/// Points that stand for a rim: eight fixed in the body, which span the disc and keep their names,
/// and before them the deepest point when the disc is tilted, so that the depth is exact.
struct RimSamples {
  static constexpr int kFixed = 8;
  static constexpr int kMax = kFixed + 1;
  int count = 0;
  Vec3 point[kMax];
  int id[kMax] = {};
};

/// Where the rim reaches farthest along `direction` (world, unit); its angle-zero point when the
/// disc faces that way.
Vec3 farthestOnRim(const PlacedShape& shape, const Rim& rim, const Vec3& direction);

/// Samples for a contact that `direction` points to.
void sampleRim(const PlacedShape& shape, const Rim& rim, const Vec3& direction, RimSamples& out);

/// The cap inside a rim as an octagon of its fixed samples. `normal` is the axis or its opposite.
void setCap(const PlacedShape& shape, const Rim& rim, const Vec3& normal, const Vec3& origin,
            Polygon& out);

/// Hands over the samples for a contact that `direction` points to.
void addRimPoints(const PlacedShape& shape, const Rim& rim, const Vec3& direction,
                  PointReceiver& out);

/// The circle around the axis on which the point lies, if it is the point of it that lies farthest
/// out. The other points of a cap that leans a little are corners: they stay where they are on it.
LocalSurface rimSurface(const PlacedShape& shape, const Vec3& point, const Vec3& outwards);

Real distanceFromAxis(const PlacedShape& shape, const Vec3& point);

/// Farthest point of a disc in the shape's x-y plane, both in the shape's frame.
Vec3 pointOnDisc(const Vec3& direction, Real radius, Real z);

/// Half extents of the box around a disc of unit radius with this unit normal.
Vec3 discReach(const Vec3& normal);

}  // namespace drystone
