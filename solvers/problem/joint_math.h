#pragma once

#include "solvers/problem/prox_math.h"

// The projection of a contact's normal and friction together, and De Saxcé's shift, for the
// processor and for devices, in double and in float: one source, so that both give the same bits.
// Free of Eigen and of the containers of problems.

namespace drystone {

/// ‖λ_r‖ or ‖w_r‖ of the components after the normal.
template <class Scalar>
DRYSTONE_HD inline Scalar rollingNorm(const Scalar* t) {
  return std::sqrt(t[2] * t[2] + t[3] * t[3]);
}

/// The norm whose ball of the friction radius is the friction set; `t`: components after the
/// normal.
template <class Scalar>
DRYSTONE_HD inline Scalar frictionNorm(FrictionModel model, const Scalar* t) {
  switch (model) {
    case FrictionModel::kNone:
      return 0;
    case FrictionModel::kBox:
    case FrictionModel::kPyramid:
      return largerOf(std::abs(t[0]), std::abs(t[1]));
    case FrictionModel::kDiamond:
      return std::abs(t[0]) + std::abs(t[1]);
    case FrictionModel::kCone:
      return std::sqrt(t[0] * t[0] + t[1] * t[1]);
    case FrictionModel::kContensou:
      return std::sqrt(t[0] * t[0] + t[1] * t[1] +
                       kTorsionWeight<Scalar> * kTorsionWeight<Scalar> * t[2] * t[2]);
    case FrictionModel::kRolling:  // of its tangents alone
      return std::sqrt(t[0] * t[0] + t[1] * t[1]);
  }
  return 0;
}

/// λ_n of the projection of z on {‖x_t‖ ≤ μ x_n, ‖x_r‖ ≤ μ_r x_n}, for z outside of it: the root of
/// x_n − z_n = Σ μ_i (‖z_i‖ − μ_i x_n)₊, whose right side is piecewise linear. A part binds below
/// ‖z_i‖/μ_i.
template <class Scalar>
DRYSTONE_HD inline Scalar rollingConeFoot(Scalar friction, Scalar rolling, const Scalar* z) {
  const Scalar mu[2] = {friction, rolling};
  const Scalar size[2] = {std::sqrt(z[1] * z[1] + z[2] * z[2]), rollingNorm(z + 1)};
  const int last = size[0] * mu[1] >= size[1] * mu[0] ? 0 : 1;  // binds up to the larger x_n
  const Scalar one = (z[0] + mu[last] * size[last]) / (1 + mu[last] * mu[last]);
  if (size[1 - last] <= mu[1 - last] * one) return one;
  return (z[0] + mu[0] * size[0] + mu[1] * size[1]) / (1 + mu[0] * mu[0] + mu[1] * mu[1]);
}

/// λ_n of the projection of z on the elliptic cone of `contensou`, for z outside of it; not
/// positive where the foot is the apex. Along the ray of the foot's multiplier x_i = μ² n z_i / d_i
/// with d_i = (μ² + a_i) n − a_i z_n, a = (1, 1, 9/4), and the foot lies on the surface where S(n)
/// = Σ (μ √a_i z_i / d_i)² = 1. 1/√S is concave (a power mean of the d_i), so that Newton on 1/√S =
/// 1 from the largest root of a single term, which is below, comes from the left and needs few
/// steps.
template <class Scalar>
DRYSTONE_HD inline Scalar ellipticConeFoot(Scalar mu, const Scalar* z) {
  constexpr Scalar kNoStep = sizeof(Scalar) == sizeof(double) ? Scalar(1e-15) : Scalar(1e-7);
  const Scalar a[2] = {1, kTorsionWeight<Scalar> * kTorsionWeight<Scalar>};
  const Scalar p[2] = {mu * std::sqrt(z[1] * z[1] + z[2] * z[2]),
                       mu * kTorsionWeight<Scalar> * std::abs(z[3])};
  Scalar n = (a[0] * z[0] + p[0]) / (mu * mu + a[0]);
  n = largerOf(n, (a[1] * z[0] + p[1]) / (mu * mu + a[1]));
  for (int iteration = 0; iteration < 50; ++iteration) {
    Scalar s = 0;
    Scalar slope = 0;
    for (int i = 0; i < 2; ++i) {
      const Scalar d = (mu * mu + a[i]) * n - a[i] * z[0];
      if (!(p[i] > 0 && d > 0)) continue;
      s += (p[i] / d) * (p[i] / d);
      slope += (p[i] / d) * (p[i] / d) * (mu * mu + a[i]) / d;
    }
    if (!(s > 1)) break;
    const Scalar step = s * (std::sqrt(s) - 1) / slope;
    n += step;
    if (step <= kNoStep * std::abs(n)) break;
  }
  return n;
}

/// λ_n of the projection of z on {‖x_t‖ ≤ μ x_n}, likewise: the n that minimises
/// ½ (n − z_n)² + ½ dist²(z_t, the friction set of n).
template <class Scalar>
DRYSTONE_HD inline Scalar coneFoot(FrictionModel model, Scalar mu, Scalar rolling,
                                   const Scalar* z) {
  const Scalar first = std::abs(z[1]), second = std::abs(z[2]);
  const Scalar larger = first < second ? second : first;
  const Scalar smaller = second < first ? second : first;
  // One tangent beyond its bound; both of them, or the face of the diamond, where that is not so.
  const Scalar one = (z[0] + mu * larger) / (1 + mu * mu);
  switch (model) {
    case FrictionModel::kPyramid:
      return smaller <= mu * one ? one : (z[0] + mu * (larger + smaller)) / (1 + 2 * mu * mu);
    case FrictionModel::kDiamond:
      return larger - smaller >= mu * one
                 ? one
                 : (z[0] + mu * (larger + smaller) / 2) / (1 + mu * mu / 2);
    case FrictionModel::kContensou:
      return ellipticConeFoot(mu, z);
    case FrictionModel::kRolling:
      return rollingConeFoot(mu, rolling, z);
    default:
      return (z[0] + mu * std::sqrt(z[1] * z[1] + z[2] * z[2])) / (1 + mu * mu);
  }
}

/// Projection of a contact's impulse (normal and friction together) on its whole set: λ_n ≥ 0 with
/// the friction set of that λ_n, the cone of the convex relaxation (M.15). `second`: μ λ̄_n of
/// `box`, whose set has a width of its own, and μ_r of `rolling`.
template <class Scalar>
DRYSTONE_HD inline void projectJointly(FrictionModel model, Scalar mu, Scalar second, Scalar* z) {
  if (!followsNormal(model)) {
    z[0] = largerOf(Scalar(0), z[0]);
    return projectFriction(model, second, z + 1);
  }
  // Its sign apart: without friction 0 ≤ −0 holds for a contact that pulls.
  const bool rolls = model == FrictionModel::kRolling;
  if (z[0] >= 0 && frictionNorm(model, z + 1) <= mu * z[0] &&
      (!rolls || rollingNorm(z + 1) <= second * z[0])) {
    return;
  }
  z[0] = largerOf(coneFoot(model, mu, second, z), Scalar(0));  // in this order a NaN stays one
  projectFriction(model, mu * z[0], z + 1, rolls ? second * z[0] : Scalar(0));
}

/// De Saxcé's shift of a contact, see laws.h; `rolling`: μ_r.
template <class Scalar>
DRYSTONE_HD inline Scalar deSaxceShift(FrictionModel model, Scalar mu, Scalar rolling,
                                       const Scalar* w) {
  switch (model) {
    case FrictionModel::kNone:
    case FrictionModel::kBox:
      return 0;
    case FrictionModel::kPyramid:
      return mu * (std::abs(w[0]) + std::abs(w[1]));
    case FrictionModel::kDiamond:
      return mu * largerOf(std::abs(w[0]), std::abs(w[1]));
    case FrictionModel::kCone:
      return mu * std::sqrt(w[0] * w[0] + w[1] * w[1]);
    case FrictionModel::kContensou: {
      const Scalar torsion = w[2] / kTorsionWeight<Scalar>;
      return mu * std::sqrt(w[0] * w[0] + w[1] * w[1] + torsion * torsion);
    }
    case FrictionModel::kRolling:
      return mu * std::sqrt(w[0] * w[0] + w[1] * w[1]) + rolling * rollingNorm(w);
  }
  return 0;
}

}  // namespace drystone
