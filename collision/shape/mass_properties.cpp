#include "collision/shape/shape.h"

#include <fmt/format.h>
#include <Eigen/Jacobi>

#include <cmath>
#include <limits>
#include <numbers>

#include "core/input_error.h"

namespace drystone {
namespace {

constexpr Real kPi = std::numbers::pi;

Real square(Real x) { return x * x; }

Mat3 diagonal(Real x, Real y, Real z) { return Vec3(x, y, z).asDiagonal(); }

/// Inertia of a point of unit mass at `offset` about the origin (parallel-axis theorem).
Mat3 pointInertia(const Vec3& offset) {
  return offset.squaredNorm() * Mat3::Identity() - offset * offset.transpose();
}

MassProperties properties(const Sphere& s, Real density) {
  const Real mass = density * 4 / 3 * kPi * s.radius * s.radius * s.radius;
  const Real inertia = 0.4 * mass * square(s.radius);
  return {mass, Vec3::Zero(), diagonal(inertia, inertia, inertia)};
}

MassProperties properties(const Box& s, Real density) {
  const Vec3& h = s.halfExtents;
  const Real mass = density * 8 * h.prod();
  return {mass, Vec3::Zero(),
          mass / 3 *
              diagonal(square(h.y()) + square(h.z()), square(h.x()) + square(h.z()),
                       square(h.x()) + square(h.y()))};
}

MassProperties properties(const Cylinder& s, Real density) {
  const Real r2 = square(s.radius);
  const Real mass = density * kPi * r2 * 2 * s.halfLength;
  const Real across = mass * (r2 / 4 + square(s.halfLength) / 3);
  return {mass, Vec3::Zero(), diagonal(across, across, mass * r2 / 2)};
}

// The cylinder and two half balls. A half ball has its centre of mass 3/8 r from its flat side, so
// moved out by L it has, with its twin, m (2/5 r² + L² + 2 · L · 3/8 r) across the axis.
MassProperties properties(const Capsule& s, Real density) {
  const Real l = s.halfLength;
  MassProperties result = properties(Cylinder{s.radius, l}, density);
  const MassProperties ball = properties(Sphere{s.radius}, density);
  const Real across = ball.inertia(0, 0) + ball.mass * (square(l) + 0.75 * l * s.radius);
  result.mass += ball.mass;
  result.inertia += diagonal(across, across, ball.inertia(2, 2));
  return result;
}

// The centre of mass is h/4 above the base, so h/4 below mid-height, where the frame is.
MassProperties properties(const Cone& s, Real density) {
  const Real r2 = square(s.radius);
  const Real mass = density * kPi * r2 * s.height / 3;
  const Real across = mass * 3 / 80 * (4 * r2 + square(s.height));
  return {mass, Vec3(0, 0, -s.height / 4), diagonal(across, across, 0.3 * mass * r2)};
}

// Sum over tetrahedra from a point inside to the triangles of every face. With corners a, b, c
// relative to that point and V = a · (b × c)/6: ∫ dV = V, ∫ x dV = V (a + b + c)/4 and
// ∫ x xᵀ dV = V/20 (a aᵀ + b bᵀ + c cᵀ + s sᵀ), s = a + b + c.
MassProperties properties(const ConvexHull& s, Real density) {
  const std::vector<Vec3>& vertices = s.data->vertices;
  Vec3 origin = Vec3::Zero();
  for (const Vec3& vertex : vertices) origin += vertex;
  origin /= static_cast<Real>(vertices.size());

  Real volume = 0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();
  for (const std::vector<int>& face : s.data->faces) {
    const Vec3 a = vertices[face[0]] - origin;
    for (std::size_t i = 1; i + 1 < face.size(); ++i) {
      const Vec3 b = vertices[face[i]] - origin;
      const Vec3 c = vertices[face[i + 1]] - origin;
      const Vec3 sum = a + b + c;
      const Real v = a.dot(b.cross(c)) / 6;
      volume += v;
      first += v / 4 * sum;
      second += v / 20 *
                (a * a.transpose() + b * b.transpose() + c * c.transpose() + sum * sum.transpose());
    }
  }
  const Vec3 center = first / volume;
  second -= volume * center * center.transpose();
  return {density * volume, origin + center,
          density * (second.trace() * Mat3::Identity() - second)};
}

MassProperties properties(const Compound& s, Real density) {
  std::vector<MassProperties> parts;
  MassProperties total;
  for (std::size_t i = 0; i < s.children.size(); ++i) {
    const CompoundChild& child = s.children[i];
    try {
      parts.push_back(massProperties(child.shape, density));
    } catch (const InputError& error) {
      throw InputError(fmt::format("compound: children[{}]: {}", i, error.what()));
    }
    MassProperties& part = parts.back();
    const Mat3 rotation = child.pose.rotation.toRotationMatrix();
    part.centerOfMass = child.pose * part.centerOfMass;
    part.inertia = rotation * part.inertia * rotation.transpose();
    total.mass += part.mass;
    total.centerOfMass += part.mass * part.centerOfMass;
  }
  total.centerOfMass /= total.mass;
  for (const MassProperties& part : parts) {
    total.inertia +=
        part.inertia + part.mass * pointInertia(part.centerOfMass - total.centerOfMass);
  }
  total.inertia = (total.inertia + total.inertia.transpose()).eval() / 2;
  return total;
}

template <class SurfaceOnly>
MassProperties properties(const SurfaceOnly& s, Real) {
  throw InputError(fmt::format(
      "{}: encloses no volume, so it has no mass; use it on a static body, or give the mass and "
      "inertia",
      shapeName(s)));
}

}  // namespace

MassProperties massProperties(const Shape& shape, Real density) {
  checkShape(shape);
  if (!(density > 0) || !std::isfinite(density)) {
    throw InputError(fmt::format("density must be finite and > 0 kg/m³, got {}", density));
  }
  return std::visit([&](const auto& s) { return properties(s, density); }, shape);
}

// Cyclic Jacobi: each rotation is by at most 45° and none is made for an entry that is already
// zero. So a diagonal inertia keeps its axes, a nearly diagonal one turns little, the axes are
// right-handed without a choice of signs, and small moments keep their relative accuracy.
PrincipalInertia principalInertia(const Mat3& inertia) {
  Mat3 a = (inertia + inertia.transpose()) / 2;
  Mat3 axes = Mat3::Identity();
  // What integration and parallel axes leave by rounding in an entry that should vanish.
  const Real negligible =
      8 * std::numeric_limits<Real>::epsilon() * a.diagonal().cwiseAbs().maxCoeff();
  // Convergence is quadratic: five sweeps reach round-off for 3×3, twelve never run out.
  for (int sweep = 0; sweep < 12; ++sweep) {
    bool rotated = false;
    for (const auto& [p, q] : {std::pair{0, 1}, std::pair{0, 2}, std::pair{1, 2}}) {
      if (std::abs(a(p, q)) <= negligible) continue;
      Eigen::JacobiRotation<Real> rotation;
      rotation.makeJacobi(a, p, q);
      a.applyOnTheLeft(p, q, rotation.adjoint());
      a.applyOnTheRight(p, q, rotation);
      axes.applyOnTheRight(p, q, rotation);
      rotated = true;
    }
    if (!rotated) break;
  }
  return {a.diagonal(), Quat(axes).normalized()};
}

}  // namespace drystone
