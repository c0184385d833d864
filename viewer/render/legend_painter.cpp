#include "viewer/render/painters.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "viewer/draw/palette.h"

namespace drystone::viewer {
namespace {

constexpr int kCornerFloats = 6;  // corner, color
constexpr std::size_t kCornerStride = kCornerFloats * sizeof(float);

// In heights of text.
constexpr float kPad = 0.6F, kGap = 0.5F, kRow = 1.3F, kSwatch = 0.8F;
constexpr float kBarWidth = 12, kBarHeight = 0.8F;
constexpr float kArm = 1.7F, kArmAndName = 2.3F;
constexpr float kAxesFoot = 0.8F;    // below the axes and their line
constexpr float kLeastPicture = 12;  // width and height that axes need

constexpr Color kPlate{1, 1, 1, 0.8F};
constexpr Color kInk = kBlack;

}  // namespace

LegendPainter::LegendPainter() : program_({"flat.vert"}, {"flat.frag"}) {
  glBindVertexArray(array_.id());
  glBindBuffer(GL_ARRAY_BUFFER, buffer_.id());
  setAttribute(0, 2, kCornerStride, 0);
  setAttribute(1, 4, kCornerStride, 2 * sizeof(float));
  glBindVertexArray(0);
}

void LegendPainter::addRectangle(const Box& box, const Color& left, const Color& right) {
  for (int corner : {0, 1, 2, 2, 1, 3}) {
    const bool isRight = (corner & 1) != 0;
    const Color& c = isRight ? right : left;
    upload_.insert(upload_.end(), {box.left + (isRight ? box.width : 0),
                                   box.top + ((corner >> 1) != 0 ? box.height : 0), c.red, c.green,
                                   c.blue, c.alpha});
  }
}

void LegendPainter::addBar(const Legend& legend, const Box& bar, float unit,
                           const TextPainter& text) {
  const auto parts = static_cast<float>(legend.bar.size() - 1);
  for (std::size_t i = 0; i + 1 < legend.bar.size(); ++i) {
    const Box part = {bar.left + bar.width * static_cast<float>(i) / parts, bar.top,
                      bar.width / parts, bar.height};
    addRectangle(part, legend.bar[i], legend.bar[i + 1]);
  }
  for (const Legend::Mark& mark : legend.marks) {
    const float x = bar.left + bar.width * mark.at;
    addRectangle({x - 0.5F, bar.top + bar.height, 1, 0.25F * unit}, kInk, kInk);
    const float width = text.width(mark.text, unit);
    const float least = bar.left - kPad * unit, most = bar.left + bar.width + kPad * unit - width;
    texts_.push_back({std::round(std::clamp(x - 0.5F * width, least, std::max(least, most))),
                      std::round(bar.top + bar.height + 1.15F * unit), mark.text, kInk});
  }
}

LegendPainter::Box LegendPainter::addLegend(const Legend& legend, float right, float bottom,
                                            float unit, const TextPainter& text) {
  const bool hasBar = legend.bar.size() > 1, hasTitle = !legend.title.empty();
  float width = text.width(legend.title, unit);
  if (hasBar) width = std::max(width, kBarWidth * unit);
  for (const Legend::Entry& entry : legend.entries) {
    width = std::max(width, 1.5F * kSwatch * unit + text.width(entry.text, unit));
  }
  const float rows = (hasTitle ? kRow : 0) + (hasBar ? kBarHeight + kRow : 0) +
                     kRow * static_cast<float>(legend.entries.size());
  const Box plate = {std::round(right - width - 2 * kPad * unit),
                     std::round(bottom - (rows + kPad) * unit), width + 2 * kPad * unit,
                     (rows + kPad) * unit};
  if (plate.left < 0 || plate.top < 0) return {};
  addRectangle(plate, kPlate, kPlate);
  const float left = plate.left + kPad * unit;
  float top = plate.top + 0.5F * kPad * unit;
  const auto write = [&](const std::string& words, float indent) {
    texts_.push_back({std::round(left + indent), std::round(top + 0.95F * unit), words, kInk});
    top += kRow * unit;
  };
  if (hasTitle) write(legend.title, 0);
  if (hasBar) {
    addBar(legend, {left, top, width, kBarHeight * unit}, unit, text);
    top += (kBarHeight + kRow) * unit;
  }
  for (const Legend::Entry& entry : legend.entries) {
    const Box swatch = {left, std::round(top + 0.25F * unit), kSwatch * unit, kSwatch * unit};
    addRectangle(swatch, entry.color, entry.color);
    write(entry.text, 1.5F * kSwatch * unit);
  }
  return plate;
}

void LegendPainter::addAxes(const DrawList& list, const Eigen::Matrix4f& view, const Box& room,
                            float unit, const TextPainter& text) {
  if (std::min(room.width, room.height) < kLeastPicture * unit) return;
  const float foot = room.top + room.height - kAxesFoot * unit;
  const float noteHeight = list.axesNote.empty() ? 0 : kRow * unit;
  if (!list.axesNote.empty()) {
    texts_.push_back({std::round(kPad * unit), std::round(foot), list.axesNote, kInk});
  }
  const Vec3f center((kPad + kArmAndName) * unit, foot - noteHeight - kArmAndName * unit, 0);
  // Those that point away from the viewer first: the others lie over them.
  std::array<int, 3> order = {0, 1, 2};
  std::ranges::stable_sort(order, {}, [&](int axis) { return view(2, axis); });
  constexpr std::array kNames = {"x", "y", "z"};
  for (const int axis : order) {
    const Vec3f along(view(0, axis), -view(1, axis), 0);  // y down
    const Color& color = kAxisColors[static_cast<std::size_t>(axis)];
    lines_.push_back({center, center + kArm * unit * along, color, true});
    const std::string name = kNames[static_cast<std::size_t>(axis)];
    const Vec3f at = center + (kArm + 0.45F) * unit * along;
    texts_.push_back({at.x() - 0.5F * text.width(name, unit), at.y() + 0.35F * unit, name, color});
  }
}

void LegendPainter::draw(const DrawList& list, const Eigen::Matrix4f& view, int width, int height,
                         TextPainter& text, LinePainter& lines) {
  if (!list.axes && list.legends.empty()) return;
  upload_.clear();
  texts_.clear();
  lines_.clear();
  const float unit = textHeight(height);
  const float right = static_cast<float>(width) - kGap * unit;
  float bottom = static_cast<float>(height) - kGap * unit;
  // Beside the legends, or above them where the line of the axes would run into one.
  Box room = {0, 0, static_cast<float>(width), static_cast<float>(height)};
  const float axesEnd = 2 * kPad * unit + text.width(list.axesNote, unit);
  for (const Legend& legend : list.legends) {
    const Box plate = addLegend(legend, right, bottom, unit, text);
    if (plate.height <= 0) continue;
    bottom = plate.top - kGap * unit;
    if (plate.left < axesEnd) room.height = bottom;
  }
  if (list.axes) addAxes(list, view, room, unit, text);

  const Eigen::Vector2f size(static_cast<float>(width), static_cast<float>(height));
  if (!upload_.empty()) {
    program_.use();
    program_.set("size", size);
    glBindVertexArray(array_.id());
    glBindBuffer(GL_ARRAY_BUFFER, buffer_.id());
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(upload_.size() * sizeof(float)),
                 upload_.data(), GL_STREAM_DRAW);
    glDrawArrays(GL_TRIANGLES, 0, static_cast<GLsizei>(upload_.size() / kCornerFloats));
  }
  // From pixels to clip space.
  Eigen::Matrix4f toClip = Eigen::Matrix4f::Identity();
  toClip.row(0) << 2 / size.x(), 0, 0, -1;
  toClip.row(1) << 0, -2 / size.y(), 0, 1;
  lines.draw(lines_, true, toClip, width, height);
  text.draw(texts_, width, height);
}

}  // namespace drystone::viewer
