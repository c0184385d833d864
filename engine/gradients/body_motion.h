#pragma once

#include "engine/gradients/solved_step.h"

namespace drystone {

using Mat6 = Eigen::Matrix<Real, 6, 6>;

/// How a velocity answers, derivatives by what stands in the names. Poses are (δx, δθ), rotations
/// perturbed from the left, world axes; a change of mass scales the inertia with it.
struct VelocityResponse {
  Mat6 byPose = Mat6::Zero(), byVelocity = Mat6::Zero(), byLoad = Mat6::Zero();
  Vec6 byMass = Vec6::Zero();
  Eigen::Matrix<Real, 6, 3> byGravity = Eigen::Matrix<Real, 6, 3>::Zero();
};

/// One body over a step: where contacts are met, free velocity, velocity at fixed impulses of
/// contacts, and pose at the end. Zero but for poses that stay, unless dynamic.
struct BodyMotion {
  /// Of a motion with a constant velocity: how the pose after it answers.
  struct Drift {
    Mat6 byPose = Mat6::Identity(), byVelocity = Mat6::Zero();
  };
  Drift toContacts;             ///< from the start to where contacts are met
  VelocityResponse free;        ///< of u*, by the pose there
  VelocityResponse after;       ///< of u⁺ while the impulses stay, world axes
  Mat6 inverse = Mat6::Zero();  ///< M⁻¹
  Drift toEnd;                  ///< from where contacts are met
};

/// `impulse`: Jᵀ λ on the body [N s], [N m s].
BodyMotion bodyMotion(const SolvedStep& step, int body, const Vec6& impulse);

}  // namespace drystone
