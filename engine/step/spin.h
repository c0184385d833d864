#pragma once

#include "core/types.h"

namespace drystone {

/// The matrix of v × x.
inline Mat3 skew(const Vec3& v) {
  Mat3 matrix;
  matrix << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
  return matrix;
}

/// Derivatives of gyroscopicChange(), body axes.
struct SpinDerivative {
  Mat3 bySpin = Mat3::Zero();    ///< ω
  Mat3 byTorque = Mat3::Zero();  ///< τ [rad/s per N m]
};

/// What the gyroscopic term adds to the angular velocity in h [s], body axes, while the torque
/// [N m] acts as well. What the torque adds itself is left out. `moments`: principal, of inertia
/// [kg m²]. Where it is not null, `derivative` becomes that of the answer.
Vec3 gyroscopicChange(const Vec3& moments, const Vec3& omega, Vec3 torque, Real h,
                      SpinDerivative* derivative = nullptr);

}  // namespace drystone
