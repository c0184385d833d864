// Joints of MJCF with one coordinate, and the actuators that drive them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/wording.h"
#include "scenes/importing/mjcf/mjcf.h"

namespace drystone::importing {
namespace {

bool isLimited(const XmlElement& element, std::string_view flag, std::string_view range,
               const MjcfSettings& settings) {
  const std::string limited = element.text(flag, "auto");
  if (limited == "auto") return settings.hasAutoLimits && element.has(range);
  return limited == "true";
}

void readRange(const XmlElement& element, Real unit, const MjcfSettings& settings,
               JointAxis& coordinate) {
  if (!isLimited(element, "limited", "range", settings)) return;
  const auto range = element.reals("range", 2, 2);
  if (!range || !((*range)[0] <= (*range)[1])) {
    element.problem("a limited joint needs a \"range\" of two ascending numbers");
    return;
  }
  coordinate.lower = unit * (*range)[0];
  coordinate.upper = unit * (*range)[1];
}

/// The force that a `forcerange` allows, for a gear of 1; none where it has none.
std::optional<Real> forceOf(const XmlElement& element, const MjcfSettings& settings) {
  if (!isLimited(element, "forcelimited", "forcerange", settings)) return std::nullopt;
  const auto range = element.reals("forcerange", 2, 2);
  if (!range) return std::nullopt;
  if ((*range)[0] != -(*range)[1]) {
    element.log().note(element.line(), "the smaller side of a forcerange bounds both directions");
  }
  return std::min(std::abs((*range)[0]), std::abs((*range)[1]));
}

/// What a control of 0 holds.
Real controlOf(const XmlElement& element, const MjcfSettings& settings) {
  const auto range = element.reals("ctrlrange", 2, 2);
  const bool isBounded = range && (*range)[0] <= (*range)[1] &&
                         isLimited(element, "ctrllimited", "ctrlrange", settings);
  return isBounded ? std::clamp<Real>(0, (*range)[0], (*range)[1]) : 0;
}

void readPositionMotor(const XmlElement& element, Real gear, const MjcfSettings& settings,
                       JointAxis& coordinate) {
  JointSpring servo;
  servo.stiffness = element.notNegative("kp", 1) * gear * gear;
  servo.damping = element.notNegative("kv", 0) * gear * gear;
  JointMotor motor;
  motor.kind = MotorKind::kPosition;
  motor.target = controlOf(element, settings) / gear;
  if (servo.stiffness > 0 || servo.damping > 0) motor.servo = servo;
  if (const auto force = forceOf(element, settings)) motor.maxForce = *force * std::abs(gear);
  coordinate.motor = motor;
}

/// With a control of 0 the force is -kv times the rate: a damper.
void readVelocityMotor(const XmlElement& element, Real gear, JointAxis& coordinate) {
  element.log().note(element.line(), "a <velocity> actuator, with a control of 0, is a damper");
  if (!coordinate.spring) coordinate.spring = JointSpring();
  coordinate.spring->damping += element.notNegative("kv", 1) * gear * gear;
}

/// Joints that are driven by a force, a control times the gear: no motor of a scene.
class ForceDrives {
 public:
  void add(const XmlElement& motor, const std::string& joint, Real gear) {
    if (list_.empty()) line_ = motor.line();
    list_ += fmt::format("{}{} {:g}", list_.empty() ? "" : ", ", joint, gear);
  }
  void log(ImportLog& log) const {
    if (list_.empty()) return;
    log.leftOut(line_,
                "<motor> actuators, which do nothing without a control; drive their joints "
                "by set_forces or apply_force with the control times the gear: " +
                    list_);
  }

 private:
  std::string list_;
  int line_ = 0;
};

void readActuator(const XmlElement& element, const MjcfSettings& settings,
                  const std::map<std::string, MjcfJoint*>& joints, ForceDrives& drives) {
  const std::string name = element.text("joint");
  const bool isMotor = element.tag() == "motor";
  if (name.empty() || (!isMotor && element.tag() != "position" && element.tag() != "velocity")) {
    return element.leftOut(
        fmt::format("<{}> actuators, which do nothing without a control", element.tag()));
  }
  const auto found = joints.find(name);
  if (found == joints.end()) {
    std::vector<std::string> known;
    for (const auto& [one, unused] : joints) known.push_back(one);
    return element.problem(
        fmt::format("there is no hinge or slide joint '{}'; {}", name, didYouMean(name, known)));
  }
  const auto gears = element.reals("gear", 1, 6);
  const Real gear = gears ? gears->front() : 1;
  if (gear == 0) return element.problem("gear must not be 0");
  if (isMotor) return drives.add(element, name, gear);
  JointAxis& coordinate = found->second->coordinate;
  if (element.tag() == "velocity") return readVelocityMotor(element, gear, coordinate);
  if (coordinate.motor) return element.leftOut("a second <position> of a joint");
  readPositionMotor(element, gear, settings, coordinate);
}

}  // namespace

MjcfJoint readMjcfJoint(const XmlElement& element, const MjcfSettings& settings) {
  MjcfJoint joint;
  joint.name = element.text("name");
  joint.line = element.line();
  joint.isSlide = element.text("type", "hinge") == "slide";
  joint.position = element.vector("pos", Vec3::Zero());
  const Vec3 axis = element.vector("axis", Vec3::UnitZ());
  if (axis.norm() > 0) {
    joint.axis = axis.normalized();
  } else {
    element.problem("axis of <joint> must not be zero");
  }
  const Real unit = joint.isSlide ? 1 : settings.angleUnit;
  readRange(element, unit, settings, joint.coordinate);
  joint.reference = joint.start = unit * element.real("ref", 0);
  JointSpring spring;
  spring.stiffness = element.notNegative("stiffness", 0);
  spring.damping = element.notNegative("damping", 0);
  spring.rest = unit * element.real("springref", 0);
  if (spring.stiffness > 0 || spring.damping > 0) joint.coordinate.spring = spring;
  joint.coordinate.friction = element.notNegative("frictionloss", 0);
  return joint;
}

void readActuators(const XmlElement& mujoco, const MjcfSettings& settings,
                   std::map<std::string, MjcfJoint*>& joints) {
  ForceDrives drives;
  for (const XmlElement& list : mujoco.children("actuator")) {
    for (const XmlElement& element : list.children()) {
      readActuator(withDefaults(element, "main", settings), settings, joints, drives);
    }
  }
  drives.log(mujoco.log());
}

}  // namespace drystone::importing
