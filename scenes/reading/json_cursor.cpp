#include "scenes/reading/json_cursor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/field_checks.h"
#include "core/wording.h"
#include "scenes/reading/json_positions.h"
#include "scenes/reading/object_reader.h"

namespace drystone {

using nlohmann::json;

namespace {

/// Of "1/60", which nobody computes.
std::string resultRemedy(const json& value) {
  if (!value.is_string()) return "";
  const std::optional<double> result = quotientIn(value.get_ref<const std::string&>());
  return result ? fmt::format("; write its result, {}", *result) : "";
}

}  // namespace

bool JsonCursor::isObject() const { return value_->is_object(); }
bool JsonCursor::isArray() const { return value_->is_array(); }
bool JsonCursor::isString() const { return value_->is_string(); }
bool JsonCursor::isNumber() const { return value_->is_number(); }
int JsonCursor::size() const { return static_cast<int>(value_->size()); }

JsonCursor JsonCursor::element(int index) const {
  return {(*value_)[static_cast<std::size_t>(index)], pointer_ + "/" + std::to_string(index),
          *log_};
}

std::optional<JsonCursor> JsonCursor::member(std::string_view key) const {
  if (!value_->is_object()) return std::nullopt;
  const auto found = value_->find(key);
  if (found == value_->end()) return std::nullopt;
  return JsonCursor(*found, pointer_ + "/" + escapePointerToken(key), *log_);
}

std::vector<std::string> JsonCursor::keys() const {
  std::vector<std::string> names;
  if (!value_->is_object()) return names;
  for (const auto& [name, unused] : value_->items()) names.push_back(name);
  return names;
}

bool JsonCursor::error(std::string message) const {
  if (log_->unresolved.contains(pointer_)) return false;
  log_->problems.push_back({.pointer = pointer_, .message = std::move(message)});
  return false;
}

bool JsonCursor::keyError(std::string message) const {
  log_->problems.push_back({.pointer = pointer_, .atKey = true, .message = std::move(message)});
  return false;
}

std::string JsonCursor::describe() const {
  constexpr std::size_t kShown = 40;
  switch (value_->type()) {
    case json::value_t::object:
      return "an object";
    case json::value_t::array:
      return fmt::format("a list of {}", value_->size());
    case json::value_t::null:
      return "null";
    case json::value_t::boolean:
      return value_->get<bool>() ? "true" : "false";
    case json::value_t::string: {
      const auto& text = value_->get_ref<const std::string&>();
      return fmt::format("the text \"{}{}\"", text.substr(0, kShown),
                         text.size() > kShown ? "…" : "");
    }
    default:
      return value_->dump();
  }
}

bool JsonCursor::real(Real& out, const Range& range) const {
  if (!value_->is_number()) {
    return error(fmt::format("must be a number, got {}{}", describe(), resultRemedy(*value_)));
  }
  const Real value = value_->get<Real>();
  const std::string problem = rangeProblem(value, range.low, range.high, range.unit);
  if (!problem.empty()) return error(problem);
  out = value;
  return true;
}

bool JsonCursor::integer(int& out, int low, int high) const {
  // A parameter or an exponent ("1e3") gives a whole number as a real one; that is as good.
  const bool whole = value_->is_number() && value_->get<Real>() == std::floor(value_->get<Real>());
  if (!whole) return error(fmt::format("must be a whole number, got {}", describe()));
  const Real value = value_->get<Real>();
  const std::string problem = rangeProblem(value, low, high, "");
  if (!problem.empty()) return error(problem);
  out = static_cast<int>(value);
  return true;
}

bool JsonCursor::natural(std::uint64_t& out, std::uint64_t high) const {
  if (!value_->is_number_unsigned() || value_->get<std::uint64_t>() > high) {
    return error(fmt::format("must be a whole number from 0 to {}, got {}", high, describe()));
  }
  out = value_->get<std::uint64_t>();
  return true;
}

bool JsonCursor::boolean(bool& out) const {
  if (!value_->is_boolean()) return error(fmt::format("must be true or false, got {}", describe()));
  out = value_->get<bool>();
  return true;
}

bool JsonCursor::text(std::string& out) const {
  if (!value_->is_string())
    return error(fmt::format("must be text, got {}{}", describe(), formRemedy(*this)));
  out = value_->get<std::string>();
  return true;
}

bool JsonCursor::choice(int& out, std::span<const std::string_view> names) const {
  std::string name;
  if (!text(name)) return false;
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    const std::string_view own = nameOfForeign(name, names);
    return error(fmt::format("must be one of {}, got \"{}\"{}", fmt::join(names, ", "), name,
                             own.empty() ? "" : fmt::format("; it is here \"{}\"", own)));
  }
  out = static_cast<int>(found - names.begin());
  return true;
}

bool JsonCursor::vector(Vec3& out, const Range& range) const {
  std::vector<Real> values;
  if (!reals(values, 3, 3, range)) return false;
  out = Vec3(values[0], values[1], values[2]);
  return true;
}

bool JsonCursor::reals(std::vector<Real>& out, int least, int most, const Range& range) const {
  const std::string wanted = least == most ? std::to_string(least)
                             : most == std::numeric_limits<int>::max()
                                 ? fmt::format("at least {}", least)
                                 : fmt::format("{} to {}", least, most);
  if (!value_->is_array() || size() < least || size() > most) {
    return error(fmt::format("must be a list of {} numbers, got {}{}", wanted, describe(),
                             formRemedy(*this)));
  }
  std::vector<Real> values(value_->size());
  bool good = true;
  for (int i = 0; i < size(); ++i)
    good = element(i).real(values[static_cast<std::size_t>(i)], range) && good;
  if (good) out = std::move(values);
  return good;
}

}  // namespace drystone
