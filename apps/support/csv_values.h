#pragma once

#include <fmt/format.h>

#include <cmath>
#include <concepts>
#include <string>

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

/// Three fields.
inline std::string csvVector(const Vec3& v) {
  return csvNumber(v.x()) + "," + csvNumber(v.y()) + "," + csvNumber(v.z());
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

}  // namespace drystone::cli
