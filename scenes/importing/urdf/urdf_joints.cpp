// Joints of a URDF robot by themselves: type, limits, losses and motors.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "core/wording.h"
#include "scenes/importing/urdf/urdf.h"

namespace drystone::importing {
namespace {

/// In the order of UrdfJointType.
const std::vector<std::string> kTypes = {"fixed",     "revolute", "continuous",
                                         "prismatic", "floating", "planar"};

bool hasOneCoordinate(UrdfJointType type) {
  return type == UrdfJointType::kRevolute || type == UrdfJointType::kContinuous ||
         type == UrdfJointType::kPrismatic;
}

void readType(const XmlElement& element, UrdfJoint& joint) {
  const std::string type = element.requiredText("type");
  if (type.empty()) return;
  const auto found = std::ranges::find(kTypes, type);
  if (found == kTypes.end()) {
    element.problem(
        fmt::format("there is no type of joint \"{}\"; {}", type, didYouMean(type, kTypes)));
  } else {
    joint.type = static_cast<UrdfJointType>(found - kTypes.begin());
  }
}

/// Name of the link that `<parent link="…"/>` or `<child link="…"/>` names.
std::string readLinkName(const XmlElement& element, std::string_view tag) {
  const auto end = element.child(tag);
  if (end) return end->requiredText("link");
  element.problem(fmt::format("<joint> needs a <{} link=\"…\"/>", tag));
  return "";
}

void readAxis(const XmlElement& element, UrdfJoint& joint) {
  const auto axis = element.child("axis");
  if (!axis) return;
  const Vec3 direction = axis->vector("xyz", Vec3::UnitX());
  if (direction.norm() > 0) {
    joint.axis = direction.normalized();
  } else if (joint.type != UrdfJointType::kFixed && joint.type != UrdfJointType::kFloating) {
    axis->problem("xyz of <axis> must not be the zero vector");
  }
}

void readLimit(const XmlElement& element, UrdfJoint& joint) {
  const bool isBounded =
      joint.type == UrdfJointType::kRevolute || joint.type == UrdfJointType::kPrismatic;
  const auto limit = element.child("limit");
  if (!limit) {
    if (isBounded) {
      element.problem(
          fmt::format("a {} joint needs a <limit>; without limits a turn is \"continuous\"",
                      kTypes[static_cast<std::size_t>(joint.type)]));
    }
    return;
  }
  if (!hasOneCoordinate(joint.type)) return limit->leftOut("<limit> of a joint without coordinate");
  if (limit->has("effort")) joint.effort = limit->notNegative("effort", kInfinity);
  if (limit->has("velocity")) limit->leftOut("limits of the velocity of joints");
  if (!isBounded) return;
  joint.coordinate.lower = limit->real("lower", 0);
  joint.coordinate.upper = limit->real("upper", 0);
  if (joint.coordinate.lower > joint.coordinate.upper) {
    limit->problem(fmt::format("lower of <limit> must not exceed upper, got {:g} and {:g}",
                               joint.coordinate.lower, joint.coordinate.upper));
    joint.coordinate.upper = joint.coordinate.lower;
  } else if (joint.coordinate.isLocked()) {
    limit->log().note(limit->line(), "a joint whose limits are equal is locked");
  }
}

void readDynamics(const XmlElement& element, UrdfJoint& joint) {
  const auto dynamics = element.child("dynamics");
  if (!dynamics) return;
  const Real damping = dynamics->notNegative("damping", 0);
  const Real friction = dynamics->notNegative("friction", 0);
  if (!hasOneCoordinate(joint.type)) {
    if (damping > 0 || friction > 0) dynamics->leftOut("<dynamics> of a joint without coordinate");
    return;
  }
  joint.coordinate.friction = friction;
  if (damping > 0) joint.coordinate.spring = JointSpring{.damping = damping};
}

void readMimic(const XmlElement& element, UrdfJoint& joint) {
  const auto mimic = element.child("mimic");
  if (!mimic) return;
  joint.mimic = UrdfMimic{.joint = mimic->requiredText("joint"),
                          .multiplier = mimic->real("multiplier", 1),
                          .offset = mimic->real("offset", 0),
                          .line = mimic->line()};
  if (hasOneCoordinate(joint.type)) return;
  mimic->problem("only revolute, continuous and prismatic joints can <mimic>");
  joint.mimic.reset();
}

/// `start` is where a position motor holds the joint.
void addMotor(const std::map<std::string, MotorKind>& motors, const ImportOptions& options,
              UrdfJoint& joint) {
  if (!hasOneCoordinate(joint.type) || joint.mimic || joint.coordinate.isLocked()) return;
  const auto driven = motors.find(joint.name);
  const bool isHeld = options.holdJoints && std::isfinite(joint.effort) && joint.effort > 0;
  if (driven == motors.end() && !isHeld) return;
  JointMotor motor{.kind = driven == motors.end() ? MotorKind::kPosition : driven->second};
  motor.maxForce = joint.effort;
  joint.coordinate.motor = motor;
}

}  // namespace

UrdfJoint readUrdfJoint(const XmlElement& element, const std::map<std::string, MotorKind>& motors,
                        const ImportOptions& options) {
  UrdfJoint joint;
  joint.name = element.requiredText("name");
  joint.line = element.line();
  readType(element, joint);
  joint.parentName = readLinkName(element, "parent");
  joint.childName = readLinkName(element, "child");
  joint.origin = readUrdfOrigin(element);
  readAxis(element, joint);
  readLimit(element, joint);
  readDynamics(element, joint);
  readMimic(element, joint);
  addMotor(motors, options, joint);
  constexpr std::array<std::string_view, 7> kRead = {"parent", "child",    "origin", "axis",
                                                     "limit",  "dynamics", "mimic"};
  for (const XmlElement& part : element.children()) {
    if (std::ranges::find(kRead, part.tag()) != kRead.end()) continue;
    part.leftOut(fmt::format("<{}> of a joint", part.tag()));
  }
  return joint;
}

std::map<std::string, MotorKind> readTransmissions(const XmlElement& robot) {
  std::map<std::string, MotorKind> motors;
  for (const XmlElement& transmission : robot.children("transmission")) {
    for (const XmlElement& joint : transmission.children("joint")) {
      std::string interfaces = transmission.text("type");
      for (const XmlElement& one : joint.children("hardwareInterface")) interfaces += one.content();
      if (interfaces.find("Position") != std::string::npos) {
        motors[joint.text("name")] = MotorKind::kPosition;
      } else if (interfaces.find("Velocity") != std::string::npos) {
        motors[joint.text("name")] = MotorKind::kVelocity;
      } else {
        joint.leftOut("<transmission> that is driven by forces, which no motor of a scene is");
      }
    }
  }
  return motors;
}

}  // namespace drystone::importing
