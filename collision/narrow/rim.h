#pragma once

#include "collision/narrow/placed_shape.h"

namespace drystone::narrow {

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

constexpr int kApexId = 64;

/// Lower (end 0) or upper (end 1) rim.
Rim cylinderRim(const PlacedShape& cylinder, int end);
Rim coneRim(const PlacedShape& cone);

/// Where the rim reaches farthest along `direction` (world, unit); its angle-zero point when the
/// disc faces that way.
Vec3 farthestOnRim(const PlacedShape& shape, const Rim& rim, const Vec3& direction);

/// Samples for a contact that `direction` points to.
void sampleRim(const PlacedShape& shape, const Rim& rim, const Vec3& direction, RimSamples& out);

}  // namespace drystone::narrow
