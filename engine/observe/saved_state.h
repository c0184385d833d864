#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/model/body_store.h"
#include "engine/model/joint_store.h"
#include "engine/model/material.h"
#include "engine/model/world_settings.h"
#include "engine/observe/body_properties.h"
#include "engine/observe/restore_report.h"
#include "engine/step/events.h"
#include "engine/step/warm_starts.h"

namespace drystone {

struct WorldParts;

/// A body or joint of a saved state.
struct SavedEntry {
  bool alive = false;
  std::uint32_t generation = 0;
  std::uint64_t structure = 0;  ///< structureOf() it
  std::string name;
};

/// All of a saved state, as it was read.
struct SavedState {
  WorldSettings settings;  ///< those of the world, but for what is saved
  Real time = 0;
  std::int64_t stepCount = 0;
  std::vector<SavedEntry> bodyEntries, jointEntries;  ///< by slot
  std::vector<SavedProperties> properties;            ///< likewise
  MaterialTable materials;
  std::vector<std::byte> collision;
  BodyStore bodies;   ///< no more of it than what evolves
  JointStore joints;  ///< likewise, and what may be changed
  struct {
    WarmStarts warm;
  } data;
  EventTracker events;
};

/// Appends the settings that a world must have to restore the state: all but those that may change
/// between two steps and the tolerances of the report.
void writeSettings(const WorldSettings& settings, StateWriter& writer);

/// Throws InputError where the bytes are damaged, of other settings, which it names, or of more
/// materials than the world has; under kExact of fewer, too.
SavedState readState(const WorldParts& world, std::span<const std::byte> state, RestoreMode mode);

}  // namespace drystone
