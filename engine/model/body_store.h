#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/model/body.h"
#include "solvers/problem/contact_problem.h"

namespace drystone {

/// What a body is made from at present, pose and velocities apart: they are those that it began
/// with. The arrays below have what the step computes with.
struct BodyRecord : BodyDefinition {
  std::uint32_t generation = 0;
  bool alive = false;
  /// The shape that it was added with, if another one took its place since.
  std::shared_ptr<const std::optional<Shape>> addedShape;
};

/// Bodies as arrays by field, all of one length; a slot is a body's index for its whole life. The
/// body frame used here has its origin in the centre of mass and the principal axes; `reference`
/// leads from there to the reference frame that users see.
struct BodyStore {
  std::vector<BodyRecord> record;
  std::vector<int> freeSlots;  ///< min-heap of the slots of removed bodies
  std::vector<BodyKind> kind;
  std::vector<int> collider;  ///< -1: none
  std::vector<MaterialId> material;
  std::vector<std::uint8_t> hasPartMaterials;  ///< its record names some
  std::vector<Pose> reference;                 ///< reference frame in the body frame
  std::vector<Real> mass;                      ///< [kg]; 0 unless dynamic
  std::vector<Vec3> moments;           ///< principal moments of inertia [kg m²]; 0 unless dynamic
  std::vector<Vec3> surfaceVelocity;   ///< relative to the body, body frame [m/s]
  std::vector<std::uint8_t> isSensor;  ///< makes no contact rows
  /// Least extent of the box around the shape, or of a dynamic body without one the length of the
  /// rod of the same mass and largest moment [m].
  std::vector<Real> extent;
  /// No point of the shape is farther from the centre of mass [m]; infinite where it is not
  /// bounded, 0 without a shape.
  std::vector<Real> reach;
  std::vector<Real> linearDamping, angularDamping;  ///< [1/s]
  std::vector<Real> gravityScale;
  std::vector<std::uint8_t> locked;  ///< bit i: component i of (v, ω) is locked; 0 unless dynamic

  std::vector<Vec3> position;  ///< centre of mass [m]
  std::vector<Quat> rotation;  ///< body frame to world, unit
  std::vector<Vec6> velocity;  ///< (v, ω), world
  std::vector<Vec6> load;      ///< applied force and torque of the coming step [N], [N m]
  /// Moreau: mean torque of the joints in the last inner step about the centre of mass, world [N m]
  std::vector<Vec3> jointTorque;
  std::vector<InverseInertia> inverseInertia;  ///< M⁻¹ at the present rotation; 0 unless dynamic

  std::vector<std::uint8_t> maySleep;
  std::vector<std::uint8_t> asleep;     ///< dynamic bodies only: at rest, and left out of the step
  std::vector<std::uint8_t> disturbed;  ///< changed from outside since the last step: wakes others
  std::vector<std::uint8_t> hasForces;  ///< its record schedules some
  std::vector<std::uint8_t> hasAdhesion;  ///< its record has some
  std::vector<Real> stillTime;            ///< for how long it was slow [s]
  /// Copies of bodies of another process, where there are several: no sum over bodies has them.
  std::vector<std::uint8_t> isGhost;
  std::vector<std::uint8_t> placed;  ///< put in its place from outside since the last detection

  int slots() const { return static_cast<int>(record.size()); }
  bool isDynamic(int index) const { return kind[index] == BodyKind::kDynamic; }
  bool isAsleep(int index) const { return asleep[index] != 0; }
  bool isAwake(int index) const { return isDynamic(index) && asleep[index] == 0; }
  /// True for a pair of which one sleeps and none is awake.
  bool areAsleep(int a, int b) const {
    return !isAwake(a) && !isAwake(b) && (isAsleep(a) || isAsleep(b));
  }
  int countAsleep() const;
  /// Slots of what may move, ascending: kinematic bodies, and dynamic ones that are awake. Stays
  /// valid for as long as activeVersion() stays.
  std::span<const int> active() const {
    if (listedVersion_ != version_) listActive();
    return active_;
  }
  /// Another number whenever a body falls asleep, wakes, comes or goes; never 0.
  std::uint64_t activeVersion() const { return version_; }
  /// Tells that these arrays were changed by others.
  void noteChange() { ++version_; }
  /// Σ m x of what sleeps, each with its scale of gravity [kg m].
  Vec3 momentAsleep() const {
    if (listedVersion_ != version_) listActive();
    return momentAsleep_;
  }
  /// Stops a body and puts it to sleep.
  void sleep(int index);
  /// Wakes a body and lets it be slow from now on.
  void wake(int index);
  void wakeAll();
  BodyId idOf(int index) const { return {index, record[index].generation}; }

  /// Takes the lowest free slot; throws InputError when the definition is bad.
  BodyId add(const BodyDefinition& definition);
  void remove(int index);
  /// As if the last add(), which gave this index, had not been.
  void takeBack(int index);
  /// Makes a body of other things, where it is: poses and velocities of the definition are left
  /// alone, and its points go on as they move. Velocities and loads that it cannot have any more
  /// are dropped. The definition is one that check() passes.
  void redefine(int index, const BodyDefinition& definition);
  /// Throws InputError that lists what is wrong with the definition of a body; one without a name
  /// is named by its index.
  static void check(const BodyDefinition& definition, int index);
  /// Gives all arrays that many slots.
  void resize(int count);
  bool contains(BodyId id) const {
    return id.index >= 0 && id.index < slots() && record[id.index].alive &&
           record[id.index].generation == id.generation;
  }
  /// The slot of a body; throws InputError when the id is stale.
  int slotOf(BodyId id) const;
  /// The material of what is touched of a body.
  MaterialId materialOf(int index, const TouchedPart& touched) const;
  Pose referencePose(int index) const {
    return Pose{position[index], rotation[index]} * reference[index];
  }
  /// Sets position and rotation from the pose of the reference frame.
  void setReferencePose(int index, const Pose& pose);
  /// Recomputes M⁻¹ after the rotation changed.
  void updateInverseInertia(int index);
  /// Replaces the scheduled load of a body; throws InputError when it is bad.
  void setForces(int index, std::vector<ForceKey> forces);
  /// Mean over h from `time` on [s] of what was applied and is scheduled [N], [N m].
  Vec6 meanLoad(int index, Real time, Real h) const;
  /// True when the scheduled load is not zero all the time.
  bool isForced(int index, Real time, Real h) const;
  /// Pull on what it touches at a time [N].
  Real adhesionAt(int index, Real time) const;
  /// Acceleration of free fall of a dynamic body in a field of gravity [m/s²].
  Vec3 gravityOf(int index, const Vec3& gravity) const {
    Vec3 own = gravityScale[index] * gravity;
    for (int i = 0; locked[index] != 0 && i < 3; ++i) own[i] = isLocked(index, i) ? 0 : own[i];
    return own;
  }
  bool isLocked(int index, int component) const { return (locked[index] >> component & 1) != 0; }
  /// Zeroes the components of a velocity, or of a row of J, that are locked. In place of a mass
  /// that is infinite along some axes the rows of such a body are 0 there: J M⁻¹ Jᵀ is the same.
  void dropLocked(int index, Vec6& row) const {
    if (locked[index] == 0) return;
    for (int i = 0; i < 6; ++i) row[i] = isLocked(index, i) ? 0 : row[i];
  }
  bool hasMovingSurface(int index) const { return !surfaceVelocity[index].isZero(0); }
  /// I ω in world axes, of a dynamic body [kg m²/s].
  Vec3 angularMomentum(int index, const Vec3& angularVelocity) const;
  Real kineticEnergy(int index, const Vec6& velocity) const;  ///< [J]

 private:
  void listActive() const;
  /// Fills what follows from the definition alone, and the record but for its generation.
  void describe(int index, const BodyDefinition& definition);

  std::uint64_t version_ = 1;
  mutable std::uint64_t listedVersion_ = 0;  ///< that of the two below
  mutable std::vector<int> active_;
  mutable Vec3 momentAsleep_ = Vec3::Zero();
};

}  // namespace drystone
