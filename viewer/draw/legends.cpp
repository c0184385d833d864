#include "viewer/draw/annotations.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "viewer/draw/contact_state.h"
#include "viewer/draw/draw_contacts.h"
#include "viewer/draw/palette.h"

namespace drystone::viewer {
namespace {

constexpr int kBarColors = 33;  // between them the bar is even
constexpr int kMostMarks = 5;

/// A power of ten: 0.01, 1, 1e-9.
std::string decadeText(int exponent) {
  return std::abs(exponent) < 4 ? fmt::format("{:g}", std::pow(10, exponent))
                                : fmt::format("1e{}", exponent);
}

/// A color map over a logarithmic range, with marks at whole decades from its low end on.
Legend mapLegend(std::string title, ColorMap map, Real low, Real high) {
  Legend legend;
  legend.title = std::move(title);
  for (int i = 0; i < kBarColors; ++i) {
    legend.bar.push_back(mapColor(map, static_cast<Real>(i) / (kBarColors - 1)));
  }
  // Round-off must not take the ends for no decades.
  const int first = static_cast<int>(std::ceil(std::log10(low) - 1e-9));
  const int last = static_cast<int>(std::floor(std::log10(high) + 1e-9));
  const int apart = std::max(1, (last - first + kMostMarks - 1) / kMostMarks);
  for (int exponent = first; exponent <= last; exponent += apart) {
    legend.marks.push_back(
        {static_cast<float>(logShare(std::pow(10, exponent), low, high)), decadeText(exponent)});
  }
  return legend;
}

Legend residualLegend(const ViewFrame& frame, const DrawOptions& options) {
  Legend legend = mapLegend("contact residual [m/s]", ColorMap::kViridis, options.residualLow,
                            options.residualHigh);
  if (frame.contactResidual.size() < frame.snapshot.contacts.size()) {
    legend.entries.push_back({kUnknown, "not known"});
  }
  return legend;
}

Legend stateLegend() {
  constexpr std::pair<ContactState, const char*> kStates[] = {
      {ContactState::kStick, "sticks"},
      {ContactState::kSlip, "slips"},
      {ContactState::kOpen, "open"},
      {ContactState::kViolating, "outside the cone"}};
  Legend legend;
  legend.title = "contacts";
  for (const auto& [state, name] : kStates) legend.entries.push_back({stateColor(state), name});
  return legend;
}

/// The colors of the graph that there are; where they are more than those of the palette, several
/// share one.
Legend graphLegend(const ViewFrame& frame) {
  Legend legend;
  legend.title = "color in the graph";
  int most = -1;
  for (const int color : frame.contactColor) most = std::max(most, color);
  const int shown = std::min(most, static_cast<int>(kMarkColors.size()) - 1);
  for (int color = 0; color <= shown; ++color) {
    std::string text = std::to_string(color);
    for (int same = color + static_cast<int>(kMarkColors.size()); same <= most;
         same += static_cast<int>(kMarkColors.size())) {
      text += ", " + std::to_string(same);
    }
    legend.entries.push_back({cycled(kMarkColors, color), std::move(text)});
  }
  if (most < 0) legend.entries.push_back({kUnknown, "not known"});
  return legend;
}

/// Arrows have the length of a square of the ground where they are so many N s.
Legend arrowLegend(const ViewFrame& frame, Real lengthPerImpulse) {
  const Real length = frame.scene->layout.ground.spacing;
  Legend legend;
  // Short, as it stands in small pictures too: of the push on the upper body.
  legend.title =
      fmt::format("push{}: {:g} m = {:.2g} N s", frame.scene->gravity.isZero(0) ? "" : " up",
                  length, length / lengthPerImpulse);
  return legend;
}

}  // namespace

std::vector<Legend> legendsOf(const ViewFrame& frame, const DrawOptions& options,
                              Real lengthPerImpulse) {
  std::vector<Legend> legends;
  const auto isColoredBy = [&](ContactColoring coloring) {
    return options.colorsContacts() && options.contacts == coloring;
  };
  if (isColoredBy(ContactColoring::kResidual)) legends.push_back(residualLegend(frame, options));
  if (isColoredBy(ContactColoring::kGraph)) legends.push_back(graphLegend(frame));
  const bool arrows = options.impulses || options.cones;
  const bool hasStates = isColoredBy(ContactColoring::kState) || (arrows && !options.impulses);
  if (hasStates) legends.push_back(stateLegend());
  if (arrows && lengthPerImpulse > 0) legends.push_back(arrowLegend(frame, lengthPerImpulse));
  if (options.bodies == BodyColoring::kSpeed) {
    legends.push_back(
        mapLegend("speed [m/s]", ColorMap::kCividis, options.speedLow, options.speedHigh));
  }
  return legends;
}

}  // namespace drystone::viewer
