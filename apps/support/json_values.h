#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <variant>
#include <vector>

#include "scenes/scene.h"
#include "solvers/driver/settings.h"

namespace drystone::cli {

/// Keeps the fields in the order that the documentation lists them.
using Json = nlohmann::ordered_json;

inline Json settingToJson(const SettingValue& value) {
  return std::visit([](const auto& alternative) { return Json(alternative); }, value);
}

/// A value that a scene's parameter may have: whole numbers as such.
inline Json parameterNumber(const SceneParameter& parameter, Real value) {
  return parameter.integer ? Json(static_cast<std::int64_t>(value)) : Json(value);
}

/// {"name": value, …} of all parameters, as used.
inline Json parameterValues(const std::vector<SceneParameter>& parameters) {
  Json values = Json::object();
  for (const SceneParameter& one : parameters) {
    values[one.name] = parameterNumber(one, one.value);
  }
  return values;
}

/// The text of a JSON value with its line end, two blanks a level. Numbers that are not finite
/// become null; bytes of a file name that are no UTF-8 are replaced, since JSON has no place for
/// them.
inline std::string jsonText(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

/// {"name": value, …} of all settings.
inline Json settingsToJson(const std::vector<SettingDescription>& settings) {
  Json object = Json::object();
  for (const SettingDescription& setting : settings) {
    object[setting.name] = settingToJson(setting.value);
  }
  return object;
}

}  // namespace drystone::cli
