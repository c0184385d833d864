// The reader and the schema for editors must know the same keys. The reader has no list of them:
// it is run on scenes that hold every kind of object, and remembers what it asked for.

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "core/input_error.h"
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
  "shapes": {
    "a": {"type": "sphere"}, "b": {"type": "box"}, "c": {"type": "capsule"}, "d": {"type": "cylinder"},
    "e": {"type": "cone"}, "f": {"type": "plane"}, "g": {"type": "hull"}, "h": {"type": "mesh"},
    "i": {"type": "heightfield"}, "j": {"type": "compound", "children": [{}]}},
  "bodies": [{"orientation": {}, "motion": [{}]}],
  "joints": [
    {"type": "ball"}, {"type": "hinge", "spring": {}, "motor": {}}, {"type": "slider"},
    {"type": "cylindrical", "slide": {}}, {"type": "universal"}, {"type": "fixed"},
    {"type": "six_dof"}, {"type": "distance"}, {"type": "gear"}],
  "generators": [
    {"type": "chain", "end": {}}, {"type": "cable"}, {"type": "log_tower"}, {"type": "grid"}, {"type": "stack"}, {"type": "wall"}, {"type": "pyramid"}, {"type": "card_house"},
    {"type": "arch"}, {"type": "random_fill", "sphere": {}, "box": {}, "bin": {}}, {"type": "replicate"}],
  "camera": {}, "output": {}})";

KeysByKind keysOfReader() {
  ReadLog log;
  log.recordKeys = true;
  EXPECT_THROW(readSceneLogged(kEveryKey, "every kind", {}, "", log), InputError);
  return log.keys;
}

json schema() {
  std::ifstream file(DRYSTONE_SOURCE_DIR "/scenes/schema/scene.schema.json");
  return json::parse(file);
}

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

/// Reports keys of `value` that the reader does not know for its kind; follows the lists of the
/// format.
void expectKnownKeys(const json& value, const std::string& kind, const KeysByKind& known) {
  for (const auto& [key, unused] : value.items()) {
    EXPECT_TRUE(known.at(kind).contains(key)) << kind << " has no " << key;
  }
}

TEST(Schema, LibraryScenes_HaveOnlyItsKeys) {
  const KeysByKind known = keysOfSchema();
  for (const LibraryScene& scene : libraryScenes()) {
    SCOPED_TRACE(scene.name);
    const json root = json::parse(scene.text);
    expectKnownKeys(root, "scene", known);
    expectKnownKeys(root.value("world", json::object()), "world", known);
    for (const json& body : root.value("bodies", json::array()))
      expectKnownKeys(body, "body", known);
    for (const json& generator : root.value("generators", json::array())) {
      expectKnownKeys(generator, generator.at("type").get<std::string>(), known);
    }
  }
}

}  // namespace
}  // namespace drystone
