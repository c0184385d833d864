#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/field_visitor.h"
#include "engine/model/joint.h"

namespace drystone {

/// A direction by which a scene turns the frames of a joint.
struct PresetAxis {
  std::string_view key, help;
  bool isRequired = true;
};

/// A coordinate that a preset leaves free. A scene says what the joint does to it in an object
/// under `key`; where that is empty, directly in the joint if no other coordinate is free, else not
/// at all.
struct PresetCoordinate {
  int index = 0;
  std::string_view key, help;
  bool isLocked = false;     ///< unless it is said otherwise
  bool carriesLoad = false;  ///< what it leaves free falls unless something holds it
};

/// What a preset of gears couples: the kind of coordinate of both joints, and the number between
/// them, where a negative `sign` turns it round.
struct PresetCoupling {
  enum class Kind : std::uint8_t { kAny, kSlide, kTurn, kDistance };
  Kind first = Kind::kAny, second = Kind::kAny;
  std::string_view key = "ratio", unit, help = "not 0";
  int sign = 1;
  bool isRope = false;  ///< q1 + ratio q2 may become less
};

/// A usual joint: what it leaves free, and how a scene describes it. The functions that make
/// joints, the reader of scenes, the schema and the table of the docs all read the table of
/// presets.
struct JointPreset {
  std::string_view name;  ///< its type in scenes
  std::string_view help;  ///< one line
  JointGeometry geometry = JointGeometry::kFrames;
  std::vector<PresetAxis> axes;        ///< x of the frames, or x and z at a right angle
  bool hasOrientation = false;         ///< the key `orientation` turns the frames
  std::vector<PresetCoordinate> free;  ///< all others that the geometry has are locked
  PresetCoupling coupling = {};        ///< of gears
  bool mayLock = false;                ///< the text "free" or "locked" may stand for an object
  /// Visits the fields that only this preset has; null without any.
  void (*visitOwn)(JointDefinition& joint, FieldVisitor& visitor) = nullptr;
};

/// All of them.
std::span<const JointPreset> jointPresets();

}  // namespace drystone
