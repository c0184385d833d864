#include "collision/analytic/placed_parts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

namespace drystone::certify {
namespace {

using Corners = std::array<Vec3, 3>;

/// Keeps the parts nearest to a point.
class Nearest {
 public:
  Nearest(const Vec3& point, std::vector<PlacedPart>& out) : point_(point), out_(out) {}

  void add(const PlacedConvex& convex, bool isTriangle, bool isOfField) {
    const Real distance = std::abs(surfaceDistance(convex, point_));
    if (distance > most()) return;
    nearest_ = std::min(nearest_, distance);
    out_.push_back({convex, isTriangle, isOfField, distance});
  }

  /// Leaves a triangle out by its bounding box (`local` point) without making a shape of it.
  void addTriangle(const Corners& corners, const Pose& pose, const Vec3& local, bool isOfField) {
    const Vec3 low = corners[0].cwiseMin(corners[1]).cwiseMin(corners[2]);
    const Vec3 high = corners[0].cwiseMax(corners[1]).cwiseMax(corners[2]);
    if ((low - local).cwiseMax(local - high).maxCoeff() > most()) return;
    if ((corners[1] - corners[0]).cross(corners[2] - corners[0]).squaredNorm() == 0) return;
    auto data = std::make_shared<MeshData>();
    data->vertices.assign(corners.begin(), corners.end());
    data->triangles = {{0, 1, 2}};
    add({TriangleMesh{std::move(data)}, pose}, true, isOfField);
  }

  /// Drops what proved to be farther than the nearest.
  void finish() {
    std::erase_if(out_, [&](const PlacedPart& part) { return part.distance > most(); });
  }

 private:
  Real most() const { return nearest_ + std::max(kAsNear, nearest_ / 8); }

  Vec3 point_;
  std::vector<PlacedPart>& out_;
  Real nearest_ = 1e300;
};

void addMesh(const MeshData& mesh, const Pose& pose, const Vec3& local, Nearest& nearest) {
  for (const std::array<int, 3>& index : mesh.triangles) {
    Corners corners;
    for (std::size_t k = 0; k < 3; ++k) {
      corners[k] = mesh.vertices[static_cast<std::size_t>(index[k])];
    }
    nearest.addTriangle(corners, pose, local, false);
  }
}

Vec3 sampleOf(const HeightfieldData& field, int column, int row) {
  const auto at = static_cast<std::size_t>(row) * static_cast<std::size_t>(field.columns) +
                  static_cast<std::size_t>(column);
  return {(column - 0.5 * (field.columns - 1)) * field.spacingX,
          (row - 0.5 * (field.rows - 1)) * field.spacingY, field.heights[at]};
}

/// Each cell has two triangles, split from its corner of lower x and y to the opposite one.
void addField(const HeightfieldData& field, const Pose& pose, const Vec3& local, Nearest& nearest) {
  for (int row = 0; row + 1 < field.rows; ++row) {
    for (int column = 0; column + 1 < field.columns; ++column) {
      const Vec3 low = sampleOf(field, column, row), high = sampleOf(field, column + 1, row + 1);
      nearest.addTriangle({low, sampleOf(field, column + 1, row), high}, pose, local, true);
      nearest.addTriangle({low, high, sampleOf(field, column, row + 1)}, pose, local, true);
    }
  }
}

void addParts(const Shape& shape, const Pose& pose, const Vec3& point, Nearest& nearest) {
  const Vec3 local = pose.rotation.conjugate() * Vec3(point - pose.position);
  if (const auto* mesh = std::get_if<TriangleMesh>(&shape)) {
    addMesh(*mesh->data, pose, local, nearest);
  } else if (const auto* field = std::get_if<Heightfield>(&shape)) {
    addField(*field->data, pose, local, nearest);
  } else if (const auto* compound = std::get_if<Compound>(&shape)) {
    for (const CompoundChild& child : compound->children) {
      addParts(child.shape, pose * child.pose, point, nearest);
    }
  } else {
    nearest.add({shape, pose}, false, false);
  }
}

}  // namespace

void findNearParts(const Shape& shape, const Pose& pose, const Vec3& point,
                   std::vector<PlacedPart>& out) {
  out.clear();
  Nearest nearest(point, out);
  addParts(shape, pose, point, nearest);
  nearest.finish();
}

}  // namespace drystone::certify
