#include "viewer/render/gpu_mesh.h"

#include <algorithm>
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

namespace {

// A ball of 320 triangles that is 12 pixels large has one every pixel; far fewer look the same.
constexpr std::size_t kLeastSimplified = 60;    // [triangles] boxes and the like stay as they are
constexpr std::size_t kMostSimplified = 20000;  // [triangles] grounds, which are never small
constexpr int kCells[kMeshLevels] = {0, 7, 4, 2};
constexpr float kPixelRadius[kMeshLevels] = {0, 24, 9, 3};  // below it the level is fine enough

}  // namespace

GpuMesh::GpuMesh(const TriangleMeshf& mesh)
    : indexCount(static_cast<GLsizei>(mesh.indices.size())) {
  std::vector<Vec3f> interleaved;
  interleaved.reserve(2 * mesh.positions.size());
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    interleaved.push_back(mesh.positions[i]);
    interleaved.push_back(mesh.normals[i]);
  }
  glBindVertexArray(array.id());
  glBindBuffer(GL_ARRAY_BUFFER, vertices.id());
  glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(interleaved.size() * sizeof(Vec3f)),
               interleaved.data(), GL_STATIC_DRAW);
  setAttribute(0, 3, 2 * sizeof(Vec3f), 0);
  setAttribute(1, 3, 2 * sizeof(Vec3f), sizeof(Vec3f));
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, indices.id());
  glBufferData(GL_ELEMENT_ARRAY_BUFFER,
               static_cast<GLsizeiptr>(mesh.indices.size() * sizeof(std::uint32_t)),
               mesh.indices.data(), GL_STATIC_DRAW);
  glBindVertexArray(0);
}

GpuMeshLevels::GpuMeshLevels(const TriangleMeshf& mesh) : twoSided(mesh.twoSided) {
  levels[0].emplace(mesh);
  if (mesh.positions.empty()) return;
  Vec3f lower = mesh.positions.front(), upper = lower;
  for (const Vec3f& p : mesh.positions) {
    lower = lower.cwiseMin(p);
    upper = upper.cwiseMax(p);
  }
  center = 0.5F * (lower + upper);
  for (const Vec3f& p : mesh.positions) radius = std::max(radius, (p - center).norm());
  const std::size_t triangles = mesh.indices.size() / 3;
  if (triangles < kLeastSimplified || triangles > kMostSimplified) return;
  std::size_t before = mesh.indices.size();
  for (std::size_t level = 1; level < kMeshLevels; ++level) {
    const TriangleMeshf coarse = clusterVertices(mesh, kCells[level]);
    if (coarse.indices.empty() || 2 * coarse.indices.size() > before) continue;
    before = coarse.indices.size();
    levels[level].emplace(coarse);
  }
}

int GpuMeshLevels::levelFor(float pixelRadius) const {
  int best = 0;
  for (int level = 1; level < kMeshLevels; ++level) {
    const auto i = static_cast<std::size_t>(level);
    if (levels[i] && pixelRadius < kPixelRadius[i]) best = level;
  }
  return best;
}

GpuMeshLevels& GpuMeshCache::of(const std::shared_ptr<const TriangleMeshf>& mesh) {
  Entry& entry = entries_[mesh.get()];
  // Another mesh may have come to lie where one that is gone was.
  if (!entry.uploaded || entry.mesh.lock() != mesh) {
    entry.mesh = mesh;
    entry.uploaded = std::make_unique<GpuMeshLevels>(*mesh);
  }
  return *entry.uploaded;
}

void GpuMeshCache::sweep() {
  std::erase_if(entries_, [](const auto& one) { return one.second.mesh.expired(); });
}

}  // namespace drystone::viewer
