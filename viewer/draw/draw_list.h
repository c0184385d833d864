#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/types.h"

namespace drystone::viewer {

using Vec3f = Eigen::Vector3f;

/// A colour as seen on the screen (sRGB), components 0 to 1; alpha 1 is opaque.
struct Color {
  float red = 0, green = 0, blue = 0, alpha = 1;
  bool operator==(const Color&) const = default;
};

/// A triangle surface with a normal at each vertex, counter-clockwise seen from outside.
struct TriangleMeshf {
  std::vector<Vec3f> positions;        ///< [m] in the frame of the mesh
  std::vector<Vec3f> normals;          ///< [positions] unit
  std::vector<std::uint32_t> indices;  ///< three a triangle
  bool twoSided = false;               ///< surfaces without an inside: lit from both sides
};

/// One copy of a mesh: where it is and what color it has. As the renderer uploads it.
struct Instance {
  float transform[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};  ///< 3x4, row-major: mesh to world
  float color[4] = {1, 1, 1, 1};
};
static_assert(sizeof(Instance) == 64);

/// Copies of one mesh, drawn by one call. The mesh is shared: renderers keep what they uploaded by
/// its address as long as they hold it.
struct Batch {
  std::shared_ptr<const TriangleMeshf> mesh;
  std::vector<Instance> instances;  ///< may be none
  bool castsShadow = true;
  bool overlay = false;   ///< drawn over the bodies, without depth test and shading by light
  float leastPixels = 0;  ///< radius that copies have at least in the picture [pixels]
};

struct Line {
  Vec3f from, to;  ///< [m]
  Color color;
  bool overlay = false;  ///< seen through the bodies
};

/// Text at a place of the world.
struct Label {
  Vec3f at;
  std::string text;
  Color color;
};

/// Squares on the plane z = height around the middle of the scene, with a line of another color
/// every tenth.
struct GroundGrid {
  bool visible = false;
  float height = 0;   ///< [m]
  float spacing = 1;  ///< of its lines, a power of ten times 1, 2 or 5 [m]
  float radius = 10;  ///< where it has faded out [m]
  Vec3f center = Vec3f::Zero();
};

/// What colors or lengths of the picture mean.
struct Legend {
  struct Mark {
    float at = 0;  ///< 0 at the left end of the bar, 1 at its right one
    std::string text;
  };
  struct Entry {
    Color color;
    std::string text;
  };
  std::string title;
  std::vector<Color> bar;      ///< evenly from left to right; empty: there is none
  std::vector<Mark> marks;     ///< on the bar
  std::vector<Entry> entries;  ///< from the top
};

/// All that a renderer is told: what there is to see, and nothing of what it means.
struct DrawList {
  /// Another one whenever the batches change; 0: not known. No two lists of a process share one.
  std::uint64_t version = 0;
  /// Place of the world that all places of the list are counted from [m].
  Vec3 origin = Vec3::Zero();
  /// In drawing order: opaque ones, those with alpha < 1, overlays. A batch has one of the three.
  std::vector<Batch> batches;
  std::vector<Line> lines;
  std::vector<Label> labels;
  GroundGrid ground;
  Vec3f boundsLower = Vec3f::Zero(), boundsUpper = Vec3f::Zero();  ///< of what moves, as it began
  bool wireframe = false;
  bool shadows = true;
  bool axes = false;            ///< those of the world, in the corner of the picture
  std::string axesNote;         ///< below them
  std::vector<Legend> legends;  ///< from the foot of the picture up
};

}  // namespace drystone::viewer
