#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/model/joint.h"

namespace drystone {

struct WorldParts;

/// What the parts of a joint did along one of its coordinates: means of the last inner step [N],
/// about angles [N m]; reaction() is that of the whole step. Positive is what drives the coordinate
/// up.
struct AxisForce {
  Real lock = 0, limit = 0, spring = 0, motor = 0, friction = 0;
  Real total() const { return lock + limit + spring + motor + friction; }
};

/// One joint of a world, to read: World::joint() of a const World. Copied like a pointer, it is
/// valid as long as the world is, also where the world is moved to. Every member throws InputError
/// once the joint was removed; a joint that broke can still be read.
class ConstJointHandle {
 public:
  JointId id() const { return id_; }
  std::string_view name() const;  ///< valid until a joint is added
  int coordinateCount() const;    ///< 6, or 1 of distance and gear joints
  /// What it is made of at present, a motor target that was set being its schedule: another world
  /// that adds it has the same joint. Its turns and what a gear holds begin at the poses there.
  JointDefinition definition() const;
  std::uint64_t userData() const;
  /// A coordinate at the present poses [m], [rad]; see JointGeometry.
  Real coordinate(int index) const;
  Real rate(int index) const;  ///< of that coordinate [m/s], [rad/s]
  /// What the joint did to body B in the last step, world axes: mean force [N], and mean torque
  /// about frame B's origin [N m]. On body A it did the opposite about the same point, gears apart.
  JointReaction reaction() const;
  /// What acted along one coordinate. A motor at its cap reads the cap. Of gears it is the tension
  /// of q1 + ratio q2. Zero before the first step; a joint that sleeps keeps what it had, and
  /// restore() brings back what was saved. The swing limit is no coordinate. Throws InputError
  /// where there is no such coordinate.
  AxisForce axisForce(int coordinate) const;
  /// The torque on body B of that reaction about frame A's origin p_A, at the present poses:
  /// τ_A = τ_B + (p_B − p_A) × f [N m]. Differs from that about B where the two origins are apart.
  Vec3 torqueAboutFrameA() const;

 protected:
  friend class World;
  ConstJointHandle(WorldParts* parts, JointId id);  ///< throws InputError where there is none

  WorldParts* parts_;
  JointId id_;
};

/// One joint of a world, to read and to change: World::joint(). What is wrong throws InputError
/// with the name of the joint, and changes nothing. All that changes something wakes the two
/// bodies.
class JointHandle : public ConstJointHandle {
 public:
  /// Holds the target of a motor from now on, in place of its schedule [m], [rad] or their rates.
  /// A new target wakes the two bodies.
  void setMotorTarget(int coordinate, Real target) const;
  /// Drives a coordinate up in the next step, as an actuator between the two bodies that has this
  /// force or torque at any rate [N], [N m]. It adds to the loads of both, at the present poses, as
  /// BodyHandle::applyForce() does; of gears along q1 + ratio q2. Forces of several calls add up. A
  /// force other than 0 wakes the two bodies. Throws InputError where the joint is broken.
  void applyForce(int coordinate, Real force) const;
  void setUserData(std::uint64_t data) const;  ///< wakes nothing

  // What a joint is made of: each as the member of JointDefinition of that name, with its checks.
  // From the next step on the world does what one built that way would do. Not of broken joints.
  // What the joint remembers of the steps before, warm starts above all, is dropped for the
  // coordinate that changes, and for all of them with other frames or another gear ratio.

  /// Of one coordinate [m], [rad]; a lock where they are equal. A joint that a gear couples must
  /// keep its one free coordinate. Not of gears, which hold their ratio, and likewise the next
  /// four.
  void setLimits(int coordinate, Real lower, Real upper) const;
  void setSpring(int coordinate, std::optional<JointSpring> spring) const;
  /// A target that was set is forgotten: the schedule of the new motor counts.
  void setMotor(int coordinate, std::optional<JointMotor> motor) const;
  void setFriction(int coordinate, Real force) const;  ///< [N], [N m]
  /// All of these at once. `isNewMotor` where the motor is another one: else a target that was set
  /// stays.
  void setAxis(int coordinate, const JointAxis& axis, bool isNewMotor) const;
  void setSwingLimit(Real angle) const;         ///< [rad]; infinite: none
  void setBreakingImpulse(Real impulse) const;  ///< [N s]; infinite: never
  void setCompliance(std::optional<Real> compliance) const;
  void setCollide(bool collide) const;
  /// In the bodies' reference frames; not of gears. Turns are counted anew, and a gear that couples
  /// the joint holds from where it stands.
  void setFrames(const Pose& frameA, const Pose& frameB) const;
  void setGearRatio(Real ratio) const;  ///< of gears, which hold from where they stand

 private:
  friend class World;
  using ConstJointHandle::ConstJointHandle;
  /// Lets `edit` change the definition, and the joint accordingly; see changeJoint().
  template <class Edit>
  void change(std::string_view function, Edit&& edit, int coordinate = -1) const;
  /// The same for what one coordinate has.
  template <class Edit>
  void changeAxis(std::string_view function, int coordinate, Edit&& edit) const;
  /// Likewise where the motor may be another one.
  template <class Edit>
  void changeMotor(std::string_view function, int coordinate, Edit&& edit) const;
  /// Throws InputError where the joint is a gear.
  void refuseGear(std::string_view function) const;
};

}  // namespace drystone
