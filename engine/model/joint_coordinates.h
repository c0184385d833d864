#pragma once

#include "engine/model/body_store.h"
#include "engine/model/joint_store.h"

namespace drystone {

/// A coordinate of a joint with its rate as rows of J: q̇ = jacobianA · u_A + jacobianB · u_B +
/// rate.
struct JointCoordinate {
  Real value = 0;  ///< [m] or [rad]
  Vec6 jacobianA = Vec6::Zero();
  Vec6 jacobianB = Vec6::Zero();
  Real rate = 0;  ///< of the moving carriers of a gear, which are none of its bodies
};

/// Coordinates that a geometry has.
constexpr int coordinateCount(JointGeometry geometry) {
  return geometry == JointGeometry::kFrames ? 6 : 1;
}
/// The coordinate is an angle [rad].
constexpr bool isAngle(JointGeometry geometry, int coordinate) {
  return geometry == JointGeometry::kFrames && coordinate >= kAboutX;
}

/// The coordinates at the present poses, see JointGeometry, into the first coordinateCount() of
/// `out`. Angles continue from Joint::angle over whole turns.
void jointCoordinates(const BodyStore& bodies, const JointStore& joints, const Joint& joint,
                      std::array<JointCoordinate, 6>& out);

/// One of them. Throws InputError when the joint is not there or has no such coordinate.
JointCoordinate coordinateOf(const BodyStore& bodies, const JointStore& joints, JointId id,
                             int coordinate);

/// Angle between the frames' x axes and its rate.
JointCoordinate swingCoordinate(const BodyStore& bodies, const Joint& joint);

}  // namespace drystone
