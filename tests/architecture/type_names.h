#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace drystone {

/// The classes that a file defines for other files to see, with their namespaces: not those nested
/// in others or in functions, nor those of anonymous namespaces.
std::vector<std::string> typesDefinedIn(std::string_view text);

}  // namespace drystone
