#include "apps/support/option_checks.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <optional>

#include "core/wording.h"

namespace drystone::cli {
namespace {

/// None unless the whole text is a number that fits.
template <class Number>
std::optional<Number> parsed(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  Number number{};
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, number);
  if (error != std::errc() || end != last) return std::nullopt;
  return number;
}

}  // namespace

CLI::Validator wholeNumber(std::int64_t low, std::int64_t high) {
  return CLI::Validator(
      [low, high](std::string& text) -> std::string {
        const auto number = parsed<std::int64_t>(text);
        if (!number || *number < low || *number > high) {
          const std::string range = high < kLargestInteger ? fmt::format("from {} to {}", low, high)
                                                           : fmt::format("≥ {}", low);
          return fmt::format("must be a whole number {}, got '{}'", range, text);
        }
        text = fmt::format("{}", *number);
        return "";
      },
      "");
}

CLI::Validator realNumber(Real low, Real high, const std::string& unit) {
  return CLI::Validator(
      [low, high, unit](std::string& text) -> std::string {
        const auto number = parsed<Real>(text);
        if (number && *number >= low && *number <= high) return "";
        const std::string range =
            high < kLargestReal ? fmt::format("from {:g} to {:g}", low, high)
                                : fmt::format("{}≥ {:g}", number ? "" : "a finite number ", low);
        const std::optional<double> result = quotientIn(text);
        return fmt::format("must be {}{}{}, got '{}'{}", range, unit.empty() ? "" : " ", unit, text,
                           result ? fmt::format("; write its result, {}", *result) : "");
      },
      "");
}

CLI::Validator positiveNumber(const std::string& unit) {
  return CLI::Validator(
      [unit](std::string& text) -> std::string {
        const auto number = parsed<Real>(text);
        if (number && *number > 0 && *number <= kLargestReal) return "";
        return fmt::format("must be a finite number > 0{}{}, got '{}'", unit.empty() ? "" : " ",
                           unit, text);
      },
      "");
}

CLI::Validator notEmpty() {
  return CLI::Validator(
      [](std::string& text) -> std::string {
        return text.empty() ? "must not be empty; leave the option out, or give it a value" : "";
      },
      "");
}

}  // namespace drystone::cli
