#include "scenes/reading/read_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>

#include "core/wording.h"
#include "scenes/reading/json_positions.h"
#include "scenes/reading/object_reader.h"
#include "scenes/reading/read_log.h"

namespace drystone {

using nlohmann::json;

namespace {

constexpr std::string_view kParameterPrefix = "scene.";

std::string sourceText(const ParameterOverride& entry) {
  return fmt::format("--set {}={}", entry.path, entry.value);
}

std::vector<std::string> splitPath(const std::string& path) {
  std::vector<std::string> tokens(1);
  for (const char c : path) {
    if (c == '.') {
      tokens.emplace_back();
    } else {
      tokens.back() += c;
    }
  }
  return tokens;
}

/// No key of the format is a number.
bool isIndex(const std::string& token) {
  return std::all_of(token.begin(), token.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// The element of a list by index or by name; -1: none.
int findElement(const json& list, const std::string& token) {
  int index = -1;
  const auto [end, status] = std::from_chars(token.data(), token.data() + token.size(), index);
  if (status == std::errc() && end == token.data() + token.size()) {
    return index >= 0 && index < static_cast<int>(list.size()) ? index : -1;
  }
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i].is_object() && list[i].value("name", json()) == token) return static_cast<int>(i);
  }
  return -1;
}

std::string noElement(const json& list, const std::string& token) {
  const bool isNamed =
      std::any_of(list.begin(), list.end(), [](const json& one) { return one.is_object(); });
  return fmt::format(
      "the list of {} has no element \"{}\"{}", list.size(), token,
      isNamed || list.empty() ? "" : fmt::format("; write 0 to {}", list.size() - 1));
}

/// The path with a token as `position[2]` written as paths have it, `position.2`.
std::string withoutBrackets(std::string path, const std::string& token) {
  std::string plain = token.substr(0, token.find('[')) + "." + token.substr(token.find('[') + 1);
  plain.pop_back();
  return path.replace(path.find(token), token.size(), plain);
}

/// A section whose entries have names or numbers that the file gives them.
struct EntrySection {
  std::string_view key;
  std::string_view entry;  ///< what one entry is called
};
constexpr std::array<EntrySection, 8> kEntrySections = {{{"parameters", "parameter"},
                                                         {"materials", "material"},
                                                         {"pairs", "pair"},
                                                         {"shapes", "shape"},
                                                         {"bodies", "body"},
                                                         {"generators", "generator"},
                                                         {"joints", "joint"},
                                                         {"cables", "cable"}}};

std::vector<std::string> entryNames(const json& entries) {
  std::vector<std::string> names;
  if (entries.is_object()) {
    for (const auto& [name, unused] : entries.items()) names.push_back(name);
  } else {
    for (const json& entry : entries) {
      if (!entry.is_object()) continue;
      const auto name = entry.find("name");
      if (name != entry.end() && name->is_string()) names.push_back(name->get<std::string>());
    }
  }
  return names;
}

/// What of a name stands behind a prefix and "_"; none: it does not begin so.
std::optional<std::string> behindPrefix(const std::string& name, const std::string& prefix) {
  if (!name.starts_with(prefix + "_")) return std::nullopt;
  return name.substr(prefix.size() + 1);
}

/// Name of the entry of a group that a copy has, as `medium` of `medium_0_2_0`: the longest that
/// fits; empty: none does.
std::string entryOfCopy(const json& entries, const std::string& copy) {
  std::string best;
  for (std::string& name : entryNames(entries)) {
    const bool fits = name == copy || behindPrefix(copy, name);
    if (fits && name.size() > best.size()) best = std::move(name);
  }
  return best;
}

/// For a body or joint that is none of the file's: which key changes it, where its name says that a
/// generator made it. Empty: its name does not.
std::string generatedEntry(const json& root, const std::vector<std::string>& path,
                           const std::string& value) {
  const auto generators = root.find("generators");
  if (generators == root.end() || !generators->is_array()) return "";
  std::size_t longest = 0;
  std::string key;
  for (std::size_t i = 0; i < generators->size(); ++i) {
    const json& generator = (*generators)[i];
    if (!generator.is_object()) continue;
    const auto given = generator.find("name");
    const bool isNamed = given != generator.end() && given->is_string();
    const json prefix = isNamed ? *given : generator.value("type", json());
    if (!prefix.is_string()) continue;
    const std::string name = prefix.get<std::string>();
    const std::optional<std::string> rest = behindPrefix(path[1], name);
    if (!rest || name.size() < longest) continue;
    longest = name.size();
    key = fmt::format("generators.{}", isNamed ? name : std::to_string(i));
    const std::string entry = entryOfCopy(generator.value(path[0], json()), *rest);
    if (!entry.empty()) key += fmt::format(".{}.{}", path[0], entry);
  }
  if (key.empty()) return "";
  const std::span<const std::string> keys = std::span(path).subspan(2);
  return fmt::format("\"{}\" is made by a generator: --set {}{}{}={}", path[1], key,
                     keys.empty() ? "" : ".", fmt::join(keys, "."), value);
}

/// What is wrong with an override of an entry that the file does not have; empty: nothing. Made on
/// the way like an object of the format, a mistyped material would be one more that nobody uses.
std::string missingEntry(const json& root, const std::vector<std::string>& path,
                         const std::string& value) {
  const auto section =
      std::find_if(kEntrySections.begin(), kEntrySections.end(),
                   [&](const EntrySection& candidate) { return candidate.key == path[0]; });
  if (section == kEntrySections.end() || path.size() < 2 || !root.is_object()) return "";
  const auto found = root.find(path[0]);
  const bool isThere = found != root.end() && !found->is_null();
  if (isThere) {
    // No section at all is reported by its reader.
    const bool exists = found->is_array()    ? findElement(*found, path[1]) >= 0
                        : found->is_object() ? found->contains(path[1])
                                             : true;
    if (exists) return "";
  }
  if (path[0] == "bodies" || path[0] == "joints") {
    std::string generated = generatedEntry(root, path, value);
    if (!generated.empty()) return generated;
  }
  if (!isThere) return missingName(section->entry, path[1], {});
  std::vector<std::string> names = entryNames(*found);
  if (names.empty() && !found->empty()) return noElement(*found, path[1]);
  return missingName(section->entry, path[1], std::move(names));
}

void applyOverride(const ParameterOverride& entry, json& root, ReadLog& log) {
  json* at = &root;
  std::string pointer;
  const auto fail = [&](const std::string& message) {
    log.problems.push_back({.pointer = pointer, .message = message, .source = sourceText(entry)});
  };
  const std::vector<std::string> path = splitPath(entry.path);
  if (std::find(path.begin(), path.end(), "") != path.end()) {
    return fail("the key must be a path such as world.timestep");
  }
  if (const std::string problem = missingEntry(root, path, entry.value); !problem.empty()) {
    pointer = "/" + path[0];
    return fail(problem);
  }
  for (const std::string& token : path) {
    if (at->is_null()) {
      if (isIndex(token)) {
        log.unresolved.insert(pointer);  // its reader would report the null that stands for it
        return fail(
            fmt::format("the file does not have this list, so there is no element {} to "
                        "replace; give the whole list",
                        token));
      }
      *at = json::object();
      log.overridden.try_emplace(pointer, sourceText(entry));
    }
    if (at->is_array()) {
      const int index = findElement(*at, token);
      if (index < 0) return fail(noElement(*at, token));
      at = &(*at)[static_cast<std::size_t>(index)];
      pointer += "/" + std::to_string(index);
    } else if (at->is_object()) {
      const bool hasBrackets = token.ends_with(']') && token.find('[') != std::string::npos;
      if (hasBrackets && !at->contains(token)) {
        return fail(fmt::format("has no \"{}\"; an element of a list has a dot: write {}", token,
                                withoutBrackets(entry.path, token)));
      }
      at = &(*at)[token];
      pointer += "/" + escapePointerToken(token);
    } else {
      return fail(fmt::format("is a plain value and has no \"{}\"", token));
    }
  }
  *at = parseValueText(entry.value);
  log.overridden[pointer] = sourceText(entry);
}

/// Checks a value against what the parameter allows and stores it.
bool setValue(const JsonCursor& at, SceneParameter& parameter) {
  Real value = 0;
  if (!at.real(value, within(parameter.minimum, parameter.maximum))) return false;
  if (parameter.integer && value != std::floor(value)) {
    return at.error(fmt::format("must be a whole number, got {}", at.describe()));
  }
  parameter.value = value;
  return true;
}

SceneParameter readParameter(const std::string& name, const JsonCursor& at) {
  SceneParameter parameter;
  parameter.name = name;
  parameter.minimum = -kLargestInput;
  parameter.maximum = kLargestInput;
  ObjectReader in(at, "parameter", "a number that users may choose");
  in.text({"description", "what it is, with its unit"}, parameter.description);
  in.boolean({"integer", "whole numbers only"}, parameter.integer);
  in.real({"min", "least value"}, parameter.minimum, anyReal(""), kNoDefault);
  in.real({"max", "largest value"}, parameter.maximum, anyReal(""), kNoDefault);
  const auto given =
      in.child({"default", "value unless chosen"}, KeyType::number(anyReal("")), kRequired);
  if (parameter.minimum > parameter.maximum) {
    at.error(fmt::format("min {} is larger than max {}", parameter.minimum, parameter.maximum));
  } else if (given) {
    setValue(*given, parameter);
  }
  parameter.defaultValue = parameter.value;
  return parameter;
}

std::vector<std::string> namesOf(const std::vector<SceneParameter>& parameters) {
  std::vector<std::string> names;
  for (const SceneParameter& parameter : parameters) names.push_back(parameter.name);
  return names;
}

std::string unknownParameter(std::string_view name, const std::vector<SceneParameter>& parameters) {
  if (parameters.empty()) return fmt::format("\"{}\": this scene has no parameters", name);
  return fmt::format("this scene has no parameter \"{}\"; {}", name,
                     didYouMean(name, namesOf(parameters)));
}

auto findParameter(std::string_view name, auto& parameters) {
  return std::find_if(parameters.begin(), parameters.end(),
                      [&](const SceneParameter& parameter) { return parameter.name == name; });
}

class Substitution {
 public:
  Substitution(const std::vector<SceneParameter>& parameters, ReadLog& log)
      : parameters_(parameters), log_(log) {}

  void visit(json& value, const std::string& pointer) {
    if (value.is_string()) {
      replace(value, pointer);
    } else if (value.is_array()) {
      for (std::size_t i = 0; i < value.size(); ++i)
        visit(value[i], pointer + "/" + std::to_string(i));
    } else if (value.is_object()) {
      for (auto& [key, member] : value.items())
        visit(member, pointer + "/" + escapePointerToken(key));
    }
  }

 private:
  void replace(json& value, const std::string& pointer) {
    const std::string text = value.get<std::string>();
    if (text.size() < 2 || text.front() != '$') return;
    const auto found = findParameter(std::string_view(text).substr(1), parameters_);
    if (found == parameters_.end()) {
      JsonCursor(value, pointer, log_).error(unknownParameter(text.substr(1), parameters_));
      log_.unresolved.insert(pointer);
      return;
    }
    // Whole values stay whole numbers, which seeds and counts must be.
    if (found->integer) {
      value = static_cast<std::int64_t>(found->value);
      if (found->value >= 0) value = static_cast<std::uint64_t>(found->value);
    } else {
      value = found->value;
    }
    log_.fromParameter[pointer] = text;
  }

  const std::vector<SceneParameter>& parameters_;
  ReadLog& log_;
};

}  // namespace

void applyOverrides(const std::vector<ParameterOverride>& overrides, json& root, ReadLog& log) {
  const auto isPreset = [](const ParameterOverride& one) { return one.path == "solver.preset"; };
  // A preset comes before single values, and takes the place of those of the file.
  for (const ParameterOverride& entry : overrides) {
    if (!isPreset(entry)) continue;
    applyOverride(entry, root, log);
    const auto solver = root.is_object() ? root.find("solver") : root.end();
    if (solver == root.end() || !solver->is_object()) continue;
    for (const std::string_view key : kBudgetKeys) solver->erase(key);
  }
  for (ParameterOverride entry : overrides) {
    if (entry.path.starts_with(kParameterPrefix) || isPreset(entry)) continue;
    if (isBudgetKey(entry.path)) entry.path = "solver." + entry.path;
    applyOverride(entry, root, log);
  }
}

std::vector<SceneParameter> readParameters(const json& root,
                                           const std::vector<ParameterOverride>& overrides,
                                           ReadLog& log) {
  std::vector<SceneParameter> parameters;
  if (root.is_object() && root.contains("parameters")) {
    const JsonCursor section(root["parameters"], "/parameters", log);
    if (!section.isObject())
      section.error("must be an object of named parameters, got " + section.describe());
    for (const std::string& name : section.keys()) {
      parameters.push_back(readParameter(name, *section.member(name)));
    }
  }
  for (const ParameterOverride& entry : overrides) {
    if (!entry.path.starts_with(kParameterPrefix)) continue;
    const std::string name = entry.path.substr(kParameterPrefix.size());
    const std::string pointer = "/parameters/" + escapePointerToken(name);
    const auto found = findParameter(name, parameters);
    if (found == parameters.end()) {
      log.problems.push_back({.pointer = pointer,
                              .message = unknownParameter(name, parameters),
                              .source = sourceText(entry)});
      continue;
    }
    log.overridden[pointer] = sourceText(entry);
    const json value = parseValueText(entry.value);
    setValue(JsonCursor(value, pointer, log), *found);
  }
  return parameters;
}

void substituteParameters(const std::vector<SceneParameter>& parameters, json& root, ReadLog& log) {
  if (!root.is_object()) return;
  Substitution substitution(parameters, log);
  for (auto& [key, member] : root.items()) {
    if (key == "parameters" || key == "name" || key == "description") continue;
    substitution.visit(member, "/" + escapePointerToken(key));
  }
}

}  // namespace drystone
