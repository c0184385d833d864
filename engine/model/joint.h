#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model/body.h"
#include "solvers/problem/contact_problem.h"

namespace drystone {

/// Names a joint of a world. Stale once the joint is removed, also when its slot holds another.
struct JointId {
  int index = -1;
  std::uint32_t generation = 0;
  bool operator==(const JointId&) const = default;
};

/// A force over an extension or a rate: linear between its points, and on beyond them with the
/// first and the last slope. It may rise and fall.
class ForceTable {
 public:
  struct Point {
    Real at = 0;     ///< extension [m], [rad] or rate [m/s], [rad/s], ascending
    Real force = 0;  ///< against it [N], [N m]
  };

  ForceTable() = default;  ///< no table
  /// Throws InputError unless there are two points, finite and ascending.
  explicit ForceTable(std::vector<Point> points);

  bool isEmpty() const { return points_.empty(); }
  const std::vector<Point>& points() const { return points_; }
  // Of a table that is not empty:
  Real forceAt(Real at) const;
  Real slopeAt(Real at) const;  ///< of the piece to the right of a point

 private:
  const Point* pieceAt(Real at) const;  ///< its first point
  std::vector<Point> points_;
};

/// Spring and damper on a joint coordinate, integrated implicitly: stable for every stiffness.
/// Backward Euler, which damps, or with Moreau the midpoint rule, which keeps the energy.
struct JointSpring {
  Real stiffness = 0;  ///< k [N/m], [N m/rad]
  Real damping = 0;    ///< d [N s/m], [N m s/rad]
  Real rest = 0;       ///< coordinate without force [m], [rad]
  /// In place of `stiffness`: over coordinate − rest. Each step takes the tangent. Where that falls
  /// so far that no damping makes up for it, the rate of the start stands for that of the end.
  ForceTable forceTable{};
  ForceTable damperTable{};  ///< likewise in place of `damping`: over the rate
};

/// A number over time: linear between its keys, held before the first and after the last.
class Schedule {
 public:
  struct Key {
    Real time = 0;  ///< [s] of simulated time, ascending
    Real value = 0;
  };

  Schedule() : Schedule(0) {}
  Schedule(Real constant) : Schedule({{0, constant}}) {}  // NOLINT: a number is a schedule
  /// Throws InputError unless there are keys, finite and with ascending times.
  explicit Schedule(std::vector<Key> keys);

  Real at(Real time) const;
  const std::vector<Key>& keys() const { return keys_; }

 private:
  std::vector<Key> keys_;
};

enum class MotorKind : std::uint8_t {
  kVelocity,  ///< the target is a rate [m/s], [rad/s]
  kPosition,  ///< the target is a coordinate [m], [rad]
};

/// Drives a joint coordinate to its target as far as the cap allows. A hard motor without a cap
/// does not press against the limits of its own coordinate, and no motor without a cap against its
/// lock. Against all else it presses with what the default of `maxForce` allows, a soft one also
/// against limits.
struct JointMotor {
  MotorKind kind = MotorKind::kVelocity;
  Schedule target{};
  /// Cap of force or torque [N], [N m]. Without one the motor is as strong as it has to be, and not
  /// so strong that it breaks what blocks it: a hundred times what brings all that hangs together
  /// with the body up by 1 m or 1 rad a step within one step, and bears all that presses on it.
  Real maxForce = kInfinity;
  std::optional<JointSpring> servo{};  ///< position motors: as soft as this spring; `rest` unused,
                                       ///< and no tables
};

/// What a joint does to one of its coordinates. The coordinate is free by default.
struct JointAxis {
  Real lower = -kInfinity;  ///< least coordinate [m], [rad]; where it equals `upper`, a lock
  Real upper = kInfinity;
  std::optional<JointSpring> spring{};
  std::optional<JointMotor> motor{};
  Real friction = 0;  ///< dry friction, force or torque [N], [N m]

  bool isLocked() const { return lower == upper; }
  static JointAxis locked(Real at = 0) { return {.lower = at, .upper = at}; }
  static JointAxis limited(Real lower, Real upper) { return {.lower = lower, .upper = upper}; }
};

/// What the coordinates of a joint measure.
enum class JointGeometry : std::uint8_t {
  /// Six coordinates of frame B in frame A: position along A's axes x, y, z [m]; angles θ1, θ2, θ3
  /// [rad] of the turns about x, then y, then z that take A's axes to B's: x is fixed in A, z in B.
  /// They count whole turns. But θ2 stays within ±90° where all three are free: there θ1 and θ3
  /// lose their meaning (StepReport::singularJoints), and no motor may lead past it.
  kFrames,
  /// One: the distance of the two frames' origins [m].
  kDistance,
  /// One: q1 + ratio q2 less what it is at the start, q the free coordinates of two hinges,
  /// sliders, distances or other joints (of each the only one that is not locked). It is a lock
  /// unless its axis has limits. Of the bodies of the two joints exactly two must be dynamic,
  /// since a row acts on two bodies. So carriers are static or kinematic, or one of the two.
  kGear,
};

/// A joint between two bodies. The functions below make the usual ones; every field may be changed
/// afterwards. The two bodies do not collide with each other unless asked.
struct JointDefinition {
  std::string name{};
  JointGeometry geometry = JointGeometry::kFrames;
  BodyId bodyA{}, bodyB{};
  Pose frameA{}, frameB{};          ///< in the bodies' reference frames; rotations are unit
  std::array<JointAxis, 6> axes{};  ///< by coordinate; distance and gear joints use the first only
  Real swingLimit = kInfinity;      ///< largest angle between the frames' x axes [rad]
  JointId gear1{}, gear2{};         ///< kGear: the coupled joints
  Real gearRatio = 1;               ///< kGear
  /// kDistance: the first span of the cable of which this is a further span; see cable.h.
  JointId cable{};
  Real wrapFriction = 0;  ///< μ of a further span: of the eyelets from the span before
  /// kDistance that only pulls: radius of a drum on B, whose axis is x of frame B, which turns the
  /// right way round to wind it up [m]; 0: none. See CablePoint.
  Real drumRadius = 0;
  std::optional<Real> compliance{};  ///< C of locked rows and limits [1/kg]; default: the world's
  Real breakingImpulse = kInfinity;  ///< largest linear impulse of a step that it bears [N s]
  bool collide = false;              ///< the connected bodies may touch
  /// Yours, as BodyDefinition::userData.
  std::uint64_t userData = 0;
};

/// What all rows of a joint do to body B: locks, limits, springs, motors and friction. Means of the
/// step at the poses of its detections, in world axes. Of gears B is the dynamic body of the second
/// joint, body B where both are, and its frame the centre of mass.
struct JointReaction {
  Vec3 force = Vec3::Zero();   ///< [N]
  Vec3 torque = Vec3::Zero();  ///< about the origin of frame B [N m]
};

/// Index of a coordinate of kFrames joints.
enum JointCoordinateIndex { kAlongX, kAlongY, kAlongZ, kAboutX, kAboutY, kAboutZ };

// Frames may be left out where World::addJoint() gets one of the world.

/// The joint of a row of the table of presets (joint_presets.h), which must have it.
JointDefinition presetJoint(std::string_view name, BodyId bodyA = {}, BodyId bodyB = {},
                            const Pose& frameA = {}, const Pose& frameB = {});

/// A frame: its x along a direction, its z as close to another one as a right angle lets it be. Any
/// lengths but 0; throws InputError where the two are parallel.
Pose jointFrame(const Vec3& position, const Vec3& x, const Vec3& z);
/// Likewise, with any z. Throws InputError where x is 0.
Pose jointFrame(const Vec3& position, const Vec3& x);

/// A point of A and a point of B stay together. Anchors in the bodies' reference frames [m].
inline JointDefinition ballJoint(BodyId bodyA, BodyId bodyB, const Vec3& anchorA,
                                 const Vec3& anchorB) {
  return presetJoint("ball", bodyA, bodyB, {.position = anchorA}, {.position = anchorB});
}
/// B turns about the x axis of the frames: coordinate kAboutX.
inline JointDefinition hingeJoint(BodyId bodyA, BodyId bodyB, const Pose& frameA = {},
                                  const Pose& frameB = {}) {
  return presetJoint("hinge", bodyA, bodyB, frameA, frameB);
}
/// B slides along the x axis of frame A: coordinate kAlongX.
inline JointDefinition sliderJoint(BodyId bodyA, BodyId bodyB, const Pose& frameA = {},
                                   const Pose& frameB = {}) {
  return presetJoint("slider", bodyA, bodyB, frameA, frameB);
}
/// B slides along and turns about the x axis: kAlongX, kAboutX.
inline JointDefinition cylindricalJoint(BodyId bodyA, BodyId bodyB, const Pose& frameA = {},
                                        const Pose& frameB = {}) {
  return presetJoint("cylindrical", bodyA, bodyB, frameA, frameB);
}
/// A cross of two shafts: turns about x of frame A and z of frame B, which stay at a right angle.
inline JointDefinition universalJoint(BodyId bodyA, BodyId bodyB, const Pose& frameA = {},
                                      const Pose& frameB = {}) {
  return presetJoint("universal", bodyA, bodyB, frameA, frameB);
}
/// B is a wheel of A: it travels along x of frame A (up: kAlongX, which gets a spring and limits),
/// steers about it (kAboutX, locked at first) and spins about z of frame B, its axle (kAboutZ).
inline JointDefinition wheelJoint(BodyId bodyA, BodyId bodyB, const Pose& frameA = {},
                                  const Pose& frameB = {}) {
  return presetJoint("wheel", bodyA, bodyB, frameA, frameB);
}
/// Nothing moves.
inline JointDefinition fixedJoint(BodyId bodyA, BodyId bodyB, const Pose& frameA = {},
                                  const Pose& frameB = {}) {
  return presetJoint("fixed", bodyA, bodyB, frameA, frameB);
}
/// Two points keep a distance between `lower` and `upper` [m]: a rod where they are equal, a rope
/// where `lower` is 0.
inline JointDefinition distanceJoint(BodyId bodyA, BodyId bodyB, const Vec3& anchorA,
                                     const Vec3& anchorB, Real lower, Real upper) {
  JointDefinition joint =
      presetJoint("distance", bodyA, bodyB, {.position = anchorA}, {.position = anchorB});
  joint.axes[0] = JointAxis::limited(lower, upper);
  return joint;
}
/// All six coordinates free, to be set one by one.
inline JointDefinition sixDofJoint(BodyId bodyA, BodyId bodyB, const Pose& frameA = {},
                                   const Pose& frameB = {}) {
  return presetJoint("six_dof", bodyA, bodyB, frameA, frameB);
}
/// A preset that couples two joints by q1 + ratio q2.
inline JointDefinition presetGear(std::string_view name, JointId joint1, JointId joint2,
                                  Real ratio) {
  JointDefinition joint = presetJoint(name);
  joint.gear1 = joint1;
  joint.gear2 = joint2;
  joint.gearRatio = ratio;
  return joint;
}
/// Keeps q1 + ratio q2 where it is at the start: see JointGeometry::kGear.
inline JointDefinition gearJoint(JointId joint1, JointId joint2, Real ratio) {
  return presetGear("gear", joint1, joint2, ratio);
}
/// The slider goes on by `radius` [m] per radian of the hinge.
inline JointDefinition rackAndPinionJoint(JointId slider, JointId hinge, Real radius) {
  return gearJoint(slider, hinge, -radius);
}
/// A rope over pulleys: q1 + ratio q2 of two distance joints does not exceed what it is at the
/// start.
inline JointDefinition pulleyJoint(JointId distance1, JointId distance2, Real ratio = 1) {
  return presetGear("pulley", distance1, distance2, ratio);
}
/// A rope that a drum winds up, by `radius` [m] per radian of its hinge; below 0 it pays out then.
/// It pulls, and never pushes: q1 + radius q2 does not exceed what it is at the start.
inline JointDefinition winchJoint(JointId distance, JointId hinge, Real radius) {
  return presetGear("winch", distance, hinge, radius);
}

}  // namespace drystone
