#pragma once

#include <optional>
#include <vector>

#include "engine/model/body.h"
#include "engine/observe/match_state.h"
#include "engine/observe/saved_state.h"

namespace drystone {

// What must hold of a world that a saved state was brought into. Where only a part of it comes
// back, neither side alone tells: a gear that was added since acts on bodies of the state.

/// A body of the world as it is to become: of the state are its properties, of the world its name
/// and user data.
struct RestoredBody {
  std::optional<BodyDefinition> definition;  ///< none: it stays as it is
  bool isNewShape = false;
};

/// [saved slots] what becomes of the bodies that the state has. Throws InputError where properties
/// are bad; changes nothing.
std::vector<RestoredBody> restoredBodies(const WorldParts& world, const SavedState& saved,
                                         const StateMatch& match);

/// Throws InputError that names the gears of the world that could not be any more: a joint of
/// theirs would get a lock, or its carrier become dynamic.
void requireGears(const WorldParts& world, const SavedState& saved, const StateMatch& match);

/// What moved the bodies of joints that are in the world alone was no motion to them: they forget
/// the rates of their locks. A gear holds from here on where a joint that it couples came back.
void restartOthers(const BodyStore& bodies, const StateMatch& match, JointStore& joints);

}  // namespace drystone
