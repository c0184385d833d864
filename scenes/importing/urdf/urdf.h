#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scenes/importing/import_model.h"
#include "scenes/importing/imported_model.h"
#include "scenes/importing/known_names.h"
#include "scenes/importing/xml_element.h"

namespace drystone::importing {

/// A `<link>`: a body in its own frame.
struct UrdfLink {
  ImportedBody body;
  int parentJoint = -1;  ///< of the robot's joints; -1: it is the root
};

enum class UrdfJointType { kFixed, kRevolute, kContinuous, kPrismatic, kFloating, kPlanar };

/// `<mimic>`: this coordinate is multiplier q + offset, q that of the other joint.
struct UrdfMimic {
  std::string joint;
  Real multiplier = 1, offset = 0;
  int line = 0;
};

/// A `<joint>`. Coordinates are those of the file.
struct UrdfJoint {
  std::string name;
  int line = 0;
  UrdfJointType type = UrdfJointType::kFixed;
  std::string parentName, childName;
  int parent = -1, child = -1;  ///< links
  Pose origin;                  ///< of the child's frame in the parent's, at the coordinate 0
  Vec3 axis = Vec3::UnitX();    ///< in the child's frame, unit
  JointAxis coordinate;
  Real effort = kInfinity;  ///< largest force of a motor [N], [N m]
  std::optional<UrdfMimic> mimic;
  Real start = 0;  ///< its coordinate at the start
};

/// The elements and attributes that a URDF file may have.
const KnownNames& urdfNames();

/// `<origin xyz rpy>` of an element; the identity where it has none.
Pose readUrdfOrigin(const XmlElement& parent);

UrdfLink readUrdfLink(const XmlElement& element, const std::string& directory);

/// A joint with the motor that `motors` has for it: of `<transmission>` elements, by joint.
UrdfJoint readUrdfJoint(const XmlElement& element, const std::map<std::string, MotorKind>& motors,
                        const ImportOptions& options);

/// The motors that the transmissions of a robot stand for: those of joints that are driven by
/// position or velocity.
std::map<std::string, MotorKind> readTransmissions(const XmlElement& robot);

ImportedModel readUrdf(const XmlElement& robot, const std::string& directory,
                       const ImportOptions& options);

}  // namespace drystone::importing
