#include "viewer/draw/meshes.h"

#include <cmath>
#include <map>

namespace drystone::viewer {
namespace {

using Index = std::uint32_t;

int segmentsOf(MeshDetail detail) { return 12 << static_cast<int>(detail); }

Vec3f onCircle(int i, int segments) {
  const double angle = 2 * M_PI * i / segments;
  return {static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle)), 0};
}

Index addVertex(const Vec3f& position, const Vec3f& normal, TriangleMeshf& mesh) {
  mesh.positions.push_back(position);
  mesh.normals.push_back(normal);
  return static_cast<Index>(mesh.positions.size() - 1);
}

void addTriangle(Index a, Index b, Index c, TriangleMeshf& mesh) {
  mesh.indices.insert(mesh.indices.end(), {a, b, c});
}

/// A disc of radius 1 across the axis z, facing up or down.
void addDisc(float z, bool up, int segments, TriangleMeshf& mesh) {
  const Vec3f normal(0, 0, up ? 1.f : -1.f);
  const Index first = static_cast<Index>(mesh.positions.size());
  for (int i = 0; i < segments; ++i) {
    addVertex(onCircle(i, segments) + Vec3f(0, 0, z), normal, mesh);
  }
  for (Index i = 1; i + 1 < static_cast<Index>(segments); ++i) {
    addTriangle(first, first + (up ? i : i + 1), first + (up ? i + 1 : i), mesh);
  }
}

/// Joins two rings of vertices that go counter-clockwise about +z, the second above the first.
void joinRings(Index below, Index above, int segments, TriangleMeshf& mesh) {
  const auto count = static_cast<Index>(segments);
  for (Index i = 0; i < count; ++i) {
    const Index next = (i + 1) % count;
    addTriangle(below + i, below + next, above + next, mesh);
    addTriangle(below + i, above + next, above + i, mesh);
  }
}

}  // namespace

TriangleMeshf unitSphere(MeshDetail detail) {
  TriangleMeshf mesh;
  const auto golden = static_cast<float>(0.5 * (1 + std::sqrt(5.0)));
  for (const float s : {-1.f, 1.f}) {
    for (const float t : {-golden, golden}) {
      for (const Vec3f& corner : {Vec3f(0, s, t), Vec3f(s, t, 0), Vec3f(t, 0, s)}) {
        addVertex(corner.normalized(), corner.normalized(), mesh);
      }
    }
  }
  // The twenty faces are the triples of neighbours, two of which are the closest that there are.
  const float edge = 2 / std::sqrt(1 + golden * golden);
  const auto meet = [&](Index a, Index b) {
    return (mesh.positions[a] - mesh.positions[b]).norm() < 1.01f * edge;
  };
  for (Index a = 0; a < 12; ++a) {
    for (Index b = a + 1; b < 12; ++b) {
      for (Index c = b + 1; c < 12; ++c) {
        if (!meet(a, b) || !meet(b, c) || !meet(c, a)) continue;
        const bool outwards = mesh.positions[a].dot(mesh.positions[b].cross(mesh.positions[c])) > 0;
        addTriangle(a, outwards ? b : c, outwards ? c : b, mesh);
      }
    }
  }
  const int levels = 1 + static_cast<int>(detail);
  for (int level = 0; level < levels; ++level) {
    std::map<std::pair<Index, Index>, Index> middles;
    const auto middle = [&](Index a, Index b) {
      const auto [at, isNew] = middles.try_emplace(std::minmax(a, b));
      if (isNew) {
        const Vec3f p = (mesh.positions[a] + mesh.positions[b]).normalized();
        at->second = addVertex(p, p, mesh);
      }
      return at->second;
    };
    std::vector<Index> old;
    old.swap(mesh.indices);
    for (std::size_t i = 0; i < old.size(); i += 3) {
      const Index a = old[i], b = old[i + 1], c = old[i + 2];
      const Index ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
      addTriangle(a, ab, ca, mesh);
      addTriangle(b, bc, ab, mesh);
      addTriangle(c, ca, bc, mesh);
      addTriangle(ab, bc, ca, mesh);
    }
  }
  return mesh;
}

TriangleMeshf unitBox() {
  TriangleMeshf mesh;
  for (int axis = 0; axis < 3; ++axis) {
    for (const float side : {-1.f, 1.f}) {
      const Vec3f normal = side * Vec3f::Unit(axis);
      const Vec3f u = Vec3f::Unit((axis + 1) % 3), v = side * Vec3f::Unit((axis + 2) % 3);
      const Index first = addVertex(normal - u - v, normal, mesh);
      addVertex(normal + u - v, normal, mesh);
      addVertex(normal + u + v, normal, mesh);
      addVertex(normal - u + v, normal, mesh);
      addTriangle(first, first + 1, first + 2, mesh);
      addTriangle(first, first + 2, first + 3, mesh);
    }
  }
  return mesh;
}

TriangleMeshf unitCylinder(MeshDetail detail) {
  TriangleMeshf mesh;
  const int segments = segmentsOf(detail);
  for (const float z : {-1.f, 1.f}) {
    for (int i = 0; i < segments; ++i) {
      const Vec3f out = onCircle(i, segments);
      addVertex(out + Vec3f(0, 0, z), out, mesh);
    }
  }
  joinRings(0, static_cast<Index>(segments), segments, mesh);
  addDisc(-1, false, segments, mesh);
  addDisc(1, true, segments, mesh);
  return mesh;
}

TriangleMeshf unitCone(MeshDetail detail) {
  TriangleMeshf mesh;
  const int segments = segmentsOf(detail);
  for (int i = 0; i < segments; ++i) {
    const Vec3f from = onCircle(i, segments), to = onCircle((i + 1) % segments, segments);
    const Vec3f down(0, 0, -0.5f), up(0, 0, 1);
    const Index first = addVertex(from + down, (from + up).normalized(), mesh);
    addVertex(to + down, (to + up).normalized(), mesh);
    addVertex({0, 0, 0.5f}, ((from + to).normalized() + up).normalized(), mesh);
    addTriangle(first, first + 1, first + 2, mesh);
  }
  addDisc(-0.5f, false, segments, mesh);
  return mesh;
}

TriangleMeshf unitCapsule(Real halfLength, MeshDetail detail) {
  TriangleMeshf mesh;
  const int segments = segmentsOf(detail), rings = segments / 4;
  const auto half = static_cast<float>(halfLength);
  const Index bottom = addVertex({0, 0, -1 - half}, {0, 0, -1}, mesh);
  std::vector<Index> first;
  for (int ring = 1 - rings; ring < rings; ++ring) {
    // The equator is there twice, at the two ends of the straight part.
    const double latitude = 0.5 * M_PI * ring / rings;
    for (const float side : {-1.f, 1.f}) {
      if (ring * side < 0) continue;
      first.push_back(static_cast<Index>(mesh.positions.size()));
      for (int i = 0; i < segments; ++i) {
        Vec3f out = static_cast<float>(std::cos(latitude)) * onCircle(i, segments);
        out.z() = static_cast<float>(std::sin(latitude));
        addVertex(out + Vec3f(0, 0, side * half), out, mesh);
      }
    }
  }
  const Index top = addVertex({0, 0, 1 + half}, {0, 0, 1}, mesh);
  for (std::size_t k = 0; k + 1 < first.size(); ++k) {
    joinRings(first[k], first[k + 1], segments, mesh);
  }
  const auto count = static_cast<Index>(segments);
  for (Index i = 0; i < count; ++i) {
    const Index next = (i + 1) % count;
    addTriangle(bottom, first.front() + next, first.front() + i, mesh);
    addTriangle(top, first.back() + i, first.back() + next, mesh);
  }
  return mesh;
}

}  // namespace drystone::viewer
