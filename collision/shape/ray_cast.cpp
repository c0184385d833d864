#include "collision/shape/ray_cast.h"

#include <algorithm>
#include <cmath>

#include "collision/shape/shape_operations.h"

namespace drystone {

std::optional<std::array<Real, 2>> roots(Real a, Real b, Real c) {
  const Real discriminant = b * b - a * c;
  if (discriminant < 0 || a == 0) return std::nullopt;
  const Real q = -(b + std::copysign(std::sqrt(discriminant), b));
  const Real first = q / a, second = q != 0 ? c / q : first;
  return std::array{std::min(first, second), std::max(first, second)};
}

void castSphere(RayCast& cast, const Vec3& center, Real radius) {
  const Vec3 o = cast.from - center;
  const auto t = roots(cast.d.squaredNorm(), o.dot(cast.d), o.squaredNorm() - radius * radius);
  if (t) cast.offer((*t)[0], (cast.at((*t)[0]) - center) / radius);
}

void castSide(RayCast& cast, Real radius, Real half) {
  const Vec3 &o = cast.from, &d = cast.d;
  const auto t = roots(d.x() * d.x() + d.y() * d.y(), o.x() * d.x() + o.y() * d.y(),
                       o.x() * o.x() + o.y() * o.y() - radius * radius);
  if (!t) return;
  const Vec3 p = cast.at((*t)[0]);
  if (std::abs(p.z()) <= half * (1 + kSeam)) {
    cast.offer((*t)[0], Vec3(p.x() / radius, p.y() / radius, 0));
  }
}

void castDisc(RayCast& cast, Real radius, Real z, Real facing) {
  if (cast.d.z() * facing >= 0) return;
  const Real t = (z - cast.from.z()) / cast.d.z();
  const Vec3 p = cast.at(t);
  if (std::hypot(p.x(), p.y()) <= radius * (1 + kSeam)) cast.offer(t, {0, 0, facing});
}

std::optional<RayContact> castRay(const PlacedShape& shape, const Vec3& from, const Vec3& to) {
  const Mat3 back = shape.rotation.transpose();
  RayCast cast{back * (from - shape.position), back * (to - from), std::nullopt};
  operationsOf(shape.kind).castRay(shape, cast);
  if (cast.hit) cast.hit->normal = shape.rotation * cast.hit->normal;
  return cast.hit;
}

}  // namespace drystone
