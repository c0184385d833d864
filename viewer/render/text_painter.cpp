#include "viewer/render/painters.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace drystone::viewer {
namespace {

constexpr int kGlyphFloats = 8;  // corner, place in the atlas, color
constexpr std::size_t kGlyphStride = kGlyphFloats * sizeof(float);

}  // namespace

float textHeight(int height) {
  return std::max(14.0F, std::round(static_cast<float>(height) / 45));
}

TextPainter::TextPainter() : program_({"text.vert"}, {"text.frag"}) {
  glBindVertexArray(array_.id());
  glBindBuffer(GL_ARRAY_BUFFER, buffer_.id());
  setAttribute(0, 2, kGlyphStride, 0);
  setAttribute(1, 2, kGlyphStride, 2 * sizeof(float));
  setAttribute(2, 4, kGlyphStride, 4 * sizeof(float));
  glBindVertexArray(0);
  glBindTexture(GL_TEXTURE_2D, texture_.id());
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
}

void TextPainter::addText(const std::string& text, const Color& c, float x, float y, float scale) {
  for (char32_t character : decodeUtf8(text)) {
    const Glyph& glyph = atlas_.of(character);
    const float left = x + scale * glyph.offsetX, top = y + scale * glyph.offsetY;
    constexpr float kSide = GlyphAtlas::kSide;
    for (int corner : {0, 1, 2, 2, 1, 3}) {
      const float across = static_cast<float>((corner & 1) * glyph.width);
      const float down = static_cast<float>((corner >> 1) * glyph.height);
      upload_.insert(upload_.end(), {left + scale * across, top + scale * down,
                                     (static_cast<float>(glyph.x) + across) / kSide,
                                     (static_cast<float>(glyph.y) + down) / kSide, c.red, c.green,
                                     c.blue, c.alpha});
    }
    x += scale * glyph.advance;
  }
}

void TextPainter::draw(const std::vector<Label>& labels, const Eigen::Matrix4f& viewProjection,
                       int width, int height) {
  const float scale = textHeight(height) / GlyphAtlas::kFontSize;
  upload_.clear();
  for (const Label& label : labels) {
    const Eigen::Vector4f clip = viewProjection * label.at.homogeneous();
    if (clip.w() <= 0 || label.text.empty()) continue;
    // To the right of the place, its middle as high. Whole pixels keep text crisp and still.
    const float x = (0.5F + 0.5F * clip.x() / clip.w()) * static_cast<float>(width);
    const float y = (0.5F - 0.5F * clip.y() / clip.w()) * static_cast<float>(height);
    if (!(std::abs(x) < 1e5F && std::abs(y) < 1e5F)) continue;
    addText(label.text, label.color, std::round(x + 0.4F * textHeight(height)),
            std::round(y + 0.3F * textHeight(height)), scale);
  }
  drawUpload(scale, width, height);
}

void TextPainter::draw(const std::vector<PlacedText>& texts, int width, int height) {
  const float scale = textHeight(height) / GlyphAtlas::kFontSize;
  upload_.clear();
  for (const PlacedText& one : texts) addText(one.text, one.color, one.x, one.y, scale);
  drawUpload(scale, width, height);
}

float TextPainter::width(const std::string& text, float height) const {
  float width = 0;
  for (const char32_t character : decodeUtf8(text)) width += atlas_.of(character).advance;
  return width * height / GlyphAtlas::kFontSize;
}

void TextPainter::drawUpload(float scale, int width, int height) {
  if (upload_.empty()) return;
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, texture_.id());
  if (atlas_.takeChanged()) {
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R8, GlyphAtlas::kSide, GlyphAtlas::kSide, 0, GL_RED,
                 GL_UNSIGNED_BYTE, atlas_.pixels().data());
  }
  program_.use();
  program_.set("size", Eigen::Vector2f(static_cast<float>(width), static_cast<float>(height)));
  program_.set("atlas", 0);
  program_.set("sharpness", 2 * GlyphAtlas::kReach * scale);
  glBindVertexArray(array_.id());
  glBindBuffer(GL_ARRAY_BUFFER, buffer_.id());
  glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(upload_.size() * sizeof(float)),
               upload_.data(), GL_STREAM_DRAW);
  glDrawArrays(GL_TRIANGLES, 0, static_cast<GLsizei>(upload_.size() / kGlyphFloats));
}

}  // namespace drystone::viewer
