#include "engine/world/joint_handle.h"

#include <fmt/format.h>

#include "core/input_error.h"
#include "engine/model/argument_checks.h"
#include "engine/model/joint_coordinates.h"
#include "engine/step/joint_reactions.h"
#include "engine/step/sleeping.h"
#include "engine/step/world_parts.h"

namespace drystone {

ConstJointHandle::ConstJointHandle(WorldParts* parts, JointId id) : parts_(parts), id_(id) {
  parts_->joints.at(id);  // checks that it is there
}

std::string_view ConstJointHandle::name() const { return parts_->joints.at(id_).name; }

std::uint64_t ConstJointHandle::userData() const { return parts_->joints.at(id_).userData; }

int ConstJointHandle::coordinateCount() const {
  return drystone::coordinateCount(parts_->joints.at(id_).geometry);
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
  requireOutside(parts_->callbacks, "setMotorTarget");
  coordinateOf(parts_->bodies, parts_->joints, id_, coordinate);  // checks both
  Joint& joint = parts_->joints.at(id_);
  if (!joint.axes[coordinate].motor) {
    throw InputError(fmt::format("setMotorTarget: joint '{}' has no motor on coordinate {}",
                                 joint.name, coordinate));
  }
  requireFinite("setMotorTarget", "target", target);
  if (joint.target[coordinate] != target) {
    parts_->bodies.wake(joint.bodyA);
    parts_->bodies.wake(joint.bodyB);
  }
  joint.target[coordinate] = target;
}

}  // namespace drystone
