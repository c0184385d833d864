#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "engine/model/body.h"
#include "engine/model/joint.h"
#include "solvers/problem/contact_problem.h"

namespace drystone {

struct WorldParts;

/// One contact point of a body in the last step, as this body sees it; world axes.
struct BodyContact {
  BodyId other;                  ///< the body that it meets
  Vec3 position = Vec3::Zero();  ///< [m]
  Vec3 normal = Vec3::UnitZ();   ///< unit, from the other body to this one
  Real gap = 0;                  ///< at detection, along the normal; negative: overlap [m]
  Vec3 impulse = Vec3::Zero();   ///< on this body, friction included [N s]
  Real normalImpulse = 0;        ///< its part along the normal, ≥ 0 [N s]
};

/// One body of a world, to read: World::body() of a const World. Copied like a pointer, it is valid
/// as long as the world is, also where the world is moved to. Every member throws InputError once
/// the body was removed. Vectors are in world axes.
class ConstBodyHandle {
 public:
  BodyId id() const { return id_; }
  /// Valid, like what `shape` points to, until a body is added or this one is removed.
  std::string_view name() const;
  const Shape* shape() const;  ///< null: none
  BodyKind kind() const;
  bool isSensor() const;
  bool isAwake() const;                   ///< only dynamic bodies sleep
  Real mass() const;                      ///< [kg]; +∞ unless dynamic
  InverseInertia inverseInertia() const;  ///< at the present pose; 0 unless dynamic
  Pose pose() const;                      ///< of the reference frame
  Vec3 centerOfMass() const;              ///< [m]
  Vec3 linearVelocity() const;            ///< of the centre of mass [m/s]
  Vec3 angularVelocity() const;           ///< [rad/s]
  /// The scheduled load, BodyDefinition::forces. Valid until it is set or a body is added.
  std::span<const ForceKey> forces() const;
  /// Its contact points in the last step, with impulses of the last of its inner steps; some are
  /// only near and have none. Empty before the first step and after restore(), for a body that
  /// sleeps, and for sensors: StepEvents tells of these. Looks through all contacts of the world:
  /// for many bodies take WorldObserver::snapshot().
  std::vector<BodyContact> contacts() const;
  /// Joints and gears on it, without the broken ones, ascending by index.
  std::vector<JointId> joints() const;

 protected:
  friend class World;
  ConstBodyHandle(WorldParts* parts, BodyId id);  ///< throws InputError where there is no such body
  int slot() const;                               ///< throws InputError once the body was removed

  WorldParts* parts_;
  BodyId id_;
};

/// One body of a world, to read and to change: World::body(). What is not finite throws InputError
/// and changes nothing. All that changes something wakes the body (WorldSettings::sleeping).
class BodyHandle : public ConstBodyHandle {
 public:
  void setPose(const Pose& pose) const;  ///< of the reference frame; the rotation is unit
  /// `linear` of the centre of mass [m/s], `angular` [rad/s]. Not of a static body.
  void setVelocity(const Vec3& linear, const Vec3& angular) const;
  /// Loads act for the next step only and add up. Loads of zero wake nothing.
  void applyForce(const Vec3& force) const;  ///< on its centre of mass [N]
  void applyForceAt(const Vec3& force, const Vec3& worldPoint) const;  ///< [N], [m]
  void applyTorque(const Vec3& torque) const;                          ///< [N m]
  /// Schedules a load in place of BodyDefinition::forces; none: empty. A saved world only fits one
  /// with the same schedule.
  void setForces(std::vector<ForceKey> forces) const;
  void wake() const;  ///< and with the next step all of its island

 private:
  friend class World;
  using ConstBodyHandle::ConstBodyHandle;
  void disturb() const;  ///< before the body is changed from outside
};

}  // namespace drystone
