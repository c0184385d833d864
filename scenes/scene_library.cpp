#include "scenes/scene_library.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/json_text.h"
#include "core/wording.h"

namespace drystone {

std::vector<std::string> librarySceneNames() {
  std::vector<std::string> names;
  for (const LibraryScene& scene : libraryScenes()) names.emplace_back(scene.name);
  return names;
}

const LibraryScene* findLibraryScene(std::string_view name) {
  const auto scenes = libraryScenes();
  const auto found = std::find_if(scenes.begin(), scenes.end(),
                                  [&](const LibraryScene& scene) { return scene.name == name; });
  return found == scenes.end() ? nullptr : &*found;
}

std::string sceneDescription(const LibraryScene& scene) {
  return nlohmann::json::parse(plainJson(scene.text)).value("description", "");
}

std::string unknownSceneMessage(std::string_view name) {
  const std::string file = std::string(name) + ".json";
  std::error_code error;
  const bool isBeside = std::filesystem::is_regular_file(file, error);
  return "there is no file and no library scene \"" + std::string(name) + "\"; " +
         (isBeside ? "did you mean ./" + file + "?" : didYouMean(name, librarySceneNames()));
}

}  // namespace drystone
