#include "collision/bullet/mesh_surface.h"

#include <algorithm>

namespace drystone::bullet {
namespace {

btVector3 toBullet(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

struct Collector final : btNodeOverlapCallback {
  explicit Collector(std::vector<int>& list) : out(&list) {}
  void processNode(int, int triangle) override { out->push_back(triangle); }
  std::vector<int>* out;
};

}  // namespace

MeshSurface::MeshSurface(std::shared_ptr<const MeshData> data) : data_(std::move(data)) {
  btIndexedMesh mesh;
  mesh.m_numTriangles = triangleCount();
  mesh.m_triangleIndexBase = reinterpret_cast<const unsigned char*>(data_->triangles.data());
  mesh.m_triangleIndexStride = sizeof(std::array<int, 3>);
  mesh.m_numVertices = static_cast<int>(data_->vertices.size());
  mesh.m_vertexBase = reinterpret_cast<const unsigned char*>(data_->vertices.data());
  mesh.m_vertexStride = sizeof(Vec3);
  arrays_.addIndexedMesh(mesh);
  const Bounds box = bounds();
  tree_.build(&arrays_, false, toBullet(box.lower), toBullet(box.upper));
  findNeighbors();
}

std::array<Vec3, 3> MeshSurface::corners(int triangle) const {
  const std::array<int, 3>& t = data_->triangles[static_cast<std::size_t>(triangle)];
  const auto vertex = [&](std::size_t k) -> const Vec3& {
    return data_->vertices[static_cast<std::size_t>(t[k])];
  };
  return {vertex(0), vertex(1), vertex(2)};
}

void MeshSurface::findNeighbors() {
  struct HalfEdge {
    int low, high, triangle, edge;
    bool ascends;
  };
  std::vector<HalfEdge> edges;
  for (int t = 0; t < triangleCount(); ++t) {
    const std::array<int, 3>& triangle = data_->triangles[static_cast<std::size_t>(t)];
    for (int k = 0; k < 3; ++k) {
      const int from = triangle[static_cast<std::size_t>(k)];
      const int to = triangle[static_cast<std::size_t>((k + 1) % 3)];
      edges.push_back({std::min(from, to), std::max(from, to), t, k, from < to});
    }
  }
  std::sort(edges.begin(), edges.end(), [](const HalfEdge& p, const HalfEdge& q) {
    return std::tie(p.low, p.high, p.triangle, p.edge) <
           std::tie(q.low, q.high, q.triangle, q.edge);
  });
  neighbors_.resize(data_->triangles.size());
  for (std::size_t i = 0; i < edges.size();) {
    std::size_t end = i + 1;
    while (end < edges.size() && edges[end].low == edges[i].low &&
           edges[end].high == edges[i].high) {
      ++end;
    }
    if (end == i + 2) {
      const HalfEdge &p = edges[i], &q = edges[i + 1];
      const bool isReversed = p.ascends == q.ascends;
      neighbors_[static_cast<std::size_t>(p.triangle)][static_cast<std::size_t>(p.edge)] = {
          q.triangle, isReversed};
      neighbors_[static_cast<std::size_t>(q.triangle)][static_cast<std::size_t>(q.edge)] = {
          p.triangle, isReversed};
    }
    i = end;
  }
}

std::optional<Vec3> MeshSurface::normalBeyond(int triangle, int edge) const {
  const Neighbor& neighbor =
      neighbors_[static_cast<std::size_t>(triangle)][static_cast<std::size_t>(edge)];
  if (neighbor.triangle < 0) return std::nullopt;
  const Vec3 normal = narrow::triangleNormal(corners(neighbor.triangle));
  return neighbor.isReversed ? Vec3(-normal) : normal;
}

void MeshSurface::trianglesIn(const Bounds& box, std::vector<int>& out) const {
  out.clear();
  Collector collector(out);
  tree_.reportAabbOverlappingNodex(&collector, toBullet(box.lower), toBullet(box.upper));
  std::sort(out.begin(), out.end());
}

void MeshSurface::trianglesOn(const Vec3& from, const Vec3& to, std::vector<int>& out) const {
  out.clear();
  Collector collector(out);
  tree_.reportRayOverlappingNodex(&collector, toBullet(from), toBullet(to));
  std::sort(out.begin(), out.end());
}

Bounds MeshSurface::bounds() const {
  Bounds box{data_->vertices[0], data_->vertices[0]};
  for (const Vec3& vertex : data_->vertices) box.merge({vertex, vertex});
  return box;
}

}  // namespace drystone::bullet
