#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/model/body_store.h"
#include "engine/model/joint.h"
#include "solvers/problem/contact_problem.h"

namespace drystone {

constexpr Real kNaN = std::numeric_limits<Real>::quiet_NaN();

/// What mean rows make of the rate φ̇ of a lock, see correctLockRates() [m/s], [rad/s].
struct LockRate {
  Real kept = kNaN;  ///< φ̇ − s of the last inner step; NaN: nothing is known of it
  Real path = kNaN;  ///< f of the inner step before it; NaN: likewise
  Real excess = 0;   ///< s of this inner step
};

/// What of a joint may be changed between two steps.
struct JointProperties {
  /// Its frames in the reference frames of the bodies, as they were given; not of gears.
  Pose definedA, definedB;
  std::array<JointAxis, 6> axes;
  Real swingLimit = kInfinity;         ///< [rad]
  int gearAxis1 = -1, gearAxis2 = -1;  ///< the coordinates that a gear couples
  Real gearRatio = 1;
  Real gearStart = 0;                ///< q1 + ratio q2 when the gear was made
  Real drumRadius = 0;               ///< of a drum on B [m]; 0: none
  Real drumStart = 0;                ///< `angle[0]` when the drum was made [rad]
  Real wrapFriction = 0;             ///< μ between the span before and this further span
  std::optional<Real> compliance;    ///< [1/kg]; none: the world's
  Real breakingImpulse = kInfinity;  ///< [N s]
  bool collide = false;
};

/// What of a joint evolves, or was set for the steps to come.
struct JointMemory {
  bool broken = false;
  /// Motor targets set while running, in place of the schedules; NaN: none.
  std::array<Real, 6> target = {kNaN, kNaN, kNaN, kNaN, kNaN, kNaN};
  /// θ1, θ2, θ3 at the last detection, or where fast turns have led since; whole turns counted. Of
  /// a drum: the first one, of the point where the cable leaves it, in frame B.
  std::array<Real, 3> angle{};
  std::array<LockRate, 6> lockRate;    ///< of locked coordinates, with mean rows
  Vec3 impulse = Vec3::Zero();         ///< of the last step, on B, world axes [N s]
  Vec3 angularImpulse = Vec3::Zero();  ///< about frame B's origin [N m s]
  Vec3 force = Vec3::Zero();           ///< mean of the last inner step, on B [N]
  Real drift = 0;                      ///< position error at the last detection [m]
  Real turnError = 0;                  ///< angle error at the last detection [rad]
};

/// A joint as the step sees it.
struct Joint : JointProperties, JointMemory {
  std::string name;
  std::uint32_t generation = 0;  ///< how often the slot was used before
  bool alive = false;
  std::uint64_t userData = 0;  ///< of the user
  JointGeometry geometry = JointGeometry::kFrames;
  int bodyA = -1, bodyB = -1;  ///< body slots
  Pose frameA, frameB;         ///< its frames in the body frames, with unit rotations
  int gear1 = -1, gear2 = -1;  ///< slots of the joints that a gear couples
  int cable = -1;              ///< of a further span of a cable: the slot of the first one
  std::vector<int> further;    ///< of the first span: the slots of the others, in order

  bool active() const { return alive && !broken; }
  bool couples(int slot) const { return gear1 == slot || gear2 == slot; }
  bool isFurtherSpan() const { return cable >= 0; }
  bool isFirstSpan() const { return !further.empty(); }
  /// Mean over the step of the given length [s].
  JointReaction reaction(Real timestep) const {
    return {impulse / timestep, angularImpulse / timestep};
  }
  /// To be called when poses or velocities change from outside.
  void forgetRates() { lockRate.fill({}); }
  void forgetImpulses() {
    impulse.setZero();
    angularImpulse.setZero();
  }
  void scaleImpulses(Real factor) {
    impulse *= factor;
    angularImpulse *= factor;
  }
};

/// The joints of a world by slot, which is a joint's index for its whole life. A removed joint
/// stays in its slot, not alive, until the next joint takes the lowest such slot.
class JointStore {
 public:
  JointId add(Joint joint);
  void remove(int slot);
  /// As if the last add(), which took this slot, had not been.
  void takeBack(int slot);

  int slots() const { return static_cast<int>(joints_.size()); }
  Joint& operator[](int slot) { return joints_[static_cast<std::size_t>(slot)]; }
  const Joint& operator[](int slot) const { return joints_[static_cast<std::size_t>(slot)]; }
  auto begin() { return joints_.begin(); }
  auto end() { return joints_.end(); }
  auto begin() const { return joints_.begin(); }
  auto end() const { return joints_.end(); }

  JointId idOf(int slot) const { return {slot, (*this)[slot].generation}; }
  /// A joint that broke is there until it is removed.
  bool contains(JointId id) const {
    return id.index >= 0 && id.index < slots() && (*this)[id.index].alive &&
           (*this)[id.index].generation == id.generation;
  }
  /// Throws InputError when the joint is not there.
  Joint& at(JointId id);
  const Joint& at(JointId id) const;

 private:
  int place(Joint joint);  ///< its slot

  std::vector<Joint> joints_;
  std::vector<int> freeSlots_;  ///< min-heap
};

/// True when the joint acts on sleeping bodies only.
inline bool isAsleep(const BodyStore& bodies, const Joint& joint) {
  return joint.active() && bodies.areAsleep(joint.bodyA, joint.bodyB);
}

/// How many of its coordinates are not locked.
int freeCoordinateCount(JointGeometry geometry, const std::array<JointAxis, 6>& axes);

/// The bodies that a gear acts on: those of the two joints that it couples which are dynamic, if
/// they are no more than two. Of each joint body B comes first. -1, -1: they are more, or only one.
std::pair<int, int> bodiesOfGear(std::pair<int, int> first, std::pair<int, int> second,
                                 const std::function<bool(int)>& isDynamic);

/// Whether a gear can couple a joint of these axes by a coordinate: its only free one.
bool canCouple(JointGeometry geometry, const std::array<JointAxis, 6>& axes, int coordinate);

/// Whether a body is of the joints that a gear couples and not one of the two that it acts on: it
/// must not be dynamic.
bool carries(const JointStore& joints, const Joint& gear, int body);

/// Brings the frames of a joint into the body frames. To be called when these change.
void placeFrames(const BodyStore& bodies, Joint& joint);

/// Counts the turns of a joint from its present poses on, and lets a gear hold from there.
void startFromHere(const BodyStore& bodies, const JointStore& joints, Joint& joint);

/// Checks a definition and brings it into the body frames. Throws InputError that lists all that is
/// wrong with it.
Joint makeJoint(const JointDefinition& definition, const BodyStore& bodies,
                const JointStore& joints);

/// What the joint of a slot is made from at present, motor targets set while running apart.
JointDefinition definitionOf(const BodyStore& bodies, const JointStore& joints, int slot);

/// Makes a joint of other things: of the definition counts what does not name it, its bodies or
/// joints, or its geometry. Throws InputError, and changes nothing, where it is bad.
void redefine(const BodyStore& bodies, const JointDefinition& definition, int slot,
              JointStore& joints);

}  // namespace drystone
