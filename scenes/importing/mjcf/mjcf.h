#pragma once

#include <array>
#include <compare>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "scenes/importing/import_model.h"
#include "scenes/importing/imported_model.h"
#include "scenes/importing/known_names.h"
#include "scenes/importing/xml_element.h"

namespace drystone::importing {

/// Defaults by tag, of a class with those of the classes around it.
using MjcfClass = std::map<std::string, XmlDefaults, std::less<>>;

/// What the whole of an MJCF file has in common.
struct MjcfSettings {
  Real angleUnit = 1;  ///< [rad]
  std::string eulerOrder = "xyz";
  bool hasAutoLimits = true;
  /// Whether masses are of the shapes: always, never, or where there is no `inertial`.
  enum class Inertia { kAutomatic, kOfShapes, kOfInertials } inertia = Inertia::kAutomatic;
  std::string directory;                                  ///< of the meshes
  std::map<std::string, MjcfClass, std::less<>> classes;  ///< by name; "main" holds for all
  std::map<std::string, ConvexHull, std::less<>> meshes;  ///< by name
};

/// Puts files into the places of all `<include>` elements, in these files too. `label` stands for
/// the model in messages and names its file, which lies in `directory`. What is wrong goes to the
/// log; a file that is no XML throws InputError.
void includeMjcfFiles(XmlFile& model, const std::string& label, const std::string& directory);

/// The elements and attributes that an MJCF file may have.
const KnownNames& mjcfNames();

/// Reads `compiler`, `default` and `asset`.
MjcfSettings readMjcfSettings(const XmlElement& mujoco, const std::string& directory);

/// The element with the defaults of its own class, or else of the class around it.
XmlElement withDefaults(const XmlElement& element, std::string_view childClass,
                        const MjcfSettings& settings);

/// `pos` with `quat`, `axisangle`, `euler`, `xyaxes` or `zaxis`.
Pose readMjcfPose(const XmlElement& element, const MjcfSettings& settings);

/// How a geom yields in the words of MuJoCo.
struct MjcfSoftness {
  std::array<Real, 2> solref{0.02, 1};
  Real impedance = 0.95;  ///< d_max of solimp

  auto operator<=>(const MjcfSoftness&) const = default;
};

/// A `<geom>`: what it collides with and what it weighs.
struct MjcfGeom {
  Shape shape;
  Pose pose;            ///< in its body
  MassProperties mass;  ///< in its body; 0 for planes
  Real friction = 1;
  std::optional<MjcfSoftness> softness;  ///< none: the file does not say, and it is rigid
  std::uint32_t contype = 1, conaffinity = 1;
};
/// None after a problem. `element` has its defaults.
std::optional<MjcfGeom> readMjcfGeom(const XmlElement& element, const MjcfSettings& settings);

/// A `<joint>` with one coordinate, as the file has it.
struct MjcfJoint {
  std::string name;
  int line = 0;
  bool isSlide = false;
  Vec3 position = Vec3::Zero();  ///< in its body [m]
  Vec3 axis = Vec3::UnitZ();     ///< in its body, unit
  JointAxis coordinate;
  Real reference = 0;       ///< coordinate where the bodies of the file are
  Real start = 0;           ///< coordinate where the scene starts; that of the file in stacks
  bool sharesBody = false;  ///< with other joints: a stack
};
MjcfJoint readMjcfJoint(const XmlElement& element, const MjcfSettings& settings);

/// The joints of one body, the outermost first, as one joint of a scene: a hinge or slider where
/// there is one, else `six_dof`. That takes slides before hinges, hinges whose axes meet in one
/// point, and all axes at right angles or along each other; InputError where they are otherwise.
/// `pose` is where the body is before its joints move it; names and bodies are left to the caller.
/// A hinge or slider counts as the file does. The others count from their references, at which they
/// have to start, since both frames of the joint are alike there; this is noted.
ImportedJoint stackedJoint(std::span<const MjcfJoint> joints, const Pose& pose, ImportLog& log);

/// How the joints move their body from where the file has it to its start.
Pose startOf(std::span<const MjcfJoint> joints);

/// Reads motors into the joints of the file, by name.
void readActuators(const XmlElement& mujoco, const MjcfSettings& settings,
                   std::map<std::string, MjcfJoint*>& joints);

ImportedModel readMjcf(const XmlElement& mujoco, const std::string& directory);

}  // namespace drystone::importing
