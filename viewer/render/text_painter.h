#pragma once

#include <vector>

#include "viewer/render/gl_objects.h"
#include "viewer/render/glyph_atlas.h"
#include "viewer/scene/draw_list.h"

namespace drystone::viewer {

/// Writes labels beside their places.
class TextPainter {
 public:
  TextPainter();
  /// Blending must be on and the depth test off.
  void draw(const std::vector<Label>& labels, const Eigen::Matrix4f& viewProjection, int width,
            int height);

 private:
  void addText(const Label& label, float x, float y, float scale);

  GlProgram program_;
  GlVertexArray array_;
  GlBuffer buffer_;
  GlTexture texture_;
  GlyphAtlas atlas_;
  std::vector<float> upload_;
};

}  // namespace drystone::viewer
