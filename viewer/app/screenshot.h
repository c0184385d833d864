#pragma once

#include <string>

namespace drystone::viewer {

/// A file in the working folder that is not there yet: drystone-2024-05-31-142233.png.
std::string timestampedName(const std::string& stem, const std::string& extension);

}  // namespace drystone::viewer
