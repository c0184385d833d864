#include "viewer/draw/scene_view.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "viewer/draw/bounds.h"
#include "viewer/draw/palette.h"

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
// Scenes farther than half of this from the world's origin have one of their own, in squares of the
// ground; some fifty lengths of what moves. Of that much, single precision still resolves 10^-6.
constexpr Real kOriginSquares = 1000;
// Bodies this close have different colors, in half sides of the median body.
constexpr Real kBeside = 0.1;
// Neighbours are looked for among so many bodies before each: more than a row of a wall has.
constexpr std::size_t kBodiesBefore = 128;

Real medianBodySize(const SceneView& scene) {
  std::vector<Real> sizes;
  for (const ViewBody& body : scene.bodies) {
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

bool isSteepPlane(const ViewBody& body, const Pose& pose) {
  return std::holds_alternative<Plane>(*body.shape) &&
         (pose.rotation * Vec3::UnitZ()).z() < kSteepestSlope;
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

/// Each body has the color of its number, or the next one that no neighbour before it has: rows of
/// any length do not line up.
void chooseColors(const WorldSnapshot& begin, SceneView& scene) {
  std::vector<std::pair<Bounds, int>> colored;
  const Vec3 margin = Vec3::Constant(kBeside * scene.layout.bodySize);
  for (const BodySnapshot& body : begin.bodies) {
    const ViewBody* found = scene.find(body.id);
    if (found == nullptr || !found->shape || found->color || body.kind != BodyKind::kDynamic) {
      continue;
    }
    std::optional<Bounds> bounds = placedBounds(*found->shape, body.pose);
    if (!bounds) continue;
    bounds->lower -= margin;
    bounds->upper += margin;
    std::array<bool, kBodyColors.size()> isTaken{};
    const std::size_t count = std::min(colored.size(), kBodiesBefore);
    for (std::size_t i = colored.size() - count; i < colored.size(); ++i) {
      const auto& [other, color] = colored[i];
      if (other.meets(*bounds)) isTaken[static_cast<std::size_t>(color) % isTaken.size()] = true;
    }
    int& color = scene.bodies[static_cast<std::size_t>(found - scene.bodies.data())].paletteColor;
    // Where all are taken it comes back to its own.
    for (std::size_t tries = 0; tries < isTaken.size(); ++tries) {
      if (!isTaken[static_cast<std::size_t>(color) % isTaken.size()]) break;
      ++color;
    }
    colored.emplace_back(*bounds, color);
  }
}

}  // namespace

Real niceSpacing(Real length) {
  const Real power = std::pow(10, std::floor(std::log10(length)));
  const Real share = length / power * (1 + 1e-12);
  return power * (share >= 5 ? 5 : share >= 2 ? 2 : 1);
}

void layOut(SceneView& scene, const WorldSnapshot& begin) {
  SceneLayout& layout = scene.layout;
  layout.moving = sceneBounds(scene, begin);
  const Bounds& moving = layout.moving;
  layout.bodySize = medianBodySize(scene);
  const Real extent = std::max(longest(moving), 1e-3);
  const Vec3 center = 0.5 * (moving.lower + moving.upper);
  Real radius = kGroundReach * extent;
  Real lowest = moving.lower.z();
  bool isCarried = false;   // by statics that are drawn
  bool hasTerrain = false;  // that the grid would cut
  std::vector<Real> heights(scene.bodies.size(), std::numeric_limits<Real>::quiet_NaN());
  Real top = -kInfinity;
  for (const BodySnapshot& body : begin.bodies) {
    const ViewBody* found = scene.find(body.id);
    if (found == nullptr || !found->shape) continue;
    const auto i = static_cast<std::size_t>(found - scene.bodies.data());
    ViewBody& known = scene.bodies[i];
    heights[i] = groundHeight(known, body.pose, moving);
    const std::optional<Bounds> bounds = placedBounds(*known.shape, body.pose);
    known.isWall = bounds ? isBinWall(known, *bounds, moving, layout.bodySize)
                          : isSteepPlane(known, body.pose);
    known.isHuge = body.kind == BodyKind::kStatic && (!bounds || longest(*bounds) > kHuge * extent);
    hasTerrain = hasTerrain || (bounds && known.isHuge && !known.isWall);
    if (bounds && !known.isHuge) {
      lowest = std::min(lowest, bounds->lower.z());
      isCarried = isCarried || (body.kind == BodyKind::kStatic && !known.isSensor &&
                                bounds->lower.z() < moving.lower.z());
    }
    if (!(heights[i] > top)) continue;
    top = heights[i];
    if (!std::holds_alternative<Box>(*known.shape)) continue;
    // No farther than the box itself reaches.
    const Vec3 reach = (center - bounds->lower).cwiseMin(bounds->upper - center);
    radius = std::min(radius, 1.5 * std::min(reach.x(), reach.y()));
  }
  const bool hasGround = top > -kInfinity;
  for (std::size_t i = 0; i < heights.size(); ++i) scene.bodies[i].isGround = heights[i] == top;
  if (!isCarried) lowest -= kDrop * extent;
  const Real spacing = niceSpacing(extent / kSquaresAcross);
  const Real apart = kOriginSquares * spacing;
  layout.origin = apart * (center / apart).array().round().matrix();
  const Real height = hasGround ? top : lowest;
  layout.ground = {.visible = hasGround || !hasTerrain,
                   .height = static_cast<float>(height - layout.origin.z()),
                   .spacing = static_cast<float>(spacing),
                   .radius = static_cast<float>(radius),
                   .center = (center - layout.origin).cast<float>()};
  layout.ground.center.z() = layout.ground.height;
  chooseColors(begin, scene);
}

}  // namespace drystone::viewer
