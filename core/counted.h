#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace drystone {

/// A count with its noun: "1 step", "3 steps". `plural` where an s does not make it.
inline std::string counted(std::int64_t count, std::string_view noun,
                           std::string_view plural = "") {
  std::string text = std::to_string(count) + " ";
  if (count == 1) return text.append(noun);
  return plural.empty() ? text.append(noun).append("s") : text.append(plural);
}

}  // namespace drystone
