#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "core/types.h"

namespace CLI {
class Validator;
}

namespace drystone::cli {

// Checks of option values: what fails is a usage error that names the option. To be given to
// CLI::Option::transform(), since a whole number is rewritten: CLI11 by itself clips those that do
// not fit and reads 010 as eight.

constexpr Real kLargestReal = std::numeric_limits<Real>::max();
constexpr std::int64_t kLargestInteger = std::numeric_limits<std::int64_t>::max();

/// A decimal whole number from `low` to `high`.
CLI::Validator wholeNumber(std::int64_t low, std::int64_t high = kLargestInteger);

/// A finite number from `low` to `high`, both in the unit.
CLI::Validator realNumber(Real low, Real high, const std::string& unit);

/// A finite number above zero, in the unit.
CLI::Validator positiveNumber(const std::string& unit);

/// Any text but the empty one, which a script makes of a variable that is not set.
CLI::Validator notEmpty();

}  // namespace drystone::cli
