#pragma once

namespace drystone {

struct WorldParts;

/// Advances a world by one timestep: `step.cpp` reads as the table of contents.
void stepWorld(WorldParts& world);

}  // namespace drystone
