#include <fmt/format.h>

#include "collision/shape/shape_operations.h"

namespace drystone {
namespace {
namespace mesh {

void check(const Shape& shape, std::vector<std::string>& problems) {
  const auto& mesh = std::get<TriangleMesh>(shape);
  if (!mesh.data || mesh.data->triangles.empty()) {
    problems.emplace_back("mesh: has no triangles; give at least one");
    return;
  }
  const int count = static_cast<int>(mesh.data->vertices.size());
  const auto isValid = [&](int vertex) { return vertex >= 0 && vertex < count; };
  requireBounded(mesh.data->vertices, "mesh: vertices", problems);
  for (std::size_t t = 0; t < mesh.data->triangles.size(); ++t) {
    const auto& [a, b, c] = mesh.data->triangles[t];
    if (!isValid(a) || !isValid(b) || !isValid(c)) {
      problems.push_back(
          fmt::format("mesh: triangles[{}] = ({}, {}, {}) must index one of {} vertices, from 0", t,
                      a, b, c, count));
    } else if (a == b || b == c || c == a) {
      problems.push_back(fmt::format(
          "mesh: triangles[{}] = ({}, {}, {}) uses a vertex twice; remove it", t, a, b, c));
    }
  }
}

void hashData(const Shape& shape, Hasher& hasher) {
  const MeshData& data = *std::get<TriangleMesh>(shape).data;
  hasher.array(data.vertices);
  hasher.array(data.triangles);
}

std::optional<Bounds> bounds(const Shape& shape) {
  return boundsOfPoints(std::get<TriangleMesh>(shape).data->vertices);
}

}  // namespace mesh
}  // namespace

const ShapeOperations TriangleMesh::operations = {
    .name = "mesh",
    .help = "triangle surface, of an OBJ file or of lists; static and kinematic bodies only",
    .check = mesh::check,
    .hashData = mesh::hashData,
    .bounds = mesh::bounds,
};

}  // namespace drystone
