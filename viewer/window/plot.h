#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <imgui.h>

#include "solvers/driver/contact_solver.h"
#include "viewer/session/race.h"
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

/// Residual by iteration of one solve. Where the solver began to count anew, as block pivoting does
/// when it is rescued, the count goes on.
PlotLine convergenceLine(std::span<const ResidualHistory::Entry> entries);

/// The judged residual of a solver of a race; solvers that end at round-off have a point, their one
/// answer. A time is no longer than that of any run of more iterations: what it took beyond that
/// was the machine's.
PlotLine raceLine(const RaceEntry& entry, ImU32 color, bool byTime);

}  // namespace drystone::viewer
