#include <fmt/format.h>

#include <nlohmann/json.hpp>

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
  return schema.dump(2) + "\n";
}

}  // namespace drystone
