// The schema for editors says what the readers of scenes ask for, closed and explained.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/model/joint_presets.h"
#include "scenes/reading/json_cursor.h"
#include "scenes/reading/scene_context.h"
#include "scenes/reading/scene_description.h"
#include "scenes/scene_library.h"

namespace drystone {
namespace {

using nlohmann::json;
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

TEST(Schema, EveryKey_SaysWhatItIs) {
  SceneDescription description;
  describeScene(description);
  EXPECT_THAT(description.unexplained(), testing::IsEmpty());
}

TEST(Schema, EveryTypeOfShapeGeneratorAndJoint_HasItsKeys) {
  const json definitions = schema().at("$defs");
  std::size_t types = 0;
  for (const char* family : {"shape", "generator", "joint"}) {
    for (const json& reference : definitions.at(family).at("oneOf")) {
      const std::string name = reference["$ref"].get<std::string>().substr(8);  // "#/$defs/"
      ASSERT_TRUE(definitions.contains(name)) << name;
      EXPECT_EQ(definitions[name]["properties"]["type"]["const"], name);
      ++types;
    }
  }
  EXPECT_EQ(types, shapeKinds().size() + generatorTypes().size() + jointPresets().size());
}

/// All references within a part of the schema.
void findReferences(const json& part, std::set<std::string>& found) {
  if (part.is_object() && part.contains("$ref")) found.insert(part["$ref"].get<std::string>());
  for (const json& inner : part) {
    if (inner.is_structured()) findReferences(inner, found);
  }
}

TEST(Schema, EveryReference_LeadsToADefinition) {
  const json root = schema();
  std::set<std::string> references;
  findReferences(root, references);
  EXPECT_GE(references.size(), 40U);
  for (const std::string& reference : references) {
    EXPECT_TRUE(root.contains(json::json_pointer(reference.substr(1)))) << reference;
  }
}

TEST(Schema, IsClosed_SoThatEditorsMarkUnknownKeys) {
  const json root = schema();
  EXPECT_EQ(root.at("additionalProperties"), false);
  for (const auto& [kind, object] : root.at("$defs").items()) {
    const bool isPart = kind.ends_with("_keys") || kind == "joint_place";
    if (!object.contains("properties") || isPart) continue;
    EXPECT_EQ(object.contains("allOf") ? object.at("unevaluatedProperties")
                                       : object.at("additionalProperties"),
              false)
        << kind;
  }
}

/// The default that the schema has for a key; null where it has none.
json defaultOf(const json& root, const std::string& kind, const std::string& key) {
  const json& property = root.at("$defs").at(kind).at("properties").at(key);
  return property.contains("default") ? property["default"] : json();
}

TEST(Schema, Defaults_AreTheValuesOfDefaultConstructedObjects) {
  const json root = schema();
  const BodyDefinition body;
  EXPECT_EQ(defaultOf(root, "body_keys", "kind"), "dynamic");
  EXPECT_EQ(defaultOf(root, "body_keys", "density"), body.density);
  EXPECT_EQ(defaultOf(root, "body_keys", "velocity"), json({0.0, 0.0, 0.0}));
  EXPECT_EQ(defaultOf(root, "body_keys", "allow_sleep"), body.allowSleep);
  EXPECT_EQ(defaultOf(root, "body_keys", "mask"), body.filter.mask);
  EXPECT_EQ(defaultOf(root, "pose_keys", "orientation"), json({1.0, 0.0, 0.0, 0.0}));
  const SolverChoice solver;
  EXPECT_EQ(defaultOf(root, "solver", "name"), solver.name);
  EXPECT_EQ(defaultOf(root, "solver", "tolerance"), solver.budget.tolerance);
  EXPECT_EQ(defaultOf(root, "solver", "policy"), "keep_best");
  EXPECT_EQ(defaultOf(root, "camera", "field_of_view_deg"), SceneCamera{}.fieldOfViewDeg);
  EXPECT_EQ(defaultOf(root, "random_fill", "seed"), 12345);
}

TEST(Schema, KeysWithoutOneValueThatStandsForThem_HaveNoDefault) {
  const json root = schema();
  EXPECT_TRUE(defaultOf(root, "body", "name").is_null()) << "each body has another";
  EXPECT_TRUE(defaultOf(root, "body_keys", "mass").is_null()) << "it follows from the density";
  EXPECT_TRUE(defaultOf(root, "solver", "max_iterations").is_null()) << "the solver's own";
  EXPECT_TRUE(defaultOf(root, "solver", "time_limit_s").is_null()) << "none";
  EXPECT_TRUE(defaultOf(root, "hinge", "upper").is_null()) << "infinite";
  EXPECT_TRUE(defaultOf(root, "box", "size").is_null()) << "half_extents stands for it";
  EXPECT_TRUE(defaultOf(root, "pair", "friction").is_null()) << "it follows from the two";
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
