#include "viewer/render/shadow_bounds.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "viewer/render/instance_ball.h"

namespace drystone::viewer {
namespace {

// The longest side that the box may have: in lengths of the scene, so that all of it has shadows
// from near by as well; or in distances of the target. At three of these a texel of 1024 is some
// three pixels of a picture, about what the blur hides.
constexpr float kScenes = 4;
constexpr float kDistances = 3;

std::vector<Ball> casters(const DrawList& list, GpuMeshCache& meshes) {
  std::vector<Ball> balls;
  for (const Batch& batch : list.batches) {
    if (!batch.mesh || batch.mesh->indices.empty() || !batch.castsShadow || batch.overlay) continue;
    const GpuMeshLevels& mesh = meshes.of(batch.mesh);
    for (const Instance& copy : batch.instances) {
      if (copy.color[3] < 1) continue;  // glass
      const Ball ball = ballOf(copy, mesh);
      if (ball.center.allFinite() && std::isfinite(ball.radius)) balls.push_back(ball);
    }
  }
  return balls;
}

Eigen::AlignedBox3f grownBy(const Ball& ball, Eigen::AlignedBox3f box) {
  const Vec3f reach = Vec3f::Constant(ball.radius);
  box.extend(Vec3f(ball.center - reach));
  box.extend(Vec3f(ball.center + reach));
  return box;
}

}  // namespace

Eigen::AlignedBox3f shadowBounds(const DrawList& list, GpuMeshCache& meshes, const Camera& camera) {
  std::vector<Ball> balls = casters(list, meshes);
  Eigen::AlignedBox3f all;
  for (const Ball& ball : balls) all = grownBy(ball, all);
  const float most = std::max(kScenes * (list.boundsUpper - list.boundsLower).maxCoeff(),
                              kDistances * static_cast<float>(camera.distance()));
  if (all.isEmpty() || all.sizes().maxCoeff() <= most) return all;

  const Vec3f target = camera.target.cast<float>();
  std::ranges::stable_sort(balls, {},
                           [&](const Ball& ball) { return (ball.center - target).squaredNorm(); });
  Eigen::AlignedBox3f near = grownBy(balls.front(), {});
  for (const Ball& ball : balls) {
    const Eigen::AlignedBox3f grown = grownBy(ball, near);
    if (grown.sizes().maxCoeff() <= most) near = grown;
  }
  return near;
}

}  // namespace drystone::viewer
