#pragma once

#include <span>
#include <string_view>

#include "scenes/reading/json_cursor.h"

namespace drystone {

/// Which type of its family an object is of.
struct ObjectType {
  int index = 0;  ///< into the names of the family
  /// The type is only the one whose keys are likest. The reader of the object then judges no more
  /// than the values (ObjectReader::guess).
  bool isGuess = false;
};

/// Reads the key "type" of an object. A type that is missing or unknown is reported, and the object
/// is still read, so that its other mistakes are found: as the type of the nearest name, or else as
/// the one that has most of its keys. Keys that no type of the family has are then reported here.
ObjectType readType(const JsonCursor& at, std::string_view family,
                    std::span<const std::string_view> names);

}  // namespace drystone
