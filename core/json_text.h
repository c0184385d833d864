#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace drystone {

// JSON as people write it: with comments and commas too many, and with slips.

/// Place in a text as editors count: both from 1, columns in characters.
struct TextPosition {
  int line = 1;
  int column = 1;
  bool operator==(const TextPosition&) const = default;
};

/// Position of a byte of a UTF-8 text; bytes past the end count as the end. A byte order mark has
/// no column.
TextPosition textPosition(std::string_view text, std::size_t offset);

/// The text with spaces in place of comments (`//` to the end of the line, `/* */`) and of commas
/// before a closing bracket. Every other byte keeps its offset, so places in the result are places
/// in the text. Strings stay as they are. A block comment without an end stays too.
std::string plainJson(std::string_view text);

/// Where a text stops to be JSON.
struct JsonSlip {
  std::size_t offset = 0;  ///< in bytes
  std::string message;     ///< what is wrong, and what to write instead
};

/// The first slip of syntax in a text from plainJson(). None where the text is JSON, or where only
/// its bytes are wrong: those that are no UTF-8 are not looked for.
std::optional<JsonSlip> findJsonSlip(std::string_view plain);

}  // namespace drystone
