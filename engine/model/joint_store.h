#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/model/joint.h"
#include "solvers/contact_problem.h"

namespace drystone {

constexpr int kBallJointRows = 3;

/// A ball joint as the step sees it. Slots keep their place; a removed joint's is not used again.
struct BallJoint {
  std::string name;
  bool alive = false;
  int bodyA = -1, bodyB = -1;      ///< body slots
  Vec3 anchorA, anchorB;           ///< in the body frames [m]
  std::optional<Real> compliance;  ///< [1/kg]; none: the world's
  bool collide = false;
  int block = -1;               ///< of the last step, into ConstraintRows::blocks; -1: no row
  Vec3 impulse = Vec3::Zero();  ///< of the last step, on B, world axes [N s]
};

using JointStore = std::vector<BallJoint>;

}  // namespace drystone
