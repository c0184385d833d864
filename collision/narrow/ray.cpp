#include "collision/narrow/surface_queries.h"

#include <algorithm>
#include <cmath>

namespace drystone::narrow {
namespace {

/// Allowance at seams between the surfaces of one shape, relative to its size.
constexpr Real kSeam = 1e-12;

/// The segment in the shape's frame and the earliest hit so far.
struct Cast {
  Vec3 from, d;
  std::optional<RayContact> hit;

  Vec3 at(Real t) const { return from + t * d; }
  void offer(Real t, const Vec3& normal) {
    if (t < 0 || t > 1 || (hit && hit->fraction <= t)) return;
    hit = RayContact{t, normal};
  }
};

/// Both roots of a t² + 2 b t + c, ascending; none when they are complex or a = 0.
std::optional<std::array<Real, 2>> roots(Real a, Real b, Real c) {
  const Real discriminant = b * b - a * c;
  if (discriminant < 0 || a == 0) return std::nullopt;
  const Real q = -(b + std::copysign(std::sqrt(discriminant), b));
  const Real first = q / a, second = q != 0 ? c / q : first;
  return std::array{std::min(first, second), std::max(first, second)};
}

void castSphere(Cast& cast, const Vec3& center, Real radius) {
  const Vec3 o = cast.from - center;
  const auto t = roots(cast.d.squaredNorm(), o.dot(cast.d), o.squaredNorm() - radius * radius);
  if (t) cast.offer((*t)[0], (cast.at((*t)[0]) - center) / radius);
}

/// Side of a cylinder about z between the heights ±half.
void castSide(Cast& cast, Real radius, Real half) {
  const Vec3 &o = cast.from, &d = cast.d;
  const auto t = roots(d.x() * d.x() + d.y() * d.y(), o.x() * d.x() + o.y() * d.y(),
                       o.x() * o.x() + o.y() * o.y() - radius * radius);
  if (!t) return;
  const Vec3 p = cast.at((*t)[0]);
  if (std::abs(p.z()) <= half * (1 + kSeam)) {
    cast.offer((*t)[0], Vec3(p.x() / radius, p.y() / radius, 0));
  }
}

/// Disc at height z that faces along `facing` z.
void castDisc(Cast& cast, Real radius, Real z, Real facing) {
  if (cast.d.z() * facing >= 0) return;
  const Real t = (z - cast.from.z()) / cast.d.z();
  const Vec3 p = cast.at(t);
  if (std::hypot(p.x(), p.y()) <= radius * (1 + kSeam)) cast.offer(t, {0, 0, facing});
}

void castCapsule(Cast& cast, Real radius, Real half) {
  const Vec3 onAxis(0, 0, std::clamp(cast.from.z(), -half, half));
  if ((cast.from - onAxis).squaredNorm() < radius * radius) return;
  castSide(cast, radius, half);
  castSphere(cast, {0, 0, -half}, radius);
  castSphere(cast, {0, 0, half}, radius);
}

void castCylinder(Cast& cast, Real radius, Real half) {
  if (std::hypot(cast.from.x(), cast.from.y()) < radius && std::abs(cast.from.z()) < half) return;
  castSide(cast, radius, half);
  castDisc(cast, radius, -half, -1);
  castDisc(cast, radius, half, 1);
}

void castCone(Cast& cast, Real radius, Real height) {
  const Vec3 &o = cast.from, &d = cast.d;
  const Real slope = radius / height, below = 0.5 * height - o.z();
  const Real c = o.x() * o.x() + o.y() * o.y() - slope * slope * below * below;
  if (c < 0 && below > 0 && below < height) return;
  castDisc(cast, radius, -0.5 * height, -1);
  const Real a = d.x() * d.x() + d.y() * d.y() - slope * slope * d.z() * d.z();
  const Real b = o.x() * d.x() + o.y() * d.y() + slope * slope * below * d.z();
  auto t = roots(a, b, c);
  // Along a side line the quadratic degenerates to a line.
  if (!t && a == 0 && b != 0) t = std::array{-0.5 * c / b, -0.5 * c / b};
  if (!t) return;
  for (const Real root : *t) {
    const Vec3 p = cast.at(root);
    const Real left = 0.5 * height - p.z();
    if (left < 0 || left > height * (1 + kSeam)) continue;
    const Vec3 normal(p.x(), p.y(), slope * slope * left);
    if (normal.dot(d) < 0) cast.offer(root, normal.normalized());
  }
}

void castHalfSpace(Cast& cast) {
  if (cast.from.z() < 0 || cast.d.z() >= 0) return;
  cast.offer(-cast.from.z() / cast.d.z(), Vec3::UnitZ());
}

/// Convex polyhedron as an intersection of half-spaces (Cyrus and Beck 1978).
void castPolytope(Cast& cast, const Polytope& polytope) {
  Real enter = -1, leave = 1;
  const Polytope::Face* entered = nullptr;
  for (const Polytope::Face& face : polytope.faces) {
    const Real height = face.normal.dot(cast.from) - face.offset;
    const Real speed = face.normal.dot(cast.d);
    if (speed == 0) {
      if (height > 0) return;
      continue;
    }
    const Real t = -height / speed;
    if (speed > 0) {
      leave = std::min(leave, t);
    } else if (t > enter) {
      enter = t;
      entered = &face;
    }
  }
  if (entered != nullptr && enter <= leave) cast.offer(enter, entered->normal);
}

}  // namespace

std::optional<RayContact> castRay(const PlacedShape& shape, const Vec3& from, const Vec3& to) {
  const Mat3 back = shape.rotation.transpose();
  Cast cast{back * (from - shape.position), back * (to - from), std::nullopt};
  switch (shape.kind) {
    case ShapeKind::kSphere:
      castSphere(cast, Vec3::Zero(), shape.size.x());
      break;
    case ShapeKind::kPlane:
      castHalfSpace(cast);
      break;
    case ShapeKind::kCapsule:
      castCapsule(cast, shape.size.x(), shape.size.y());
      break;
    case ShapeKind::kCylinder:
      castCylinder(cast, shape.size.x(), shape.size.y());
      break;
    case ShapeKind::kCone:
      castCone(cast, shape.size.x(), shape.size.y());
      break;
    case ShapeKind::kBox:
    case ShapeKind::kPolytope:
      castPolytope(cast, *shape.polytope);
      break;
  }
  if (cast.hit) cast.hit->normal = shape.rotation * cast.hit->normal;
  return cast.hit;
}

std::optional<RayContact> castRay(const std::array<Vec3, 3>& corners, const Vec3& from,
                                  const Vec3& to) {
  const Vec3 d = to - from, e1 = corners[1] - corners[0], e2 = corners[2] - corners[0];
  const Vec3 p = d.cross(e2);
  const Real determinant = e1.dot(p);
  if (determinant == 0) return std::nullopt;
  const Vec3 s = from - corners[0];
  const Vec3 q = s.cross(e1);
  const Real u = s.dot(p) / determinant, v = d.dot(q) / determinant;
  const Real t = e2.dot(q) / determinant;
  if (u < -kSeam || v < -kSeam || u + v > 1 + kSeam || t < 0 || t > 1) return std::nullopt;
  const Vec3 normal = e1.cross(e2).normalized();
  return RayContact{t, normal.dot(d) > 0 ? Vec3(-normal) : normal};
}

}  // namespace drystone::narrow
