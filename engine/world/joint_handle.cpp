#include "engine/world/joint_handle.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "core/input_error.h"
#include "engine/model/argument_checks.h"
#include "engine/model/joint_coordinates.h"
#include "engine/step/half_done.h"
#include "engine/step/joint_changes.h"
#include "engine/step/joint_row_list.h"
#include "engine/step/world_parts.h"

namespace drystone {
namespace {

void requireWhole(std::string_view function, const Joint& joint) {
  if (!joint.broken) return;
  throw InputError(
      fmt::format("{}: joint '{}' is broken: remove it and add another one", function, joint.name));
}

}  // namespace

ConstJointHandle::ConstJointHandle(WorldParts* parts, JointId id) : parts_(parts), id_(id) {
  parts_->joints.at(id);  // checks that it is there
}

std::string_view ConstJointHandle::name() const { return parts_->joints.at(id_).name; }

std::uint64_t ConstJointHandle::userData() const { return parts_->joints.at(id_).userData; }

int ConstJointHandle::coordinateCount() const {
  return drystone::coordinateCount(parts_->joints.at(id_).geometry);
}

JointDefinition ConstJointHandle::definition() const {
  const Joint& joint = parts_->joints.at(id_);
  JointDefinition definition = definitionOf(parts_->bodies, parts_->joints, id_.index);
  for (std::size_t i = 0; i < joint.target.size(); ++i) {
    if (!std::isnan(joint.target[i])) definition.axes[i].motor->target = joint.target[i];
  }
  return definition;
}

Real ConstJointHandle::coordinate(int index) const {
  return coordinateOf(parts_->bodies, parts_->joints, id_, index).value;
}

Real ConstJointHandle::rate(int index) const {
  const JointCoordinate q = coordinateOf(parts_->bodies, parts_->joints, id_, index);
  const Joint& joint = parts_->joints.at(id_);
  return q.jacobianA.dot(parts_->bodies.velocity[joint.bodyA]) +
         q.jacobianB.dot(parts_->bodies.velocity[joint.bodyB]) + q.rate;
}

JointReaction ConstJointHandle::reaction() const {
  return parts_->joints.at(id_).reaction(parts_->settings.timestep);
}

AxisForce ConstJointHandle::axisForce(int coordinate) const {
  requireUsable(*parts_, "axisForce");
  coordinateOf(parts_->bodies, parts_->joints, id_, coordinate);  // checks both
  const WarmStarts& warm = parts_->data.warm;
  AxisForce sum;
  const auto partOf = [&](JointRowRole role) -> Real& {
    switch (role) {
      case JointRowRole::kLock:
        return sum.lock;
      case JointRowRole::kSpring:
        return sum.spring;
      case JointRowRole::kMotor:
        return sum.motor;
      case JointRowRole::kFriction:
        return sum.friction;
      default:
        return sum.limit;
    }
  };
  for (const auto* list : {&warm.jointLists().awake, &warm.jointLists().asleep}) {
    for (const WarmJointRow& row : *list) {
      if (row.joint != id_.index || coordinateOfKey(row.key) != coordinate) continue;
      const JointRowRole role = roleOfKey(row.key);
      const Real sign = role == JointRowRole::kUpperLimit ? -1 : 1;
      partOf(role) += sign * row.lambda / warm.timestep();
    }
  }
  return sum;
}

Vec3 ConstJointHandle::torqueAboutFrameA() const {
  const BodyStore& bodies = parts_->bodies;
  const Joint& joint = parts_->joints.at(id_);
  const auto originOf = [&](int body, const Pose& frame) {
    return Vec3(bodies.position[body] + bodies.rotation[body] * frame.position);
  };
  const JointReaction onB = reaction();
  return onB.torque + (originOf(joint.bodyB, joint.frameB) - originOf(joint.bodyA, joint.frameA))
                          .cross(onB.force);
}

void JointHandle::setUserData(std::uint64_t data) const { parts_->joints.at(id_).userData = data; }

void JointHandle::setMotorTarget(int coordinate, Real target) const {
  requireUsable(*parts_, "setMotorTarget");
  coordinateOf(parts_->bodies, parts_->joints, id_, coordinate);  // checks both
  Joint& joint = parts_->joints.at(id_);
  if (!joint.axes[coordinate].motor) {
    throw InputError(fmt::format("setMotorTarget: joint '{}' has no motor on coordinate {}",
                                 joint.name, coordinate));
  }
  requireFinite("setMotorTarget", "target", target);
  const JointAxis& axis = joint.axes[coordinate];
  if (coordinate == kAboutY && isSecondAngleBounded(joint.geometry, joint.axes) &&
      leadsPastRightAngle(axis, target)) {
    throw InputError(fmt::format(
        "setMotorTarget: joint '{}': a target of {} leads the second angle past ±90° between two "
        "free ones: give it limits within, or {}",
        joint.name, target, kRightAngleRemedy));
  }
  if (joint.target[coordinate] != target) {
    parts_->bodies.wake(joint.bodyA);
    parts_->bodies.wake(joint.bodyB);
  }
  joint.target[coordinate] = target;
}

void JointHandle::applyForce(int coordinate, Real force) const {
  requireUsable(*parts_, "applyForce");
  requireFinite("applyForce", "force", force);
  BodyStore& bodies = parts_->bodies;
  const JointCoordinate q = coordinateOf(bodies, parts_->joints, id_, coordinate);
  const Joint& joint = parts_->joints.at(id_);
  requireWhole("applyForce", joint);
  if (force == 0) return;
  const Vec6 onA = force * q.jacobianA, onB = force * q.jacobianB;
  for (const Vec6& load : {onA, onB}) {  // nothing is added unless all is
    requireFinite("applyForce", "force on a body", Vec3(load.head<3>()));
    requireFinite("applyForce", "torque on a body", Vec3(load.tail<3>()));
  }
  const auto add = [&bodies](int body, const Vec6& load) {
    if (bodies.kind[body] == BodyKind::kStatic) return;  // whose loads no step takes
    bodies.load[body] += load;
    bodies.wake(body);
  };
  add(joint.bodyA, onA);
  add(joint.bodyB, onB);
}

template <class Edit>
void JointHandle::change(std::string_view function, Edit&& edit, int coordinate) const {
  requireUsable(*parts_, function);
  requireWhole(function, parts_->joints.at(id_));
  JointDefinition definition = definitionOf(parts_->bodies, parts_->joints, id_.index);
  edit(definition);
  changeJoint(*parts_, id_.index, definition, coordinate);
}

void JointHandle::refuseGear(std::string_view function) const {
  const Joint& joint = parts_->joints.at(id_);
  if (joint.geometry != JointGeometry::kGear) return;
  throw InputError(
      fmt::format("{}: joint '{}' is a gear, which has none of that: set it on the joints that "
                  "the gear couples",
                  function, joint.name));
}

template <class Edit>
void JointHandle::changeAxis(std::string_view function, int coordinate, Edit&& edit) const {
  coordinateOf(parts_->bodies, parts_->joints, id_, coordinate);  // checks both
  refuseGear(function);
  change(
      function, [&](JointDefinition& joint) { edit(joint.axes[coordinate]); }, coordinate);
}

void JointHandle::setLimits(int coordinate, Real lower, Real upper) const {
  changeAxis("setLimits", coordinate, [&](JointAxis& axis) {
    axis.lower = lower;
    axis.upper = upper;
  });
}

void JointHandle::setSpring(int coordinate, std::optional<JointSpring> spring) const {
  changeAxis("setSpring", coordinate, [&](JointAxis& axis) { axis.spring = std::move(spring); });
}

template <class Edit>
void JointHandle::changeMotor(std::string_view function, int coordinate, Edit&& edit) const {
  coordinateOf(parts_->bodies, parts_->joints, id_, coordinate);  // checks both
  // A target that was set goes with its motor, and has no say on the next one.
  Real& target = parts_->joints.at(id_).target[coordinate];
  const Real before = std::exchange(target, kNaN);
  try {
    changeAxis(function, coordinate, edit);
  } catch (...) {
    target = before;
    throw;
  }
}

void JointHandle::setMotor(int coordinate, std::optional<JointMotor> motor) const {
  changeMotor("setMotor", coordinate, [&](JointAxis& axis) { axis.motor = std::move(motor); });
}

void JointHandle::setAxis(int coordinate, const JointAxis& axis, bool isNewMotor) const {
  const auto take = [&](JointAxis& own) { own = axis; };
  isNewMotor ? changeMotor("setAxis", coordinate, take) : changeAxis("setAxis", coordinate, take);
}

void JointHandle::setFriction(int coordinate, Real force) const {
  changeAxis("setFriction", coordinate, [&](JointAxis& axis) { axis.friction = force; });
}

void JointHandle::setSwingLimit(Real angle) const {
  refuseGear("setSwingLimit");
  change(
      "setSwingLimit", [&](JointDefinition& joint) { joint.swingLimit = angle; }, kSwingCoordinate);
}

void JointHandle::setBreakingImpulse(Real impulse) const {
  change("setBreakingImpulse", [&](JointDefinition& joint) { joint.breakingImpulse = impulse; });
}

void JointHandle::setCompliance(std::optional<Real> compliance) const {
  change("setCompliance", [&](JointDefinition& joint) { joint.compliance = compliance; });
}

void JointHandle::setCollide(bool collide) const {
  change("setCollide", [&](JointDefinition& joint) { joint.collide = collide; });
}

void JointHandle::setFrames(const Pose& frameA, const Pose& frameB) const {
  refuseGear("setFrames");
  change("setFrames", [&](JointDefinition& joint) {
    joint.frameA = frameA;
    joint.frameB = frameB;
  });
}

void JointHandle::setGearRatio(Real ratio) const {
  const Joint& joint = parts_->joints.at(id_);
  if (joint.geometry != JointGeometry::kGear) {
    throw InputError(fmt::format(
        "setGearRatio: joint '{}' is no gear: add a gear between it and another one", joint.name));
  }
  change("setGearRatio", [&](JointDefinition& gear) { gear.gearRatio = ratio; });
}

}  // namespace drystone
