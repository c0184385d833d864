#pragma once

#include <fmt/format.h>

#include <cmath>
#include <concepts>
#include <string>

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

}  // namespace drystone::cli
