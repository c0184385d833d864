#include "scenes/reading/missing_name.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/near_names.h"

namespace drystone {

std::string missingName(std::string_view kind, std::string_view name,
                        std::vector<std::string> names) {
  // Few, since a list of thousands helps nobody.
  constexpr std::size_t kListed = 1000;
  const std::string start = fmt::format("there is no {} \"{}\"", kind, name);
  if (names.empty()) return start + ": the scene has none";
  if (names.size() > kListed) {
    return fmt::format("{} among the {} of the scene", start, names.size());
  }
  std::sort(names.begin(), names.end());
  return fmt::format("{}; {}", start, didYouMean(name, names));
}

}  // namespace drystone
