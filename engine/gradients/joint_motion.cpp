// Derivatives of joint coordinates by poses: docs/theory/derivatives.md, "A whole step".
#include "engine/gradients/joint_motion.h"

#include <Eigen/Geometry>
#include <string>

#include "core/input_error.h"
#include "engine/gradients/moving.h"
#include "engine/model/joint_coordinates.h"
#include "engine/step/joint_row_list.h"
#include "engine/step/spin.h"

namespace drystone {
namespace {

constexpr int kColumns = CoordinateMotion::kColumns;
/// First columns of what moves; those of B come kOfB later.
constexpr int kCentre = 0, kOrigin = 3, kTurn = 6, kOfB = 9;

using MovingVector = MovingVectorBy<kColumns>;
using MovingNumber = MovingNumberBy<kColumns>;

/// A joint's frame on a body.
struct MovingFrame {
  MovingVector centre, origin;
  Mat3 axes;
  int first;  ///< column

  /// A direction that is fixed in the frame, of its axes.
  MovingVector direction(const Vec3& local) const {
    MovingVector moving{axes * local, Eigen::Matrix<Real, 3, kColumns>::Zero()};
    moving.rate.middleCols<3>(first + kTurn) = -skew(moving.value);
    return moving;
  }
};

MovingFrame frameOn(const BodyStore& bodies, int body, const Pose& frame, int first) {
  MovingFrame moving;
  const Quat& rotation = bodies.rotation[body];
  moving.first = first;
  moving.axes = (rotation * frame.rotation).toRotationMatrix();
  moving.centre = {bodies.position[body], Eigen::Matrix<Real, 3, kColumns>::Zero()};
  moving.origin = {bodies.position[body] + rotation * frame.position,
                   Eigen::Matrix<Real, 3, kColumns>::Zero()};
  moving.centre.rate.middleCols<3>(first + kCentre).setIdentity();
  moving.origin.rate.middleCols<3>(first + kOrigin).setIdentity();
  return moving;
}

/// A coordinate whose rate is that of two points along an axis.
CoordinateMotion alongAxis(const MovingNumber& value, const MovingVector& axis,
                           const MovingVector& armA, const MovingVector& armB) {
  CoordinateMotion motion;
  motion.value = value.rate;
  motion.jacobianA << -axis.rate, -cross(armA, axis).rate;
  motion.jacobianB << axis.rate, cross(armB, axis).rate;
  return motion;
}

/// A coordinate whose rate is that of a turn about an axis.
CoordinateMotion aboutAxis(const MovingVector& axis) {
  CoordinateMotion motion;
  motion.value.setZero();
  motion.value.segment<3>(kTurn) = -axis.value.transpose();
  motion.value.segment<3>(kOfB + kTurn) = axis.value.transpose();
  const auto zero = Eigen::Matrix<Real, 3, kColumns>::Zero();
  motion.jacobianA << zero, -axis.rate;
  motion.jacobianB << zero, axis.rate;
  return motion;
}

[[noreturn]] void refuseSingular(const Joint& joint, const char* what) {
  throw InputError("step derivative: joint `" + joint.name + "` has " + what +
                   ", where its rows have no derivative; begin elsewhere");
}

/// The axis that an angle turns about, of the dual basis of the three (joint_coordinates.cpp).
MovingVector turnAxis(const Joint& joint, const MovingFrame& a, const MovingFrame& b, int axis) {
  const TurnOrder order = turnOrderOf(joint.axes);
  const auto about = [&](Real angle) {
    return Quat(Eigen::AngleAxis<Real>(angle, Vec3::Unit(order.middle)));
  };
  const MovingVector first = a.direction(about(order.onA) * Vec3::Unit(order.first));
  const MovingVector last = b.direction(about(-order.onB) * Vec3::Unit(order.last));
  const MovingVector across = order.sign * cross(last, first);
  const MovingNumber cosine = norm(across);
  if (cosine.value < 1e-3) refuseSingular(joint, "its second angle at 90°");
  const MovingVector middle = across / cosine;
  if (axis == order.middle) return middle;
  return axis == order.first ? order.sign * cross(middle, last) / cosine
                             : order.sign * cross(first, middle) / cosine;
}

}  // namespace

CoordinateMotion coordinateMotion(const BodyStore& bodies, const Joint& joint, int coordinate) {
  const MovingFrame a = frameOn(bodies, joint.bodyA, joint.frameA, 0);
  const MovingFrame b = frameOn(bodies, joint.bodyB, joint.frameB, kOfB);
  const MovingVector between = b.origin - a.origin;
  if (coordinate == kSwingCoordinate) {
    const MovingVector across = cross(a.direction(Vec3::UnitX()), b.direction(Vec3::UnitX()));
    const MovingNumber sine = norm(across);
    if (sine.value < 1e-9) refuseSingular(joint, "no swing");
    return aboutAxis(across / sine);
  }
  if (joint.geometry == JointGeometry::kDistance) {
    const MovingNumber length = norm(between);
    if (length.value < 1e-9) refuseSingular(joint, "no distance");
    return alongAxis(length, between / length, a.origin - a.centre, b.origin - b.centre);
  }
  if (coordinate < lengthCount(joint.geometry)) {
    const MovingVector axis = a.direction(Vec3::Unit(coordinate));
    return alongAxis(dot(axis, between), axis, b.origin - a.centre, b.origin - b.centre);
  }
  return aboutAxis(turnAxis(joint, a, b, coordinate - lengthCount(joint.geometry)));
}

FrameMotion framesByPoses(const BodyStore& bodies, const Joint& joint) {
  FrameMotion motion = FrameMotion::Zero();
  const auto fill = [&](int body, const Pose& frame, int first, int column) {
    motion.block<3, 3>(first + kCentre, column).setIdentity();
    motion.block<3, 3>(first + kOrigin, column).setIdentity();
    motion.block<3, 3>(first + kOrigin, column + 3) = -skew(bodies.rotation[body] * frame.position);
    motion.block<3, 3>(first + kTurn, column + 3).setIdentity();
  };
  fill(joint.bodyA, joint.frameA, 0, 0);
  fill(joint.bodyB, joint.frameB, kOfB, 6);
  return motion;
}

FrameMotion framesByThemselves(const BodyStore& bodies, const Joint& joint) {
  FrameMotion motion = FrameMotion::Zero();
  const auto fill = [&](int body, const Pose& frame, int first, int column) {
    const Mat3 axes = (bodies.rotation[body] * frame.rotation).toRotationMatrix();
    motion.block<3, 3>(first + kOrigin, column) = axes;
    motion.block<3, 3>(first + kTurn, column + 3) = axes;
  };
  fill(joint.bodyA, joint.frameA, 0, 0);
  fill(joint.bodyB, joint.frameB, kOfB, 6);
  return motion;
}

}  // namespace drystone
