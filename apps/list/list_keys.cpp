#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "apps/list/lists.h"
#include "apps/support/command_line.h"
#include "apps/support/json_values.h"
#include "apps/support/table.h"
#include "core/field_visitor.h"
#include "core/wording.h"
#include "scenes/scene_library.h"

namespace drystone::cli {
namespace {

/// What a reference of the schema names.
const Json& resolved(const Json& schema, const Json& value) {
  if (!value.contains("$ref")) return value;
  return schema.at(Json::json_pointer(value.at("$ref").get<std::string>().substr(1)));
}

std::string numberText(const Json& number) {
  return number.is_number_float() ? fmt::format("{:.6g}", number.get<Real>()) : number.dump();
}

std::string defaultText(const Json& property) {
  if (!property.contains("default")) return "";
  const Json& value = property["default"];
  if (value.is_string()) return fmt::format("`{}`", value.get<std::string>());
  if (!value.is_array()) return numberText(value);
  std::vector<std::string> components;
  for (const Json& component : value) components.push_back(numberText(component));
  return fmt::format("[{}]", joined(components));
}

std::string rangeText(const Json& type) {
  const bool hasLow = type.contains("minimum"), hasHigh = type.contains("maximum");
  const bool isPositive = hasLow && type["minimum"] == kSmallestPositiveInput;
  const std::string low = !hasLow      ? ""
                          : isPositive ? "> 0"
                                       : fmt::format("≥ {}", numberText(type["minimum"]));
  const std::string high = hasHigh ? fmt::format("≤ {}", numberText(type["maximum"])) : "";
  return low + (hasLow && hasHigh ? ", " : "") + high;
}

/// What may stand under a key.
std::string valueText(const Json& schema, const Json& property) {
  const Json& first = property.contains("anyOf") ? property["anyOf"][0] : property;
  const Json& type = resolved(schema, first);
  if (type.contains("const")) return fmt::format("`{}`", type["const"].get<std::string>());
  if (type.contains("enum")) {
    std::vector<std::string> names;
    for (const Json& name : type["enum"])
      names.push_back(fmt::format("`{}`", name.get<std::string>()));
    return joined(names);
  }
  const std::string name = type.value("type", "object");
  if (name == "boolean") return "true, false";
  if (name == "string") return "text";
  if (name == "array") return type.value("maxItems", 0) == 3 ? "three numbers" : "list";
  if (name == "object") return "object";
  const std::string range = rangeText(type);
  return range.empty() ? "number" : range;
}

void addKeys(const Json& schema, const Json& object, Table& table) {
  const std::vector<std::string> required = object.value("required", std::vector<std::string>());
  const Json properties = object.value("properties", Json::object());
  for (const auto& [key, property] : properties.items()) {
    const bool isRequired = std::find(required.begin(), required.end(), key) != required.end();
    table.addRow(
        {fmt::format("`{}`", key), isRequired ? "required" : defaultText(property),
         valueText(schema, property),
         property.value("description", resolved(schema, property).value("description", ""))});
  }
  for (const Json& part : object.value("allOf", Json::array())) {
    addKeys(schema, resolved(schema, part), table);
  }
}

/// The types that an object may have, with the keys that are theirs alone.
std::string typeTable(const Json& schema, const Json& types, bool isLong) {
  Table table({{"type"}, {"what it is"}, {"its own keys"}});
  for (const Json& reference : types) {
    const Json& type = resolved(schema, reference);
    std::vector<std::string> keys;
    for (const auto& [key, property] : type.at("properties").items()) {
      if (key != "type") keys.push_back(fmt::format("`{}`", key));
    }
    table.addRow({fmt::format("`{}`", type["properties"]["type"]["const"].get<std::string>()),
                  type.value("description", ""), joined(keys)});
  }
  return table.markdownForReaders(isLong);
}

/// Of the format, with keys that it names: not a list of the user's own names.
bool isObject(const Json& definition) {
  const auto isClosed = [&](const char* key) {
    return definition.contains(key) && definition[key] == false;
  };
  return isClosed("additionalProperties") || isClosed("unevaluatedProperties");
}

/// The name of the objects that stand under a key, or in the list there; empty: of the format it is
/// none.
std::string kindUnder(const Json& schema, const Json& property) {
  if (property.contains("$ref")) {
    const std::string path = property["$ref"].get<std::string>();
    const std::string kind = path.substr(path.rfind('/') + 1);
    const Json& definition = schema["$defs"][kind];
    return isObject(definition) || definition.contains("oneOf") ? kind
                                                                : kindUnder(schema, definition);
  }
  for (const char* inner : {"items", "additionalProperties"}) {
    if (property.contains(inner) && property[inner].is_object()) {
      return kindUnder(schema, property[inner]);
    }
  }
  for (const Json& part : property.value("anyOf", Json::array())) {
    if (std::string kind = kindUnder(schema, part); !kind.empty()) return kind;
  }
  return "";
}

/// A key where the schema defines it, and the objects that have it there.
struct KeyUse {
  std::vector<std::string> objects;
  Json property;
  bool isRequired = false;
};

/// All objects of the format by name: the scene itself first.
std::vector<std::pair<std::string, Json>> definitionsOf(const Json& schema) {
  std::vector<std::pair<std::string, Json>> all = {{"scene", schema}};
  for (const auto& [kind, definition] : schema.at("$defs").items()) {
    all.emplace_back(kind, definition);
  }
  return all;
}

std::vector<KeyUse> keyUses(const Json& schema, const std::string& key) {
  std::vector<KeyUse> uses;
  const auto definitions = definitionsOf(schema);
  for (const auto& [kind, definition] : definitions) {
    const Json properties = definition.value("properties", Json::object());
    if (!properties.contains(key)) continue;
    const auto required = definition.value("required", std::vector<std::string>());
    KeyUse use{{}, properties[key], std::ranges::find(required, key) != required.end()};
    if (isObject(definition)) use.objects.push_back(kind);
    // Those that share the part in which the key is defined.
    const Json link = {{"$ref", "#/$defs/" + kind}};
    for (const auto& [other, sharing] : definitions) {
      const Json parts = sharing.value("allOf", Json::array());
      if (std::ranges::find(parts, link) != parts.end()) use.objects.push_back(other);
    }
    uses.push_back(std::move(use));
  }
  return uses;
}

/// Where a key may stand, and what it is there.
std::string keyPlaces(const Json& schema, const std::vector<KeyUse>& uses,
                      const KeyListOptions& options) {
  Json list = Json::array();
  Table table({{"key of"}, {"default"}, {"range"}, {"what it is"}, {"its own keys"}});
  for (const KeyUse& use : uses) {
    list.push_back(
        {{"objects", use.objects}, {"required", use.isRequired}, {"schema", use.property}});
    const std::string kind = kindUnder(schema, use.property);
    table.addRow(
        {joined(use.objects), use.isRequired ? "required" : defaultText(use.property),
         valueText(schema, use.property),
         use.property.value("description", resolved(schema, use.property).value("description", "")),
         kind.empty() ? "" : fmt::format("`list keys {}`", kind)});
  }
  return options.json ? jsonText(list) : table.markdownForReaders(options.isLong);
}

/// Names of objects, then of keys that no object is named like.
std::vector<std::string> withKeys(const Json& schema, std::vector<std::string> names) {
  for (const auto& [kind, definition] : definitionsOf(schema)) {
    const Json properties = definition.value("properties", Json::object());
    for (const auto& [key, unused] : properties.items()) {
      if (std::ranges::find(names, key) == names.end()) names.push_back(key);
    }
  }
  return names;
}

}  // namespace

std::string keyList(const std::string& name, const KeyListOptions& options) {
  const std::string text = sceneSchema();
  if (options.json && name.empty()) return text;
  const Json schema = Json::parse(text);
  std::vector<std::string> kinds;
  Table overview({{"object"}, {"what it is"}});
  for (const auto& [kind, definition] : schema.at("$defs").items()) {
    if (!isObject(definition) && !definition.contains("oneOf")) continue;
    kinds.push_back(kind);
    overview.addRow({kind, definition.value("description", "")});
  }
  if (name.empty()) return overview.markdownForReaders(options.isLong);
  if (std::ranges::find(kinds, name) == kinds.end()) {
    const std::vector<KeyUse> uses = keyUses(schema, name);
    if (!uses.empty()) return keyPlaces(schema, uses, options);
    const std::vector<std::string> near = nearNames(name, withKeys(schema, kinds));
    chooseName("object or key of scenes", name, near.empty() ? kinds : near);
  }
  const Json& object = schema["$defs"][name];
  if (options.json) return jsonText(object);
  if (object.contains("oneOf")) return typeTable(schema, object["oneOf"], options.isLong);
  Table keys({{"key"}, {"default"}, {"range"}, {"what it is"}});
  addKeys(schema, object, keys);
  return keys.markdownForReaders(options.isLong);
}

}  // namespace drystone::cli
