#pragma once

#include <vector>

#include "viewer/draw/draw_list.h"
#include "viewer/render/gl_objects.h"
#include "viewer/render/glyph_atlas.h"

namespace drystone::viewer {

/// Height of text in a picture of that height [pixels].
float textHeight(int height);

/// Text at a place of the picture.
struct PlacedText {
  float x = 0, y = 0;  ///< of the left end of its base line, from the upper left [pixels]
  std::string text;
  Color color;
};

/// Writes labels beside their places.
class TextPainter {
 public:
  TextPainter();
  // Blending must be on and the depth test off.
  void draw(const std::vector<Label>& labels, const Eigen::Matrix4f& viewProjection, int width,
            int height);
  void draw(const std::vector<PlacedText>& texts, int width, int height);
  /// Of text of that height [pixels].
  float width(const std::string& text, float height) const;

 private:
  void drawUpload(float scale, int width, int height);
  void addText(const std::string& text, const Color& c, float x, float y, float scale);

  GlProgram program_;
  GlVertexArray array_;
  GlBuffer buffer_;
  GlTexture texture_;
  mutable GlyphAtlas atlas_;  // makes characters as they are asked for
  std::vector<float> upload_;
};

}  // namespace drystone::viewer
