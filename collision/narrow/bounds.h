#pragma once

#include "collision/narrow/placed_shape.h"

namespace drystone::narrow {

/// Tight axis-aligned box of a placed shape. Half-spaces reach to ±kUnbounded, except along the
/// world axis that their normal follows exactly.
Aabb boundsOf(const PlacedShape& shape);

constexpr Real kUnbounded = 1e15;  ///< [m]

}  // namespace drystone::narrow
