#include "engine/step/spin.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

namespace drystone {
namespace {

constexpr Real kSpinRoundOff = std::numeric_limits<Real>::epsilon();

/// A part of a torque-free spin that the midpoint rule takes at once turns by no more than this
/// [rad]: Newton's method then needs three or four steps from where the part begins.
constexpr Real kTurnOfAPart = 0.5;
/// Most parts of a step: up to 3e4 rad/s at 1/60 s.
constexpr int kMostParts = 1000;

/// Half of h times the derivative of m × I m by m.
Mat3 halfTurning(const Vec3& moments, const Vec3& middle, Real h) {
  return 0.5 * h * (skew(middle) * moments.asDiagonal() - skew(moments.cwiseProduct(middle)));
}

/// Angular velocity ω⁺ after h of spinning under a torque τ by the midpoint rule, body axes:
/// I (ω⁺ - ω) + h m × I m = h τ with m = (ω + ω⁺) / 2. Without a torque its products with m and
/// with I m say that energy and |I ω| stay, at any speed.
Vec3 midpointSpin(const Vec3& moments, const Vec3& omega, const Vec3& torque, Real h) {
  constexpr int kMostSteps = 10;
  Vec3 next = omega;
  for (int i = 0; i < kMostSteps; ++i) {
    const Vec3 middle = 0.5 * (omega + next);
    const Vec3 momentum = moments.cwiseProduct(middle);
    const Vec3 error = moments.cwiseProduct(next - omega) + h * (middle.cross(momentum) - torque);
    Mat3 jacobian = halfTurning(moments, middle, h);
    jacobian.diagonal() += moments;
    const Vec3 change = jacobian.inverse() * error;
    next -= change;
    if (change.squaredNorm() <= kSpinRoundOff * kSpinRoundOff * next.squaredNorm()) break;
  }
  return next;
}

/// Carries the derivative of ω on to that of ω⁺, by the rule above.
void carryOn(const Vec3& moments, const Vec3& omega, const Vec3& next, Real h,
             SpinDerivative& derivative) {
  const Mat3 turning = halfTurning(moments, 0.5 * (omega + next), h);
  const Mat3 inertia = moments.asDiagonal();
  const Mat3 inverse = (inertia + turning).inverse();
  derivative.bySpin = inverse * (inertia - turning) * derivative.bySpin;
  derivative.byTorque =
      inverse * ((inertia - turning) * derivative.byTorque + h * Mat3::Identity());
}

}  // namespace

Vec3 gyroscopicChange(const Vec3& moments, const Vec3& omega, Vec3 torque, Real h,
                      SpinDerivative* derivative) {
  if (derivative != nullptr) *derivative = {};
  const Real speed = omega.norm();
  bool pushes = true;
  Vec3 push = h * torque.cwiseQuotient(moments);
  // A torque that would change more than all of the spin is that of an impact or of the start of a
  // motion, and does not last.
  if (push.norm() > speed) {
    torque.setZero();
    push.setZero();
    pushes = false;
  }
  const auto rateAt = [&](const Vec3& spin) {
    return spin.cross(moments.cwiseProduct(spin)).cwiseQuotient(moments).norm();
  };
  // Along a principal axis it is round-off, which is left out. Its derivative is not.
  const bool isSteady = h * std::max(rateAt(omega), rateAt(omega + push)) <= kSpinRoundOff * speed;
  if (isSteady && derivative == nullptr) return Vec3::Zero();
  const Real parts = std::clamp<Real>(std::ceil(h * speed / kTurnOfAPart), 1, kMostParts);
  if (derivative != nullptr) derivative->bySpin.setIdentity();
  Vec3 spin = omega;
  for (int i = 0; i < static_cast<int>(parts); ++i) {
    const Vec3 next = midpointSpin(moments, spin, torque, h / parts);
    if (derivative != nullptr) carryOn(moments, spin, next, h / parts, *derivative);
    spin = next;
  }
  if (derivative != nullptr) {
    derivative->bySpin -= Mat3::Identity();
    derivative->byTorque.diagonal() -= h * moments.cwiseInverse();
    if (!pushes) derivative->byTorque.setZero();
  }
  return isSteady ? Vec3(Vec3::Zero()) : Vec3(spin - omega - push);
}

}  // namespace drystone
