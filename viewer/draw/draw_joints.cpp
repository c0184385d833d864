#include "viewer/draw/draw_joints.h"

#include <algorithm>

#include "viewer/draw/palette.h"

namespace drystone::viewer {
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
