#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/json_text.h"

namespace drystone {

/// Where the value of a JSON pointer starts, and its key when it is a member of an object.
struct JsonPlace {
  std::size_t value = 0;  ///< byte offset
  std::size_t key = 0;    ///< byte offset of the opening quote; the value's for list elements
};

/// A key that its object holds already.
struct DuplicateKey {
  std::string pointer;
  std::size_t offset = 0;  ///< of the second key
};

/// What one scan of a JSON text finds out that a parsed tree no longer knows.
struct JsonScan {
  std::map<std::string, JsonPlace, std::less<>> places;  ///< of the pointers asked for
  std::vector<DuplicateKey> duplicates;
};

/// Offset of the first bracket nested deeper than `limit`, for any text. Done before parsing, since
/// what walks a tree recursively must know how deep it can get.
std::optional<std::size_t> findDeepNesting(std::string_view text, int limit);

/// Scans a text that is JSON, as plainJson() makes it, to a parser. Only the pointers in `wanted`
/// are remembered, so the scan of a large file stays small. Pointers as in RFC 6901; "" is the
/// whole text.
JsonScan scanJson(std::string_view text, const std::set<std::string, std::less<>>& wanted);

/// One token of a JSON pointer, with `~` and `/` escaped.
std::string escapePointerToken(std::string_view token);

}  // namespace drystone
