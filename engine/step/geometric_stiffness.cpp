#include "engine/step/integrate.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <span>

namespace drystone {
namespace {

/// −∂(r × f)/∂θ, its symmetric part [N m/rad].
Mat3 stiffnessOf(const Vec3& force, const Vec3& arm) {
  const Mat3 outer = arm * force.transpose();
  return force.dot(arm) * Mat3::Identity() - 0.5 * (outer + outer.transpose());
}

/// True for joints that carry a force in every direction, which thus need not turn with a body.
bool holdsAPoint(const Joint& joint) {
  return joint.active() && joint.geometry == JointGeometry::kFrames &&
         joint.axes[kAlongX].isLocked() && joint.axes[kAlongY].isLocked() &&
         joint.axes[kAlongZ].isLocked();
}

/// What a direction that swings with κ = (ω h)² adds to its inertia of 1 where it is damped. The
/// explicit step is unstable from κ = 4 on, and needs κ/2 - 2 to be stable again; up to 1 rad a
/// step it resolves the swinging, and what it resolves is left undamped.
Real dampedShare(Real kappa) { return std::max(kappa - 1, 0.0); }

/// Likewise where the mean turning is kept: all of it, so that a force that grows fourfold within
/// the step finds it stable still.
Real keptShare(Real kappa) { return std::max(kappa, 0.0); }

/// Adds h² K to one body's inertia; `stiffness` becomes what was added [kg m²]. Returns the largest
/// κ.
Real stiffen(BodyStore& bodies, int body, Real h, Real (*share)(Real), Mat3& stiffness) {
  // In principal axes scaled by the roots of the moments the inertia is 1, and h² K is κ.
  const Mat3 axes = bodies.rotation[body].toRotationMatrix();
  const Vec3 root = bodies.moments[body].cwiseSqrt();
  const Mat3 toScaled = root.cwiseInverse().asDiagonal() * axes.transpose();
  const Mat3 scaled = h * h * toScaled * stiffness * toScaled.transpose();
  Eigen::SelfAdjointEigenSolver<Mat3> eigen;
  eigen.computeDirect(0.5 * (scaled + scaled.transpose()));
  const Vec3 added = eigen.eigenvalues().unaryExpr(share);
  if (added.isZero(0)) {
    stiffness.setZero();
    return 0;
  }
  const Mat3& modes = eigen.eigenvectors();
  const Vec3 kept = (Vec3::Ones() + added).cwiseInverse();
  const Mat3 fromScaled = axes * root.asDiagonal();
  stiffness = fromScaled * modes * added.asDiagonal() * modes.transpose() * fromScaled.transpose();
  const Mat3 inverse = toScaled.transpose() * modes;
  bodies.inverseInertia[body].inverseInertia = inverse * kept.asDiagonal() * inverse.transpose();
  return eigen.eigenvalues().maxCoeff();
}

std::span<const int> bodiesOf(const Islands& islands, int island) {
  return std::span(islands.bodies)
      .subspan(islands.bodyStart[island],
               islands.bodyStart[island + 1] - islands.bodyStart[island]);
}

/// Drops the stiffness of islands whose swinging the step resolves by any measure: κ is at most
/// that of the whole stiffness about the least moment. Most islands end here, before any
/// eigenvalue.
void dropSlowIslands(const BodyStore& bodies, const Islands& islands, Real h, StepMotion& motion) {
  for (int island = 0; island < islands.count(); ++island) {
    const auto isFast = [&](int body) {
      return h * h * motion.addedInertia[body].norm() > bodies.moments[body].minCoeff();
    };
    const auto all = bodiesOf(islands, island);
    if (std::any_of(all.begin(), all.end(), isFast)) continue;
    for (const int body : all) motion.addedInertia[body].setZero();
  }
}

/// Takes everything back in islands whose swinging the step resolves.
void leaveSlowIslands(const Islands& islands, BodyStore& bodies, StepMotion& motion) {
  for (int island = 0; island < islands.count(); ++island) {
    const auto isFast = [&](int body) { return motion.largestKappa[body] > 1; };
    const auto all = bodiesOf(islands, island);
    if (std::any_of(all.begin(), all.end(), isFast)) continue;
    for (const int body : all) {
      if (motion.largestKappa[body] == 0) continue;
      motion.addedInertia[body].setZero();
      bodies.updateInverseInertia(body);
    }
  }
}

/// Leaves the added inertia the mean turning of its island, and half of what a body turns against
/// it. The half was measured: chains lose their hold under 4000 times the mass of a link where 0.6
/// is left, and more energy where less is.
void keepMeanTurning(const BodyStore& bodies, const Islands& islands, StepMotion& motion) {
  constexpr Real kKeptShare = 0.5;
  for (int island = 0; island < islands.count(); ++island) {
    const auto all = bodiesOf(islands, island);
    Mat3 inertia = Mat3::Zero();
    Vec3 momentum = Vec3::Zero();
    for (const int body : all) {
      inertia += motion.addedInertia[body];
      momentum += motion.addedInertia[body] * bodies.velocity[body].tail<3>();
    }
    if (inertia.isZero(0)) continue;
    // A straight chain has none about its own axis; far above round-off, far below what counts.
    inertia.diagonal().array() += 1e-12 * inertia.trace();
    const Vec3 mean = inertia.inverse() * momentum;
    for (const int body : all) {
      const Vec3 own = bodies.velocity[body].tail<3>() - mean;
      motion.addedMomentum[body] = motion.addedInertia[body] * (mean + kKeptShare * own);
    }
  }
}

}  // namespace

void addGeometricStiffness(const JointStore& joints, Real h, const Islands* keepTurning,
                           BodyStore& bodies, StepMotion& motion) {
  motion.addedInertia.assign(bodies.slots(), Mat3::Zero());
  motion.addedMomentum.assign(bodies.slots(), Vec3::Zero());
  motion.largestKappa.assign(bodies.slots(), 0.0);
  for (const Joint& joint : joints) {
    if (!holdsAPoint(joint)) continue;
    const int a = joint.bodyA, b = joint.bodyB;
    const Vec3 armB = bodies.rotation[b] * joint.frameB.position;
    const Vec3 armA = bodies.position[b] + armB - bodies.position[a];
    motion.addedInertia[b] += stiffnessOf(joint.force, armB);
    motion.addedInertia[a] += stiffnessOf(-joint.force, armA);
  }
  if (keepTurning != nullptr) dropSlowIslands(bodies, *keepTurning, h, motion);
  for (int body = 0; body < bodies.slots(); ++body) {
    Mat3& stiffness = motion.addedInertia[body];
    // Of a body that may not turn about some axis nothing is added: its joints still hold.
    if (!bodies.isAwake(body) || bodies.locked[body] >> 3 != 0) {
      stiffness.setZero();
    } else if (!stiffness.isZero(0)) {
      motion.largestKappa[body] =
          stiffen(bodies, body, h, keepTurning == nullptr ? dampedShare : keptShare, stiffness);
    }
  }
  if (keepTurning != nullptr) {
    leaveSlowIslands(*keepTurning, bodies, motion);
    keepMeanTurning(bodies, *keepTurning, motion);
  }
  for (int body = 0; body < bodies.slots(); ++body) {
    if (motion.addedInertia[body].isZero(0)) continue;
    Vec6& free = motion.free[body];
    const Vec3 momentum = bodies.angularMomentum(body, free.tail<3>()) + motion.addedMomentum[body];
    free.tail<3>() = bodies.inverseInertia[body].inverseInertia * momentum;
  }
}

}  // namespace drystone
