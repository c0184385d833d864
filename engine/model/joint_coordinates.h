#pragma once

#include <array>
#include <cmath>
#include <span>
#include <string_view>

#include "engine/model/body_store.h"
#include "engine/model/joint_store.h"

namespace drystone {

/// A coordinate of a joint with its rate as rows of J: q̇ = jacobianA · u_A + jacobianB · u_B +
/// rate.
struct JointCoordinate {
  Real value = 0;  ///< [m] or [rad]
  Vec6 jacobianA = Vec6::Zero();
  Vec6 jacobianB = Vec6::Zero();
  /// Of what are none of its bodies: the moving carriers of a gear, the further spans of a cable.
  Real rate = 0;
};

/// What the program knows of a geometry beside its coordinates and their rates.
struct GeometryTraits {
  int lengths = 0,
      angles = 0;           ///< coordinates: the first ones are lengths [m], others angles [rad]
  bool isDistance = false;  ///< its first coordinate is never negative
  /// The lengths of two frames that stand still, of `apart`: B's origin in frame A [m]. Null where
  /// two frames do not make them.
  void (*lengthsOf)(const Vec3& apart, std::span<Real> lengths) = nullptr;
  bool boundsGap = false;  ///< no more than its lengths lies between the two origins
};
const GeometryTraits& traitsOf(JointGeometry geometry);

inline int lengthCount(JointGeometry geometry) { return traitsOf(geometry).lengths; }
inline int coordinateCount(JointGeometry geometry) {
  return traitsOf(geometry).lengths + traitsOf(geometry).angles;
}
inline bool isAngle(JointGeometry geometry, int coordinate) {
  return coordinate >= lengthCount(geometry);
}

/// The end of the range of a second angle between two free ones [rad].
inline constexpr Real kRightAngle = M_PI / 2;

/// What to do where an angle has to pass it, for messages.
inline constexpr std::string_view kRightAngleRemedy =
    "lock the first or the third one, or choose the frames so that the largest turn is about x "
    "or z";

/// The order of turns that a joint of frames measures its angles by, as numbers of axes.
struct TurnOrder {
  int first, middle, last;
  Real sign;  ///< 1 where the three are in cyclic order, else -1
  // A turn about the middle axis that comes before all others, or after them, and that the angle
  // about that axis counts in [rad].
  Real onA = 0, onB = 0;
};
TurnOrder turnOrderOf(const std::array<JointAxis, 6>& axes);

/// True when the joint measures its second angle within ±90° only: the other two are free, limited
/// ones too.
bool isSecondAngleBounded(JointGeometry geometry, const std::array<JointAxis, 6>& axes);

/// True when the motor of such an angle with this target leads it past ±90°; NaN: false.
bool leadsPastRightAngle(const JointAxis& axis, Real target);

/// The coordinates at the present poses, see JointGeometry, into the first coordinateCount() of
/// `out`. Angles continue from Joint::angle over whole turns. That of a drum comes behind them.
void jointCoordinates(const BodyStore& bodies, const JointStore& joints, const Joint& joint,
                      std::array<JointCoordinate, 6>& out);

/// Where a joint of this kind ends on B, world [m]: the origin of its frame, and on a drum the
/// point where the cable leaves it.
Vec3 endOnB(const BodyStore& bodies, const Joint& joint);

/// Keeps those that are angles in Joint::angle.
void rememberAngles(const std::array<JointCoordinate, 6>& coordinates, Joint& joint);

/// Brings Joint::angle along where the two bodies turn far at once, so that no whole turn is lost:
/// from their present rotations by two rotation vectors, world axes [rad], each at a steady rate.
/// Short turns change nothing.
void followTurn(const BodyStore& bodies, const Vec3& turnA, const Vec3& turnB, Joint& joint);

/// One of them. Throws InputError when the joint is not there or has no such coordinate.
JointCoordinate coordinateOf(const BodyStore& bodies, const JointStore& joints, JointId id,
                             int coordinate);

/// Angle between the frames' x axes and its rate.
JointCoordinate swingCoordinate(const BodyStore& bodies, const Joint& joint);

}  // namespace drystone
