#include "viewer/draw/annotations.h"

#include <algorithm>

#include "viewer/draw/bounds.h"
#include "viewer/draw/palette.h"

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

namespace {

constexpr Real kAxisLength = 0.5;  ///< in half sides of the median body
constexpr Color kLink = withAlpha(kBlack, 0.6f);
constexpr Color kRod = withAlpha(kBlack, 0.8f);

void addFrame(const Pose& pose, Real length, ListWriter& out) {
  for (int axis = 0; axis < 3; ++axis) {
    out.addLine(pose.position, pose * Vec3(length * Vec3::Unit(axis)),
                kAxisColors[static_cast<std::size_t>(axis)], true);
  }
}

/// Snapshots list bodies by ascending slot.
const BodySnapshot* findBody(const ViewFrame& frame, BodyId body) {
  const std::vector<BodySnapshot>& bodies = frame.snapshot.bodies;
  const auto at = std::ranges::lower_bound(bodies, body.index, {},
                                           [](const BodySnapshot& b) { return b.id.index; });
  return at != bodies.end() && at->id == body ? &*at : nullptr;
}

void addLink(const ViewFrame& frame, BodyId body, const Vec3& from, ListWriter& out) {
  const BodySnapshot* held = findBody(frame, body);
  // What does not move has no centre that would mean something.
  if (held == nullptr || held->kind == BodyKind::kStatic) return;
  out.addLine(from, held->centerOfMass, kLink, true);
}

}  // namespace

void drawJoints(const ViewFrame& frame, ListWriter& out) {
  const Real length = kAxisLength * frame.scene->layout.bodySize;
  for (const JointSnapshot& joint : frame.snapshot.joints) {
    if (joint.geometry == JointGeometry::kGear) {
      out.addLine(joint.frameA.position, joint.frameB.position, kPurple, true);
      continue;
    }
    addLink(frame, joint.bodyA, joint.frameA.position, out);
    addLink(frame, joint.bodyB, joint.frameB.position, out);
    if (joint.geometry == JointGeometry::kDistance) {
      out.addLine(joint.frameA.position, joint.frameB.position, kOrange, true);
      continue;
    }
    addFrame(joint.frameA, length, out);
    // The second frame, smaller, shows how far the joint is turned.
    addFrame(joint.frameB, 0.6 * length, out);
  }
}

void drawRods(const ViewFrame& frame, ListWriter& out) {
  for (const JointSnapshot& joint : frame.snapshot.joints) {
    if (joint.geometry != JointGeometry::kDistance) continue;
    out.addLine(joint.frameA.position, joint.frameB.position, kRod, false);
  }
}

}  // namespace drystone::viewer
