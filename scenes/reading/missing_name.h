#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace drystone {

/// `there is no KIND "NAME"; did you mean …`, for a name that is none of the scene's `names` of
/// that kind.
std::string missingName(std::string_view kind, std::string_view name,
                        std::vector<std::string> names);

}  // namespace drystone
