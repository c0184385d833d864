#include "viewer/draw/draw_marks.h"

#include "viewer/draw/matched_bodies.h"
#include "viewer/draw/palette.h"
#include "viewer/draw/shape_bounds.h"

namespace drystone::viewer {
namespace {

constexpr Color kBoundsColor = withAlpha(kBlack, 0.45f);
constexpr Color kCenterColor = kBlack;
constexpr Real kCenterRadius = 0.07;  ///< in half sides of the median body

}  // namespace

void drawBounds(const ViewFrame& frame, ListWriter& out) {
  forEachBody(frame, [&](const BodySnapshot& body, std::size_t i) {
    if (body.boundsLower == body.boundsUpper) return;  // none
    // Its lines would cross the whole picture, and bound nothing that is in it.
    if (frame.scene->bodies[i].isHuge) return;
    const Vec3 half = 0.5 * (body.boundsUpper - body.boundsLower);
    out.addBox(half.asDiagonal().toDenseMatrix(), body.boundsLower + half, kBoundsColor, false);
  });
}

void drawCentersOfMass(const ViewFrame& frame, const std::shared_ptr<const TriangleMeshf>& ball,
                       ListWriter& out) {
  const std::size_t batch = out.addBatch(ball, false, true);
  const Eigen::Matrix3f scale = Eigen::Matrix3f::Identity() *
                                static_cast<float>(kCenterRadius * frame.scene->layout.bodySize);
  for (const BodySnapshot& body : frame.snapshot.bodies) {
    if (body.kind != BodyKind::kDynamic) continue;
    out.add(batch, scale, body.centerOfMass, kCenterColor);
  }
}

void drawSelection(const ViewFrame& frame, const DrawOptions& options, ListWriter& out) {
  if (options.selected.index < 0) return;
  forEachBody(frame, [&](const BodySnapshot& body, std::size_t i) {
    const ViewBody& known = frame.scene->bodies[i];
    if (body.id != options.selected || !known.shape) return;
    const std::optional<Bounds> local = shapeBounds(*known.shape);
    if (!local) return;
    const Vec3 half = 0.5 * (local->upper - local->lower);
    const Mat3 axes = body.pose.rotation.toRotationMatrix() * half.asDiagonal();
    out.addBox(axes, body.pose * Vec3(local->lower + half), kSelection, true);
    const Bounds placed = placedBounds(*local, body.pose);
    const Vec3 above(0.5 * (placed.lower.x() + placed.upper.x()),
                     0.5 * (placed.lower.y() + placed.upper.y()), placed.upper.z());
    if (!known.name.empty()) out.addLabel(above, known.name, kBlack);
  });
}

}  // namespace drystone::viewer
