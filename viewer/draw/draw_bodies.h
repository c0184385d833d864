#pragma once

#include <vector>

#include "viewer/draw/draw_options.h"
#include "viewer/draw/list_writer.h"
#include "viewer/draw/mesh_cache.h"
#include "viewer/draw/view_frame.h"

namespace drystone::viewer {

/// The color of a body by its place and kind: BodyColoring::kBody.
Color plainColor(const ViewBody& body);

/// Draws the bodies' shapes: sorts them into batches once a scene, fills these in once a frame.
class BodyDrawer {
 public:
  void setScene(const SceneView& scene, MeshCache& meshes);
  /// Batches that are seen through come in a second call, after all that is opaque.
  void drawOpaque(const ViewFrame& frame, const DrawOptions& options, ListWriter& out) {
    draw(false, frame, options, out);
  }
  void drawTransparent(const ViewFrame& frame, const DrawOptions& options, ListWriter& out) {
    draw(true, frame, options, out);
  }

 private:
  enum class Style { kCaster, kNoShadow, kSensor, kSlope, kSteepPlane, kWall };
  struct Form {
    std::shared_ptr<const TriangleMeshf> mesh;
    Style style = Style::kCaster;
  };
  struct Part {
    std::size_t form = 0;
    Eigen::Matrix3f linear;  ///< mesh to body
    Vec3 offset;
  };

  void addParts(const ViewBody& body, const Shape& shape, const Pose& pose, MeshDetail detail,
                MeshCache& meshes);
  static bool isTransparent(Style style, const DrawOptions& options);
  void draw(bool transparent, const ViewFrame& frame, const DrawOptions& options, ListWriter& out);
  void findIslandColors(const ViewFrame& frame);
  Color colorOf(const BodySnapshot& body, const ViewBody& known, const DrawOptions& options) const;

  std::vector<Form> forms_;
  std::vector<Part> parts_;                   ///< body by body
  std::vector<std::size_t> firstPart_ = {0};  ///< [bodies + 1]
  std::vector<std::size_t> batch_;            ///< [forms] in the list that is being drawn
  std::vector<int> islandColor_;              ///< [islands]
};

}  // namespace drystone::viewer
