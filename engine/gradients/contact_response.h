#pragma once

#include "engine/gradients/solved_step.h"
#include "engine/step/normal_terms.h"

namespace drystone {

/// How a contact of a step answers to the poses of A, then B, while its impulse and the velocities
/// of the bodies stay; in frames that do not turn about the normal, which the law does not see.
struct ContactResponse {
  int block = -1;                                  ///< of all rows
  int bodyA = -1, bodyB = -1;                      ///< body slots
  int rows = 0;                                    ///< 1 or 3
  Eigen::Matrix<Real, 3, 6> jacobianA, jacobianB;  ///< rows beyond `rows`, and of static bodies: 0
  Eigen::Matrix<Real, 12, 12> forceByPose;         ///< of Jᵀ λ on A, then B
  Eigen::Matrix<Real, 3, 12> wByPose;              ///< of w, with its restitution and gap
  NormalDerivative normal;                         ///< of w_n by velocities, beyond that by u⁺
};

ContactResponse contactResponse(const SolvedStep& step, int contact);

}  // namespace drystone
