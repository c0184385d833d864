#pragma once

#include "engine/model/joint.h"
#include "scenes/reading/object_reader.h"

namespace drystone {

/// Units of a joint coordinate, for ranges and messages.
struct AxisUnits {
  std::string_view coordinate, rate, force, stiffness, damping;
  bool isDistance = false;  ///< never negative
};
constexpr AxisUnits kAlongAxis = {"m", "m/s", "N", "N/m", "N s/m"};
constexpr AxisUnits kDistanceAxis = {"m", "m/s", "N", "N/m", "N s/m", true};
constexpr AxisUnits kAboutAxis = {"rad", "rad/s", "N m", "N m/rad", "N m s/rad"};

/// Reads what a joint does to one coordinate from the keys of an object: `lower`, `upper`,
/// `spring`, `motor`, `friction`.
void readAxisKeys(ObjectReader& in, const AxisUnits& units, JointAxis& axis);

/// Reads an object of those keys under `key`, or where `mayLock` the text "free" or "locked".
void readAxis(ObjectReader& in, std::string_view key, const AxisUnits& units, bool mayLock,
              JointAxis& axis);

}  // namespace drystone
