#include "viewer/window/plot_lines.h"

#include <algorithm>
#include <limits>

#include "viewer/window/style.h"

namespace drystone::viewer {
namespace {

constexpr std::size_t kMostMarkers = 40;
constexpr double kLeastTime = 1e-3;  // [ms] that a clock can tell

}  // namespace

PlotLine convergenceLine(std::span<const ResidualHistory::Entry> entries) {
  PlotLine line{"residual of the solver's own criterion", seriesColor(0), {}, {}, true};
  int before = std::numeric_limits<int>::min(), offset = 0;
  for (const ResidualHistory::Entry& entry : entries) {
    if (entry.iteration <= before) offset += before + 1 - entry.iteration;
    before = entry.iteration;
    line.x.push_back(offset + entry.iteration);
    line.y.push_back(entry.residual);
  }
  line.markers = line.x.size() <= kMostMarkers;
  return line;
}

PlotLine raceLine(const RaceEntry& entry, ImU32 color, bool byTime) {
  PlotLine line{entry.solver.name, color, {}, {}, true};
  for (const RacePoint& point : entry.points) {
    line.x.push_back(byTime ? std::max(point.timeMs, kLeastTime) : std::max(point.iterations, 1));
    line.y.push_back(point.naturalMap);
  }
  if (!byTime) return line;
  for (std::size_t i = line.x.size(); i > 1; --i)
    line.x[i - 2] = std::min(line.x[i - 2], line.x[i - 1]);
  return line;
}

}  // namespace drystone::viewer
