// The reader and the schema for editors must know the same keys. The reader has no list of them:
// it is run on scenes that hold every kind of object, and remembers what it asked for.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "core/input_error.h"
#include "engine/model/joint_presets.h"
#include "scenes/reading/json_cursor.h"
#include "scenes/reading/read_scene.h"
#include "scenes/scene_library.h"

namespace drystone {
namespace {

using nlohmann::json;
using KeysByKind = std::map<std::string, std::set<std::string>, std::less<>>;

/// One object of every kind; what is in them does not matter, since all keys are asked for anyway.
const char* const kEveryKey = R"({
  "parameters": {"p": {}}, "world": {"sleeping": {}, "stabilization": {}, "projection": {}}, "solver": {},
  "materials": {"m": {}}, "pairs": [{}],
  "bodies": [{"orientation": {}, "motion": [{}]}],
  "generators": [
    {"type": "chain", "end": {}}, {"type": "cable"}, {"type": "log_tower"}, {"type": "grid"}, {"type": "stack"}, {"type": "wall"}, {"type": "pyramid"}, {"type": "card_house"},
    {"type": "arch"}, {"type": "random_fill", "sphere": {}, "box": {}, "bin": {}}, {"type": "replicate"}],
  "camera": {}, "output": {}})";

KeysByKind keysOfReader() {
  ReadLog log;
  log.recordKeys = true;
  json scene = json::parse(kEveryKey);
  for (const Shape& kind : shapeKinds()) {
    const std::string name(shapeName(kind));
    scene["shapes"][name] = {{"type", name}};
  }
  scene["shapes"]["compound"]["children"] = {json::object()};
  const json nothing = json::object();
  for (const JointPreset& preset : jointPresets()) {
    scene["joints"].push_back(
        {{"type", preset.name}, {"spring", nothing}, {"motor", nothing}, {"slide", nothing}});
  }
  EXPECT_THROW(readSceneLogged(scene.dump(), "every kind", {}, "", log), InputError);
  return log.keys;
}

json schema() { return json::parse(sceneSchema()); }

/// Keys of an object of the schema, those of the parts that it is made of included.
std::set<std::string> keysOf(const json& object, const json& root) {
  std::set<std::string> keys;
  const json properties = object.value("properties", json::object());
  for (const auto& [key, unused] : properties.items()) keys.insert(key);
  for (const json& part : object.value("allOf", json::array())) {
    const std::string path = part.at("$ref").get<std::string>().substr(1);  // without '#'
    keys.merge(keysOf(root.at(json::json_pointer(path)), root));
  }
  return keys;
}

KeysByKind keysOfSchema() {
  const json root = schema();
  KeysByKind keys;
  keys["scene"] = keysOf(root, root);
  const json& definitions = root.at("$defs");
  for (const auto& [kind, object] : definitions.items()) {
    if (object.contains("additionalProperties") || object.contains("unevaluatedProperties")) {
      keys[kind] = keysOf(object, root);
    }
  }
  return keys;
}

TEST(Schema, KnowsTheKeysThatTheReaderKnows) {
  const KeysByKind reader = keysOfReader();
  const KeysByKind schemaKeys = keysOfSchema();
  EXPECT_GE(reader.size(), 30u);
  for (const auto& [kind, keys] : reader) {
    ASSERT_TRUE(schemaKeys.contains(kind)) << "the schema lacks " << kind;
    EXPECT_EQ(keys, schemaKeys.at(kind)) << kind;
  }
  for (const auto& [kind, keys] : schemaKeys) {
    EXPECT_TRUE(reader.contains(kind)) << "the reader never reads " << kind;
  }
}

TEST(Schema, IsClosed_SoThatEditorsMarkUnknownKeys) {
  const json root = schema();
  EXPECT_EQ(root.at("additionalProperties"), false);
  for (const auto& [kind, keys] : keysOfReader()) {
    if (kind == "scene") continue;
    const json& object = root.at("$defs").at(kind);
    EXPECT_EQ(object.contains("allOf") ? object.at("unevaluatedProperties")
                                       : object.at("additionalProperties"),
              false)
        << kind;
  }
}

TEST(Schema, PositiveQuantities_HaveTheBoundOfTheReader) {
  const json root = schema();
  const std::string text = root.dump();
  EXPECT_EQ(text.find("exclusiveMinimum"), std::string::npos) << "the reader has closed bounds";
  const json& body = root.at("$defs").at("body_keys").at("properties");
  EXPECT_EQ(body.at("mass").at("anyOf")[0].at("minimum"), kSmallestPositiveInput);
  EXPECT_EQ(
      root.at("$defs").at("sphere").at("properties").at("radius").at("anyOf")[0].at("minimum"),
      kSmallestPositiveInput);
  EXPECT_EQ(
      root.at("$defs").at("world").at("properties").at("timestep").at("anyOf")[0].at("maximum"),
      1e3);
}

/// Whether the schema's part accepts a value, by those of its rules that the schema uses.
class Acceptor {
 public:
  explicit Acceptor(const json& root) : root_(root) {}

  bool accepts(const json& part, const json& value) const {
    const auto acceptsValue = [&](const json& one) { return accepts(one, value); };
    if (part.contains("$ref") && !acceptsValue(target(part))) return false;
    if (part.contains("const") && part["const"] != value) return false;
    if (part.contains("enum") && !contains(part["enum"], value)) return false;
    if (part.contains("type") && !hasType(part["type"], value)) return false;
    if (part.contains("anyOf") && std::ranges::none_of(part["anyOf"], acceptsValue)) return false;
    if (part.contains("oneOf") && std::ranges::count_if(part["oneOf"], acceptsValue) != 1)
      return false;
    if (part.contains("allOf") && !std::ranges::all_of(part["allOf"], acceptsValue)) return false;
    if (value.is_number()) {
      const Real number = value.get<Real>();
      return number >= part.value("minimum", number) && number <= part.value("maximum", number);
    }
    if (value.is_string() && part.contains("pattern")) return value.get<std::string>()[0] == '$';
    return value.is_array() ? acceptsItems(part, value) : acceptsMembers(part, value);
  }

 private:
  const json& target(const json& part) const {
    return root_.at(json::json_pointer(part.at("$ref").get<std::string>().substr(1)));
  }
  static bool contains(const json& list, const json& value) {
    return std::ranges::find(list, value) != list.end();
  }
  static bool hasType(const json& type, const json& value) {
    if (type.is_array())
      return std::ranges::any_of(type, [&](const json& one) { return hasType(one, value); });
    if (type == "number") return value.is_number();
    if (type == "integer") return value.is_number() && std::floor(value.get<Real>()) == value;
    return type == value.type_name();
  }
  bool acceptsItems(const json& part, const json& list) const {
    if (list.size() < part.value("minItems", 0u)) return false;
    if (list.size() > part.value("maxItems", list.size())) return false;
    return !part.contains("items") || std::ranges::all_of(list, [&](const json& item) {
      return accepts(part["items"], item);
    });
  }
  bool acceptsMembers(const json& part, const json& object) const {
    const json properties = part.value("properties", json::object());
    for (const json& key : part.value("required", json::array())) {
      if (!object.contains(key)) return false;
    }
    const bool isClosed = part.contains("unevaluatedProperties");
    const std::set<std::string> known = isClosed ? keysOf(part, root_) : std::set<std::string>();
    for (const auto& [key, value] : object.items()) {
      if (properties.contains(key)) {
        if (!accepts(properties[key], value)) return false;
      } else if (isClosed) {
        if (!known.contains(key)) return false;
      } else if (const json others = part.value("additionalProperties", json(true));
                 others == false || (others.is_object() && !accepts(others, value))) {
        return false;
      }
    }
    return true;
  }

  const json& root_;
};

TEST(Schema, AcceptsEverySceneOfTheLibrary) {
  const json root = schema();
  const Acceptor acceptor(root);
  for (const LibraryScene& scene : libraryScenes()) {
    const json whole = json::parse(scene.text);
    // Each section by itself first, so that a failure has a place.
    for (const auto& [key, section] : whole.items()) {
      EXPECT_TRUE(acceptor.accepts(root["properties"][key], section)) << scene.name << " " << key;
    }
    EXPECT_TRUE(acceptor.accepts(root, whole)) << scene.name;
  }
}

TEST(Schema, RefusesWhatTheReaderRefuses) {
  const json root = schema();
  const Acceptor acceptor(root);
  for (const char* text :
       {R"({})", R"({"version": 1, "wrld": {}})", R"({"version": 1, "world": {"timestep": 0}})",
        R"({"version": 1, "world": {"integrator": "euler"}})",
        R"({"version": 1, "world": {"substeps": 1.5}})",
        R"({"version": 1, "world": {"sleeping": {"time": -1}}})",
        R"({"version": 1, "materials": {"m": {"restitution": 2}}})",
        R"({"version": 1, "bodies": [{"densty": 2}]})"}) {
    EXPECT_FALSE(acceptor.accepts(root, json::parse(text))) << text;
  }
}

}  // namespace
}  // namespace drystone
