#include "viewer/render/mesh_simplify.h"

#include <array>
#include <cmath>
#include <map>

namespace drystone::viewer {

TriangleMeshf clusterVertices(const TriangleMeshf& mesh, int cells) {
  TriangleMeshf out;
  out.twoSided = mesh.twoSided;
  if (mesh.positions.empty()) return out;
  Vec3f lower = mesh.positions.front(), upper = lower;
  for (const Vec3f& p : mesh.positions) {
    lower = lower.cwiseMin(p);
    upper = upper.cwiseMax(p);
  }
  const Vec3f middle = 0.5F * (lower + upper);
  const float cell = std::max((upper - lower).maxCoeff(), 1e-30F) / static_cast<float>(cells);

  std::map<std::array<int, 3>, std::uint32_t> clusters;  // ordered: the same mesh every time
  std::vector<std::uint32_t> clusterOf(mesh.positions.size());
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    std::array<int, 3> key{};
    for (int axis = 0; axis < 3; ++axis) {
      const float at = (mesh.positions[i][axis] - middle[axis]) / cell;
      key[static_cast<std::size_t>(axis)] = static_cast<int>(std::lround(at));
    }
    const auto [found, added] =
        clusters.try_emplace(key, static_cast<std::uint32_t>(out.positions.size()));
    clusterOf[i] = found->second;
    if (added) {
      out.positions.push_back(mesh.positions[i]);
      out.normals.emplace_back(Vec3f::Zero());
    }
    // The farthest from the middle stands for all: the outline keeps its size.
    Vec3f& kept = out.positions[found->second];
    if ((mesh.positions[i] - middle).squaredNorm() > (kept - middle).squaredNorm()) {
      kept = mesh.positions[i];
    }
    out.normals[found->second] += mesh.normals[i];
  }
  for (std::size_t i = 0; i < out.normals.size(); ++i) {
    const float length = out.normals[i].norm();
    out.normals[i] = length > 1e-6F ? Vec3f(out.normals[i] / length) : Vec3f::UnitZ();
  }
  for (std::size_t i = 0; i + 2 < mesh.indices.size(); i += 3) {
    const std::uint32_t a = clusterOf[mesh.indices[i]], b = clusterOf[mesh.indices[i + 1]],
                        c = clusterOf[mesh.indices[i + 2]];
    if (a == b || b == c || c == a) continue;
    out.indices.insert(out.indices.end(), {a, b, c});
  }
  return out;
}

}  // namespace drystone::viewer
