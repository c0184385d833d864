#include "solvers/file/problem_file_json_object.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/json_text.h"
#include "core/wording.h"

namespace drystone::detail {
namespace {

using nlohmann::json;

std::string lineAndColumn(const std::string& text, std::size_t offset) {
  const TextPosition at = textPosition(text, offset);
  return fmt::format("{}:{}", at.line, at.column);
}

std::optional<int> asInt(const json& value) {
  if (!value.is_number_integer()) return {};
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > 0x7fffffffu) return {};
  const auto number = value.get<std::int64_t>();
  if (number < -0x7fffffffL || number > 0x7fffffffL) return {};
  return static_cast<int>(number);
}

}  // namespace

json parseProblemText(const std::string& text, FileErrors& errors) {
  const std::string plain = plainJson(text);
  try {
    return json::parse(plain);
  } catch (const json::parse_error& error) {
    const std::optional<JsonSlip> slip = findJsonSlip(plain);
    if (slip) errors.fail(lineAndColumn(text, slip->offset), slip->message);
    errors.fail(lineAndColumn(text, error.byte == 0 ? 0 : error.byte - 1),
                "these bytes, or this \\u escape, are no Unicode: save the file as UTF-8");
  } catch (const json::out_of_range& error) {
    // The parser does not say where; the number stands in quotes at the end of its message.
    const std::string what = error.what();
    const std::size_t open = what.find('\'');
    const std::string number = what.substr(open + 1, what.rfind('\'') - open - 1);
    errors.fail(lineAndColumn(text, text.find(number)),
                fmt::format("the number {} does not fit a double", number));
  }
}

JsonObjectReader::JsonObjectReader(const json& object, std::string place, FileErrors& errors)
    : object_(object), place_(std::move(place)), errors_(errors) {
  if (!object.is_object()) errors.add(place_, "must be an object {...}");
}

std::string JsonObjectReader::at(std::string_view key) const {
  return fmt::format("{}/{}", place_, key);
}

const json* JsonObjectReader::find(const char* key, bool required) {
  known_.emplace_back(key);
  if (object_.is_object()) {
    const auto found = object_.find(key);
    if (found != object_.end() && !found->is_null()) return &*found;
    if (required) errors_.add(at(key), "is missing");
  }
  return nullptr;
}

std::string JsonObjectReader::text(const char* key, bool required) {
  const json* value = find(key, required);
  if (value == nullptr) return {};
  if (value->is_string()) return value->get<std::string>();
  errors_.add(at(key), "must be a text");
  return {};
}

Real JsonObjectReader::real(const char* key, bool required, Real fallback) {
  const json* value = find(key, required);
  if (value == nullptr) return fallback;
  if (value->is_number()) return value->get<Real>();
  errors_.add(at(key), "must be a number");
  return fallback;
}

int JsonObjectReader::integer(const char* key, bool required, int fallback) {
  const json* value = find(key, required);
  if (value == nullptr) return fallback;
  if (const std::optional<int> number = asInt(*value)) return *number;
  errors_.add(at(key), "must be a whole number within ±2^31");
  return fallback;
}

std::uint64_t JsonObjectReader::key(const char* name, std::uint64_t fallback) {
  const json* value = find(name, false);
  if (value == nullptr) return fallback;
  if (value->is_number_unsigned()) return value->get<std::uint64_t>();
  errors_.add(at(name), "must be a whole number from 0 to 2^64 - 1");
  return fallback;
}

std::vector<Real> JsonObjectReader::reals(const char* name, bool required,
                                          std::optional<Real> nullValue) {
  std::vector<Real> values;
  const json* array = arrayOf(name, required);
  if (array == nullptr) return values;
  for (const json& item : *array) {
    if (item.is_number()) {
      values.push_back(item.get<Real>());
    } else if (item.is_null() && nullValue) {
      values.push_back(*nullValue);
    } else {
      errors_.add(fmt::format("{}/{}", at(name), values.size()), "must be a number");
      values.push_back(0);
    }
  }
  return values;
}

std::vector<int> JsonObjectReader::integers(const char* name, bool required) {
  std::vector<int> values;
  const json* array = arrayOf(name, required);
  if (array == nullptr) return values;
  for (const json& item : *array) {
    const std::optional<int> number = asInt(item);
    if (!number) {
      errors_.add(fmt::format("{}/{}", at(name), values.size()), "must be a whole number");
    }
    values.push_back(number.value_or(0));
  }
  return values;
}

bool JsonObjectReader::checkSize(const char* name, std::size_t size, std::size_t expected) {
  if (size == expected) return true;
  errors_.add(at(name), fmt::format("must hold {} numbers, got {}", expected, size));
  return false;
}

const json* JsonObjectReader::arrayOf(const char* name, bool required) {
  const json* value = find(name, required);
  if (value == nullptr || value->is_array()) return value;
  errors_.add(at(name), "must be an array [...]");
  return nullptr;
}

void JsonObjectReader::refuseOthers() {
  if (!object_.is_object()) return;
  for (const auto& [key, value] : object_.items()) {
    if (std::find(known_.begin(), known_.end(), key) != known_.end()) continue;
    errors_.add(at(key), "is not a key of this format; " + didYouMean(key, known_));
  }
}

}  // namespace drystone::detail
