#include <algorithm>
#include <cmath>
#include <numbers>

#include "collision/shape/shape_operations.h"

namespace drystone {
namespace {
namespace ellipsoid {

const Vec3& axesOf(const Shape& shape) { return std::get<Ellipsoid>(shape).halfAxes; }

void visit(Shape& shape, FieldVisitor& visitor) {
  visitor.vector({"half_axes", "m", "half lengths of the axes"},
                 std::get<Ellipsoid>(shape).halfAxes, kSmallestPositiveInput, kLargestShapeSize);
}

// A unit ball that is stretched by the half axes.
MassProperties massOf(const Shape& shape, Real density) {
  const Real mass = density * 4 / 3 * std::numbers::pi * axesOf(shape).prod();
  const Vec3 squares = axesOf(shape).cwiseAbs2();
  return {mass, Vec3::Zero(),
          (0.2 * mass * (Vec3::Constant(squares.sum()) - squares)).asDiagonal()};
}

std::optional<Bounds> bounds(const Shape& shape) { return Bounds{-axesOf(shape), axesOf(shape)}; }

std::unique_ptr<Polytope> place(const Shape& shape, PlacedShape& out) {
  out.size = axesOf(shape);
  return nullptr;
}

Bounds placedBox(const PlacedShape& shape) {
  const Vec3 reach = (shape.rotation * shape.size.asDiagonal()).rowwise().norm();
  return {shape.position - reach, shape.position + reach};
}

/// With S the half axes on a diagonal: the point S² d / |S d|.
Vec3 supportOf(const PlacedShape& shape, const Vec3& direction) {
  return shape.size.cwiseProduct(shape.size.cwiseProduct(direction).normalized());
}

Vec3 farthest(const PlacedShape& shape, const Vec3& direction) {
  return shape.position + support(shape, direction, false);
}

Real thicknessOf(const PlacedShape& shape) { return 2 * shape.size.minCoeff(); }

void feature(const PlacedShape& shape, const Vec3& direction, const Vec3& origin, Polygon& out) {
  out.setPoint(farthest(shape, direction) - origin, 0);
}

/// Next to a point with the unit normal n the surface has two radii of curvature. They are the
/// eigenvalues of (S² - p pᵀ)/h across n, where p is the point and h = |S n| its distance along n:
/// their product is (det S / h²)². The smaller one is taken, so that the ball lies within the
/// ellipsoid and no contact is carried into an overlap that there is not.
LocalSurface surface(const PlacedShape& shape, const Vec3& point, const Vec3& outwards) {
  const Vec3 normal = shape.rotation.transpose() * outwards;
  const Vec3 scaled = shape.size.cwiseProduct(normal);
  const Real reach2 = scaled.squaredNorm(), reach = std::sqrt(reach2);
  const Real sum =
      (shape.size.squaredNorm() - shape.size.cwiseProduct(scaled).squaredNorm() / reach2) / reach;
  const Real root = shape.size.prod() / reach2;
  const Real half = std::max(0.5 * sum, root);
  const Real radius =
      root * root / (half + std::sqrt(std::max(Real(0), (half - root) * (half + root))));
  return {.kind = LocalSurface::Kind::kPoint, .core = point - radius * outwards, .radius = radius};
}

void planePoints(const PlacedShape& shape, const Vec3& direction, PointReceiver& out) {
  out.add(farthest(shape, direction), 0);
}

/// Where the half axes are units of length, the ellipsoid is a unit ball.
void cast(const PlacedShape& shape, RayCast& cast) {
  RayCast scaled{cast.from.cwiseQuotient(shape.size), cast.d.cwiseQuotient(shape.size),
                 std::nullopt};
  castSphere(scaled, Vec3::Zero(), 1);
  if (!scaled.hit) return;
  cast.offer(scaled.hit->fraction, scaled.hit->normal.cwiseQuotient(shape.size).normalized());
}

}  // namespace ellipsoid
}  // namespace

const ShapeOperations Ellipsoid::operations = {
    .name = "ellipsoid",
    .help = "about the origin, axes x, y, z",
    .visitFields = ellipsoid::visit,
    .massProperties = ellipsoid::massOf,
    .bounds = ellipsoid::bounds,
    .place = ellipsoid::place,
    .placedBounds = ellipsoid::placedBox,
    .localSurface = ellipsoid::surface,
    .castRay = ellipsoid::cast,
    .support = ellipsoid::supportOf,
    .thickness = ellipsoid::thicknessOf,
    .supportFeature = ellipsoid::feature,
    .planePoints = ellipsoid::planePoints,
};

}  // namespace drystone
