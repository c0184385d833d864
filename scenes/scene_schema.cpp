#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "engine/model/joint_presets.h"
#include "scenes/scene.h"
#include "scenes/scene_library.h"

namespace drystone {
namespace {

using Schema = nlohmann::ordered_json;

Schema reference(std::string_view kind) { return {{"$ref", fmt::format("#/$defs/{}", kind)}}; }

/// Writes the properties of one part, and the definitions of the parts inside it.
class SchemaWriter : public FieldVisitor {
 public:
  explicit SchemaWriter(Schema& definitions) : definitions_(definitions) {}

  using FieldVisitor::part;
  void real(const SettingInfo& info, Real& value, Real low, Real high) override {
    add(info, number("number", low, high), value);
  }
  void optional(const SettingInfo& info, std::optional<Real>&, Real low, Real high) override {
    add(info, number("number", low, high), nullptr);
  }
  void integer(const SettingInfo& info, int& value, int low, int high) override {
    add(info, number("integer", low, high), value);
  }
  void boolean(const SettingInfo& info, bool& value) override {
    add(info, {{"type", "boolean"}}, value);
  }
  void choice(const SettingInfo& info, int& value,
              std::span<const std::string_view> names) override {
    add(info, {{"enum", names}}, names[static_cast<std::size_t>(value)]);
  }
  void vector(const SettingInfo& info, Vec3& value, Real, Real) override {
    add(info, reference("vector"), {value.x(), value.y(), value.z()});
  }
  void part(const SettingInfo& info, const VisitPart& visit) override {
    properties[std::string(info.name)] = reference(info.name);
    SchemaWriter inner(definitions_);
    visit(inner, true);
    inner.define(info.name, info.help);
  }

  /// Adds what was visited as an object that has no other keys.
  void define(std::string_view kind, std::string_view help) {
    definitions_[std::string(kind)] = {{"type", "object"},
                                       {"description", help},
                                       {"additionalProperties", false},
                                       {"properties", std::move(properties)}};
  }

  Schema properties = Schema::object();

 private:
  void add(const SettingInfo& info, Schema property, const Schema& value) {
    if (!value.is_null()) property["default"] = value;
    property["description"] =
        info.unit.empty() ? std::string(info.help) : fmt::format("{} [{}]", info.help, info.unit);
    properties[std::string(info.name)] = std::move(property);
  }

  /// A number in its range, or the name of a parameter.
  template <class Number>
  static Schema number(const char* type, Number low, Number high) {
    Schema range = {{"type", type}};
    if (low > -kLargestInput) range["minimum"] = low;
    if (high < kLargestInput) range["maximum"] = high;
    return {{"anyOf", {std::move(range), reference("reference")}}};
  }

  Schema& definitions_;
};

Schema described(Schema property, std::string_view help) {
  property["description"] = help;
  return property;
}

/// The definition of a type of joint between two bodies.
Schema jointSchema(const JointPreset& preset, Schema& definitions) {
  SchemaWriter writer(definitions);
  Schema& properties = writer.properties;
  Schema required = {"type", "body_a", "body_b"};
  properties["type"] = {{"const", preset.name}};
  for (const PresetAxis& axis : preset.axes) {
    properties[std::string(axis.key)] = described(reference("vector"), axis.help);
    if (axis.isRequired) required.push_back(axis.key);
  }
  if (preset.hasOrientation) {
    properties["orientation"] =
        described(definitions["pose_keys"]["properties"]["orientation"], "Of the frames.");
  }
  const Schema object = reference("coordinate");
  const Schema objectOrWord = {{"anyOf", {{{"enum", {"free", "locked"}}}, object}}};
  for (const PresetCoordinate& coordinate : preset.free) {
    if (!coordinate.key.empty()) {
      properties[std::string(coordinate.key)] =
          described(preset.mayLock ? objectOrWord : object, coordinate.help);
    } else if (preset.free.size() == 1) {
      properties.update(definitions["coordinate"]["properties"]);
    }
  }
  JointDefinition joint = presetJoint(preset.name);
  if (preset.visitOwn != nullptr) preset.visitOwn(joint, writer);
  return {{"type", "object"},
          {"description", preset.help},
          {"allOf", {reference("joint_keys"), reference("joint_place")}},
          {"unevaluatedProperties", false},
          {"properties", std::move(properties)},
          {"required", std::move(required)}};
}

/// Defines a kind of shape by its fields, all of which are required. A kind that is read from more
/// has the rest in the template, which says what is required, too.
void defineShape(Shape kind, Schema& definitions) {
  const std::string_view name = shapeName(kind);
  SchemaWriter writer(definitions);
  writer.properties["type"] = {{"const", name}};
  visitFields(kind, writer);
  Schema required = Schema::array();
  for (auto& [key, property] : writer.properties.items()) {
    property.erase("default");
    required.push_back(key);
  }
  const Schema more = definitions.value(name, Schema::object());
  writer.properties.update(more.value("properties", Schema::object()));
  writer.define(name, shapeHelp(kind));
  definitions[std::string(name)]["required"] = more.value("required", required);
}

}  // namespace

void visitWorldKeys(Scene& scene, FieldVisitor& visitor) {
  constexpr Real kLongestDuration = 1e9;
  visitor.positive({"duration", "s", "simulated time that the scene is meant for"}, scene.duration,
                   kLongestDuration);
  visitFields(scene.settings, visitor);
}

std::string sceneSchema() {
  Schema schema = Schema::parse(schemaTemplate());
  Schema& definitions = schema["$defs"];
  Scene scene;
  SchemaWriter world(definitions);
  visitWorldKeys(scene, world);
  world.define("world", "the world and the step");
  Material material;
  SchemaWriter surface(definitions);
  visitFields(material, surface);
  definitions["surface_keys"] = {{"properties", std::move(surface.properties)}};
  definitions["shape"]["description"] = "A shape of one of several types.";
  for (const Shape& kind : shapeKinds()) {
    defineShape(kind, definitions);
    definitions["shape"]["oneOf"].push_back(reference(shapeName(kind)));
  }
  definitions["joint"]["description"] = "A joint of one of several types.";
  for (const JointPreset& preset : jointPresets()) {
    const std::string name(preset.name);
    // The keys of a gear, which has no bodies of its own, stand in the template.
    if (definitions.contains(name)) {
      definitions[name]["description"] = preset.help;
    } else {
      definitions[name] = jointSchema(preset, definitions);
    }
    definitions["joint"]["oneOf"].push_back(reference(name));
  }
  return schema.dump(2) + "\n";
}

}  // namespace drystone
