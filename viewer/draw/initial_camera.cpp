// Where a scene is looked at from as it begins.
#include <algorithm>
#include <cmath>

#include "viewer/draw/bounds.h"
#include "viewer/draw/draw_scene.h"
#include "viewer/draw/view_frame.h"

namespace drystone::viewer {
namespace {

// Statics up to so many times as wide as what moves belong to the picture; larger ones are ground
// and walls around it.
constexpr Real kLargestShown = 3;

// Cameras of scene files are for pictures of this shape.
constexpr Real kUsualAspect = 16.0 / 9;
constexpr Real kBodyFill = 0.97;  ///< of the width, where that is what a body needs

/// What moves and where it will go, with the statics between and under it as far as they are not
/// huge.
Bounds shown(const ViewFrame& frame, const Bounds& way) {
  const Bounds now = sceneBounds(*frame.scene, frame.snapshot);
  const Vec3 farthest = Vec3::Constant(longest(now));
  Bounds all = merged(
      now, {way.lower.cwiseMax(now.lower - farthest), way.upper.cwiseMin(now.upper + farthest)});
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

/// One that shows all that moves from a good side.
Camera framingCamera(const ViewFrame& frame, Real aspect, const Bounds& way) {
  Bounds bounds = shown(frame, way);
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

/// Half sizes of the picture at a distance of 1.
struct Tangents {
  Real across = 0, up = 0;
};

/// In a picture that is narrower than usual the file's camera goes back, so far that what moves and
/// would be in the usual picture is in this one too.
Camera fileCamera(const ViewFrame& frame, Real aspect) {
  Camera camera = cameraOf(frame.scene->camera);
  if (aspect >= kUsualAspect) return camera;
  const Real up = std::tan(0.5 * camera.fieldOfView);
  const Tangents usual{up * kUsualAspect, up}, narrow{kBodyFill * up * aspect, up};
  const Mat3 eye = camera.viewMatrix().topLeftCorner<3, 3>().cast<Real>();
  Real back = 0;
  forEachBody(frame, [&](const BodySnapshot& body, std::size_t i) {
    const ViewBody& known = frame.scene->bodies[i];
    if (body.kind == BodyKind::kStatic || !known.shape) return;
    const std::optional<Bounds> bounds = shapeBounds(*known.shape);
    if (!bounds) return;
    const Vec3 middle = body.pose * Vec3(0.5 * (bounds->lower + bounds->upper));
    const Real radius = 0.5 * (bounds->upper - bounds->lower).norm();
    const Vec3 at = eye * (middle - camera.position);
    const Real depth = -at.z();
    const bool isSeen = depth > 0 && std::abs(at.x()) + radius <= usual.across * depth &&
                        std::abs(at.y()) + radius <= usual.up * depth;
    if (isSeen) back = std::max(back, (std::abs(at.x()) + radius) / narrow.across - depth);
  });
  camera.position += back * (camera.position - camera.target).normalized();
  return camera;
}

}  // namespace

Camera initialCamera(const ViewFrame& frame, Real aspect) {
  return initialCamera(frame, aspect, sceneBounds(*frame.scene, frame.snapshot));
}

Camera initialCamera(const ViewFrame& frame, Real aspect, const Bounds& way) {
  return frame.scene->hasCamera ? fileCamera(frame, aspect) : framingCamera(frame, aspect, way);
}

std::optional<Vec3> followedPlace(const ViewFrame& frame) {
  const ViewBody* followed = frame.scene->followed();
  if (followed == nullptr) return std::nullopt;
  const auto now = std::ranges::find(frame.snapshot.bodies, followed->id, &BodySnapshot::id);
  if (now == frame.snapshot.bodies.end()) return std::nullopt;
  return now->centerOfMass;
}

}  // namespace drystone::viewer
