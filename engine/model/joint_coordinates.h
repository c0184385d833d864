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

/// Coordinates of a geometry: the first ones are lengths [m], the others angles [rad].
struct CoordinateCounts {
  int lengths, angles;
};
constexpr std::array<CoordinateCounts, 3> kCoordinateCounts = {{{3, 3}, {1, 0}, {1, 0}}};
constexpr int lengthCount(JointGeometry geometry) {
  return kCoordinateCounts[static_cast<std::size_t>(geometry)].lengths;
}
constexpr int coordinateCount(JointGeometry geometry) {
  return lengthCount(geometry) + kCoordinateCounts[static_cast<std::size_t>(geometry)].angles;
}
constexpr bool isAngle(JointGeometry geometry, int coordinate) {
  return coordinate >= lengthCount(geometry);
}

/// The coordinates at the present poses, see JointGeometry, into the first coordinateCount() of
/// `out`. Angles continue from Joint::angle over whole turns.
void jointCoordinates(const BodyStore& bodies, const JointStore& joints, const Joint& joint,
                      std::array<JointCoordinate, 6>& out);

/// Keeps those that are angles in Joint::angle.
void rememberAngles(const std::array<JointCoordinate, 6>& coordinates, Joint& joint);

/// One of them. Throws InputError when the joint is not there or has no such coordinate.
JointCoordinate coordinateOf(const BodyStore& bodies, const JointStore& joints, JointId id,
                             int coordinate);

/// Angle between the frames' x axes and its rate.
JointCoordinate swingCoordinate(const BodyStore& bodies, const Joint& joint);

}  // namespace drystone
