#pragma once

#include <string>
#include <vector>

namespace drystone::viewer {

/// A file in the working folder that is not there yet: drystone-2024-05-31-142233.png. `taken` are
/// those that will be.
std::string timestampedName(const std::string& stem, const std::string& extension,
                            const std::vector<std::string>& taken = {});

}  // namespace drystone::viewer
