#include "solids/solid_shape.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/field_visitor.h"

namespace drystone {
namespace {

/// A wall as a cube sees it.
struct SeenWall {
  Vec3 gradient;  ///< ∂φ/∂x in space
  Real depth;     ///< φ in widths of the cube along the gradient; its nearest corner is at 1/2
  Real reach;     ///< change of φ across the cube [m]
};

SeenWall seenWall(const SolidShape::Wall& wall, const Mat3& gradient, Real width) {
  SeenWall seen;
  seen.gradient = gradient.transpose() * wall.normal;
  // A map without a gradient has no surface.
  seen.reach = std::max(width * seen.gradient.lpNorm<1>(), kSmallestPositiveInput);
  seen.depth = wall.distance / seen.reach;
  return seen;
}

Real shareBehind(const SeenWall& wall) { return std::clamp<Real>(0.5 - wall.depth, 0, 1); }

}  // namespace

SolidShape SolidShape::box(const Vec3& halfExtents) { return {Kind::kBox, halfExtents}; }

SolidShape SolidShape::ball(Real radius) { return {Kind::kBall, Vec3::Constant(radius)}; }

SolidShape SolidShape::cylinder(Real radius, Real halfLength) {
  return {Kind::kCylinder, Vec3(radius, radius, halfLength)};
}

SolidShape::Walls SolidShape::walls(const Vec3& reference) const {
  Walls result;
  const auto slab = [&](int axis) {
    Wall& wall = result.of[result.count++];
    wall.distance = std::abs(reference[axis]) - half_[axis];
    wall.normal = Vec3::Unit(axis) * (reference[axis] < 0 ? -1 : 1);
  };
  const auto round = [&](const Vec3& arm) {
    const Real length = arm.norm();
    Wall& wall = result.of[result.count++];
    wall.distance = length - half_.x();
    // The axis itself is far inside: any direction will do.
    wall.normal = length > 0 ? Vec3(arm / length) : Vec3(Vec3::UnitX());
  };
  switch (kind_) {
    case Kind::kBox:
      for (int axis = 0; axis < 3; ++axis) slab(axis);
      break;
    case Kind::kBall:
      round(reference);
      break;
    case Kind::kCylinder:
      round(Vec3(reference.x(), reference.y(), 0));
      slab(2);
      break;
  }
  return result;
}

Real SolidShape::volume() const {
  switch (kind_) {
    case Kind::kBox:
      return 8 * half_.prod();
    case Kind::kBall:
      return std::numbers::pi * 4 / 3 * half_.prod();
    case Kind::kCylinder:
      return std::numbers::pi * 2 * half_.prod();
  }
  return 0;
}

std::vector<std::string> SolidShape::problems() const {
  if ((half_.array() >= kSmallestPositiveInput && half_.array() <= kLargestInput).all()) return {};
  return {"solid: the sizes of its shape must be > 0 m"};
}

SolidSide sideOf(const SolidShape& shape, const Vec3& reference, const Mat3& gradient) {
  const SolidShape::Walls walls = shape.walls(reference);
  SolidSide side;
  for (int i = 0; i < walls.count; ++i) {
    const Vec3 slope = gradient.transpose() * walls.of[i].normal;
    const Real steepness = std::max(slope.norm(), kSmallestPositiveInput);
    const Real distance = walls.of[i].distance / steepness;
    if (i == 0 || distance > side.distance) side = {distance, slope / steepness};
  }
  return side;
}

Real shareInside(const SolidShape& shape, const Vec3& reference, const Mat3& gradient, Real width) {
  const SolidShape::Walls walls = shape.walls(reference);
  Real share = 1;
  for (int i = 0; i < walls.count; ++i) {
    share *= shareBehind(seenWall(walls.of[i], gradient, width));
  }
  return share;
}

SurfacePieces surfaceNear(const SolidShape& shape, const Vec3& reference, const Mat3& gradient,
                          Real width) {
  const SolidShape::Walls walls = shape.walls(reference);
  std::array<SeenWall, 3> seen;
  for (int i = 0; i < walls.count; ++i) seen[i] = seenWall(walls.of[i], gradient, width);
  SurfacePieces pieces;
  for (int i = 0; i < walls.count; ++i) {
    // The hat sums to 1 over cubes side by side, wherever the wall stands between them.
    Real hat = std::max<Real>(0, 1 - std::abs(seen[i].depth));
    for (int other = 0; other < walls.count; ++other) {
      if (other != i) hat *= shareBehind(seen[other]);
    }
    if (hat == 0) continue;
    const Real steepness = seen[i].gradient.squaredNorm();
    SurfacePiece& piece = pieces.of[pieces.count++];
    piece.area = (hat * width * width * width / seen[i].reach) * seen[i].gradient;
    piece.toSurface = (-walls.of[i].distance / steepness) * seen[i].gradient;
  }
  return pieces;
}

}  // namespace drystone
