#include "scenes/scene_reader.h"

#include <cmath>
#include <filesystem>

#include "core/input_error.h"
#include "scenes/reading/read_scene.h"
#include "scenes/scene_library.h"

namespace drystone {
namespace {

bool looksLikePath(const std::string& name) {
  return name.find('/') != std::string::npos || name.ends_with(".json");
}

/// A model of another format is named, with the way to a scene.
void requireNoModel(std::string_view text, const std::string& label) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  if (begin == std::string_view::npos || text[begin] != '<') return;
  const bool isUrdf = text.find("<robot") != std::string_view::npos;
  if (!isUrdf && text.find("<mujoco") == std::string_view::npos) return;
  throw InputError(label + ": is a model in " + (isUrdf ? "URDF" : "MJCF") +
                   " and no scene; `drystone import " + label +
                   " -o scene.json` makes one of it, and in Python drystone.import_model()");
}

}  // namespace

int Scene::stepCount() const {
  constexpr Real kMostSteps = std::numeric_limits<int>::max();
  return static_cast<int>(
      std::clamp(std::round(duration / settings.timestep), Real(1), kMostSteps));
}

SceneSource findScene(const std::string& pathOrName) {
  if (isRecording(pathOrName)) {
    throw InputError(pathOrName +
                     (std::filesystem::exists(pathOrName)
                          ? ": is a recording and no scene file; `drystone replay`, `render` and "
                            "`view` take it"
                          : ": there is no such file"));
  }
  if (!looksLikePath(pathOrName)) {
    if (const LibraryScene* scene = findLibraryScene(pathOrName)) {
      return {std::string(scene->text), "library/" + pathOrName + ".json", "", {}};
    }
    if (!std::filesystem::exists(pathOrName)) throw InputError(unknownSceneMessage(pathOrName));
  }
  std::string directory = std::filesystem::path(pathOrName).parent_path().string();
  return {readTextFile(pathOrName), pathOrName, directory.empty() ? "." : directory, {}};
}

Scene readScene(const std::string& pathOrLibraryName, const SceneReadOptions& options) {
  return readScene(findScene(pathOrLibraryName), options);
}

Scene readScene(const SceneSource& source, const SceneReadOptions& options) {
  SceneReadOptions withFiles = options;
  if (!source.attachments.empty()) withFiles.attachments = source.attachments;
  Scene scene = readSceneText(source.text, source.label, withFiles, source.directory);
  if (!source.directory.empty()) scene.files.push_back(source.label);
  return scene;
}

Scene readSceneText(std::string_view text, const std::string& label,
                    const SceneReadOptions& options, const std::string& directory) {
  requireNoModel(text, label);
  ReadLog log;
  return readSceneLogged(text, label, options, directory, log);
}

}  // namespace drystone
