#include "engine/model/joint_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "core/input_error.h"
#include "engine/model/argument_checks.h"
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
  void throwIfAny() const {
    if (!text_.empty()) throw InputError(fmt::format("joint '{}': {}", name_, text_));
  }

 private:
  std::string name_, text_;
};

/// For messages.
std::string nameOf(const JointDefinition& definition, const JointStore& joints) {
  return definition.name.empty() ? fmt::format("joint_{}", joints.slots()) : definition.name;
}

bool isNotNegative(Real value) { return std::isfinite(value) && value >= 0; }

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
  if (axis.spring) checkSpring(*axis.spring, complaints);
  if (axis.motor) {
    complaints.require(axis.motor->maxForce >= 0, "the cap of a motor must be >= 0");
    if (axis.motor->servo) {
      checkSpring(*axis.motor->servo, complaints);
      complaints.require(
          axis.motor->servo->forceTable.isEmpty() && axis.motor->servo->damperTable.isEmpty(),
          "a servo spring has no tables");
    }
    complaints.require(!axis.motor->servo || axis.motor->kind == MotorKind::kPosition,
                       "only a position motor has a servo spring");
  }
  complaints.require(isNotNegative(axis.friction), "friction must be >= 0");
}

void checkDefinition(const JointDefinition& definition, Complaints& complaints) {
  complaints.require(isPose(definition.frameA) && isPose(definition.frameB),
                     "frames must be finite, with unit quaternions");
  for (const JointAxis& axis : definition.axes) checkAxis(axis, complaints);
  if (traitsOf(definition.geometry).isDistance) {
    complaints.require(definition.axes[0].upper >= 0, "the upper limit of a distance must be >= 0");
  }
  if (definition.geometry == JointGeometry::kFrames) {
    const JointAxis& middle = definition.axes[kAboutY];
    complaints.require(
        (std::isinf(middle.lower) || middle.lower >= -M_PI / 2) &&
            (std::isinf(middle.upper) || middle.upper <= M_PI / 2),
        "limits of the second angle must stay within ±90°: choose the frames so that the largest "
        "turn is about x or z");
  }
  complaints.require(definition.swingLimit > 0, "the swing limit must be > 0");
  complaints.require(!definition.compliance || isNotNegative(*definition.compliance),
                     "compliance must be >= 0 1/kg");
  complaints.require(definition.breakingImpulse > 0, "the breaking impulse must be > 0 N s");
  complaints.require(std::isfinite(definition.gearRatio) && definition.gearRatio != 0,
                     "the ratio of a gear must be finite and not 0");
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
                       joints[id.index].geometry == JointGeometry::kFrames;
    if (!known) {
      throw InputError(
          fmt::format("joint '{}': a gear couples two hinges or sliders that are there "
                      "before it, and joint_{} is none",
                      nameOf(definition, joints), id.index));
    }
    return id.index;
  };
  gear.gear1 = slotOf(definition.gear1);
  gear.gear2 = slotOf(definition.gear2);
  const Joint& one = joints[gear.gear1];
  const Joint& two = joints[gear.gear2];
  gear.gearAxis1 = coupledCoordinate(one);
  gear.gearAxis2 = coupledCoordinate(two);
  gear.bodyA = one.bodyB;
  gear.bodyB = two.bodyB;
  Complaints complaints(nameOf(definition, joints));
  complaints.require(freeCoordinateCount(one.axes) == 1 && freeCoordinateCount(two.axes) == 1,
                     "a gear couples hinges and sliders, joints with exactly one free coordinate");
  complaints.require(gear.gear1 != gear.gear2, "a gear couples two different joints");
  complaints.require(!bodies.isDynamic(one.bodyA) && !bodies.isDynamic(two.bodyA),
                     "body A of both coupled joints must be static or kinematic");
  complaints.throwIfAny();
  gear.axes[0] = JointAxis::locked();
}

}  // namespace

JointId JointStore::add(Joint joint) {
  if (freeSlots_.empty()) {
    joints_.push_back(std::move(joint));
    return idOf(slots() - 1);
  }
  std::ranges::pop_heap(freeSlots_, std::greater<>());
  const int slot = freeSlots_.back();
  freeSlots_.pop_back();
  joint.generation = (*this)[slot].generation;
  (*this)[slot] = std::move(joint);
  return idOf(slot);
}

void JointStore::remove(int slot) {
  (*this)[slot].alive = false;
  ++(*this)[slot].generation;
  freeSlots_.push_back(slot);
  std::ranges::push_heap(freeSlots_, std::greater<>());
}

const Joint& JointStore::at(JointId id) const {
  if (!contains(id)) throw InputError(missingProblem("joint", id.index, slots()));
  return (*this)[id.index];
}

Joint& JointStore::at(JointId id) { return const_cast<Joint&>(std::as_const(*this).at(id)); }

int freeCoordinateCount(const std::array<JointAxis, 6>& axes) {
  return static_cast<int>(std::ranges::count(axes, false, &JointAxis::isLocked));
}

void placeFrames(const BodyStore& bodies, Joint& joint) {
  if (joint.geometry == JointGeometry::kGear) return;
  joint.frameA = bodies.reference[joint.bodyA] * joint.definedA;
  joint.frameB = bodies.reference[joint.bodyB] * joint.definedB;
}

Joint makeJoint(const JointDefinition& definition, const BodyStore& bodies,
                const JointStore& joints) {
  Complaints complaints(nameOf(definition, joints));
  checkDefinition(definition, complaints);
  complaints.throwIfAny();

  Joint joint;
  joint.name = definition.name;
  joint.alive = true;
  joint.userData = definition.userData;
  joint.geometry = definition.geometry;
  joint.axes = definition.axes;
  joint.swingLimit = definition.swingLimit;
  joint.gearRatio = definition.gearRatio;
  joint.compliance = definition.compliance;
  joint.breakingImpulse = definition.breakingImpulse;
  joint.collide = definition.collide;
  if (definition.geometry == JointGeometry::kGear) {
    couple(definition, bodies, joints, joint);
  } else {
    for (const BodyId id : {definition.bodyA, definition.bodyB}) {
      complaints.require(bodies.contains(id), missingProblem("body", id.index, bodies.slots()));
    }
    complaints.throwIfAny();
    joint.bodyA = definition.bodyA.index;
    joint.bodyB = definition.bodyB.index;
    const auto unit = [](const Pose& frame) {
      return Pose{frame.position, frame.rotation.normalized()};
    };
    joint.definedA = unit(definition.frameA);
    joint.definedB = unit(definition.frameB);
    placeFrames(bodies, joint);
  }
  complaints.require(joint.bodyA != joint.bodyB,
                     "connects a body with itself; name two different bodies");
  complaints.require(bodies.isDynamic(joint.bodyA) || bodies.isDynamic(joint.bodyB),
                     "one of its bodies must be dynamic");
  complaints.throwIfAny();

  std::array<JointCoordinate, 6> start;
  jointCoordinates(bodies, joints, joint, start);
  if (joint.geometry == JointGeometry::kGear) joint.gearStart = start[0].value;
  rememberAngles(start, joint);
  return joint;
}

}  // namespace drystone
