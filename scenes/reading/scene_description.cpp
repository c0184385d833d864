#include "scenes/reading/scene_description.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "scenes/reading/json_cursor.h"

namespace drystone {
namespace {

using Schema = nlohmann::ordered_json;

Schema reference(std::string_view definition) {
  return {{"$ref", fmt::format("#/$defs/{}", definition)}};
}

/// A number in its range, or the name of a parameter.
template <class Number>
Schema numberIn(const char* type, Real low, Real high) {
  Schema range = {{"type", type}};
  if (low > -kLargestInput) range["minimum"] = static_cast<Number>(low);
  if (high < std::numeric_limits<Number>::max() && high < kLargestInput) {
    range["maximum"] = static_cast<Number>(high);
  }
  return {{"anyOf", {std::move(range), reference("reference")}}};
}

template <class Value>
Schema withDefault(Schema property, const std::optional<Value>& preset) {
  if (preset) property["default"] = *preset;
  return property;
}

}  // namespace

KeyType KeyType::number(const Range& range, std::optional<Real> preset) {
  if (preset && !std::isfinite(*preset)) preset.reset();
  return {range.unit,
          [=] { return withDefault(numberIn<Real>("number", range.low, range.high), preset); }};
}

KeyType KeyType::integer(Real low, Real high, std::optional<int> preset) {
  return {"", [=] { return withDefault(numberIn<int>("integer", low, high), preset); }};
}

KeyType KeyType::boolean(std::optional<bool> preset) {
  return {"", [=] { return withDefault({{"type", "boolean"}}, preset); }};
}

KeyType KeyType::natural(std::uint64_t preset) {
  return {"", [=] {
            return withDefault(numberIn<int>("integer", 0, kLargestInput), std::optional(preset));
          }};
}

KeyType KeyType::text(const std::optional<std::string>& preset) {
  const auto shown = preset.value_or("").empty() ? std::nullopt : preset;
  return {"", [=] { return withDefault({{"type", "string"}}, shown); }};
}

KeyType KeyType::choice(std::span<const std::string_view> names, std::optional<int> preset) {
  return {"", [=] {
            Schema property = {{"enum", names}};
            if (preset) property["default"] = names[static_cast<std::size_t>(*preset)];
            return property;
          }};
}

KeyType KeyType::vector(const Range& range, const std::optional<Vec3>& preset) {
  return {range.unit, [=] {
            Schema property = reference("vector");
            if (preset) property["default"] = {preset->x(), preset->y(), preset->z()};
            return property;
          }};
}

KeyType KeyType::reals(int least, int most, const Range& range) {
  return {
      range.unit, [=] {
        Schema property = {{"type", "array"}, {"items", reference("number")}, {"minItems", least}};
        if (most < std::numeric_limits<int>::max()) property["maxItems"] = most;
        return property;
      }};
}

KeyType KeyType::orientation(const Quat& preset) {
  return {"", [=] {
            return Schema{{"anyOf", {reference("quaternion"), reference("orientation")}},
                          {"default", {preset.w(), preset.x(), preset.y(), preset.z()}}};
          }};
}

KeyType KeyType::constant(std::string_view text) {
  return {"", [=] { return Schema{{"const", text}}; }};
}

KeyType KeyType::of(std::string_view definition, std::string_view unit) {
  return {unit, [=] { return reference(definition); }};
}

KeyType KeyType::listOf(std::string_view definition, std::string_view unit) {
  return {unit, [=] { return Schema{{"type", "array"}, {"items", reference(definition)}}; }};
}

struct SceneDescription::Definitions {
  Schema byName = Schema::object();
};

SceneDescription::SceneDescription() : all_(std::make_unique<Definitions>()) {}
SceneDescription::~SceneDescription() = default;

void SceneDescription::begin(std::string_view kind, std::string_view help) {
  Schema& object = all_->byName[std::string(kind)];
  if (!object.is_null()) return;
  object = {{"type", "object"}, {"description", help}, {"properties", Schema::object()}};
}

void SceneDescription::add(std::string_view kind, std::string_view key, std::string_view help,
                           const KeyType& type, bool isRequired) {
  Schema& object = all_->byName[std::string(kind)];
  Schema& properties = object["properties"];
  const std::string name(key);
  if (properties.contains(name)) return;
  Schema property = type.schema ? type.schema() : Schema::object();
  const bool isNamed = property.contains("const") || property.contains("$ref");
  if (help.empty() && !isNamed) unexplained_.push_back(fmt::format("{}.{}", kind, key));
  const std::string unit = type.unit.empty() ? "" : fmt::format(" [{}]", type.unit);
  const std::string text = fmt::format("{}{}", help, unit);
  if (!text.empty()) property["description"] = text;
  properties[name] = std::move(property);
  if (isRequired) object["required"].push_back(name);
}

void SceneDescription::include(std::string_view kind, std::string_view part) {
  Schema& parts = all_->byName[std::string(kind)]["allOf"];
  Schema link = reference(part);
  if (std::find(parts.begin(), parts.end(), link) == parts.end()) parts.push_back(std::move(link));
}

void SceneDescription::join(std::string_view family, std::string_view kind) {
  Schema& object = all_->byName[std::string(family)];
  object["description"] = fmt::format("a {} of one of several types", family);
  Schema& types = object["oneOf"];
  Schema link = reference(kind);
  if (std::find(types.begin(), types.end(), link) == types.end()) types.push_back(std::move(link));
}

nlohmann::ordered_json SceneDescription::definitions() const {
  Schema finished = all_->byName;
  for (auto& [name, object] : finished.items()) {
    if (object.value("type", "") != "object") continue;  // a part or a family
    object[object.contains("allOf") ? "unevaluatedProperties" : "additionalProperties"] = false;
  }
  return finished;
}

}  // namespace drystone
