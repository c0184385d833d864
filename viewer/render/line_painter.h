#pragma once

#include <vector>

#include "viewer/draw/draw_list.h"
#include "viewer/render/gl_objects.h"

namespace drystone::viewer {

/// Draws lines of a width in pixels with smooth edges.
class LinePainter {
 public:
  LinePainter();
  /// Those that are overlay, or those that are not. Blending must be on.
  void draw(const std::vector<Line>& lines, bool overlay, const Eigen::Matrix4f& viewProjection,
            int width, int height);

 private:
  GlProgram program_;
  GlVertexArray array_;
  GlBuffer buffer_;
  std::vector<float> upload_;
};

/// Width of lines in a picture of that height [pixels].
float lineWidth(int height);

}  // namespace drystone::viewer
