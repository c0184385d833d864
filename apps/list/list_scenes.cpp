#include "apps/list/lists.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "apps/support/command_line.h"
#include "apps/support/json_values.h"
#include "apps/support/table.h"
#include "collision/shape/shape.h"
#include "scenes/scene_library.h"
#include "scenes/scene_reader.h"

namespace drystone::cli {
namespace {

/// Mass of the heaviest dynamic body over that of the lightest; 1 where there is none.
Real massRatio(const Scene& scene) {
  Real least = kInfinity, most = 0;
  for (const BodyDefinition& body : scene.bodies) {
    if (body.kind != BodyKind::kDynamic) continue;
    const Real mass = body.mass ? body.mass->mass : massProperties(*body.shape, body.density).mass;
    least = std::min(least, mass);
    most = std::max(most, mass);
  }
  return most > 0 ? most / least : 1;
}

std::string rowsText(const Scene& scene) {
  return scene.peakRows > 0 ? fmt::format("{}", scene.peakRows) : "?";
}

/// The library in lines that fit the terminal, and whole where there is none.
std::string overview() {
  using enum Table::Align;
  Table table({{"scene"}, {"what it is"}, {"bodies", kRight}});
  for (const std::string& name : librarySceneNames()) {
    const Scene scene = readScene(name);
    table.addRow({name, scene.description, fmt::format("{}", scene.bodies.size())});
  }
  return table.markdownForReaders(false);
}

std::string longOverview() {
  using enum Table::Align;
  Table table({{"scene"},
               {"what it is"},
               {"solver"},
               {"bodies", kRight},
               {"rows", kRight},
               {"mass ratio", kRight}});
  for (const std::string& name : librarySceneNames()) {
    const Scene scene = readScene(name);
    table.addRow({name, scene.description, scene.settings.solver.name,
                  fmt::format("{}", scene.bodies.size()), rowsText(scene),
                  fmt::format("{:.4g}", massRatio(scene))});
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
  table.addRow({"rows at most", rowsText(scene)});
  table.addRow({"mass ratio", fmt::format("{:.4g}", massRatio(scene))});
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
          {"rows", scene.peakRows > 0 ? Json(scene.peakRows) : Json(nullptr)},
          {"mass_ratio", massRatio(scene)},
          {"joints", scene.joints.size()},
          {"duration_s", scene.duration},
          {"dt", scene.settings.timestep},
          {"parameters", parameters}};
}

}  // namespace

std::string sceneList(const std::string& name, const SceneListOptions& options) {
  const std::vector<std::string> names = librarySceneNames();
  if (!name.empty()) chooseName("library scene", name, names);
  if (options.json) {
    Json array = Json::array();
    for (const std::string& one : names) {
      if (name.empty() || name == one) array.push_back(sceneJson(one));
    }
    return jsonText(array);
  }
  if (!name.empty()) return details(name);
  return options.isLong ? longOverview() : overview();
}

}  // namespace drystone::cli
