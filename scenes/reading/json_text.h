#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "scenes/reading/read_log.h"

namespace drystone {

/// Deepest nesting of lists and objects that a scene may have.
constexpr int kMaxNesting = 64;

/// Whole content of a regular file. Throws InputError when it cannot be read.
std::string readTextFile(const std::string& path);

/// Parses a text. Throws InputError with line and column where it is no JSON; keys that an object
/// holds twice are added to the log.
nlohmann::json parseJsonText(std::string_view text, const std::string& label, ReadLog& log);

/// A value of the command line: JSON, or the text itself when it is none.
nlohmann::json parseValueText(const std::string& text);

}  // namespace drystone
