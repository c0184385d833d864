#include "viewer/draw/draw_bodies.h"

#include <algorithm>

#include "viewer/draw/palette.h"
#include "viewer/draw/view_frame.h"

namespace drystone::viewer {
namespace {

constexpr float kSeenThrough = 0.35f;  ///< alpha of bodies where all are drawn transparent
constexpr float kWallAlpha = 0.12f;    ///< of what one would look at from behind
constexpr float kDimmed = 0.7f;        ///< how far sleeping bodies fade into gray
constexpr float kPlaneReach = 1.5f;    ///< half side of a plane's square, in lengths of what moves

/// Finer where there are few: the triangles of a picture stay below some millions.
MeshDetail detailFor(std::size_t roundBodies) {
  if (roundBodies <= 100) return MeshDetail::kFinest;
  if (roundBodies <= 800) return MeshDetail::kFine;
  if (roundBodies <= 12000) return MeshDetail::kMedium;
  return MeshDetail::kCoarse;
}

}  // namespace

Color plainColor(const ViewBody& body) {
  if (body.isSensor) return kSensorGreen;
  if (body.color) return *body.color;
  if (body.kind == BodyKind::kKinematic) return kKinematicBody;
  return body.kind == BodyKind::kDynamic ? cycled(kBodyColors, body.paletteColor) : kStaticBody;
}

void BodyDrawer::setScene(const SceneView& scene, MeshCache& meshes) {
  forms_.clear();
  parts_.clear();
  firstPart_.assign(1, 0);
  const auto isRound = [](const ViewBody& body) {
    return body.shape && !std::holds_alternative<Box>(*body.shape) &&
           !std::holds_alternative<ConvexHull>(*body.shape);
  };
  const MeshDetail detail =
      detailFor(static_cast<std::size_t>(std::ranges::count_if(scene.bodies, isRound)));
  for (const ViewBody& body : scene.bodies) {
    if (body.shape) addParts(body, *body.shape, {}, detail, meshes);
    firstPart_.push_back(parts_.size());
  }
}

void BodyDrawer::addParts(const ViewBody& body, const Shape& shape, const Pose& pose,
                          MeshDetail detail, MeshCache& meshes) {
  if (const auto* compound = std::get_if<Compound>(&shape)) {
    for (const CompoundChild& child : compound->children) {
      addParts(body, child.shape, pose * child.pose, detail, meshes);
    }
    return;
  }
  const MeshCache::Stretched stretched = meshes.meshOf(shape, detail);
  const bool isPlane = std::holds_alternative<Plane>(shape);
  const Style style = body.isSensor ? Style::kSensor
                      : isPlane     ? (body.isWall ? Style::kSteepPlane : Style::kSlope)
                      : body.isWall ? Style::kWall
                      : body.isHuge ? Style::kNoShadow
                                    : Style::kCaster;
  const auto same = std::ranges::find_if(
      forms_, [&](const Form& form) { return form.mesh == stretched.mesh && form.style == style; });
  Part part;
  part.form = static_cast<std::size_t>(same - forms_.begin());
  if (same == forms_.end()) forms_.push_back({stretched.mesh, style});
  part.linear = pose.rotation.toRotationMatrix().cast<float>() * stretched.factors.asDiagonal();
  part.offset = pose.position;
  parts_.push_back(part);
}

bool BodyDrawer::isTransparent(Style style, const DrawOptions& options) {
  return options.transparent || style == Style::kSensor || style == Style::kWall ||
         style == Style::kSteepPlane;
}

void BodyDrawer::draw(bool transparent, const ViewFrame& frame, const DrawOptions& options,
                      ListWriter& out) {
  constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  batch_.assign(forms_.size(), kNone);
  for (std::size_t f = 0; f < forms_.size(); ++f) {
    if (isTransparent(forms_[f].style, options) == transparent) {
      batch_[f] = out.addBatch(forms_[f].mesh, forms_[f].style == Style::kCaster, false);
    }
  }
  if (options.bodies == BodyColoring::kIsland) findIslandColors(frame);
  const Bounds& moving = frame.scene->layout.moving;
  const float planeReach =
      kPlaneReach * static_cast<float>((moving.upper - moving.lower).maxCoeff());
  const Vec3 middle = 0.5 * (moving.upper + moving.lower);
  forEachBody(frame, [&](const BodySnapshot& body, std::size_t i) {
    const ViewBody& known = frame.scene->bodies[i];
    if (options.ground && known.isGround) return;
    const Color solid = colorOf(body, known, options);
    const Mat3 axes = body.pose.rotation.toRotationMatrix();
    const Eigen::Matrix3f rotation = axes.cast<float>();
    for (std::size_t p = firstPart_[i]; p < firstPart_[i + 1]; ++p) {
      const Part& part = parts_[p];
      if (batch_[part.form] == kNone) continue;
      const Style style = forms_[part.form].style;
      Eigen::Matrix3f linear = rotation * part.linear;
      Vec3 at = axes * part.offset + body.pose.position;
      Color color = solid;
      if (style == Style::kSensor) {
        color.alpha = kSensorGreen.alpha;
      } else if (style == Style::kWall || style == Style::kSteepPlane) {
        color.alpha = kWallAlpha;
      } else if (options.transparent) {
        color.alpha = kSeenThrough;
      }
      if (style == Style::kSlope || style == Style::kSteepPlane) {
        // The square of the plane that is nearest to what moves.
        const Vec3 normal = axes * part.linear.col(2).cast<Real>();
        at = middle - normal.dot(middle - at) * normal;
        linear.leftCols<2>() *= planeReach;
      }
      out.add(batch_[part.form], linear, at, color);
    }
  });
}

void BodyDrawer::findIslandColors(const ViewFrame& frame) {
  // Islands are numbered anew each step; their first body keeps the color where it is.
  islandColor_.clear();
  for (const BodySnapshot& body : frame.snapshot.bodies) {
    if (body.island < 0) continue;
    const auto island = static_cast<std::size_t>(body.island);
    if (island >= islandColor_.size()) islandColor_.resize(island + 1, -1);
    if (islandColor_[island] < 0) islandColor_[island] = body.id.index;
  }
}

Color BodyDrawer::colorOf(const BodySnapshot& body, const ViewBody& known,
                          const DrawOptions& options) const {
  Color color = plainColor(known);
  if (known.isSensor || body.kind == BodyKind::kStatic) {
    // As it is, whatever the coloring.
  } else if (options.bodies == BodyColoring::kSpeed) {
    color = mapColor(ColorMap::kCividis,
                     logShare(body.linearVelocity.norm(), options.speedLow, options.speedHigh));
  } else if (body.kind == BodyKind::kDynamic && options.bodies == BodyColoring::kIsland) {
    if (!body.awake) {
      color = mix(color, kAsleep, kDimmed);
    } else {
      color = body.island < 0
                  ? kFreeBody
                  : cycled(kBodyColors, islandColor_[static_cast<std::size_t>(body.island)]);
    }
  }
  if (body.id == options.selected) color = mix(color, kSelection, 0.55f);
  return color;
}

}  // namespace drystone::viewer
