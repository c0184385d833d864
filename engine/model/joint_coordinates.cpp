#include "engine/model/joint_coordinates.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/input_error.h"
#include "engine/model/drum.h"

namespace drystone {
namespace {

/// World placement of a joint's frame on a body.
Pose placed(const BodyStore& bodies, int body, const Pose& frame) {
  return Pose{bodies.position[body], bodies.rotation[body]} * frame;
}

Vec6 twistRow(const Vec3& linear, const Vec3& angular) {
  Vec6 row;
  row.head<3>() = linear;
  row.tail<3>() = angular;
  return row;
}

/// Turn of two bodies against each other that no angle takes for another one [rad]: its nearest
/// representative is right below π, and an angle may go faster than the bodies where turns bend.
constexpr Real kSureTurn = 1;
/// What goes on in one part where they turn farther [rad]. An angle next to a right angle of
/// another one may go ten times as fast.
constexpr Real kTurnOfAPart = 0.25;
/// Halvings of a part near a right angle of the second angle, where the others jump by π.
constexpr int kHalvingsOfAPart = 12;
/// Most parts of a way, which bound the time: their angles are right up to 3e4 rad.
constexpr Real kMostParts = 1e4;

/// The representative of `angle` modulo 2π that is nearest to `before`.
Real continued(Real angle, Real before) {
  return angle + 2 * M_PI * std::round((before - angle) / (2 * M_PI));
}

/// Position of B's origin in frame A. The axes turn with A, so that the rate is that of the point
/// of B against the point of A which it meets: both arms lead to B's origin.
void positions(const BodyStore& bodies, const Joint& joint, const Pose& a, const Pose& b,
               std::array<JointCoordinate, 6>& out) {
  const Vec3 between = b.position - a.position;
  const Vec3 armA = b.position - bodies.position[joint.bodyA];
  const Vec3 armB = b.position - bodies.position[joint.bodyB];
  const Mat3 axes = a.rotation.toRotationMatrix();
  for (int i = 0; i < 3; ++i) {
    const Vec3 axis = axes.col(i);
    out[i] = {axis.dot(between), twistRow(-axis, -armA.cross(axis)),
              twistRow(axis, armB.cross(axis))};
  }
}

/// Angles of R_A^T R_B = R_x(θ1) R_y(θ2) R_z(θ3), or of another order of turns. The relative
/// angular velocity is Σ θ̇_i e_i with e of the first turn fixed in A, that of the last one in B and
/// that of the middle one normal to both, so the rates are its products with the dual basis.
void angles(const Joint& joint, const Pose& a, const Pose& b, std::array<JointCoordinate, 6>& out) {
  const TurnOrder order = turnOrderOf(joint.axes);
  const auto [i, j, k] = std::array{order.first, order.middle, order.last};
  const auto about = [](int axis, Real angle) {
    return Quat(Eigen::AngleAxis<Real>(angle, Vec3::Unit(axis)));
  };
  const Quat frameA = order.onA != 0 ? a.rotation * about(j, order.onA) : a.rotation;
  const Quat frameB = order.onB != 0 ? b.rotation * about(j, -order.onB) : b.rotation;
  const Mat3 relative = (frameA.conjugate() * frameB).toRotationMatrix();
  Real theta[3];
  theta[i] = std::atan2(-order.sign * relative(j, k), relative(k, k));
  theta[j] = std::asin(std::clamp(order.sign * relative(i, k), -1.0, 1.0));
  theta[k] = std::atan2(-order.sign * relative(i, j), relative(i, i));
  const Vec3 first = frameA * Vec3::Unit(i);
  const Vec3 last = frameB * Vec3::Unit(k);
  const Vec3 across = order.sign * last.cross(first);  // cos θ_j e_j
  // Where the middle angle nears ±90° the other two lose their meaning; their rates stay bounded.
  constexpr Real kLeastCosine = 1e-3;
  Real cosine = across.norm();
  Vec3 middle;
  if (cosine >= kLeastCosine) {
    middle = across / cosine;
  } else {
    // There the first turn stands still, so that the middle one goes on through 90°, and a limit
    // of 90° holds.
    cosine = kLeastCosine;
    theta[i] = joint.angle[i];
    const Mat3 rest = about(i, -theta[i]).toRotationMatrix() * relative;
    theta[j] = std::atan2(order.sign * rest(i, k), rest(k, k));
    theta[k] = std::atan2(order.sign * rest(j, i), rest(j, j));
    middle = frameA * (about(i, theta[i]) * Vec3::Unit(j));
  }
  const Vec3 dualFirst = order.sign * middle.cross(last) / cosine;
  const Vec3 dualLast = order.sign * first.cross(middle) / cosine;
  for (int n = 0; n < 3; ++n) {
    const Vec3& dual = n == i ? dualFirst : n == j ? middle : dualLast;
    const Real value =
        n == j ? theta[n] + order.onA + order.onB : continued(theta[n], joint.angle[n]);
    out[3 + n] = {value, twistRow(Vec3::Zero(), -dual), twistRow(Vec3::Zero(), dual)};
  }
}

JointCoordinate distance(const BodyStore& bodies, const Joint& joint, const Pose& a,
                         const Pose& b) {
  const Vec3 between = b.position - a.position;
  const Real length = between.norm();
  // Where the two points meet every direction is as good.
  const Vec3 axis = length > 1e-12 ? Vec3(between / length) : Vec3(Vec3::UnitX());
  return {length, twistRow(-axis, -(a.position - bodies.position[joint.bodyA]).cross(axis)),
          twistRow(axis, (b.position - bodies.position[joint.bodyB]).cross(axis))};
}

/// What lies between a point and a drum, and what the drum wound up since its start: an involute,
/// whose rate is that of the point against the point of the drum where the cable leaves it. out[1]
/// gets the angle of that.
void woundLength(const BodyStore& bodies, const Joint& joint, const Pose& a, const Pose& b,
                 std::array<JointCoordinate, 6>& out) {
  const DrumEnd end = drumEnd(a.position, b, joint.drumRadius);
  const Vec3& axis = end.direction;
  const Real angle = continued(end.angle, joint.angle[0]);
  out[0] = {end.length - joint.drumRadius * (angle - joint.drumStart),
            twistRow(-axis, -(a.position - bodies.position[joint.bodyA]).cross(axis)),
            twistRow(axis, (end.point - bodies.position[joint.bodyB]).cross(axis))};
  out[1] = {.value = angle};
}

/// By JointGeometry.
constexpr GeometryTraits kGeometries[] = {
    {.lengths = 3,
     .angles = 3,
     .lengthsOf = [](const Vec3& apart,
                     std::span<Real> lengths) { std::ranges::copy(apart, lengths.begin()); },
     .boundsGap = true},
    {.lengths = 1,
     .isDistance = true,
     .lengthsOf = [](const Vec3& apart, std::span<Real> lengths) { lengths[0] = apart.norm(); },
     .boundsGap = true},
    {.lengths = 1},
};

}  // namespace

/// Two of the angles can be measured whatever they are, and the one in the middle only within ±90°.
/// So the middle one is a lock where the joint has one. Where the lock holds, all orders measure
/// the same: a lock of θ1 at a leaves x(a) y(θ2) z(θ3), whose error may also be a turn about x
/// behind y; one of θ3 at c leaves x(θ1) y(θ2) z(c), whose error may be a turn about z before y.
TurnOrder turnOrderOf(const std::array<JointAxis, 6>& axes) {
  // Far from 0 another lock is the better middle one: as such, θ2 has no more than ±90°.
  constexpr Real kFar = std::numbers::pi / 4;
  if (axes[kAboutY].isLocked() && std::abs(axes[kAboutY].lower) <= kFar) return {0, 1, 2, 1};
  if (axes[kAboutX].isLocked()) return {1, 0, 2, -1, axes[kAboutX].lower, 0};
  if (axes[kAboutZ].isLocked()) return {0, 2, 1, -1, 0, axes[kAboutZ].lower};
  return {0, 1, 2, 1};
}

bool isSecondAngleBounded(JointGeometry geometry, const std::array<JointAxis, 6>& axes) {
  const auto isFree = [&](int i) { return !axes[i].isLocked(); };
  return geometry == JointGeometry::kFrames && isFree(kAboutX) && isFree(kAboutZ);
}

bool leadsPastRightAngle(const JointAxis& axis, Real target) {
  if (axis.motor->kind == MotorKind::kPosition) return std::abs(target) > kRightAngle;
  return (target > 0 && axis.upper > kRightAngle) || (target < 0 && axis.lower < -kRightAngle);
}

const GeometryTraits& traitsOf(JointGeometry geometry) {
  return kGeometries[static_cast<std::size_t>(geometry)];
}

void jointCoordinates(const BodyStore& bodies, const JointStore& joints, const Joint& joint,
                      std::array<JointCoordinate, 6>& out) {
  if (joint.geometry == JointGeometry::kGear) {
    std::array<JointCoordinate, 6> one, two;
    jointCoordinates(bodies, joints, joints[joint.gear1], one);
    jointCoordinates(bodies, joints, joints[joint.gear2], two);
    const JointCoordinate& q1 = one[joint.gearAxis1];
    const JointCoordinate& q2 = two[joint.gearAxis2];
    out[0] = {.value = q1.value + joint.gearRatio * q2.value - joint.gearStart};
    const auto add = [&](int body, Real share, const Vec6& jacobian) {
      if (body == joint.bodyA) {
        out[0].jacobianA += share * jacobian;
      } else if (body == joint.bodyB) {
        out[0].jacobianB += share * jacobian;
      } else {
        out[0].rate += share * jacobian.dot(bodies.velocity[body]);
      }
    };
    const auto addJoint = [&](int of, Real share, const JointCoordinate& q) {
      add(joints[of].bodyA, share, q.jacobianA);
      add(joints[of].bodyB, share, q.jacobianB);
    };
    addJoint(joint.gear1, 1, q1);
    addJoint(joint.gear2, joint.gearRatio, q2);
    return;
  }
  const Pose a = placed(bodies, joint.bodyA, joint.frameA);
  const Pose b = placed(bodies, joint.bodyB, joint.frameB);
  if (joint.geometry == JointGeometry::kDistance) {
    if (joint.drumRadius > 0) {
      woundLength(bodies, joint, a, b, out);
    } else {
      out[0] = distance(bodies, joint, a, b);
    }
    for (const int slot : joint.further) {  // of a cable it is the whole length
      std::array<JointCoordinate, 6> span;
      const Joint& other = joints[slot];
      jointCoordinates(bodies, joints, other, span);
      out[0].value += span[0].value;
      out[0].rate += span[0].jacobianA.dot(bodies.velocity[other.bodyA]) +
                     span[0].jacobianB.dot(bodies.velocity[other.bodyB]);
    }
  } else {
    positions(bodies, joint, a, b, out);
    angles(joint, a, b, out);
  }
}

Vec3 endOnB(const BodyStore& bodies, const Joint& joint) {
  const Pose b = placed(bodies, joint.bodyB, joint.frameB);
  if (!(joint.drumRadius > 0)) return b.position;
  return drumEnd(placed(bodies, joint.bodyA, joint.frameA).position, b, joint.drumRadius).point;
}

void rememberAngles(const std::array<JointCoordinate, 6>& coordinates, Joint& joint) {
  const int first = lengthCount(joint.geometry);
  for (int i = first; i < coordinateCount(joint.geometry); ++i) {
    joint.angle[i - first] = coordinates[i].value;
  }
  if (joint.drumRadius > 0) joint.angle[0] = coordinates[1].value;
}

namespace {

/// A joint's frames on two bodies that turn by these rotation vectors [rad].
struct TurningFrames {
  Quat frameA, frameB;
  Vec3 turnA, turnB;
};

/// The same as kSureTurn where the second angle is bounded. On a turn of a quarter of what that
/// angle lacks to a right angle, the others move by less than 1 rad [rad].
Real sureTurnOf(const Joint& joint) {
  const Real toRightAngle = std::numbers::pi / 2 - std::abs(joint.angle[1]);
  return kTurnOfAPart * std::min<Real>(toRightAngle, 1);
}

/// Follows the angles from one share of the way to another: in halves where the first or the third
/// one moves far.
void followPart(const TurningFrames& way, Real from, Real to, int halvings, Joint& joint) {
  const auto turned = [](const Vec3& by, const Quat& frame) {
    return Pose{Vec3::Zero(), Quat(Eigen::AngleAxis<Real>(by.norm(), by.normalized())) * frame};
  };
  std::array<JointCoordinate, 6> q;
  angles(joint, turned(to * way.turnA, way.frameA), turned(to * way.turnB, way.frameB), q);
  const auto movesFar = [&](int axis) {
    return std::abs(q[3 + axis].value - joint.angle[axis]) > kSureTurn;
  };
  if (halvings > 0 && (movesFar(0) || movesFar(2))) {
    const Real middle = 0.5 * (from + to);
    followPart(way, from, middle, halvings - 1, joint);
    followPart(way, middle, to, halvings - 1, joint);
    return;
  }
  rememberAngles(q, joint);
}

}  // namespace

void followTurn(const BodyStore& bodies, const Vec3& turnA, const Vec3& turnB, Joint& joint) {
  if (traitsOf(joint.geometry).angles == 0) return;
  // The bodies turn against each other at one speed the whole way, whatever their axes do.
  const Real turn = (turnB - turnA).norm();
  const bool jumps = isSecondAngleBounded(joint.geometry, joint.axes);
  if (!(turn > (jumps ? sureTurnOf(joint) : kSureTurn))) return;
  const auto partsNeeded = static_cast<int>(std::min<Real>(turn / kTurnOfAPart, kMostParts)) + 1;
  // A turn of more parts cannot be followed: halves of them all would only take seconds.
  const int halvings = jumps && partsNeeded <= kMostParts ? kHalvingsOfAPart : 0;
  const TurningFrames way{bodies.rotation[joint.bodyA] * joint.frameA.rotation,
                          bodies.rotation[joint.bodyB] * joint.frameB.rotation, turnA, turnB};
  for (int part = 1; part <= partsNeeded; ++part) {
    const auto shareOf = [&](int parts) { return static_cast<Real>(parts) / partsNeeded; };
    followPart(way, shareOf(part - 1), shareOf(part), halvings, joint);
  }
}

JointCoordinate coordinateOf(const BodyStore& bodies, const JointStore& joints, JointId id,
                             int coordinate) {
  const Joint& joint = joints.at(id);
  if (coordinate < 0 || coordinate >= coordinateCount(joint.geometry)) {
    throw InputError(fmt::format("joint '{}' has coordinates 0 to {}, not {}", joint.name,
                                 coordinateCount(joint.geometry) - 1, coordinate));
  }
  std::array<JointCoordinate, 6> all;
  jointCoordinates(bodies, joints, joint, all);
  return all[coordinate];
}

JointCoordinate swingCoordinate(const BodyStore& bodies, const Joint& joint) {
  const Vec3 xA = placed(bodies, joint.bodyA, joint.frameA).rotation * Vec3::UnitX();
  const Vec3 xB = placed(bodies, joint.bodyB, joint.frameB).rotation * Vec3::UnitX();
  const Vec3 across = xA.cross(xB);
  const Real sine = across.norm();
  // Straight: no direction of swing is distinguished, and the limit is far.
  const Vec3 axis = sine > 1e-9 ? Vec3(across / sine) : Vec3(xA.unitOrthogonal());
  return {std::atan2(sine, xA.dot(xB)), twistRow(Vec3::Zero(), -axis),
          twistRow(Vec3::Zero(), axis)};
}

}  // namespace drystone
