// What of a scene a picture should show, and from where.
#include "viewer/scene/scene_bounds.h"

#include <algorithm>
#include <cmath>

#include "viewer/scene/draw_scene.h"
#include "viewer/scene/shape_bounds.h"

namespace drystone::viewer {
namespace {

// Statics up to so many times as wide as what moves belong to the picture; larger ones are ground
// and walls around it.
constexpr Real kLargestShown = 3;

template <class Wanted>
std::optional<Bounds> boundsOf(const SceneView& scene, const WorldSnapshot& snapshot,
                               Wanted wanted) {
  std::optional<Bounds> all;
  for (const BodySnapshot& body : snapshot.bodies) {
    const ViewBody* known = scene.find(body.id);
    if (known == nullptr || !known->shape || !wanted(body.kind)) continue;
    const std::optional<Bounds> one = placedBounds(*known->shape, body.pose);
    if (!one || !one->lower.allFinite() || !one->upper.allFinite()) continue;
    all = all ? merged(*all, *one) : *one;
  }
  return all;
}

Real longest(const Bounds& bounds) { return (bounds.upper - bounds.lower).maxCoeff(); }

/// What moves, with the statics between and under it as far as they are not huge.
Bounds shown(const ViewFrame& frame) {
  Bounds all = sceneBounds(*frame.scene, frame.snapshot);
  const Bounds moving = all;
  const Real limit = kLargestShown * longest(moving);
  for (const BodySnapshot& body : frame.snapshot.bodies) {
    const ViewBody* known = frame.scene->find(body.id);
    if (body.kind != BodyKind::kStatic || known == nullptr || !known->shape) continue;
    const std::optional<Bounds> one = placedBounds(*known->shape, body.pose);
    if (!one || longest(*one) > limit) continue;
    // Those that stand apart do not belong to it.
    const Vec3 gap = (one->lower - moving.upper).cwiseMax(moving.lower - one->upper);
    if (gap.maxCoeff() < longest(moving)) all = merged(all, *one);
  }
  return all;
}

}  // namespace

Bounds sceneBounds(const SceneView& scene, const WorldSnapshot& snapshot) {
  std::optional<Bounds> bounds =
      boundsOf(scene, snapshot, [](BodyKind kind) { return kind != BodyKind::kStatic; });
  if (!bounds) bounds = boundsOf(scene, snapshot, [](BodyKind) { return true; });
  // A scene of planes, or of nothing: a metre around the origin.
  return bounds.value_or(Bounds{Vec3::Constant(-1), Vec3::Constant(1)});
}

void sceneBounds(const ViewFrame& frame, Vec3& lower, Vec3& upper) {
  const Bounds bounds = sceneBounds(*frame.scene, frame.snapshot);
  lower = bounds.lower;
  upper = bounds.upper;
}

Camera initialCamera(const ViewFrame& frame, Real aspect) {
  if (frame.scene->hasCamera) return cameraOf(frame.scene->camera);
  Bounds bounds = shown(frame);
  // A body's width around it: one alone is seen with what it lies on.
  const Real margin = 2 * frame.scene->layout.bodySize;
  bounds.lower -= Vec3(margin, margin, 0);
  bounds.upper += Vec3(margin, margin, 0);
  const Vec3 size = (bounds.upper - bounds.lower).cwiseMax(Vec3::Constant(1e-6));
  // Walls, chains and rows are seen from their broad side, 20° off it; what is as deep as it is
  // wide, over a corner. A picture along x is one from -y turned by 90°.
  const Real wide = std::max(size.x(), size.y()), deep = std::min(size.x(), size.y());
  const Real off = (20 + 15 * deep / wide) * M_PI / 180;
  const Real azimuth = size.x() >= size.y() ? -M_PI_2 + off : -off;
  // Flat piles are seen from above, towers from nearly the side.
  const Real flatness = std::clamp(wide / (wide + size.z()), 0.0, 1.0);
  const Real isDeep = deep / wide;
  const Real elevation = (8 + 24 * flatness * isDeep + 6 * flatness) * M_PI / 180;
  Camera camera = cameraOf(SceneCamera{});
  camera.target = 0.5 * (bounds.lower + bounds.upper);
  camera.position = camera.target + size.norm() * Vec3(std::cos(elevation) * std::cos(azimuth),
                                                       std::cos(elevation) * std::sin(azimuth),
                                                       std::sin(elevation));
  camera.frame(bounds.lower, bounds.upper, aspect);
  return camera;
}

}  // namespace drystone::viewer
