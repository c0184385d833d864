#include "viewer/window/screenshot.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <filesystem>

namespace drystone::viewer {

std::string timestampedName(const std::string& stem, const std::string& extension,
                            const std::vector<std::string>& taken) {
  const std::string start =
      fmt::format("{}-{:%Y-%m-%d-%H%M%S}", stem, fmt::localtime(std::time(nullptr)));
  std::string name = start + "." + extension;
  std::error_code error;
  for (int i = 2; std::filesystem::exists(name, error) || std::ranges::count(taken, name) > 0;
       ++i) {
    name = fmt::format("{}-{}.{}", start, i, extension);
  }
  return name;
}

}  // namespace drystone::viewer
