#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "collision/collision_world.h"
#include "engine/model/body.h"
#include "engine/model/joint.h"
#include "engine/model/material.h"
#include "solvers/problem/contact_problem.h"

namespace drystone {

struct WorldParts;

/// One contact point of a body in the last step, as this body sees it; world axes.
struct BodyContact {
  BodyId other;                  ///< the body that it meets
  TouchedPart part, otherPart;   ///< of compounds, meshes and height fields: of this body, of other
  Vec3 position = Vec3::Zero();  ///< [m]
  Vec3 normal = Vec3::UnitZ();   ///< unit, from the other body to this one
  Real gap = 0;                  ///< at detection, along the normal; negative: overlap [m]
  Vec3 impulse = Vec3::Zero();   ///< on this body, friction included [N s]
  Real normalImpulse = 0;        ///< its part along the normal; adhesion: < 0 where it holds [N s]
};

/// What an inertial unit on a body measures: means of the last inner step of h, in the axes of its
/// site; impacts of earlier inner steps are not in it. They are those of the time at which the
/// step's contacts and joints were met: its start, and with Moreau and for kinematic bodies its
/// middle. Beside them the error is of h² in smooth motion.
struct ImuReading {
  /// Acceleration of the site less gravity: g upwards at rest, 0 in free fall [m/s²].
  Vec3 specificForce = Vec3::Zero();
  Vec3 angularVelocity = Vec3::Zero();      ///< [rad/s]
  Vec3 angularAcceleration = Vec3::Zero();  ///< [rad/s²]
};

/// What contacts did to a body: means of the last inner step, world axes. An impact in an earlier
/// inner step of the step is not in it: World::lastEvents() has those of all.
struct ContactForce {
  Vec3 force = Vec3::Zero();  ///< friction included [N]
  /// About the centre of mass, where the contacts were met: with their arms of then [N m].
  Vec3 torque = Vec3::Zero();
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
  std::uint64_t userData() const;
  BodyKind kind() const;
  bool isSensor() const;
  bool isAwake() const;  ///< only dynamic bodies sleep
  Real mass() const;     ///< [kg]; +∞ unless dynamic
  /// At the present pose; 0 unless dynamic, and about locked axes. Locked translations are not in
  /// it: see definition().
  InverseInertia inverseInertia() const;
  /// What it is made of at present, with its present pose and velocities: another world that adds
  /// it has the same body.
  BodyDefinition definition() const;
  Pose pose() const;             ///< of the reference frame
  Vec3 centerOfMass() const;     ///< [m]
  Vec3 linearVelocity() const;   ///< of the centre of mass [m/s]
  Vec3 angularVelocity() const;  ///< [rad/s]
  /// The scheduled load, BodyDefinition::forces. Valid until it is set or a body is added.
  std::span<const ForceKey> forces() const;
  Real adhesion() const;  ///< with which it pulls on what it touches in the next inner step [N]
  /// Its contact points in the last of the inner steps, with the impulses of that one alone: an
  /// impact of an earlier one is in World::lastEvents(). Some are only near and have none. Empty
  /// before the first step and after restore(), for a body that sleeps, and for sensors: StepEvents
  /// tells of these. Looks through all contacts of the world: for many bodies take
  /// WorldObserver::snapshot().
  std::vector<BodyContact> contacts() const;
  /// The velocity of the body's point that is at a place now [m/s].
  Vec3 velocityAt(const Vec3& worldPoint) const;
  /// What an inertial unit measures at a site of the reference frame [m]. Velocities that were
  /// given from outside, and impulses, are no acceleration; impacts are, spread over the inner
  /// step. Gravity is what acts on the body (setGravityScale). What is static or sleeps reads rest.
  /// None until the first step that the body takes part in, after restore(), after a step that
  /// diverged, and once the body was moved by setPose() or is made of other things than in that
  /// step.
  std::optional<ImuReading> imu(const Pose& site = {}) const;
  /// What all contacts did to this body, those of one other body, or those on one child of its
  /// compound; kinematic and static bodies have it, too. Zero before the first step, and for
  /// sensors. It is that of the last step, wherever the body is put after it. Bodies that sleep
  /// keep what they had, and restore() brings back what was saved. Looks through all contacts of
  /// the world. Throws InputError where the other body was removed, or the shape has no such child.
  ContactForce contactForce() const;
  ContactForce contactForce(BodyId other) const;
  ContactForce contactForceOnPart(int part) const;
  /// Joints and gears on it, without the broken ones, ascending by index.
  std::vector<JointId> joints() const;

 protected:
  friend class World;
  ConstBodyHandle(WorldParts* parts, BodyId id);  ///< throws InputError where there is no such body
  int slot() const;                               ///< throws InputError once the body was removed
  /// The sum over the contacts of which `isCounted(other body's slot, part of this one)` is true.
  template <class IsCounted>
  ContactForce sumOfContacts(IsCounted&& isCounted) const;

  WorldParts* parts_;
  BodyId id_;
};

/// Where the mass of a body comes from when its shape is replaced.
enum class ShapeMass : std::uint8_t {
  kKept,       ///< mass, centre of mass and inertia stay
  kByDensity,  ///< those of the new shape and the density of the body
};

/// One body of a world, to read and to change: World::body(). What is not finite, and a place, mass
/// or velocity above 1e15 in SI units, throws InputError and changes nothing. Changes wake the
/// body.
class BodyHandle : public ConstBodyHandle {
 public:
  void setPose(const Pose& pose) const;  ///< of the reference frame; the rotation is unit
  /// `linear` of the centre of mass [m/s], `angular` [rad/s]. Not of a static body. What lies along
  /// locked axes is dropped.
  void setVelocity(const Vec3& linear, const Vec3& angular) const;
  /// Loads act for the next step only and add up. Loads of zero wake nothing, and no load moves
  /// what is static or kinematic.
  void applyForce(const Vec3& force) const;  ///< on its centre of mass [N]
  void applyForceAt(const Vec3& force, const Vec3& worldPoint) const;  ///< [N], [m]
  void applyTorque(const Vec3& torque) const;                          ///< [N m]
  /// Impulses change the velocity at once; those of zero wake nothing. Static and kinematic bodies
  /// have none of them.
  void applyImpulse(const Vec3& impulse, const Vec3& worldPoint) const;  ///< [N s], [m]
  void applyAngularImpulse(const Vec3& impulse) const;                   ///< [N m s]
  /// Schedules a load in place of BodyDefinition::forces; none: empty.
  void setForces(std::vector<ForceKey> forces) const;

  // What a body is made of: each as the member of BodyDefinition of that name, with its checks.
  // From the next step on the world does what one built that way would do.

  /// Of dynamic bodies, in the reference frame. The body's points go on as they move.
  void setMass(const MassProperties& mass) const;
  void setDensity(Real density) const;  ///< [kg/m³]: the mass is that of the shape
  void setMaterial(MaterialId material) const;
  void setPartMaterials(std::vector<MaterialId> materials) const;  ///< none: empty
  void setFilter(const CollisionFilter& filter) const;
  /// Motion keys, scheduled forces and velocities that the new kind has not are dropped, and so are
  /// the impulses of its contacts and joints. A dynamic body gets the mass that it was given last,
  /// or that of its shape and density.
  void setKind(BodyKind kind) const;
  /// Another shape in the place of the present one; none: it collides with nothing. Materials of
  /// its parts go with the old one. Its mass stays,
  /// unless it is asked for by the density, which changes the centre of mass, too.
  void setShape(std::optional<Shape> shape, ShapeMass mass = ShapeMass::kKept) const;
  void setSurfaceVelocity(const Vec3& velocity) const;  ///< [m/s], reference frame
  void setSensor(bool isSensor) const;
  /// Pulls it and what it touches together from now on [N]; 0 switches that off.
  void setAdhesion(Real force) const;
  void setAdhesion(std::vector<AdhesionKey> keys) const;
  void setAllowSleep(bool allowSleep) const;
  /// Of kinematic bodies. Without keys it goes on as it moves now.
  void setMotion(std::vector<VelocityKey> motion) const;
  void setDamping(Real linear, Real angular) const;  ///< [1/s]
  void setGravityScale(Real scale) const;
  void setLockedAxes(const LockedAxes& axes) const;
  /// All of these at once, by a definition() that was changed. Name, pose, velocity and user data
  /// stay. `isNewShape` where the shape is another one.
  void redefine(const BodyDefinition& definition, bool isNewShape) const;
  void setUserData(std::uint64_t data) const;  ///< wakes nothing
  void wake() const;                           ///< and with the next step all of its island

 private:
  friend class World;
  using ConstBodyHandle::ConstBodyHandle;
  /// Throws InputError where it may not be of that kind.
  void requireKind(std::string_view function, BodyKind kind) const;
  int slotToChange() const;  ///< throws InputError from within a callback of a step, too
  /// Lets `edit` change the definition, and the body accordingly.
  template <class Edit>
  void change(Edit&& edit, bool isNewShape = false) const;
  /// Adds to the velocity what an impulse and its moment about the centre of mass make of it.
  void addImpulse(std::string_view function, const Vec6& impulse) const;
};

}  // namespace drystone
