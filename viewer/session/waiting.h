#pragma once

#include <deque>

#include "viewer/session/simulation.h"

namespace drystone::viewer {

/// Whether the simulation runs after the command; none: as before.
std::optional<bool> playingAfter(const Command& command);

/// The speed that the command asks for; none: as before.
std::optional<double> speedAfter(const Command& command);

/// What these commands ask for, in their words. Moves of the mouse's spring and what a picture asks
/// for by itself are left out.
Waiting waitingOf(const std::deque<Command>& commands);

}  // namespace drystone::viewer
