#include "apps/list_scenes.h"

#include <fmt/format.h>

#include <vector>

#include "apps/command_line.h"
#include "apps/json_values.h"
#include "apps/table.h"
#include "scenes/scene_library.h"
#include "scenes/scene_reader.h"

namespace drystone::cli {
namespace {

std::vector<std::string> sceneNames() {
  std::vector<std::string> names;
  for (const LibraryScene& scene : libraryScenes()) names.emplace_back(scene.name);
  return names;
}

std::string overview() {
  Table table({{"scene"}, {"what it is"}});
  for (const LibraryScene& scene : libraryScenes()) {
    table.addRow({std::string(scene.name), librarySceneDescription(scene)});
  }
  return table.markdown();
}

std::string parameterTable(const std::vector<SceneParameter>& parameters) {
  Table table({{"parameter"}, {"default"}, {"range"}, {"what it is"}});
  for (const SceneParameter& one : parameters) {
    table.addRow(
        {fmt::format("`{}`", one.name), fmt::format("{}", one.defaultValue),
         fmt::format("{} to {}{}", one.minimum, one.maximum, one.integer ? ", whole numbers" : ""),
         one.description});
  }
  return table.markdown();
}

std::string details(const std::string& name) {
  const Scene scene = readScene(name);
  const WorldSettings& settings = scene.settings;
  Table table({{"scene"}, {name}});
  table.addRow({"what it is", scene.description});
  table.addRow({"solver", settings.solver.name});
  table.addRow({"bodies", fmt::format("{}", scene.bodies.size())});
  table.addRow({"joints", fmt::format("{}", scene.joints.size())});
  table.addRow({"duration", fmt::format("{:g} s, {} of {:.6g} s", scene.duration,
                                        counted(scene.stepCount(), "step"), settings.timestep)});
  if (scene.parameters.empty()) return table.markdown();
  return table.markdown() + "\n" + parameterTable(scene.parameters);
}

Json sceneJson(const std::string& name) {
  const Scene scene = readScene(name);
  Json parameters = Json::array();
  for (const SceneParameter& one : scene.parameters) {
    parameters.push_back({{"name", one.name},
                          {"description", one.description},
                          {"default", parameterNumber(one, one.defaultValue)},
                          {"min", parameterNumber(one, one.minimum)},
                          {"max", parameterNumber(one, one.maximum)},
                          {"integer", one.integer}});
  }
  return {{"name", name},
          {"description", scene.description},
          {"solver", scene.settings.solver.name},
          {"bodies", scene.bodies.size()},
          {"joints", scene.joints.size()},
          {"duration_s", scene.duration},
          {"dt", scene.settings.timestep},
          {"parameters", parameters}};
}

}  // namespace

std::string sceneList(const std::string& name, bool json) {
  const std::vector<std::string> names = sceneNames();
  if (!name.empty()) chooseName("library scene", name, names);
  if (json) {
    Json array = Json::array();
    for (const std::string& one : names) {
      if (name.empty() || name == one) array.push_back(sceneJson(one));
    }
    return jsonText(array);
  }
  return name.empty() ? overview() : details(name);
}

}  // namespace drystone::cli
