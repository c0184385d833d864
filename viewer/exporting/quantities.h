#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "engine/observe/snapshot.h"
#include "engine/step/force_plates.h"

namespace drystone::viewer {

/// What files of other programs hold of each body, contact or force plate: one or several numbers.
/// Those of plates are in the plates' axes, all others in world axes. Names and units are those of
/// the recording (docs/recording.md).
template <class Record>
struct Quantity {
  const char* name;
  const char* unit;                         ///< may be empty
  std::span<const std::string_view> parts;  ///< names of its numbers; empty where it is one number
  void (*put)(const Record& from, Real* to);  ///< `to`: [width()]

  std::size_t width() const { return parts.empty() ? 1 : parts.size(); }
};

/// Numbers of the widest quantity.
constexpr std::size_t kMostParts = 4;

/// Reference frame and velocities.
const std::vector<Quantity<BodySnapshot>>& bodyQuantities();

/// Without the bodies, which are no quantities: bodyIndex().
const std::vector<Quantity<ContactSnapshot>>& contactQuantities();

/// Numbers that there are not are NaN.
const std::vector<Quantity<ForcePlateReading>>& plateQuantities();

}  // namespace drystone::viewer
