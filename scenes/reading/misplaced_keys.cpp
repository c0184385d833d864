// Where a key belongs that its object does not have: looked up in the schema of the format.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/wording.h"
#include "scenes/reading/object_reader.h"
#include "scenes/scene_library.h"

namespace drystone {
namespace {

using Schema = nlohmann::ordered_json;  // in the order of the file
using Path = std::vector<std::string>;

/// Deepest place that is looked for: `joints.NAME.turn.motor.velocity`.
constexpr std::size_t kDeepest = 5;
/// Stands for the name or index of an entry.
constexpr const char* kEntry = "NAME";

/// A place that has a key, and what may stand there.
struct KeyPlace {
  Path path;                       ///< {"materials", "NAME", "friction"}
  std::vector<std::string> types;  ///< words of JSON schema: "number", "array"; empty: anything
};

/// Walks the schema from the scene down, and notes where each key may stand.
class KeyFinder {
 public:
  KeyFinder() : schema_(Schema::parse(sceneSchema())) { walk(schema_); }
  std::map<std::string, std::vector<KeyPlace>, std::less<>> places;

 private:
  const Schema& definition(const Schema& link) const {
    const std::string& path = link.get_ref<const std::string&>();
    return schema_["$defs"][path.substr(path.rfind('/') + 1)];
  }

  void walk(const Schema& node) {
    if (!node.is_object() || path_.size() > kDeepest) return;
    if (node.contains("$ref")) walk(definition(node["$ref"]));
    for (const char* words : {"anyOf", "oneOf", "allOf"}) {
      for (const Schema& part : node.value(words, Schema::array())) walk(part);
    }
    if (node.contains("items")) below(kEntry, node["items"]);
    if (node.contains("additionalProperties")) below(kEntry, node["additionalProperties"]);
    const auto properties = node.find("properties");
    if (properties == node.end()) return;
    for (const auto& [key, value] : properties->items()) {
      path_.push_back(key);
      note(key, value);
      walk(value);
      path_.pop_back();
    }
  }

  void below(const std::string& token, const Schema& node) {
    path_.push_back(token);
    walk(node);
    path_.pop_back();
  }

  void note(const std::string& key, const Schema& value) {
    if (path_.size() > kDeepest) return;
    std::vector<KeyPlace>& known = places[key];
    if (std::ranges::find(known, path_, &KeyPlace::path) != known.end()) return;
    KeyPlace place{path_, {}};
    addTypes(value, place.types);
    known.push_back(std::move(place));
  }

  void addTypes(const Schema& node, std::vector<std::string>& types) const {
    if (node.contains("type") && node["type"].is_string()) types.push_back(node["type"]);
    if (node.contains("enum")) types.emplace_back("string");
    if (node.contains("$ref") && node["$ref"] != "#/$defs/reference") {
      addTypes(definition(node["$ref"]), types);
    }
    for (const char* words : {"anyOf", "oneOf"}) {
      for (const Schema& part : node.value(words, Schema::array())) addTypes(part, types);
    }
  }

  Schema schema_;
  Path path_;
};

bool mayHold(const KeyPlace& place, const nlohmann::json& value) {
  const std::string type = value.is_number() ? "number" : value.type_name();
  return place.types.empty() || std::ranges::any_of(place.types, [&](const std::string& allowed) {
           return allowed == type || (type == "number" && allowed == "integer");
         });
}

/// The pointer of an object as the place of a schema: entries without their names.
Path placeOf(const std::string& pointer) {
  Path path;
  for (std::size_t begin = 1; begin < pointer.size();) {
    const std::size_t end = std::min(pointer.find('/', begin), pointer.size());
    const std::string token = pointer.substr(begin, end - begin);
    const bool isNamed = path.size() == 1 && path[0] != "world" && path[0] != "solver";
    const bool isIndex = token.find_first_not_of("0123456789") == std::string::npos;
    path.push_back(isNamed || isIndex ? kEntry : token);
    begin = end + 1;
  }
  return path;
}

/// The place in a scene of what stands in the group of a generator, which is like one: cut off the
/// place, and what is cut off as text, `generators.NAME.`.
std::string takeGenerator(Path& place) {
  std::string prefix;
  while (place.size() > 2 && place[0] == "generators" &&
         (place[2] == "bodies" || place[2] == "generators" || place[2] == "joints")) {
    prefix += fmt::format("{}.{}.", place[0], place[1]);
    place.erase(place.begin(), place.begin() + 2);
  }
  return prefix;
}

std::size_t sharedLength(const Path& a, const Path& b) {
  return static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

/// Made for the first mistake, since most scenes have none.
const KeyFinder& keyFinder() {
  static const KeyFinder kFinder;
  return kFinder;
}

/// An entry counts as one of its list or section, a named shape as a shape, and so do those of
/// children and generators.
ForeignPlace foreignPlace(const JsonCursor& at, const Path& here) {
  ForeignPlace place;
  if (!here.empty()) place.section = here.back();
  if (place.section == kEntry && here.size() > 1) place.section = here[here.size() - 2];
  if (place.section == "shapes") place.section = "shape";
  const auto type = at.member("type");
  if (type && type->isString()) place.type = type->json().get<std::string>();
  return place;
}

/// Of a compound.
bool isChild(const Path& place) {
  return place.size() > 1 && place[place.size() - 2] == "children";
}

/// Whether an object of these keys has the place, where it lies deeper in that object.
bool mayLead(const Path& place, const Path& here, std::span<const std::string> known) {
  if (place.size() <= here.size() + 1 || sharedLength(place, here) < here.size()) return true;
  return std::ranges::find(known, place[here.size()]) != known.end();
}

/// Of the keys that an object may have, those whose own objects have the key: `lower` of a wheel
/// belongs in one of its coordinates.
std::vector<std::string> keysWith(const JsonCursor& value, std::string_view key, const Path& here,
                                  std::span<const std::string> known) {
  std::vector<std::string> found;
  const auto entry = keyFinder().places.find(key);
  if (entry == keyFinder().places.end()) return found;
  for (const KeyPlace& place : entry->second) {
    const bool isBelow = place.path.size() == here.size() + 2 &&
                         sharedLength(place.path, here) == here.size() &&
                         mayLead(place.path, here, known);
    if (isBelow && mayHold(place, value.json())) found.push_back(place.path[here.size()]);
  }
  return found;
}

/// The places that a key may be meant for: the one next to `here`, which is first of all in the
/// same entry, and the key of a section that lies higher, if there is one. Empty: no object has the
/// key.
std::vector<Path> nearPlaces(const JsonCursor& value, std::string_view key, const Path& here,
                             std::span<const std::string> known) {
  const auto found = keyFinder().places.find(key);
  if (found == keyFinder().places.end()) return {};
  std::vector<KeyPlace> places = found->second;
  const auto misfits =
      std::stable_partition(places.begin(), places.end(),
                            [&](const KeyPlace& place) { return mayHold(place, value.json()); });
  // Where its value fits nowhere, it has a second mistake.
  if (misfits != places.begin()) places.erase(misfits, places.end());
  const auto ofOtherTypes = std::stable_partition(
      places.begin(), places.end(),
      [&](const KeyPlace& place) { return mayLead(place.path, here, known); });
  if (ofOtherTypes != places.begin()) places.erase(ofOtherTypes, places.end());
  const auto distance = [&](const KeyPlace& place) {
    return std::pair(here.size() - sharedLength(place.path, here), place.path.size());
  };
  const auto depth = [](const KeyPlace& place) { return place.path.size(); };
  std::vector<Path> near = {std::ranges::min_element(places, {}, distance)->path};
  const Path& highest = std::ranges::min_element(places, {}, depth)->path;
  constexpr std::size_t kOfSection = 2;  // `solver.tolerance`
  if (near[0].size() > kOfSection && highest.size() <= kOfSection) near.push_back(highest);
  return near;
}

}  // namespace

std::string unknownKeyRemedy(const JsonCursor& at, std::string_view key,
                             std::span<const std::string> known) {
  // The schema is made by readers that are asked what they know: those have no one to tell.
  if (at.log().description != nullptr) return "";
  Path here = placeOf(at.pointer());
  const std::string generator = takeGenerator(here);
  const std::string_view foreign = foreignKeyRemedy(foreignPlace(at, here), key);
  if (!foreign.empty()) return std::string(foreign);
  if (key == "material" && isChild(here)) {
    return "the body that has the compound names the materials of its children, in their order, "
           "in \"part_materials\"";
  }
  const std::vector<Path> places = nearPlaces(*at.member(key), key, here, known);
  if (places.empty()) return didYouMean(key, known);
  // The same place is that of an object of another type.
  const Path& nearest = places[0];
  if (sharedLength(nearest, here) == here.size() && nearest.size() == here.size() + 1) {
    const std::vector<std::string> inside = keysWith(*at.member(key), key, here, known);
    if (inside.empty()) return "only other types have it; " + didYouMean(key, known);
    return fmt::format("it belongs in \"{}\"", fmt::join(inside, "\" or \""));
  }
  const bool isOfGroup = sharedLength(nearest, here) > 0;
  std::string remedy =
      nearest.size() == 1
          ? "it belongs at the top of the file"
          : fmt::format("it belongs in {}{}", isOfGroup ? generator : "", fmt::join(nearest, "."));
  if (places.size() > 1) remedy += fmt::format(" or {}", fmt::join(places[1], "."));
  if (!nearNames(key, known).empty()) remedy += "; or " + didYouMean(key, known);
  return remedy;
}

}  // namespace drystone
