#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace drystone {

/// What becomes of the root of a URDF robot.
enum class RobotBase {
  kAutomatic,  ///< fixed where it is named `world`, or has no mass
  kFixed,      ///< static, as a robot that is bolted to the floor
  kFree,       ///< dynamic, as a robot on legs or wheels
};

struct ImportOptions {
  RobotBase base = RobotBase::kAutomatic;  ///< others for URDF only
  /// Gives each URDF joint with an effort a position motor that holds its start, with the effort
  /// as its largest force. MJCF, which says its motors by actuators, is refused with it.
  bool holdJoints = false;
};

/// A model file as a scene.
struct ImportedScene {
  std::string text;  ///< a scene file, which names no other files
  /// What the scene does not have or has in another way: `FILE:line: what`, each named once.
  std::vector<std::string> notes;
};

/// Reads a robot in URDF or a model in MJCF, whichever the file is. docs/import.md says what is
/// read. Masses, inertias and limits are those of the file. Throws InputError with every problem
/// found, each as `FILE:line: what`.
ImportedScene importModel(const std::string& path, const ImportOptions& options = {});

/// The same from text. `label` stands for the file in messages; mesh files lie in `directory`.
ImportedScene importModelText(std::string_view text, const std::string& label,
                              const std::string& directory, const ImportOptions& options = {});

}  // namespace drystone
