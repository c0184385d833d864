#include "viewer/render/painters.h"

#include <algorithm>

namespace drystone::viewer {
namespace {

constexpr int kLineFloats = 10;  // from, to, color
constexpr std::size_t kLineStride = kLineFloats * sizeof(float);

}  // namespace

float lineWidth(int height) { return std::max(1.5F, static_cast<float>(height) / 400); }

LinePainter::LinePainter() : program_({"line.vert"}, {"line.frag"}) {
  glBindVertexArray(array_.id());
  glBindBuffer(GL_ARRAY_BUFFER, buffer_.id());
  setAttribute(0, 3, kLineStride, 0, 1);
  setAttribute(1, 3, kLineStride, 3 * sizeof(float), 1);
  setAttribute(2, 4, kLineStride, 6 * sizeof(float), 1);
  glBindVertexArray(0);
}

void LinePainter::draw(const std::vector<Line>& lines, bool overlay,
                       const Eigen::Matrix4f& viewProjection, int width, int height) {
  upload_.clear();
  for (const Line& line : lines) {
    if (line.overlay != overlay) continue;
    const Color& c = line.color;
    upload_.insert(upload_.end(), {line.from.x(), line.from.y(), line.from.z(), line.to.x(),
                                   line.to.y(), line.to.z(), c.red, c.green, c.blue, c.alpha});
  }
  if (upload_.empty()) return;
  program_.use();
  program_.set("viewProjection", viewProjection);
  program_.set("size", Eigen::Vector2f(static_cast<float>(width), static_cast<float>(height)));
  program_.set("width", lineWidth(height));
  glBindVertexArray(array_.id());
  glBindBuffer(GL_ARRAY_BUFFER, buffer_.id());
  glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(upload_.size() * sizeof(float)),
               upload_.data(), GL_STREAM_DRAW);
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4,
                        static_cast<GLsizei>(upload_.size() / kLineFloats));
}

}  // namespace drystone::viewer
