#pragma once

#include <array>
#include <memory>
#include <optional>
#include <unordered_map>

#include "viewer/draw/draw_list.h"
#include "viewer/render/gl_objects.h"

namespace drystone::viewer {

/// A coarser mesh of the same outline: the vertices of each cell of a grid, `cells` along the
/// longest side of the bounding box, become one. For copies that are a few pixels large.
TriangleMeshf clusterVertices(const TriangleMeshf& mesh, int cells);

/// A mesh in the memory of the device. Attributes 0 and 1 are position and normal; those from 2 on
/// are left to the instances.
struct GpuMesh {
  explicit GpuMesh(const TriangleMeshf& mesh);
  GlVertexArray array;
  GlBuffer vertices, indices;
  GLsizei indexCount = 0;
};

/// Finest first: what a copy is drawn with depends on its size in pixels.
constexpr int kMeshLevels = 4;

struct GpuMeshLevels {
  explicit GpuMeshLevels(const TriangleMeshf& mesh);
  /// The level for a copy of that radius [pixels].
  int levelFor(float pixelRadius) const;

  std::array<std::optional<GpuMesh>, kMeshLevels> levels;  ///< the first is always there
  Vec3f center = Vec3f::Zero();                            ///< of a ball around the mesh
  float radius = 0;
  bool twoSided = false;
};

/// Keeps what it uploaded as long as someone holds the mesh.
class GpuMeshCache {
 public:
  GpuMeshLevels& of(const std::shared_ptr<const TriangleMeshf>& mesh);
  /// Frees the meshes that are gone.
  void sweep();
  std::size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    std::weak_ptr<const TriangleMeshf> mesh;
    std::unique_ptr<GpuMeshLevels> uploaded;
  };
  std::unordered_map<const TriangleMeshf*, Entry> entries_;
};

}  // namespace drystone::viewer
