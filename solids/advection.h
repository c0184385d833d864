#pragma once

#include <span>

#include "solids/grid.h"

namespace drystone {

enum class Advection {
  kUpwind,     ///< first order: straight lines towards the side that the values come from
  kQuadratic,  ///< second order: parabolas through the node and its neighbours
};

/// The value of a nodal field at a node moved by `offset`, in cells and at most 1 along each axis.
/// The node's 26 neighbours must have values. Both orders are exact for linear fields. With
/// u Δt for the offset, these are the corner transport upwind and the Lax–Wendroff scheme of
/// ∂q/∂t + u·∇q = 0 in three dimensions.
Vec3 valueNear(const SolidGrid& grid, std::span<const Vec3> field, int node, const Vec3& offset,
               Advection order);

}  // namespace drystone
