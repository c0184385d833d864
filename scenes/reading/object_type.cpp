// What type an object of a family is of: as it says, or as its keys suggest.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "core/wording.h"
#include "scenes/reading/object_reader.h"
#include "scenes/reading/scene_description.h"

namespace drystone {
namespace {

using KeySet = std::set<std::string, std::less<>>;

/// Keys of each kind of object, those of the parts that it shares with others included.
std::map<std::string, KeySet, std::less<>> keysByKind() {
  SceneDescription description;
  describeScene(description);
  const nlohmann::ordered_json definitions = description.definitions();
  std::map<std::string, KeySet, std::less<>> kinds;
  const auto add = [](KeySet& keys, const nlohmann::ordered_json& object) {
    if (!object.contains("properties")) return;
    for (const auto& [key, unused] : object["properties"].items()) keys.insert(key);
  };
  for (const auto& [kind, object] : definitions.items()) {
    KeySet& keys = kinds[kind];
    add(keys, object);
    for (const auto& part : object.value("allOf", nlohmann::ordered_json::array())) {
      const std::string path = part.at("$ref").get<std::string>();
      add(keys, definitions.at(path.substr(path.rfind('/') + 1)));
    }
  }
  return kinds;
}

/// Of the first of the types that have most keys of the object.
int likestType(const JsonCursor& at, std::string_view family,
               std::span<const std::string_view> names) {
  // Made for the first mistake, since most scenes have none.
  static const std::map<std::string, KeySet, std::less<>> kKinds = keysByKind();
  const std::vector<std::string> given = at.keys();
  KeySet ofFamily;
  std::vector<std::ptrdiff_t> shared;
  for (const std::string_view name : names) {
    const KeySet& keys = kKinds.find(name)->second;
    shared.push_back(
        std::ranges::count_if(given, [&](const std::string& key) { return keys.contains(key); }));
    ofFamily.insert(keys.begin(), keys.end());
  }
  const std::vector<std::string> known(ofFamily.begin(), ofFamily.end());
  for (const std::string& key : given) {
    if (ofFamily.contains(key)) continue;
    at.member(key)->keyError(
        fmt::format("unknown key of every {}; {}", family, unknownKeyRemedy(at, key, known)));
  }
  return static_cast<int>(std::ranges::max_element(shared) - shared.begin());
}

}  // namespace

ObjectType readType(const JsonCursor& at, std::string_view family,
                    std::span<const std::string_view> names) {
  std::string name;
  const auto type = at.member("type");
  if (!type) {
    at.error(fmt::format("a {} needs \"type\"", family));
  } else if (type->text(name)) {
    const auto found = std::ranges::find(names, name);
    if (found != names.end()) return {.index = static_cast<int>(found - names.begin())};
    const std::string_view own = nameOfForeign(name, names);
    if (!own.empty()) {
      type->error(fmt::format("unknown type of {} \"{}\"; it is here \"{}\"", family, name, own));
      return {.index = static_cast<int>(std::ranges::find(names, own) - names.begin())};
    }
    const std::vector<std::string> known(names.begin(), names.end());
    type->error(
        fmt::format("unknown type of {} \"{}\"; {}", family, name, didYouMean(name, known)));
    const std::vector<std::string> near = nearNames(name, known);
    if (!near.empty()) {
      return {.index = static_cast<int>(std::ranges::find(known, near.front()) - known.begin())};
    }
  }
  return {.index = likestType(at, family, names), .isGuess = true};
}

}  // namespace drystone
