#pragma once

#include <cmath>
#include <type_traits>

#include "core/host_device.h"
#include "solvers/problem/friction_model.h"

// The formulas of a prox step, for the processor and for devices, in double and in float. Free of
// Eigen and of the containers of problems, so that nvcc sees nothing else.

namespace drystone {

/// Weight of the torsion impulse in the Contensou ellipsoid (M.9).
template <class Scalar>
inline constexpr Scalar kTorsionWeight = Scalar(1.5);

// As std::max and std::clamp, which devices lack: of a NaN and a number the former.
template <class Scalar>
DRYSTONE_HD inline Scalar largerOf(Scalar a, Scalar b) {
  return a < b ? b : a;
}
template <class Scalar>
DRYSTONE_HD inline Scalar clampTo(Scalar value, Scalar lower, Scalar upper) {
  return value < lower ? lower : upper < value ? upper : value;
}

/// Euclidean projection of z on {x : |x_1|, |x_2| ≤ radius}.
template <class Scalar>
DRYSTONE_HD inline void projectBox(Scalar radius, Scalar* z) {
  z[0] = clampTo(z[0], -radius, radius);
  z[1] = clampTo(z[1], -radius, radius);
}

/// … on {x : ‖x‖₁ ≤ radius}, two components.
template <class Scalar>
DRYSTONE_HD inline void projectDiamond(Scalar radius, Scalar* z) {
  const Scalar x = std::abs(z[0]);
  const Scalar y = std::abs(z[1]);
  if (x + y <= radius) return;
  // The nearest point of the face is (x − τ, y − τ); off the face's ends it is a corner.
  const Scalar tau = (x + y - radius) / 2;
  const Scalar alongX = clampTo(x - tau, Scalar(0), radius);
  z[0] = std::copysign(alongX, z[0]);
  z[1] = std::copysign(radius - alongX, z[1]);
}

/// … on {x : ‖x‖₂ ≤ radius}, two components.
template <class Scalar>
DRYSTONE_HD inline void projectDisc(Scalar radius, Scalar* z) {
  const Scalar squared = z[0] * z[0] + z[1] * z[1];
  if (squared <= radius * radius) return;
  const Scalar scale = radius / std::sqrt(squared);
  z[0] *= scale;
  z[1] *= scale;
}

/// … on {x : ‖(x_1, x_2, 3/2 x_3)‖₂ ≤ radius}, three components (Contensou ellipsoid), to
/// round-off.
template <class Scalar>
DRYSTONE_HD inline void projectEllipsoid(Scalar radius, Scalar* z) {
  constexpr Scalar kWeight = kTorsionWeight<Scalar> * kTorsionWeight<Scalar>;
  constexpr Scalar kNoStep = sizeof(Scalar) == sizeof(double) ? Scalar(1e-15) : Scalar(5e-7);
  if (z[0] * z[0] + z[1] * z[1] + kWeight * z[2] * z[2] <= radius * radius) return;
  if (!(radius > 0)) {
    z[0] = z[1] = z[2] = 0;
    return;
  }
  // The projection is x_i = z_i / (1 + ν a_i), a = (1, 1, 9/4), with ν > 0 such that
  // s(ν) = Σ a_i x_i² = r². 1/√s is concave and nearly linear in ν, so that Newton on 1/√s = 1/r
  // started at 0 comes from the left, overshoots at most by round-off and needs few steps.
  const Scalar disc = (z[0] * z[0] + z[1] * z[1]) / (radius * radius);
  const Scalar torsion = z[2] * z[2] / (radius * radius);
  Scalar nu = 0;
  for (int i = 0; i < 50; ++i) {
    const Scalar p = 1 / (1 + nu);
    const Scalar q = 1 / (1 + kWeight * nu);
    const Scalar s = disc * p * p + kWeight * torsion * q * q;
    const Scalar slope = -2 * (disc * p * p * p + kWeight * kWeight * torsion * q * q * q);
    const Scalar step = 2 * (s / slope) * (1 - std::sqrt(s));
    nu = largerOf(Scalar(0), nu + step);
    if (std::abs(step) <= kNoStep * (1 + nu)) break;
  }
  z[0] /= 1 + nu;
  z[1] /= 1 + nu;
  z[2] /= 1 + kWeight * nu;
  // What round-off is left goes into the radius: the point lies on the surface.
  const Scalar scale = radius / std::sqrt(z[0] * z[0] + z[1] * z[1] + kWeight * z[2] * z[2]);
  z[0] *= scale;
  z[1] *= scale;
  z[2] *= scale;
}

/// Projects the tangential part z (1 … 3 components after the normal) on the friction set of the
/// model, whose radius is μ times the given normal impulse (for `box`: the caller passes μ λ̄_n).
/// `rollingRadius`: μ_r times it, of `rolling`.
template <class Scalar>
DRYSTONE_HD inline void projectFriction(FrictionModel model, Scalar radius, Scalar* z,
                                        Scalar rollingRadius = 0) {
  switch (model) {
    case FrictionModel::kNone:
      return;
    case FrictionModel::kBox:
    case FrictionModel::kPyramid:
      return projectBox(radius, z);
    case FrictionModel::kDiamond:
      return projectDiamond(radius, z);
    case FrictionModel::kCone:
      return projectDisc(radius, z);
    case FrictionModel::kContensou:
      return projectEllipsoid(radius, z);
    case FrictionModel::kRolling:
      projectDisc(radius, z);
      return projectDisc(rollingRadius, z + 2);
  }
}

/// What the rows of rolling add to the steps of a contact: a step of their own, since their unit
/// may be another one, and how they feel a change of the tangents.
template <class Scalar>
struct RollingSteps {
  Scalar rolling = 0;
  Scalar rollingCoupling[4] = {};  ///< Â_rt, row-major
};
struct NoRollingSteps {};

/// R factors of a contact and how its tangents feel a change of its own normal impulse.
template <int kRows, class Scalar = double>
struct ContactSteps : std::conditional_t<kRows == 5, RollingSteps<Scalar>, NoRollingSteps> {
  static constexpr int kTangents = kRows > 1 ? kRows - 1 : 1;  ///< an array has at least one entry
  Scalar normal = 0;
  Scalar tangent = 0;
  Scalar coupling[kTangents] = {};  ///< Â_tn [1/kg]
};

/// One prox step of a contact: the normal first, then the friction with the new normal impulse and
/// with the velocity after the normal's change, so that a block is itself swept by Gauss–Seidel.
/// The theses project the whole block at once from one w (Nützi 2011, Eq. 4.48; Poulsen 2010,
/// Eq. 3.8); the fixed points are the same, and without the coupling the tangents lag one sweep
/// behind. Rolling comes last, likewise. `w` is A λ + b at the contact. λ is updated; `change`
/// receives the difference. `second`: μ λ̄_n of `box`, μ_r of `rolling`.
template <FrictionModel kModel, int kRows, class Scalar>
DRYSTONE_HD inline void updateContact(const ContactSteps<kRows, Scalar>& steps, Scalar friction,
                                      Scalar second, const Scalar* w, Scalar* lambda,
                                      Scalar* change) {
  const Scalar normal = largerOf(Scalar(0), lambda[0] - steps.normal * w[0]);
  change[0] = normal - lambda[0];
  lambda[0] = normal;
  if constexpr (kModel == FrictionModel::kRolling) {
    for (int i = 1; i < 3; ++i) {
      change[i] = lambda[i];
      lambda[i] -= steps.tangent * (w[i] + steps.coupling[i - 1] * change[0]);
    }
    projectDisc(friction * normal, lambda + 1);
    for (int i = 1; i < 3; ++i) change[i] = lambda[i] - change[i];
    for (int i = 3; i < 5; ++i) {
      const Scalar* coupling = steps.rollingCoupling + 2 * (i - 3);
      const Scalar roll = w[i] + steps.coupling[i - 1] * change[0] + coupling[0] * change[1] +
                          coupling[1] * change[2];
      change[i] = lambda[i];
      lambda[i] -= steps.rolling * roll;
    }
    projectDisc(second * normal, lambda + 3);
    for (int i = 3; i < 5; ++i) change[i] = lambda[i] - change[i];
  } else if constexpr (kRows > 1) {
    Scalar z[kRows - 1];
    for (int i = 0; i + 1 < kRows; ++i) {
      z[i] = lambda[i + 1] - steps.tangent * (w[i + 1] + steps.coupling[i] * change[0]);
    }
    projectFriction(kModel, kModel == FrictionModel::kBox ? second : friction * normal, z);
    for (int i = 0; i + 1 < kRows; ++i) {
      change[i + 1] = z[i] - lambda[i + 1];
      lambda[i + 1] = z[i];
    }
  }
}

/// One prox step of a row on [lower, upper]. λ is updated; returns the difference.
template <class Scalar>
DRYSTONE_HD inline Scalar updateRow(Scalar step, Scalar lower, Scalar upper, Scalar w,
                                    Scalar* lambda) {
  const Scalar next = clampTo(*lambda - step * w, lower, upper);
  const Scalar change = next - *lambda;
  *lambda = next;
  return change;
}

}  // namespace drystone
