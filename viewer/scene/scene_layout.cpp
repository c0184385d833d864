#include "viewer/scene/scene_layout.h"

#include <algorithm>
#include <cmath>

#include "viewer/scene/draw_scene.h"
#include "viewer/scene/shape_bounds.h"

namespace drystone::viewer {
namespace {

// A static body this many times as wide as what moves is ground or wall, not a thing in the scene.
constexpr Real kHuge = 3;
// The ground ends so far from the middle, in lengths of what moves.
constexpr Real kGroundReach = 6;
constexpr Real kSquaresAcross = 12;  ///< of the ground over what moves
// Cosine of the tilt from which on a plane is drawn as the slope that it is: 0.06°.
constexpr Real kLevel = 1 - 5e-7;
// Where there is nothing to fall on, chains and pendulums swing below where they began: the ground
// lies deeper than that, in lengths of what moves.
constexpr Real kDrop = 1;
// Things lie on planes up to this steep, cos 70°.
constexpr Real kSteepestSlope = 0.34;
constexpr Real kWallBodies = 4;  ///< half bodies that hide behind the least wall of a bin

Real longest(const Bounds& bounds) { return (bounds.upper - bounds.lower).maxCoeff(); }

Real medianBodySize(const ViewFrame& frame) {
  std::vector<Real> sizes;
  for (const ViewBody& body : frame.scene->bodies) {
    if (body.kind != BodyKind::kDynamic || !body.shape) continue;
    if (const auto bounds = shapeBounds(*body.shape)) sizes.push_back(0.5 * longest(*bounds));
  }
  if (sizes.empty()) return 0.5;
  const auto middle = sizes.begin() + std::ssize(sizes) / 2;
  std::ranges::nth_element(sizes, middle);
  return *middle;
}

/// Height of the level top of a static body that reaches around all that moves; NaN: it is none.
Real groundHeight(const ViewBody& body, const Pose& pose, const Bounds& moving) {
  constexpr Real kNone = std::numeric_limits<Real>::quiet_NaN();
  if (body.kind != BodyKind::kStatic || body.isSensor || !body.shape) return kNone;
  const Mat3 axes = pose.rotation.toRotationMatrix();
  const Real below = moving.lower.z() + 0.25 * longest(moving);
  if (std::holds_alternative<Plane>(*body.shape)) {
    return axes(2, 2) >= kLevel && pose.position.z() <= below ? pose.position.z() : kNone;
  }
  const auto* box = std::get_if<Box>(&*body.shape);
  if (box == nullptr || axes.row(2).cwiseAbs().maxCoeff() < kLevel) return kNone;
  const Bounds bounds = *placedBounds(*body.shape, pose);
  const bool isAround = (bounds.lower.head<2>().array() <= moving.lower.head<2>().array()).all() &&
                        (bounds.upper.head<2>().array() >= moving.upper.head<2>().array()).all();
  const Real narrow = (bounds.upper - bounds.lower).head<2>().minCoeff();
  const Real wide = std::max((moving.upper - moving.lower).head<2>().maxCoeff(), 1e-9);
  return isAround && narrow >= kHuge * wide && bounds.upper.z() <= below ? bounds.upper.z() : kNone;
}

/// A side of a bin: a static box beside what moves that rises by more than some bodies over its
/// lowest point.
bool isBinWall(const ViewBody& body, const Bounds& bounds, const Bounds& moving, Real bodySize) {
  if (body.kind != BodyKind::kStatic || body.isSensor || !std::holds_alternative<Box>(*body.shape))
    return false;
  // Bodies that lean on the wall reach into it.
  const auto outside = [&](const Vec3& upper, const Vec3& lower) {
    return (upper.head<2>().array() <= lower.head<2>().array() + bodySize).any();
  };
  return (outside(bounds.upper, moving.lower) || outside(moving.upper, bounds.lower)) &&
         bounds.upper.z() > moving.lower.z() + kWallBodies * bodySize;
}

}  // namespace

Real niceSpacing(Real length) {
  const Real power = std::pow(10, std::floor(std::log10(length)));
  const Real share = length / power * (1 + 1e-12);
  return power * (share >= 5 ? 5 : share >= 2 ? 2 : 1);
}

SceneLayout layoutOf(const ViewFrame& frame) {
  SceneLayout layout;
  const std::vector<ViewBody>& bodies = frame.scene->bodies;
  sceneBounds(frame, layout.moving.lower, layout.moving.upper);
  const Bounds& moving = layout.moving;
  layout.bodySize = medianBodySize(frame);
  layout.isGround.assign(bodies.size(), 0);
  layout.isWall.assign(bodies.size(), 0);
  layout.isHuge.assign(bodies.size(), 0);
  const Real extent = std::max(longest(moving), 1e-3);
  const Vec3 center = 0.5 * (moving.lower + moving.upper);
  Real radius = kGroundReach * extent;
  Real lowest = moving.lower.z();
  bool isCarried = false;   // by statics that are drawn
  bool hasTerrain = false;  // that the grid would cut
  std::vector<Real> heights(bodies.size(), std::numeric_limits<Real>::quiet_NaN());
  Real top = -kInfinity;
  for (const BodySnapshot& body : frame.snapshot.bodies) {
    const ViewBody* known = frame.scene->find(body.id);
    if (known == nullptr || !known->shape) continue;
    const auto i = static_cast<std::size_t>(known - bodies.data());
    layout.isWall[i] = std::holds_alternative<Plane>(*known->shape) &&
                       (body.pose.rotation * Vec3::UnitZ()).z() < kSteepestSlope;
    heights[i] = groundHeight(*known, body.pose, moving);
    const std::optional<Bounds> bounds = placedBounds(*known->shape, body.pose);
    if (bounds && isBinWall(*known, *bounds, moving, layout.bodySize)) layout.isWall[i] = 1;
    layout.isHuge[i] =
        body.kind == BodyKind::kStatic && (!bounds || longest(*bounds) > kHuge * extent);
    hasTerrain = hasTerrain || (bounds && layout.isHuge[i] && !layout.isWall[i]);
    if (bounds && !layout.isHuge[i]) {
      lowest = std::min(lowest, bounds->lower.z());
      isCarried = isCarried || (body.kind == BodyKind::kStatic && !known->isSensor &&
                                bounds->lower.z() < moving.lower.z());
    }
    if (!(heights[i] > top)) continue;
    top = heights[i];
    if (!std::holds_alternative<Box>(*known->shape)) continue;
    // No farther than the box itself reaches.
    const Vec3 reach = (center - bounds->lower).cwiseMin(bounds->upper - center);
    radius = std::min(radius, 1.5 * std::min(reach.x(), reach.y()));
  }
  const bool hasGround = top > -kInfinity;
  for (std::size_t i = 0; i < bodies.size(); ++i) layout.isGround[i] = heights[i] == top;
  if (!isCarried) lowest -= kDrop * extent;
  layout.ground = {.visible = hasGround || !hasTerrain,
                   .height = static_cast<float>(hasGround ? top : lowest),
                   .spacing = static_cast<float>(niceSpacing(extent / kSquaresAcross)),
                   .radius = static_cast<float>(radius),
                   .center = center.cast<float>()};
  layout.ground.center.z() = layout.ground.height;
  return layout;
}

}  // namespace drystone::viewer
