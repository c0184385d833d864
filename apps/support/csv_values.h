#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <string>
#include <type_traits>

#include "core/types.h"

namespace drystone::cli {

/// A number so that it reads back exactly; `nan`, whatever its sign bit, and `inf` or `-inf` for
/// what is not finite.
template <class Number>
std::string csvNumber(Number value) {
  if constexpr (std::floating_point<Number>) {
    if (std::isnan(value)) return "nan";
  }
  return fmt::format("{}", value);
}

/// A title with the unit behind: `natural_map_m_s` of "natural_map" and "m/s".
inline std::string csvTitle(std::string name, std::string unit) {
  std::erase(unit, ' ');
  std::ranges::replace(unit, '/', '_');
  return unit.empty() ? name : name + "_" + unit;
}

/// RFC 4180: quotes around a field that holds a comma or a quote, quotes inside doubled.
inline std::string csvText(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

/// A value as a field; a vector as three.
template <class Value>
std::string csvField(const Value& value) {
  if constexpr (std::is_arithmetic_v<Value>) {
    return csvNumber(value);
  } else if constexpr (std::is_same_v<Value, Vec3>) {
    return csvNumber(value.x()) + "," + csvNumber(value.y()) + "," + csvNumber(value.z());
  } else {
    return csvText(fmt::format("{}", value));
  }
}

/// Values with commas between them; no line end.
template <class... Values>
std::string csvRow(const Values&... values) {
  std::string row;
  ((row += csvField(values) + ","), ...);
  row.pop_back();
  return row;
}

}  // namespace drystone::cli
