#include "viewer/draw/bounds.h"

#include "viewer/draw/draw_scene.h"

namespace drystone::viewer {

Real longest(const Bounds& bounds) { return (bounds.upper - bounds.lower).maxCoeff(); }

Bounds merged(const Bounds& a, const Bounds& b) {
  return {a.lower.cwiseMin(b.lower), a.upper.cwiseMax(b.upper)};
}

namespace {

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

}  // namespace drystone::viewer
