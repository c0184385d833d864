#include "viewer/window/plot.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "viewer/window/style.h"

namespace drystone::viewer {
namespace {

constexpr ImU32 kFrame = IM_COL32(190, 196, 204, 255);
constexpr ImU32 kGrid = IM_COL32(228, 231, 235, 255);
constexpr ImU32 kTickText = IM_COL32(95, 102, 112, 255);
constexpr ImU32 kMark = IM_COL32(120, 120, 120, 255);

/// The picture part of a plot: where values are on the screen.
struct Canvas {
  ImVec2 low, high;  ///< corners [pixels]
  PlotAxis x, y;

  float atX(double value) const {
    return low.x + static_cast<float>(x.position(value)) * (high.x - low.x);
  }
  /// Values below the axis are drawn at its foot.
  float atY(double value) const {
    const double position = std::clamp(y.position(value), 0.0, 1.0);
    return high.y - static_cast<float>(position) * (high.y - low.y);
  }
};

double stackedValue(std::span<const PlotLine> lines, std::size_t upTo, std::size_t i) {
  double sum = 0;
  for (std::size_t k = 0; k <= upTo; ++k) sum += lines[k].y[i];
  return sum;
}

PlotAxis xAxis(const PlotLook& look, std::span<const PlotLine> lines) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const PlotLine& line : lines) {
    for (const double x : line.x) {
      if (look.logX && !(x > 0)) continue;
      low = std::min(low, x);
      high = std::max(high, x);
    }
  }
  // Room for markers, which stand where every line begins.
  if (look.logX) return {low / (low == high ? 2 : 1.3), high * (low == high ? 2 : 1.3), true};
  if (low == high) return {low - 1, low + 1, false, look.wholeX};
  return {low, high, false, look.wholeX};
}

PlotAxis yAxis(const PlotLook& look, std::span<const PlotLine> lines) {
  PlotRange range(look.logY);
  for (std::size_t k = 0; k < lines.size(); ++k) {
    for (std::size_t i = 0; i < lines[k].y.size(); ++i) {
      range.add(look.stacked ? stackedValue(lines, k, i) : lines[k].y[i]);
    }
  }
  if (look.mark) range.add(*look.mark);
  return range.axis();
}

void drawTicks(ImDrawList& draw, const Canvas& canvas, std::span<const PlotTick> yTicks) {
  const float font = ImGui::GetFontSize();
  for (const PlotTick& tick : yTicks) {
    const float y = canvas.atY(tick.value);
    draw.AddLine({canvas.low.x, y}, {canvas.high.x, y}, kGrid);
    const ImVec2 size = ImGui::CalcTextSize(tick.label.c_str());
    draw.AddText({canvas.low.x - size.x - 0.3f * font, y - size.y / 2}, kTickText,
                 tick.label.c_str());
  }
  const int count = std::max(2, static_cast<int>((canvas.high.x - canvas.low.x) / (5 * font)));
  float last = -1e9f;
  for (const PlotTick& tick : plotTicks(canvas.x, count)) {
    const float x = canvas.atX(tick.value);
    draw.AddLine({x, canvas.low.y}, {x, canvas.high.y}, kGrid);
    const ImVec2 size = ImGui::CalcTextSize(tick.label.c_str());
    const float left = std::clamp(x - size.x / 2, canvas.low.x, canvas.high.x - size.x);
    if (left < last + 0.5f * font) continue;
    draw.AddText({left, canvas.high.y + 0.15f * font}, kTickText, tick.label.c_str());
    last = left + size.x;
  }
}

/// Points that fall on the same pixel column are drawn as their least and largest value.
void drawLine(ImDrawList& draw, const Canvas& canvas, const PlotLine& line) {
  std::vector<ImVec2> points;
  for (std::size_t i = 0; i < line.x.size(); ++i) {
    if (!std::isfinite(line.y[i])) continue;
    points.push_back({canvas.atX(line.x[i]), canvas.atY(line.y[i])});
  }
  draw.AddPolyline(points.data(), static_cast<int>(points.size()), line.color, 0, 1.6f);
  if (!line.markers && points.size() > 1) return;
  for (const ImVec2& point : points) draw.AddCircleFilled(point, 3, line.color, 12);
}

void drawArea(ImDrawList& draw, const Canvas& canvas, std::span<const PlotLine> lines,
              std::size_t k) {
  const PlotLine& line = lines[k];
  for (std::size_t i = 1; i < line.x.size(); ++i) {
    const float x0 = canvas.atX(line.x[i - 1]), x1 = canvas.atX(line.x[i]);
    const float top0 = canvas.atY(stackedValue(lines, k, i - 1));
    const float top1 = canvas.atY(stackedValue(lines, k, i));
    const float foot0 = k == 0 ? canvas.high.y : canvas.atY(stackedValue(lines, k - 1, i - 1));
    const float foot1 = k == 0 ? canvas.high.y : canvas.atY(stackedValue(lines, k - 1, i));
    draw.AddQuadFilled({x0, top0}, {x1, top1}, {x1, foot1}, {x0, foot0}, line.color);
  }
}

void drawMark(ImDrawList& draw, const Canvas& canvas, double value) {
  const float y = canvas.atY(value);
  for (float x = canvas.low.x; x < canvas.high.x; x += 7) {
    draw.AddLine({x, y}, {std::min(x + 4, canvas.high.x), y}, kMark);
  }
}

/// The point of the line nearest in x.
std::size_t nearest(const PlotLine& line, const Canvas& canvas, float mouseX) {
  std::size_t best = 0;
  float distance = std::numeric_limits<float>::infinity();
  for (std::size_t i = 0; i < line.x.size(); ++i) {
    const float d = std::abs(canvas.atX(line.x[i]) - mouseX);
    if (d < distance) {
      distance = d;
      best = i;
    }
  }
  return best;
}

void drawHover(ImDrawList& draw, const PlotLook& look, const Canvas& canvas,
               std::span<const PlotLine> lines) {
  const float mouse = ImGui::GetIO().MousePos.x;
  draw.AddLine({mouse, canvas.low.y}, {mouse, canvas.high.y}, kMark);
  // Above the plot, where it hides neither the lines nor what stands below them.
  const bool isRight = mouse > ImGui::GetIO().DisplaySize.x / 2;
  ImGui::SetNextWindowPos({mouse, canvas.low.y - 0.3f * ImGui::GetFontSize()}, ImGuiCond_Always,
                          {isRight ? 1.0f : 0.0f, 1});
  ImGui::BeginTooltip();
  ImGui::Text(
      "%s %s", look.xLabel,
      shortNumber(canvas.x.value((mouse - canvas.low.x) / (canvas.high.x - canvas.low.x))).c_str());
  for (const PlotLine& line : lines) {
    if (line.x.empty()) continue;
    const std::size_t i = nearest(line, canvas, mouse);
    ImGui::PushStyleColor(ImGuiCol_Text, line.color);
    ImGui::TextUnformatted("\xE2\x80\x93");
    ImGui::PopStyleColor();
    ImGui::SameLine();
    ImGui::Text("%s  %s %s", line.name.c_str(), shortNumber(line.y[i]).c_str(), look.unit);
  }
  ImGui::EndTooltip();
}

void drawLegend(std::span<const PlotLine> lines) {
  const float font = ImGui::GetFontSize();
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  bool first = true;
  for (const PlotLine& line : lines) {
    const float width = ImGui::CalcTextSize(line.name.c_str()).x + 1.1f * font;
    if (!first) {
      ImGui::SameLine(0, 0.8f * font);
      if (ImGui::GetCursorScreenPos().x + width > right) ImGui::NewLine();
    }
    first = false;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::GetWindowDrawList()->AddRectFilled(
        {at.x, at.y + 0.3f * font}, {at.x + 0.75f * font, at.y + 0.75f * font}, line.color, 2);
    ImGui::Dummy({0.75f * font, font});
    ImGui::SameLine(0, 0.35f * font);
    ImGui::TextUnformatted(line.name.c_str());
  }
}

/// Whether there is a point to draw.
bool hasPoints(const PlotLook& look, std::span<const PlotLine> lines) {
  return std::ranges::any_of(lines, [&](const PlotLine& line) {
    for (std::size_t i = 0; i < line.x.size(); ++i) {
      if (std::isfinite(line.y[i]) && (!look.logX || line.x[i] > 0)) return true;
    }
    return false;
  });
}

/// A frame without axes: there is nothing that they could measure.
void emptyPlot(const ImVec2& corner, const ImVec2& size) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const ImVec2 high(corner.x + size.x - 1, corner.y + size.y - 1);
  draw.AddRectFilled(corner, high, IM_COL32_WHITE);
  draw.AddRect(corner, high, kFrame);
  constexpr const char* kText = "nothing to plot yet";
  const ImVec2 text = ImGui::CalcTextSize(kText);
  draw.AddText({corner.x + (size.x - text.x) / 2, corner.y + (size.y - text.y) / 2}, kTickText,
               kText);
}

}  // namespace

void plot(const PlotLook& look, std::span<const PlotLine> lines) {
  const float font = ImGui::GetFontSize();
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const ImVec2 size(ImGui::GetContentRegionAvail().x, look.height * font / 13);
  ImGui::InvisibleButton(look.id, size);
  if (!hasPoints(look, lines)) {
    emptyPlot(corner, size);
    if (look.legend) drawLegend(lines);
    return;
  }

  Canvas canvas;
  canvas.x = xAxis(look, lines);
  canvas.y = yAxis(look, lines);
  const float foot = 1.35f * font;
  const int count = std::max(2, static_cast<int>((size.y - foot) / (1.9f * font)));
  const std::vector<PlotTick> ticks = plotTicks(canvas.y, count);
  float labels = 0;
  for (const PlotTick& tick : ticks) {
    labels = std::max(labels, ImGui::CalcTextSize(tick.label.c_str()).x);
  }
  canvas.low = {corner.x + labels + 0.45f * font, corner.y + 0.5f * font};
  canvas.high = {corner.x + size.x - 1, corner.y + size.y - foot};

  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.AddRectFilled(canvas.low, canvas.high, IM_COL32_WHITE);
  drawTicks(draw, canvas, ticks);
  draw.PushClipRect(canvas.low, {canvas.high.x + 1, canvas.high.y + 1}, true);
  for (std::size_t k = 0; k < lines.size(); ++k) {
    if (look.stacked) {
      drawArea(draw, canvas, lines, k);
    } else {
      drawLine(draw, canvas, lines[k]);
    }
  }
  if (look.mark) drawMark(draw, canvas, *look.mark);
  draw.PopClipRect();
  draw.AddRect(canvas.low, canvas.high, kFrame);
  if (*look.unit != 0) {
    const ImVec2 unit = ImGui::CalcTextSize(look.unit);
    draw.AddText({canvas.high.x - unit.x - 0.3f * font, canvas.low.y + 0.1f * font}, kTickText,
                 look.unit);
  }
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const bool inside = mouse.x >= canvas.low.x && mouse.x <= canvas.high.x;
  if (ImGui::IsItemHovered() && inside) drawHover(draw, look, canvas, lines);
  if (look.legend) drawLegend(lines);
}

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
