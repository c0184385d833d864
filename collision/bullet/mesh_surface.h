#pragma once

#include <btBulletCollisionCommon.h>

#include <memory>

#include "collision/narrow/triangle_surface.h"

namespace drystone::bullet {

/// Triangle mesh over Bullet's bounding volume hierarchy (not quantised).
class MeshSurface final : public narrow::TriangleSurface {
 public:
  explicit MeshSurface(std::shared_ptr<const MeshData> data);

  int triangleCount() const override { return static_cast<int>(data_->triangles.size()); }
  std::array<Vec3, 3> corners(int triangle) const override;
  std::optional<Vec3> normalBeyond(int triangle, int edge) const override;
  void trianglesIn(const Bounds& box, std::vector<int>& out) const override;
  void trianglesOn(const Vec3& from, const Vec3& to, std::vector<int>& out) const override;
  Bounds bounds() const override;

 private:
  /// Triangle beyond an edge, and whether it runs along the edge the same way (then it is wound the
  /// other way round).
  struct Neighbor {
    int triangle = -1;
    bool isReversed = false;
  };

  void findNeighbors();

  std::shared_ptr<const MeshData> data_;
  btTriangleIndexVertexArray arrays_;
  btOptimizedBvh tree_;
  std::vector<std::array<Neighbor, 3>> neighbors_;
};

}  // namespace drystone::bullet
