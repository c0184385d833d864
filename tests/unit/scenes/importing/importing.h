#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "core/input_error.h"
#include "scenes/importing/import_model.h"
#include "scenes/scene_builder.h"
#include "scenes/scene_reader.h"
#include "solvers/default_registry.h"

namespace drystone {

/// What is as the file has it, but for rounding.
constexpr Real kAsInFile = 1e-12;

/// What a model file is refused with, the file being "m.xml"; none: it is accepted.
inline std::vector<std::string> importProblems(const std::string& text) {
  try {
    importModelText(text, "m.xml", DRYSTONE_SOURCE_DIR "/tests/data/models");
    return {};
  } catch (const InputError& error) {
    return error.problems();
  }
}

/// A folder of model files, removed at the end.
class ModelFolder {
 public:
  ModelFolder() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    std::string name = std::string(test->test_suite_name()) + "." + test->name();
    std::ranges::replace(name, '/', '.');
    folder_ = std::filesystem::path(testing::TempDir()) / name;
    std::filesystem::remove_all(folder_);
  }
  ~ModelFolder() { std::filesystem::remove_all(folder_); }
  ModelFolder(const ModelFolder&) = delete;
  ModelFolder& operator=(const ModelFolder&) = delete;

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
  }
  Scene import(const std::string& name) const {
    return readSceneText(importModel(path(name)).text, "s");
  }
  /// What a file is refused with, the folder left away; none: it is accepted.
  std::vector<std::string> problems(const std::string& name) const {
    std::vector<std::string> problems;
    try {
      importModel(path(name));
    } catch (const InputError& error) {
      problems = error.problems();
    }
    for (std::string& problem : problems) {
      const std::string folder = folder_.string() + "/";
      for (auto at = problem.find(folder); at != std::string::npos; at = problem.find(folder)) {
        problem.erase(at, folder.size());
      }
    }
    return problems;
  }

 private:
  std::filesystem::path folder_;
};

inline ImportedScene importText(const std::string& text, const ImportOptions& options = {}) {
  return importModelText(text, "m.xml", DRYSTONE_SOURCE_DIR "/tests/data/models", options);
}

inline Scene sceneOf(const ImportedScene& imported) { return readSceneText(imported.text, "s"); }

inline ImportedScene importData(const std::string& name, const ImportOptions& options = {}) {
  return importModel(std::string(DRYSTONE_SOURCE_DIR "/tests/data/models/") + name, options);
}

inline const BodyDefinition& bodyOf(const Scene& scene, const std::string& name) {
  const auto found = std::ranges::find(scene.bodies, name, &BodyDefinition::name);
  if (found == scene.bodies.end()) throw InputError("no body " + name);
  return *found;
}

inline const SceneJoint& jointOf(const Scene& scene, const std::string& name) {
  const auto found = std::ranges::find_if(
      scene.joints, [&](const SceneJoint& joint) { return joint.definition.name == name; });
  if (found == scene.joints.end()) throw InputError("no joint " + name);
  return *found;
}

/// The text with a plane at the height, before the other bodies.
inline std::string withPlane(std::string text, const std::string& height) {
  const std::string list = "\"bodies\": [";
  const std::string plane = R"({"name": "floor", "kind": "static", "shape": {"type": "plane"},
                               "position": [0, 0, )" +
                            height + "]},";
  return text.insert(text.find(list) + list.size(), plane);
}

/// Runs a scene with its own solver, `auto`; every step must meet all tolerances.
inline World expectExactSteps(const std::string& text, int steps) {
  World world = buildWorld(readSceneText(text, "s"), makeDefaultRegistry());
  for (int step = 0; step < steps; ++step) {
    const StepReport& report = world.step();
    if (report.withinTolerance) continue;
    ADD_FAILURE() << "step " << step + 1 << ": " << report.naturalMap << " m/s, joints "
                  << report.jointError << " m, overlaps " << report.overlapError << " m";
    break;
  }
  return world;
}

}  // namespace drystone
