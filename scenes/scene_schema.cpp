#include <nlohmann/json.hpp>

#include "engine/model/joint_presets.h"
#include "scenes/reading/read_scene.h"
#include "scenes/reading/scene_context.h"
#include "scenes/reading/scene_description.h"
#include "scenes/scene_library.h"

namespace drystone {
namespace {

using Schema = nlohmann::ordered_json;

/// One object of every kind. What is in them does not matter: readers ask for all of their keys
/// anyway, and tell the description.
nlohmann::json everyKind() {
  nlohmann::json scene = nlohmann::json::parse(R"({
    "parameters": {"p": {}}, "solver": {}, "camera": {}, "output": {},
    "world": {"sleeping": {}, "stabilization": {}, "projection": {}},
    "materials": {"m": {}}, "pairs": [{}],
    "bodies": [{"orientation": {}, "motion": [{}], "forces": [{}], "adhesion": [{}]}],
    "force_plates": [{"orientation": {}}], "cables": [{"points": [{}]}],
    "generators": [{"type": "chain", "end": {}},
                   {"type": "random_fill", "sphere": {}, "box": {}, "bin": {}}]})");
  // Named so that they are read in the order of the kinds.
  char name = 'a';
  for (const Shape& kind : shapeKinds()) {
    nlohmann::json& shape = scene["shapes"][std::string(1, name++)];
    shape["type"] = shapeName(kind);
    if (std::holds_alternative<Compound>(kind)) shape["children"] = {nlohmann::json::object()};
  }
  for (const std::string_view type : generatorTypes()) {
    scene["generators"].push_back({{"type", type}});
  }
  const nlohmann::json nothing = nlohmann::json::object();
  for (const JointPreset& preset : jointPresets()) {
    scene["joints"].push_back(
        {{"type", preset.name}, {"spring", nothing}, {"motor", nothing}, {"slide", nothing}});
  }
  return scene;
}

}  // namespace

void describeScene(SceneDescription& description) {
  ReadLog log;
  log.description = &description;
  askForAllKeys(everyKind(), log);
}

std::string sceneSchema() {
  Schema schema = Schema::parse(schemaTemplate());
  SceneDescription description;
  describeScene(description);
  Schema definitions = description.definitions();
  // The scene itself is the root.
  schema.update(definitions["scene"]);
  definitions.erase("scene");
  schema["$defs"].update(definitions);
  return schema.dump(2) + "\n";
}

}  // namespace drystone
