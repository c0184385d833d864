#pragma once

#include <vector>

#include "viewer/draw/draw_list.h"
#include "viewer/render/gl_objects.h"
#include "viewer/render/line_painter.h"
#include "viewer/render/text_painter.h"

namespace drystone::viewer {

/// Draws what explains a picture over it: legends in the lower right corner, from its foot up, and
/// the axes of the world in the lower left one. What has no room is left out.
class LegendPainter {
 public:
  LegendPainter();
  /// `view`: world to eye. Blending must be on and the depth test off.
  void draw(const DrawList& list, const Eigen::Matrix4f& view, int width, int height,
            TextPainter& text, LinePainter& lines);

 private:
  struct Box {
    float left = 0, top = 0, width = 0, height = 0;  ///< [pixels] from the upper left
  };
  void addRectangle(const Box& box, const Color& left, const Color& right);
  /// Returns its plate; one without a height where it has no room.
  Box addLegend(const Legend& legend, float right, float bottom, float unit,
                const TextPainter& text);
  void addBar(const Legend& legend, const Box& bar, float unit, const TextPainter& text);
  /// In the lower left corner of the room.
  void addAxes(const DrawList& list, const Eigen::Matrix4f& view, const Box& room, float unit,
               const TextPainter& text);

  GlProgram program_;
  GlVertexArray array_;
  GlBuffer buffer_;
  std::vector<float> upload_;
  std::vector<PlacedText> texts_;
  std::vector<Line> lines_;
};

}  // namespace drystone::viewer
