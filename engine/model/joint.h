#pragma once

#include <optional>
#include <string>

#include "engine/model/body.h"

namespace drystone {

struct JointId {
  int index = -1;
  bool operator==(const JointId&) const = default;
};

/// Ball joint: a point of body A and a point of body B stay together (three bilateral rows). The
/// two bodies do not collide with each other unless asked.
struct BallJointDefinition {
  std::string name;
  BodyId bodyA;
  BodyId bodyB;
  Vec3 anchorA = Vec3::Zero();     ///< in A's reference frame [m]
  Vec3 anchorB = Vec3::Zero();     ///< in B's reference frame [m]
  std::optional<Real> compliance;  ///< C of the rows [1/kg]; default: the world's
  bool collide = false;            ///< the connected bodies may touch
};

}  // namespace drystone
