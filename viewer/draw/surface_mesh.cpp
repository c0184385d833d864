#include "viewer/draw/meshes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace drystone::viewer {
namespace {

const Real kCosCrease = std::cos(M_PI / 6);

Vec3 edgeNormal(const MeshData& data, const std::array<int, 3>& t) {
  const Vec3& a = data.vertices[t[0]];
  return (data.vertices[t[1]] - a).cross(data.vertices[t[2]] - a);
}

/// Vertices at exactly the same place count as one: files often repeat them.
std::vector<int> weld(const std::vector<Vec3>& vertices) {
  std::map<std::array<Real, 3>, int> places;
  std::vector<int> welded;
  for (const Vec3& p : vertices) {
    welded.push_back(
        places.try_emplace({p.x(), p.y(), p.z()}, static_cast<int>(places.size())).first->second);
  }
  return welded;
}

/// What one triangle adds to the normal at one of its corners.
struct Corner {
  Vec3 normal;  ///< unit, of the triangle
  Real angle = 0;
};

}  // namespace

TriangleMeshf surfaceMesh(const MeshData& data) {
  const std::vector<int> place = weld(data.vertices);
  std::vector<std::vector<Corner>> corners(data.vertices.size());  // by place
  for (const std::array<int, 3>& t : data.triangles) {
    const Vec3 normal = edgeNormal(data, t).normalized();
    for (int k = 0; k < 3; ++k) {
      const Vec3& at = data.vertices[t[k]];
      const Vec3 u = data.vertices[t[(k + 1) % 3]] - at, v = data.vertices[t[(k + 2) % 3]] - at;
      corners[place[t[k]]].push_back({normal, std::atan2(u.cross(v).norm(), u.dot(v))});
    }
  }
  TriangleMeshf mesh;
  mesh.twoSided = true;
  std::vector<std::vector<std::uint32_t>> made(data.vertices.size());  // by place
  for (const std::array<int, 3>& t : data.triangles) {
    const Vec3 own = edgeNormal(data, t).normalized();
    if (!own.allFinite() || own.isZero()) continue;  // no area: nothing to see
    for (const int vertex : t) {
      Vec3 sum = Vec3::Zero();
      for (const Corner& corner : corners[place[vertex]]) {
        if (corner.normal.dot(own) >= kCosCrease) sum += corner.angle * corner.normal;
      }
      const Vec3f normal = sum.normalized().cast<float>();
      std::vector<std::uint32_t>& known = made[place[vertex]];
      const auto same = std::ranges::find_if(
          known, [&](std::uint32_t i) { return (mesh.normals[i] - normal).squaredNorm() < 1e-8f; });
      if (same != known.end()) {
        mesh.indices.push_back(*same);
        continue;
      }
      known.push_back(static_cast<std::uint32_t>(mesh.positions.size()));
      mesh.indices.push_back(known.back());
      mesh.positions.push_back(data.vertices[vertex].cast<float>());
      mesh.normals.push_back(normal);
    }
  }
  return mesh;
}

TriangleMeshf heightfieldMesh(const HeightfieldData& data) {
  MeshData surface;
  for (int row = 0; row < data.rows; ++row) {
    for (int column = 0; column < data.columns; ++column) {
      surface.vertices.emplace_back((column - 0.5 * (data.columns - 1)) * data.spacingX,
                                    (row - 0.5 * (data.rows - 1)) * data.spacingY,
                                    data.heights[surface.vertices.size()]);
    }
  }
  for (int row = 0; row + 1 < data.rows; ++row) {
    for (int column = 0; column + 1 < data.columns; ++column) {
      const int low = row * data.columns + column, high = low + data.columns + 1;
      surface.triangles.push_back({low, low + 1, high});
      surface.triangles.push_back({low, high, high - 1});
    }
  }
  return surfaceMesh(surface);
}

}  // namespace drystone::viewer
