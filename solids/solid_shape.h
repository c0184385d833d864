#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/types.h"

namespace drystone {

/// The undeformed shape of a solid as walls, each a signed distance φ(X) in reference coordinates,
/// negative inside: a point is inside where it is behind all walls. The frame lies in the centre.
class SolidShape {
 public:
  static SolidShape box(const Vec3& halfExtents);            ///< [m]
  static SolidShape ball(Real radius);                       ///< [m]
  static SolidShape cylinder(Real radius, Real halfLength);  ///< about the z axis [m]

  struct Wall {
    Real distance = 0;           ///< φ(X) [m]
    Vec3 normal = Vec3::Zero();  ///< ∂φ/∂X, of unit length
  };
  struct Walls {
    std::array<Wall, 3> of;
    int count = 0;
  };
  Walls walls(const Vec3& reference) const;

  Real volume() const;  ///< [m³]
  /// Half the sides of the box around it [m].
  const Vec3& halfExtents() const { return half_; }
  /// What is wrong with its sizes, empty when nothing is.
  std::vector<std::string> problems() const;

 private:
  enum class Kind { kBox, kBall, kCylinder };
  SolidShape(Kind kind, const Vec3& half) : kind_(kind), half_(half) {}

  Kind kind_;
  Vec3 half_;
};

/// What a small cube of space beside a wall has of the surface.
struct SurfacePiece {
  /// ∫ n dΓ over the surface near the cube [m²], outward. Cubes on both sides of the surface have a
  /// part of it each, which fades with the distance, so that the sum moves smoothly with the body.
  Vec3 area = Vec3::Zero();
  Vec3 toSurface = Vec3::Zero();  ///< from the centre of the cube to the wall [m]
};

/// One of each wall near the cube.
struct SurfacePieces {
  std::array<SurfacePiece, 3> of;
  int count = 0;
};

/// Where a point lies beside a body.
struct SolidSide {
  Real distance = 0;           ///< of its surface, to first order; negative inside [m]
  Vec3 normal = Vec3::Zero();  ///< outward, of unit length
};

/// Beside the wall that is farthest out.
SolidSide sideOf(const SolidShape& shape, const Vec3& reference, const Mat3& gradient);

/// Part of a cube of side `width` [m] inside, in [0, 1], where the reference map has the gradient
/// G: exact where one wall is square to an axis, and right on the mean over all distances where it
/// is oblique.
Real shareInside(const SolidShape& shape, const Vec3& reference, const Mat3& gradient, Real width);
SurfacePieces surfaceNear(const SolidShape& shape, const Vec3& reference, const Mat3& gradient,
                          Real width);

}  // namespace drystone
