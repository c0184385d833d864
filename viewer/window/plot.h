#pragma once

#include <imgui.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "viewer/window/plot_axis.h"

namespace drystone::viewer {

/// A line of a plot: points by x.
struct PlotLine {
  std::string name;
  ImU32 color = 0;
  std::vector<double> x, y;
  bool markers = false;  ///< dots at the points too
};

struct PlotLook {
  const char* id = "";
  const char* xLabel = "";
  const char* unit = "";  ///< of the values
  float height = 120;     ///< of the whole plot [points, before the scale of the screen]
  bool logX = false, logY = false;
  bool wholeX = true;  ///< x are whole numbers, as of steps
  /// Areas on top of each other in place of lines, all with the same x.
  bool stacked = false;
  bool legend = true;
  std::optional<double> mark;  ///< a dashed line at this value
};

/// Draws the lines where the window's cursor is, over the whole width, with ticks, a legend below
/// and the values under the mouse.
void plot(const PlotLook& look, std::span<const PlotLine> lines);

}  // namespace drystone::viewer
