#pragma once

#include <memory>

#include "collision/narrow/triangle_surface.h"

namespace drystone::narrow {

/// Two triangles a cell, 2 (row · (columns - 1) + column) and the next; their diagonal runs from
/// the corner of low x and y to that of high x and y. Normals point up.
class HeightfieldSurface final : public TriangleSurface {
 public:
  explicit HeightfieldSurface(std::shared_ptr<const HeightfieldData> data);

  int triangleCount() const override { return 2 * cellsX_ * cellsY_; }
  std::array<Vec3, 3> corners(int triangle) const override;
  std::optional<Vec3> normalBeyond(int triangle, int edge) const override;
  void trianglesIn(const Bounds& box, std::vector<int>& out) const override;
  void trianglesOn(const Vec3& from, const Vec3& to, std::vector<int>& out) const override;
  Bounds bounds() const override;

 private:
  Vec3 sample(int column, int row) const;
  /// Cells that the interval covers along x (axis 0) or y (1); empty when last < first.
  void cellRange(int axis, Real low, Real high, int& first, int& last) const;
  void addCell(int column, int row, Real low, Real high, std::vector<int>& out) const;

  std::shared_ptr<const HeightfieldData> data_;
  int cellsX_, cellsY_;
};

}  // namespace drystone::narrow
