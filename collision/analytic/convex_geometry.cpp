#include "collision/analytic/convex_geometry.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace drystone::certify {
namespace {

using Vec2 = Eigen::Matrix<Real, 2, 1>;

template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

const std::vector<Vec3>& verticesOf(const ConvexHull& hull) { return hull.data->vertices; }
const std::vector<Vec3>& verticesOf(const TriangleMesh& mesh) { return mesh.data->vertices; }

template <class Polyhedron>
Vec3 farthestVertex(const Polyhedron& shape, const Vec3& d) {
  return *std::max_element(verticesOf(shape).begin(), verticesOf(shape).end(),
                           [&](const Vec3& p, const Vec3& q) { return d.dot(p) < d.dot(q); });
}

template <class Polyhedron>
Real vertexExtent(const Polyhedron& shape) {
  Real most = 0;
  for (const Vec3& vertex : verticesOf(shape)) most = std::max(most, vertex.norm());
  return most;
}

Vec3 circlePoint(const Vec3& d, Real radius, Real z) {
  const Real length = std::hypot(d.x(), d.y());
  if (length == 0) return {radius, 0, z};
  return {radius * d.x() / length, radius * d.y() / length, z};
}

Real withSign(Real size, Real sign) { return sign < 0 ? -size : size; }

template <class Point>
Real segmentDistance(const Point& p, const Point& from, const Point& to) {
  const Point along = to - from;
  const Real at = std::clamp((p - from).dot(along) / along.squaredNorm(), Real(0), Real(1));
  return (p - from - at * along).norm();
}

/// A point (distance from the axis, height) against the triangle that turns into the cone.
Real coneDistance(const Cone& cone, const Vec3& p) {
  const Vec2 at(std::hypot(p.x(), p.y()), p.z());
  const Vec2 apex(0, 0.5 * cone.height), rim(cone.radius, -0.5 * cone.height);
  const Vec2 centre(0, -0.5 * cone.height);
  const Vec2 outwards = Vec2(cone.height, cone.radius).normalized();
  const bool isInside = at.y() >= rim.y() && outwards.dot(at - apex) <= 0;
  const Real distance = std::min(segmentDistance(at, rim, apex), segmentDistance(at, centre, rim));
  return isInside ? -distance : distance;
}

/// The nearest point x of the surface leaves p along the surface's normal: p - x = t S⁻² x, with S
/// the half axes on a diagonal and t the largest root of |S (S² + t)⁻¹ p| = 1. So the distance is
/// t |S⁻² x|.
Real ellipsoidDistance(const Vec3& axes, const Vec3& p) {
  int shortest = 0;
  const Real least = axes.minCoeff(&shortest);
  const Vec3 squares = axes.cwiseAbs2();
  // Bisection for t + least², which is positive or, on the longer axes' plane, zero.
  const Vec3 beyondLeast = squares - Vec3::Constant(least * least);
  const auto nearest = [&](Real shifted) {
    Vec3 x = Vec3::Zero();
    for (int i = 0; i < 3; ++i) {
      if (p[i] != 0) x[i] = squares[i] * p[i] / (beyondLeast[i] + shifted);
    }
    return x;
  };
  Real low = 0, high = axes.cwiseProduct(p).norm();
  for (int round = 0; round < 2000; ++round) {
    const Real middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) break;
    (nearest(middle).cwiseQuotient(axes).squaredNorm() > 1 ? low : high) = middle;
  }
  Vec3 x = nearest(high);
  if (!x.allFinite()) x.setZero();
  // What is left to the surface lies along the shortest axis: that is so around the centre alone.
  const Real left = std::max(Real(0), 1 - x.cwiseQuotient(axes).squaredNorm());
  x[shortest] = std::hypot(x[shortest], least * std::sqrt(left));
  return (high - least * least) * x.cwiseQuotient(squares).norm();
}

Real triangleDistance(const TriangleMesh& mesh, const Vec3& p) {
  const std::array<int, 3>& index = mesh.data->triangles.front();
  std::array<Vec3, 3> corner;
  for (std::size_t k = 0; k < 3; ++k) {
    corner[k] = mesh.data->vertices[static_cast<std::size_t>(index[k])];
  }
  const Vec3 normal = (corner[1] - corner[0]).cross(corner[2] - corner[0]).normalized();
  bool isOver = true;
  Real nearest = 1e300;
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3 &from = corner[k], &to = corner[(k + 1) % 3];
    isOver = isOver && normal.dot((to - from).cross(p - from)) >= 0;
    nearest = std::min(nearest, segmentDistance(p, from, to));
  }
  return isOver ? std::abs(normal.dot(p - corner[0])) : nearest;
}

Real hullDistance(const HullData& hull, const Vec3& p) {
  Real most = -1e300;
  for (std::size_t f = 0; f < hull.faces.size(); ++f) {
    const Vec3& on = hull.vertices[static_cast<std::size_t>(hull.faces[f].front())];
    most = std::max(most, hull.faceNormals[f].dot(p - on));
  }
  return most;
}

Real hullWidth(const HullData& hull) {
  Real least = 1e300;
  for (std::size_t f = 0; f < hull.faces.size(); ++f) {
    const Vec3& on = hull.vertices[static_cast<std::size_t>(hull.faces[f].front())];
    Real width = 0;
    for (const Vec3& vertex : hull.vertices) {
      width = std::max(width, hull.faceNormals[f].dot(on - vertex));
    }
    least = std::min(least, width);
  }
  return least;
}

/// From the half sizes of a box around the origin, per coordinate the excess over them.
template <class Point>
Real excessDistance(const Point& excess) {
  return excess.cwiseMax(0).norm() + std::min(Real(0), excess.maxCoeff());
}

}  // namespace

Vec3 farthestPoint(const PlacedConvex& placed, const Vec3& direction) {
  const Vec3 d = placed.pose.rotation.conjugate() * direction;
  const Vec3 local = std::visit(
      Overloaded{
          [&](const Sphere& s) -> Vec3 { return s.radius * d.normalized(); },
          [&](const Box& s) -> Vec3 {
            return {withSign(s.halfExtents.x(), d.x()), withSign(s.halfExtents.y(), d.y()),
                    withSign(s.halfExtents.z(), d.z())};
          },
          [&](const Capsule& s) -> Vec3 {
            return Vec3(0, 0, withSign(s.halfLength, d.z())) + s.radius * d.normalized();
          },
          [&](const Cylinder& s) -> Vec3 {
            return circlePoint(d, s.radius, withSign(s.halfLength, d.z()));
          },
          [&](const Cone& s) -> Vec3 {
            const Vec3 apex(0, 0, 0.5 * s.height);
            const Vec3 rim = circlePoint(d, s.radius, -0.5 * s.height);
            return d.dot(apex) > d.dot(rim) ? apex : rim;
          },
          [&](const Ellipsoid& s) -> Vec3 {
            const Vec3 scaled = s.halfAxes.cwiseProduct(d);
            return s.halfAxes.cwiseProduct(scaled) / scaled.norm();
          },
          [&](const ConvexHull& s) -> Vec3 { return farthestVertex(s, d); },
          [&](const TriangleMesh& s) -> Vec3 { return farthestVertex(s, d); },
          [&](const auto&) -> Vec3 { return Vec3::Constant(NAN); },
      },
      placed.shape);
  return placed.toWorld(local);
}

Real surfaceDistance(const PlacedConvex& placed, const Vec3& point) {
  const Vec3 p = placed.toLocal(point);
  return std::visit(
      Overloaded{
          [&](const Sphere& s) -> Real { return p.norm() - s.radius; },
          [&](const Box& s) -> Real { return excessDistance(Vec3(p.cwiseAbs() - s.halfExtents)); },
          [&](const Capsule& s) -> Real {
            const Vec3 half(0, 0, s.halfLength);
            return segmentDistance(p, Vec3(-half), half) - s.radius;
          },
          [&](const Cylinder& s) -> Real {
            return excessDistance(
                Vec2(std::hypot(p.x(), p.y()) - s.radius, std::abs(p.z()) - s.halfLength));
          },
          [&](const Cone& s) -> Real { return coneDistance(s, p); },
          [&](const Ellipsoid& s) -> Real { return ellipsoidDistance(s.halfAxes, p); },
          [&](const Plane&) -> Real { return p.z(); },
          [&](const ConvexHull& s) -> Real { return hullDistance(*s.data, p); },
          [&](const TriangleMesh& s) -> Real { return triangleDistance(s, p); },
          [&](const auto&) -> Real { return NAN; },
      },
      placed.shape);
}

Real extentOf(const Shape& shape) {
  return std::visit(
      Overloaded{
          [](const Sphere& s) -> Real { return s.radius; },
          [](const Box& s) -> Real { return s.halfExtents.norm(); },
          [](const Capsule& s) -> Real { return s.halfLength + s.radius; },
          [](const Cylinder& s) -> Real { return std::hypot(s.radius, s.halfLength); },
          [](const Cone& s) -> Real { return std::hypot(s.radius, 0.5 * s.height); },
          [](const Ellipsoid& s) -> Real { return s.halfAxes.maxCoeff(); },
          [](const ConvexHull& s) -> Real { return vertexExtent(s); },
          [](const TriangleMesh& s) -> Real { return vertexExtent(s); },
          [](const auto&) -> Real { return 0; },
      },
      shape);
}

Real thicknessOf(const Shape& shape) {
  return std::visit(
      Overloaded{
          [](const Sphere& s) -> Real { return 2 * s.radius; },
          [](const Box& s) -> Real { return 2 * s.halfExtents.minCoeff(); },
          [](const Capsule& s) -> Real { return 2 * s.radius; },
          [](const Cylinder& s) -> Real { return 2 * std::min(s.radius, s.halfLength); },
          [](const Cone& s) -> Real { return std::min(2 * s.radius, s.height); },
          [](const Ellipsoid& s) -> Real { return 2 * s.halfAxes.minCoeff(); },
          [](const ConvexHull& s) -> Real { return hullWidth(*s.data); },
          [](const TriangleMesh& s) -> Real {
            const std::vector<Vec3>& v = s.data->vertices;
            return std::min({(v[1] - v[0]).norm(), (v[2] - v[1]).norm(), (v[0] - v[2]).norm()});
          },
          [](const auto&) -> Real { return 1e300; },
      },
      shape);
}

void addLikelyNormals(const PlacedConvex& placed, std::vector<Vec3>& out) {
  const auto add = [&](const Vec3& local) {
    out.push_back(placed.pose.rotation * local);
    out.push_back(-out.back());
  };
  if (const auto* hull = std::get_if<ConvexHull>(&placed.shape)) {
    for (const Vec3& normal : hull->data->faceNormals) add(normal);
  } else {
    for (int axis = 0; axis < 3; ++axis) add(Vec3::Unit(axis));
  }
}

void addEdgeDirections(const PlacedConvex& placed, std::vector<Vec3>& out) {
  const auto add = [&](const Vec3& local) { out.push_back(placed.pose.rotation * local); };
  if (const auto* hull = std::get_if<ConvexHull>(&placed.shape)) {
    for (const auto& [from, to] : hull->data->edges) {
      const std::vector<Vec3>& vertices = hull->data->vertices;
      add((vertices[static_cast<std::size_t>(to)] - vertices[static_cast<std::size_t>(from)])
              .normalized());
    }
  } else if (const auto* mesh = std::get_if<TriangleMesh>(&placed.shape)) {
    const std::vector<Vec3>& v = mesh->data->vertices;
    for (std::size_t i = 0; i < 3; ++i) add((v[(i + 1) % 3] - v[i]).normalized());
  } else if (std::holds_alternative<Box>(placed.shape)) {
    for (int axis = 0; axis < 3; ++axis) add(Vec3::Unit(axis));
  } else if (!std::holds_alternative<Sphere>(placed.shape) &&
             !std::holds_alternative<Ellipsoid>(placed.shape) && !isHalfSpace(placed)) {
    add(Vec3::UnitZ());
  }
}

}  // namespace drystone::certify
