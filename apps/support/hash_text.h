#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>

namespace drystone::cli {

/// Sixteen hexadecimal digits: JSON numbers cannot hold 64 bits.
inline std::string hashText(std::uint64_t hash) { return fmt::format("{:016x}", hash); }

}  // namespace drystone::cli
