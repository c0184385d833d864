#pragma once

#include "viewer/window/layout.h"

namespace drystone::viewer {

/// Widths of the bars beside the scene; 0: there is none. In whole units of the window.
struct SideBars {
  float left = 0, right = 0;
  bool isOne = false;                 ///< the left one has the sections of both
  float leastWidth = 0;               ///< of a bar
  float mostLeft = 0, mostRight = 0;  ///< that the other bar and the scene leave
};

/// As the layout has them, narrower where they would leave the scene no room, and one with all
/// sections where two do not fit. `scale` are units of the window a point.
SideBars sideBarsOf(const Layout& layout, float windowWidth, float scale);

}  // namespace drystone::viewer
