#include "scenes/importing/import_model.h"

#include <fmt/format.h>

#include <filesystem>

#include "core/input_error.h"
#include "scenes/importing/imported_model.h"
#include "scenes/importing/mjcf/mjcf.h"
#include "scenes/importing/urdf/urdf.h"
#include "scenes/importing/xml_element.h"
#include "scenes/reading/read_scene.h"

namespace drystone {
namespace {

using namespace importing;

/// What is said of a robot, and means nothing to a model in MJCF.
void refuseUrdfOptions(const XmlElement& mujoco, const ImportOptions& options) {
  if (options.holdJoints) {
    mujoco.problem(
        "motors that hold all joints (--hold) are for URDF, where joints have an effort; in MJCF "
        "give the joints <position> actuators");
  }
  if (options.base != RobotBase::kAutomatic) {
    mujoco.problem(
        "a fixed or free base (--fixed-base, --free-base) is for URDF; in MJCF a body is free by a "
        "<freejoint>, and fixed without joints");
  }
}

ImportedModel readModel(XmlFile& file, const std::string& label, const std::string& directory,
                        const ImportOptions& options) {
  const XmlElement root = file.root();
  if (root.tag() == "robot") return readUrdf(root, directory, options);
  if (root.tag() == "mujoco") {
    includeMjcfFiles(file, label, directory);
    refuseUrdfOptions(root, options);
    root.log().throwProblems();
    return readMjcf(root, directory);
  }
  throw InputError(
      fmt::format("{}: <{}> is no model; URDF files begin with <robot>, MJCF files with <mujoco>",
                  root.log().place(root.line()), root.tag()));
}

/// Whatever the file holds, what comes out can be read.
void requireReadable(const std::string& text, const std::string& label) {
  try {
    readSceneText(text, "scene");
  } catch (const InputError& error) {
    std::vector<std::string> problems;
    for (const std::string& problem : error.problems()) {
      problems.push_back(fmt::format("{}: as a {}", label, problem));
    }
    throw InputError(problems);
  }
}

}  // namespace

ImportedScene importModelText(std::string_view text, const std::string& label,
                              const std::string& directory, const ImportOptions& options) {
  ImportLog log;
  XmlFile file(text, label, log);
  const ImportedModel model = readModel(file, label, directory, options);
  log.throwProblems();
  checkModel(model, log);
  log.throwProblems();
  ImportedScene scene{.text = sceneText(model), .notes = log.notes()};
  requireReadable(scene.text, label);
  return scene;
}

ImportedScene importModel(const std::string& path, const ImportOptions& options) {
  const std::string directory = std::filesystem::path(path).parent_path().string();
  return importModelText(readTextFile(path), path, directory.empty() ? "." : directory, options);
}

}  // namespace drystone
