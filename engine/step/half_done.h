#pragma once

#include <new>
#include <string_view>

#include "engine/step/world_parts.h"

namespace drystone {

// Where memory ends amid a call. What makes something - a body, a joint - then changes nothing.
// What changes a world throughout - a step, a restore - leaves it half done: such a world can be
// destroyed, read body by body, and restored, and all else throws InputError.

/// Throws InputError while a callback runs, or where the world is half done:
/// `step: memory ran out amid a call before; restore a saved state, or make the world anew`.
void requireUsable(const WorldParts& world, std::string_view function);

/// Takes the memory that abandon() needs on this thread, where it has none yet.
void prepareToAbandon();

/// Marks the world as half done, and gives up its step data and solvers without destroying them: an
/// Eigen matrix whose growth failed still points to what it freed. They stay taken.
void abandon(WorldParts& world) noexcept;

/// Runs a change of the world; where memory ends amid it, the world is half done from then on. What
/// refuses bad input belongs before it.
template <class Change>
void runWhole(WorldParts& world, Change&& change) {
  prepareToAbandon();
  try {
    change();
  } catch (const std::bad_alloc&) {
    abandon(world);
    throw;
  }
}

/// Makes anew, from the bodies, what the rest of a half done world is made of. The world stays half
/// done: the state that is restored next gives the rest, and says which joints let bodies collide.
void remakeParts(WorldParts& world);

/// For a CollisionWorld of the world.
CollisionSettings collisionSettings(const WorldSettings& settings);

}  // namespace drystone
