#pragma once

#include "engine/step/world_parts.h"

namespace drystone {

/// Row of J for a body at arm r [m], of the velocity along `direction`: (d, r × d).
inline Vec6 pointRow(const Vec3& direction, const Vec3& arm) {
  Vec6 row;
  row << direction, arm.cross(direction);
  return row;
}

/// Fills blocks and rows of all contacts: Jacobians (M.5, M.6), b with restitution, stabilisation
/// and speculative margin, compliance (M.8), under the world's friction model.
void contactRows(const WorldParts& world, StepData& data);

}  // namespace drystone
