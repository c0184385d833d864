#pragma once

#include <string_view>

namespace drystone::viewer {

// Files that are part of the program.

/// A file of shaders/; throws std::logic_error when there is none of that name.
std::string_view shaderSource(std::string_view name);

/// DejaVu Sans, a TrueType font.
std::string_view fontFile();

}  // namespace drystone::viewer
