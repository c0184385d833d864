#pragma once

#include "core/types.h"
#include "viewer/draw/draw_list.h"

namespace drystone::viewer {

/// Maps of even lightness steps, readable with every kind of color vision and in gray.
enum class ColorMap { kViridis, kCividis };

/// 0: the dark end, 1: the light one; beyond them the ends themselves. NaN: gray.
Color mapColor(ColorMap map, Real share);

/// Place of a value between `low` and `high` on a logarithmic scale, clamped to [0, 1]; NaN stays.
Real logShare(Real value, Real low, Real high);

}  // namespace drystone::viewer
