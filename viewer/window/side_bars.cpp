#include "viewer/window/side_bars.h"

#include <algorithm>
#include <cmath>

namespace drystone::viewer {
namespace {

constexpr float kLeastView = 240;                 // width that the bars leave to the scene [points]
constexpr float kLeastBar = 220, kMostBar = 600;  // [points]
constexpr float kLeastBesideOne = 100;            // of the scene, beside a bar that is needed

}  // namespace

SideBars sideBarsOf(const Layout& layout, float windowWidth, float scale) {
  SideBars bars;
  if (!layout.panels) return bars;
  const float least = kLeastBar * scale;
  const float room = windowWidth - kLeastView * scale;
  const auto within = [&](float width, float most) {
    return std::floor(std::clamp(width, least, std::max(least, most)));
  };
  bars.leastWidth = std::floor(least);
  bars.isOne = room < 2 * least;
  if (bars.isOne) {
    if (windowWidth < least + kLeastBesideOne * scale) return bars;
    bars.left = within(layout.left * scale, room);
    bars.mostLeft = within(kMostBar * scale, room);
    return bars;
  }
  // What they are too wide is taken from both.
  const float tooWide = std::max(0.0f, (layout.left + layout.right) * scale - room);
  bars.left = within(layout.left * scale - tooWide / 2, room - least);
  bars.right = within(layout.right * scale, room - bars.left);
  bars.mostLeft = within(kMostBar * scale, room - bars.right);
  bars.mostRight = within(kMostBar * scale, room - bars.left);
  return bars;
}

}  // namespace drystone::viewer
