#pragma once

#include <string>
#include <vector>

#include "viewer/draw/draw_list.h"
#include "viewer/render/gl_objects.h"
#include "viewer/render/glyph_atlas.h"

namespace drystone::viewer {

// Painters of all that is no mesh.

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
  /// The width of text of that height [pixels].
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
