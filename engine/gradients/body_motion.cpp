// Derivatives of a body's own motion: docs/theory/derivatives.md, "A whole step".
#include "engine/gradients/body_motion.h"

#include <cmath>

#include "engine/step/spin.h"

namespace drystone {
namespace {

/// d exp(φ) = [J_l(φ) dφ] exp(φ): the left Jacobian of rotations.
Mat3 leftJacobian(const Vec3& turn) {
  const Real angle = turn.norm();
  // For small angles from the series; the next terms are below round-off.
  const bool isSmall = angle < 1e-4;
  const Real half = isSmall ? 0.5 : (1 - std::cos(angle)) / (angle * angle);
  const Real sixth = isSmall ? 1.0 / 6 : (1 - std::sin(angle) / angle) / (angle * angle);
  const Mat3 cross = skew(turn);
  return Mat3::Identity() + half * cross + sixth * cross * cross;
}

BodyMotion::Drift driftOf(const Vec6& velocity, Real duration) {
  BodyMotion::Drift drift;
  const Vec3 turn = duration * velocity.tail<3>();
  const Mat3 jacobian = leftJacobian(turn);
  drift.byVelocity.topLeftCorner<3, 3>() = duration * Mat3::Identity();
  drift.byVelocity.bottomRightCorner<3, 3>() = duration * jacobian;
  drift.byPose.bottomRightCorner<3, 3>() += jacobian * skew(turn);  // exp(φ) = 1 + J_l [φ]
  return drift;
}

/// Derivative by the rotation of what M⁻¹ makes of a torque.
Mat3 turnInverse(const Mat3& inverse, const Vec3& torque) {
  return inverse * skew(torque) - skew(inverse * torque);
}

/// Adds the gyroscopic term to the derivatives of u*, before any damping.
void addSpin(const SolvedStep& step, int body, VelocityResponse& free) {
  const WorldSettings& settings = step.settings;
  if (settings.gyroscopic == GyroscopicTerm::kOff) return;
  const BodyStore& bodies = step.bodies;
  const Mat3 axes = bodies.rotation[body].toRotationMatrix();
  const Vec3 omega = step.motion.old[body].tail<3>();
  const bool isMoreau = settings.integrator == Integrator::kMoreau;
  const Vec3 torque = isMoreau ? Vec3(step.motion.load[body].tail<3>()) : Vec3(Vec3::Zero());
  SpinDerivative spin;
  const Vec3 change = axes * gyroscopicChange(bodies.moments[body], axes.transpose() * omega,
                                              axes.transpose() * torque, settings.timestep, &spin);
  const Mat3 bySpin = axes * spin.bySpin * axes.transpose();
  const Mat3 byTorque = axes * spin.byTorque * axes.transpose();
  free.byPose.bottomRightCorner<3, 3>() +=
      bySpin * skew(omega) + byTorque * skew(torque) - skew(change);
  free.byVelocity.bottomRightCorner<3, 3>() += bySpin;
  if (isMoreau) free.byLoad.bottomRightCorner<3, 3>() += byTorque;
  free.byMass.tail<3>() -= byTorque * torque / bodies.mass[body];
}

void damp(const Vec6& kept, VelocityResponse& response) {
  const auto scaling = kept.asDiagonal();
  response.byPose = scaling * response.byPose;
  response.byVelocity = scaling * response.byVelocity;
  response.byLoad = scaling * response.byLoad;
  response.byMass = scaling * response.byMass;
  response.byGravity = scaling * response.byGravity;
}

}  // namespace

BodyMotion bodyMotion(const SolvedStep& step, int body, const Vec6& impulse) {
  const BodyStore& bodies = step.bodies;
  BodyMotion motion;
  if (!bodies.record[body].alive || !bodies.isDynamic(body)) return motion;
  const Real h = step.settings.timestep;
  const Vec6& load = step.motion.load[body];
  const InverseInertia& inertia = bodies.inverseInertia[body];
  const bool isMoreau = step.settings.integrator == Integrator::kMoreau;
  if (isMoreau) motion.toContacts = driftOf(step.motion.old[body], h / 2);
  motion.toEnd = driftOf(step.velocity[body], isMoreau ? h / 2 : h);
  motion.inverse.topLeftCorner<3, 3>() = inertia.inverseMass * Mat3::Identity();
  motion.inverse.bottomRightCorner<3, 3>() = inertia.inverseInertia;

  VelocityResponse& free = motion.free;
  free.byVelocity.setIdentity();
  free.byLoad = h * motion.inverse;
  free.byMass = -h / bodies.mass[body] * (motion.inverse * load);
  free.byGravity.topRows<3>() = h * bodies.gravityScale[body] * Mat3::Identity();
  free.byPose.bottomRightCorner<3, 3>() = h * turnInverse(inertia.inverseInertia, load.tail<3>());
  addSpin(step, body, free);
  Vec6 kept;
  kept << Vec3::Constant(1 / (1 + h * bodies.linearDamping[body])),
      Vec3::Constant(1 / (1 + h * bodies.angularDamping[body]));
  damp(kept, free);

  motion.after = free;
  motion.after.byPose.bottomRightCorner<3, 3>() +=
      turnInverse(inertia.inverseInertia, impulse.tail<3>());
  motion.after.byMass -= motion.inverse * impulse / bodies.mass[body];
  return motion;
}

}  // namespace drystone
