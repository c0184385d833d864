#include "engine/model/joint_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <span>
#include <tuple>
#include <utility>

#include "core/field_visitor.h"
#include "core/input_error.h"
#include "engine/model/argument_checks.h"
#include "engine/model/cable.h"
#include "engine/model/joint_coordinates.h"

namespace drystone {
namespace {

/// Collects what is wrong with a definition, to be reported together.
class Complaints {
 public:
  explicit Complaints(std::string name) : name_(std::move(name)) {}
  void require(bool holds, std::string_view rule) {
    if (!holds) text_ += fmt::format("{}{}", text_.empty() ? "" : "; ", rule);
  }
  void requireNone(const std::vector<std::string>& problems) {
    for (const std::string& problem : problems) require(false, problem);
  }
  void throwIfAny() const {
    if (!text_.empty()) throw InputError(fmt::format("joint '{}': {}", name_, text_));
  }

 private:
  std::string name_, text_;
};

/// For messages.
std::string nameOf(const std::string& name, int slot) {
  return name.empty() ? fmt::format("joint_{}", slot) : name;
}

bool isNotNegative(Real value) { return std::isfinite(value) && value >= 0; }

/// As far from 0 as inputs may be.
bool isBounded(Real value) { return std::abs(value) <= kLargestInput; }

bool isPose(const Pose& pose) {
  return pose.position.allFinite() && std::abs(pose.rotation.norm() - 1) < 1e-3;
}

void checkSpring(const JointSpring& spring, Complaints& complaints) {
  complaints.require(isNotNegative(spring.stiffness), "stiffness must be >= 0");
  complaints.require(isNotNegative(spring.damping), "damping must be >= 0");
  const bool isElastic = spring.stiffness > 0 || !spring.forceTable.isEmpty();
  const bool isDamped = spring.damping > 0 || !spring.damperTable.isEmpty();
  complaints.require(isElastic || isDamped, "a spring needs a stiffness or a damping");
  complaints.require(spring.stiffness == 0 || spring.forceTable.isEmpty(),
                     "a spring has a stiffness or a table of forces, not both");
  complaints.require(spring.damping == 0 || spring.damperTable.isEmpty(),
                     "a spring has a damping or a table of damper forces, not both");
  complaints.require(std::isfinite(spring.rest), "rest must be finite");
}

void checkAxis(const JointAxis& axis, Complaints& complaints) {
  complaints.require(axis.lower <= axis.upper, "the lower limit must not exceed the upper one");
  complaints.require(axis.lower < kInfinity && axis.upper > -kInfinity,
                     "limits must leave something to move in");
  for (const Real limit : {axis.lower, axis.upper}) {
    complaints.require(
        !std::isfinite(limit) || isBounded(limit),
        fmt::format("a limit must be infinite or within ±{:g}, got {:g}", kLargestInput, limit));
  }
  if (axis.spring) checkSpring(*axis.spring, complaints);
  if (axis.motor) {
    complaints.require(axis.motor->kind <= MotorKind::kPosition,
                       fmt::format("the kind of a motor must be one of MotorKind, got {}",
                                   static_cast<int>(axis.motor->kind)));
    complaints.require(axis.motor->maxForce >= 0, "the cap of a motor must be >= 0");
    if (axis.motor->servo) {
      checkSpring(*axis.motor->servo, complaints);
      complaints.require(axis.motor->servo->stiffness > 0,
                         "the damping of a position motor needs a stiffness; leave both out for a "
                         "hard motor");
      complaints.require(
          axis.motor->servo->forceTable.isEmpty() && axis.motor->servo->damperTable.isEmpty(),
          "a servo spring has no tables");
    }
    complaints.require(!axis.motor->servo || axis.motor->kind == MotorKind::kPosition,
                       "only a position motor has a servo spring");
  }
  complaints.require(isNotNegative(axis.friction), "friction must be >= 0");
}

std::string ledPast() {
  return fmt::format(
      "the motor of the second angle leads past ±90° between two free ones: give it limits within, "
      "or {}",
      kRightAngleRemedy);
}

/// Of a joint all three angles of which are free.
void checkSecondAngle(const JointAxis& axis, Complaints& complaints) {
  complaints.require((std::isinf(axis.lower) || axis.lower >= -kRightAngle) &&
                         (std::isinf(axis.upper) || axis.upper <= kRightAngle),
                     fmt::format("limits of the second angle must stay within ±90° between two "
                                 "free ones: {}",
                                 kRightAngleRemedy));
  if (!axis.motor) return;
  for (const Schedule::Key& key : axis.motor->target.keys()) {
    if (!leadsPastRightAngle(axis, key.value)) continue;
    complaints.require(false, ledPast());
    return;
  }
}

void checkDefinition(const JointDefinition& definition, Complaints& complaints) {
  if (definition.geometry > JointGeometry::kGear) {
    complaints.require(false, fmt::format("geometry must be one of JointGeometry, got {}",
                                          static_cast<int>(definition.geometry)));
    complaints.throwIfAny();  // all else looks up what it has
  }
  complaints.require(isPose(definition.frameA) && isPose(definition.frameB),
                     "frames must be finite, with unit quaternions");
  for (const Pose* const frame : {&definition.frameA, &definition.frameB}) {
    const Real largest = frame->position.cwiseAbs().maxCoeff();
    complaints.require(!std::isfinite(largest) || isBounded(largest),
                       fmt::format("positions of frames must be within ±{:g} m, got {:g}",
                                   kLargestInput, largest));
  }
  for (const JointAxis& axis : definition.axes) checkAxis(axis, complaints);
  if (traitsOf(definition.geometry).isDistance) {
    complaints.require(definition.axes[0].upper >= 0, "the upper limit of a distance must be >= 0");
  }
  if (isSecondAngleBounded(definition.geometry, definition.axes)) {
    checkSecondAngle(definition.axes[kAboutY], complaints);
  }
  complaints.require(definition.swingLimit > 0, "the swing limit must be > 0");
  complaints.require(!definition.compliance || isNotNegative(*definition.compliance),
                     "compliance must be >= 0 1/kg");
  complaints.require(definition.breakingImpulse > 0, "the breaking impulse must be > 0 N s");
  complaints.require(std::isfinite(definition.gearRatio) && definition.gearRatio != 0,
                     "the ratio of a gear must be finite and not 0");
  complaints.require(!std::isfinite(definition.gearRatio) || isBounded(definition.gearRatio),
                     fmt::format("the ratio of a gear must be within ±{:g}, got {:g}",
                                 kLargestInput, definition.gearRatio));
}

/// The coordinate that a gear couples: the first that is not locked; -1 when there is none.
int coupledCoordinate(const Joint& joint) {
  for (int i = 0; i < coordinateCount(joint.geometry); ++i) {
    if (!joint.axes[i].isLocked()) return i;
  }
  return -1;
}

/// Fills what a gear takes from its two joints.
void couple(const JointDefinition& definition, const BodyStore& bodies, const JointStore& joints,
            Joint& gear) {
  const auto slotOf = [&](JointId id) {
    const bool known = joints.contains(id) && joints[id.index].active() &&
                       joints[id.index].geometry != JointGeometry::kGear &&
                       cableOf(joints, id.index) < 0;
    if (!known) {
      throw InputError(
          fmt::format("joint '{}': a gear couples two joints that are there before it and no "
                      "gears or spans of cables, and joint_{} is none",
                      nameOf(definition.name, joints.slots()), id.index));
    }
    return id.index;
  };
  gear.gear1 = slotOf(definition.gear1);
  gear.gear2 = slotOf(definition.gear2);
  const Joint& one = joints[gear.gear1];
  const Joint& two = joints[gear.gear2];
  gear.gearAxis1 = coupledCoordinate(one);
  gear.gearAxis2 = coupledCoordinate(two);
  std::tie(gear.bodyA, gear.bodyB) = bodiesOfGear({one.bodyA, one.bodyB}, {two.bodyA, two.bodyB},
                                                  [&](int body) { return bodies.isDynamic(body); });
  Complaints complaints(nameOf(definition.name, joints.slots()));
  complaints.require(
      freeCoordinateCount(one.geometry, one.axes) == 1 &&
          freeCoordinateCount(two.geometry, two.axes) == 1,
      "a gear couples hinges, sliders and distances, joints with exactly one free coordinate");
  complaints.require(gear.gear1 != gear.gear2, "a gear couples two different joints");
  complaints.require(gear.bodyA >= 0,
                     "a gear acts on two dynamic bodies: of the bodies of its two joints two must "
                     "be dynamic, and carriers static, kinematic or one of the two; to drive more "
                     "bodies, give each joint a motor of its own");
  complaints.throwIfAny();
  const bool hasNoLimits = std::isinf(gear.axes[0].lower) && std::isinf(gear.axes[0].upper);
  if (hasNoLimits) gear.axes[0].lower = gear.axes[0].upper = 0;
}

/// Fills what may be changed, but for what belongs to a gear alone: all of it, or where memory ends
/// nothing.
void describe(const JointDefinition& definition, Joint& joint) {
  std::array<JointAxis, 6> axes = definition.axes;
  // From here on nothing takes memory.
  joint.axes = std::move(axes);
  joint.definedA = definition.frameA;
  joint.definedB = definition.frameB;
  joint.swingLimit = definition.swingLimit;
  joint.gearRatio = definition.gearRatio;
  joint.wrapFriction = definition.wrapFriction;
  joint.drumRadius = definition.drumRadius;
  joint.compliance = definition.compliance;
  joint.breakingImpulse = definition.breakingImpulse;
  joint.collide = definition.collide;
}

/// A gear needs the one free coordinate of each joint that it couples.
void checkGearsOn(const JointDefinition& definition, int slot, const JointStore& joints,
                  Complaints& complaints) {
  for (int other = 0; other < joints.slots(); ++other) {
    const Joint& gear = joints[other];
    if (!gear.alive || !gear.couples(slot)) continue;
    const int coupled = gear.gear1 == slot ? gear.gearAxis1 : gear.gearAxis2;
    complaints.require(
        canCouple(definition.geometry, definition.axes, coupled),
        fmt::format("gear '{}' needs its one free coordinate, {}: remove the gear first",
                    nameOf(gear.name, other), coupled));
  }
}

}  // namespace

JointId JointStore::add(Joint joint) {
  const int first = joint.cable;
  if (first >= 0) (*this)[first].further.reserve((*this)[first].further.size() + 1);
  const int slot = place(std::move(joint));
  if (first >= 0) (*this)[first].further.push_back(slot);
  return idOf(slot);
}

int JointStore::place(Joint joint) {
  if (freeSlots_.empty()) {
    if (joints_.size() == joints_.capacity()) joints_.reserve(2 * joints_.size() + 1);
    freeSlots_.reserve(joints_.capacity());  // so that remove() takes no memory
    joints_.push_back(std::move(joint));
    return slots() - 1;
  }
  std::ranges::pop_heap(freeSlots_, std::greater<>());
  const int slot = freeSlots_.back();
  freeSlots_.pop_back();
  joint.generation = (*this)[slot].generation;
  (*this)[slot] = std::move(joint);
  return slot;
}

void JointStore::remove(int slot) {
  (*this)[slot].alive = false;
  ++(*this)[slot].generation;
  freeSlots_.push_back(slot);
  std::ranges::push_heap(freeSlots_, std::greater<>());
}

void JointStore::takeBack(int slot) {
  const int first = (*this)[slot].cable;
  if (first >= 0) (*this)[first].further.pop_back();
  if ((*this)[slot].generation == 0) {  // used for the first time
    joints_.pop_back();
    return;
  }
  remove(slot);
  --(*this)[slot].generation;
}

const Joint& JointStore::at(JointId id) const {
  if (!contains(id)) throw InputError(missingProblem("joint", id.index, slots()));
  return (*this)[id.index];
}

Joint& JointStore::at(JointId id) { return const_cast<Joint&>(std::as_const(*this).at(id)); }

int freeCoordinateCount(JointGeometry geometry, const std::array<JointAxis, 6>& axes) {
  const std::span<const JointAxis> own(axes.data(),
                                       static_cast<std::size_t>(coordinateCount(geometry)));
  return static_cast<int>(std::ranges::count(own, false, &JointAxis::isLocked));
}

void placeFrames(const BodyStore& bodies, Joint& joint) {
  if (joint.geometry == JointGeometry::kGear) return;
  const auto unit = [](const Pose& frame) {
    return Pose{frame.position, frame.rotation.normalized()};
  };
  joint.frameA = bodies.reference[joint.bodyA] * unit(joint.definedA);
  joint.frameB = bodies.reference[joint.bodyB] * unit(joint.definedB);
}

void startFromHere(const BodyStore& bodies, const JointStore& joints, Joint& joint) {
  joint.angle = {};
  joint.gearStart = joint.drumStart = 0;
  std::array<JointCoordinate, 6> start;
  jointCoordinates(bodies, joints, joint, start);
  if (joint.geometry == JointGeometry::kGear) joint.gearStart = start[0].value;
  rememberAngles(start, joint);
  if (joint.drumRadius > 0) joint.drumStart = joint.angle[0];
}

Joint makeJoint(const JointDefinition& definition, const BodyStore& bodies,
                const JointStore& joints) {
  Complaints complaints(nameOf(definition.name, joints.slots()));
  checkDefinition(definition, complaints);
  complaints.throwIfAny();

  Joint joint;
  joint.name = definition.name;
  joint.alive = true;
  joint.userData = definition.userData;
  joint.geometry = definition.geometry;
  describe(definition, joint);
  if (definition.geometry == JointGeometry::kGear) {
    couple(definition, bodies, joints, joint);
  } else {
    for (const BodyId id : {definition.bodyA, definition.bodyB}) {
      complaints.require(bodies.contains(id), missingProblem("body", id.index, bodies.slots()));
    }
    complaints.throwIfAny();
    joint.bodyA = definition.bodyA.index;
    joint.bodyB = definition.bodyB.index;
    placeFrames(bodies, joint);
  }
  complaints.requireNone(cableProblems(definition, -1, joints));
  complaints.throwIfAny();
  joint.cable = definition.cable.index;
  complaints.require(joint.bodyA != joint.bodyB,
                     "connects a body with itself; name two different bodies");
  complaints.require(bodies.isDynamic(joint.bodyA) || bodies.isDynamic(joint.bodyB),
                     "one of its bodies must be dynamic");
  complaints.throwIfAny();

  startFromHere(bodies, joints, joint);
  return joint;
}

JointDefinition definitionOf(const BodyStore& bodies, const JointStore& joints, int slot) {
  const Joint& joint = joints[slot];
  JointDefinition definition{.name = joint.name,
                             .geometry = joint.geometry,
                             .frameA = joint.definedA,
                             .frameB = joint.definedB,
                             .axes = joint.axes,
                             .swingLimit = joint.swingLimit,
                             .gearRatio = joint.gearRatio,
                             .wrapFriction = joint.wrapFriction,
                             .drumRadius = joint.drumRadius,
                             .compliance = joint.compliance,
                             .breakingImpulse = joint.breakingImpulse,
                             .collide = joint.collide,
                             .userData = joint.userData};
  if (joint.geometry == JointGeometry::kGear) {
    definition.gear1 = joints.idOf(joint.gear1);
    definition.gear2 = joints.idOf(joint.gear2);
  } else {
    definition.bodyA = bodies.idOf(joint.bodyA);
    definition.bodyB = bodies.idOf(joint.bodyB);
  }
  if (joint.isFurtherSpan()) definition.cable = joints.idOf(joint.cable);
  return definition;
}

void redefine(const BodyStore& bodies, const JointDefinition& definition, int slot,
              JointStore& joints) {
  Complaints complaints(nameOf(definition.name, slot));
  checkDefinition(definition, complaints);
  checkGearsOn(definition, slot, joints, complaints);
  complaints.requireNone(cableProblems(definition, slot, joints));
  // A target that was set goes on to count.
  const JointAxis& second = definition.axes[kAboutY];
  complaints.require(!isSecondAngleBounded(definition.geometry, definition.axes) || !second.motor ||
                         !leadsPastRightAngle(second, joints[slot].target[kAboutY]),
                     ledPast());
  complaints.throwIfAny();
  describe(definition, joints[slot]);
  placeFrames(bodies, joints[slot]);
}

}  // namespace drystone
