#pragma once

#include <Eigen/Core>

#include "engine/model/body_store.h"
#include "engine/model/joint_store.h"

namespace drystone {

/// A coordinate of two frames that move: derivatives by the centre of body A [m], the origin of
/// frame A [m], the turn of frame A from the left [rad], then those of B, world axes. A length has
/// the unit m, an angle rad.
struct CoordinateMotion {
  static constexpr int kColumns = 18;
  Eigen::Matrix<Real, 1, kColumns> value;
  Eigen::Matrix<Real, 6, kColumns> jacobianA, jacobianB;  ///< of JointCoordinate
};

/// Of a joint that is no gear. `coordinate` may be kSwingCoordinate. Throws InputError where it is
/// singular: an angle at 90° of the second one, no swing, no distance.
CoordinateMotion coordinateMotion(const BodyStore& bodies, const Joint& joint, int coordinate);

/// What moves there by the poses (δx, δθ) of A, then B.
using FrameMotion = Eigen::Matrix<Real, CoordinateMotion::kColumns, 12>;
FrameMotion framesByPoses(const BodyStore& bodies, const Joint& joint);
/// Likewise by frames that move on their bodies: shift [m] and turn [rad] of A, then B, in the axes
/// of the frame itself.
FrameMotion framesByThemselves(const BodyStore& bodies, const Joint& joint);

}  // namespace drystone
