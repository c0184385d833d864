#include "viewer/draw/bounds.h"

#include <algorithm>

#include "viewer/draw/draw_scene.h"

namespace drystone::viewer {
namespace {

Bounds around(const std::vector<Vec3>& points) {
  Bounds bounds{points.front(), points.front()};
  for (const Vec3& point : points) bounds = merged(bounds, {point, point});
  return bounds;
}

Bounds symmetric(const Vec3& half) { return {-half, half}; }

struct BoundsOf {
  using Result = std::optional<Bounds>;

  Result operator()(const Sphere& s) const { return symmetric(Vec3::Constant(s.radius)); }
  Result operator()(const Box& s) const { return symmetric(s.halfExtents); }
  Result operator()(const Capsule& s) const {
    return symmetric({s.radius, s.radius, s.halfLength + s.radius});
  }
  Result operator()(const Cylinder& s) const {
    return symmetric({s.radius, s.radius, s.halfLength});
  }
  Result operator()(const Cone& s) const { return symmetric({s.radius, s.radius, 0.5 * s.height}); }
  Result operator()(const Plane&) const { return std::nullopt; }
  Result operator()(const ConvexHull& s) const { return around(s.data->vertices); }
  Result operator()(const TriangleMesh& s) const { return around(s.data->vertices); }
  Result operator()(const Heightfield& s) const {
    const HeightfieldData& data = *s.data;
    const auto [low, high] = std::ranges::minmax(data.heights);
    const Real x = 0.5 * (data.columns - 1) * data.spacingX;
    const Real y = 0.5 * (data.rows - 1) * data.spacingY;
    return Bounds{{-x, -y, low}, {x, y, high}};
  }
  Result operator()(const Compound& s) const {
    Result all;
    for (const CompoundChild& child : s.children) {
      const Result one = placedBounds(child.shape, child.pose);
      if (!one) return std::nullopt;
      all = all ? merged(*all, *one) : *one;
    }
    return all;
  }
};

}  // namespace

Real longest(const Bounds& bounds) { return (bounds.upper - bounds.lower).maxCoeff(); }

Bounds merged(const Bounds& a, const Bounds& b) {
  return {a.lower.cwiseMin(b.lower), a.upper.cwiseMax(b.upper)};
}

std::optional<Bounds> shapeBounds(const Shape& shape) { return std::visit(BoundsOf{}, shape); }

Bounds placedBounds(const Bounds& local, const Pose& pose, bool turns) {
  const Vec3 half = 0.5 * (local.upper - local.lower);
  const Vec3 center = pose * (0.5 * (local.lower + local.upper));
  const Vec3 reach = turns ? Vec3(pose.rotation.toRotationMatrix().cwiseAbs() * half) : half;
  return {center - reach, center + reach};
}

std::optional<Bounds> placedBounds(const Shape& shape, const Pose& pose) {
  const std::optional<Bounds> local = shapeBounds(shape);
  if (!local) return std::nullopt;
  return placedBounds(*local, pose, !std::holds_alternative<Sphere>(shape));
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
