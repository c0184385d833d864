#pragma once

#include <cstddef>

#include <imgui.h>

#include "viewer/window/layout.h"

namespace drystone::viewer {

/// Colors that colour-blind people tell apart (Okabe and Ito), for lines in plots; in the order
/// that they are used up.
constexpr ImU32 kSeriesColors[] = {IM_COL32(0, 114, 178, 255),   IM_COL32(230, 159, 0, 255),
                                   IM_COL32(0, 158, 115, 255),   IM_COL32(213, 94, 0, 255),
                                   IM_COL32(204, 121, 167, 255), IM_COL32(86, 180, 233, 255),
                                   IM_COL32(90, 90, 90, 255),    IM_COL32(170, 150, 20, 255)};
constexpr int kSeriesColorCount = 8;
inline ImU32 seriesColor(std::size_t i) { return kSeriesColors[i % kSeriesColorCount]; }

const ImVec4 kTextGood{0.00f, 0.45f, 0.33f, 1};
const ImVec4 kTextBad{0.76f, 0.26f, 0.00f, 1};
const ImVec4 kTextDim{0.42f, 0.45f, 0.50f, 1};

/// Light theme and fonts for a screen with `scale` pixels a point. Returns the bold font, which is
/// the plain one where the system has no other.
ImFont* setUpStyle(float scale);

/// Widths of the bars beside the scene; 0: there is none. In whole units of the window. One that is
/// folded is a strip.
struct SideBars {
  float left = 0, right = 0;
  bool isOne = false;  ///< the left one has the sections of both
  bool isLeftFolded = false, isRightFolded = false;
  float leastWidth = 0;               ///< of a bar
  float mostLeft = 0, mostRight = 0;  ///< that the other bar and the scene leave
};

/// Side bars as the layout has them, narrower where they would leave the scene no room, and one
/// with all sections where two do not fit. `scale` are units of the window a point.
SideBars sideBarsOf(const Layout& layout, float windowWidth, float scale);

}  // namespace drystone::viewer
