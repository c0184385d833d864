#include "viewer/draw/draw_contacts.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "viewer/draw/meshes.h"
#include "viewer/draw/palette.h"

namespace drystone::viewer {
namespace {

// In half sides of the median body.
constexpr Real kPointRadius = 0.06;
constexpr float kLeastPointRadius = 2;  // [pixels] of points that are far away
constexpr Real kNormalLength = 0.6;
constexpr Real kShaftRadius = 0.03;
constexpr Real kHeadRadius = 0.09;
constexpr Real kHeadLength = 0.28;
constexpr Real kTypicalLength = 0.8;
constexpr Color kConeColor = withAlpha(kBlack, 0.13f);  // arrows have the colors
// A cone of more friction is drawn as this one, of 84°: it is as good as a half-space.
constexpr Real kMostFriction = 10;

// Share of a new step in the mean that sets the scale: arrows follow within a few dozen steps and
// do not jump at every impact.
constexpr Real kNewest = 0.05;

/// The cone with its apex at the origin, its base of radius 1 at z = 1.
TriangleMeshf coneOnItsApex() {
  TriangleMeshf mesh = unitCone(MeshDetail::kFine);
  // Turned by 180° about x, and up.
  for (Vec3f& p : mesh.positions) p = Vec3f(p.x(), -p.y(), 0.5f - p.z());
  for (Vec3f& n : mesh.normals) n = Vec3f(n.x(), -n.y(), -n.z());
  return mesh;
}

/// The apex at the origin, and the base with corners (±1, ±1) at z = 1.
TriangleMeshf pyramidOnItsApex() {
  return shapeMesh(makeHull({{0, 0, 0}, {1, 1, 1}, {-1, 1, 1}, {-1, -1, 1}, {1, -1, 1}}),
                   MeshDetail::kFine);
}

/// Directions of the axes of the mesh above or of the cone. The friction set of `diamond`,
/// |λ_1| + |λ_2| <= μ λ_n, is a square with its corners on the tangents: the pyramid turned by 45°
/// and made smaller by as much as its corners are farther away than its sides.
Mat3 frictionAxes(const ContactSnapshot& contact, FrictionModel model) {
  Mat3 axes = contactAxes(contact);
  axes.col(1) *= frictionRatio(contact);
  if (model != FrictionModel::kDiamond) return axes;
  const Vec3 first = axes.col(0), second = axes.col(1);
  axes.col(0) = 0.5 * (first - second);
  axes.col(1) = 0.5 * (first + second);
  return axes;
}

Vec3f single(const Vec3& v) { return v.cast<float>(); }

}  // namespace

Color stateColor(ContactState state) {
  switch (state) {
    case ContactState::kOpen:
      break;
    case ContactState::kStick:
      return kBlue;
    case ContactState::kSlip:
      return kOrange;
    case ContactState::kViolating:
      return kVermillion;
  }
  return kUnknown;
}

ContactDrawer::ContactDrawer()
    : point_(std::make_shared<const TriangleMeshf>(unitSphere(MeshDetail::kCoarse))),
      shaft_(std::make_shared<const TriangleMeshf>(unitCylinder(MeshDetail::kCoarse))),
      head_(std::make_shared<const TriangleMeshf>(unitCone(MeshDetail::kCoarse))),
      cone_(std::make_shared<const TriangleMeshf>(coneOnItsApex())),
      pyramid_(std::make_shared<const TriangleMeshf>(pyramidOnItsApex())) {}

void ContactDrawer::draw(const ViewFrame& frame, const DrawOptions& options, ListWriter& out) {
  const Real mean = meanImpulse(frame.snapshot.contacts);
  updateTypicalImpulse(frame.snapshot.step, mean);
  negligible_ = kNegligibleShare * mean;
  const Real bodySize = frame.scene->layout.bodySize;
  if (options.cones) drawCones(frame, options, bodySize, out);
  if (options.contactPoints) drawPoints(frame, options, bodySize, out);
  if (options.impulses || options.cones) drawImpulses(frame, options, bodySize, out);
  if (!options.contactNormals) return;
  for (std::size_t i = 0; i < frame.snapshot.contacts.size(); ++i) {
    const ContactSnapshot& contact = frame.snapshot.contacts[i];
    for (const Real side : shownSides(contact, frame.scene->gravity)) {
      const Vec3 tip = contact.position + side * kNormalLength * bodySize * contact.normal;
      out.addLine(contact.position, tip, colorOf(frame, options, i), true);
    }
  }
}

void ContactDrawer::updateTypicalImpulse(std::int64_t step, Real mean) {
  if (step == step_) return;
  step_ = step;
  if (!(mean > 0)) return;
  typicalImpulse_ =
      typicalImpulse_ > 0 ? typicalImpulse_ * std::pow(mean / typicalImpulse_, kNewest) : mean;
}

Real ContactDrawer::lengthPerImpulse(const DrawOptions& options, Real bodySize) const {
  if (!(typicalImpulse_ > 0)) return 0;
  return options.forceScale * kTypicalLength * bodySize / typicalImpulse_;
}

ContactState ContactDrawer::stateOf(const ViewFrame& frame, const ContactSnapshot& contact) const {
  return contactState(contact, frame.friction, negligible_);
}

Color ContactDrawer::colorOf(const ViewFrame& frame, const DrawOptions& options,
                             std::size_t contact) const {
  switch (options.contacts) {
    case ContactColoring::kState:
      return stateColor(stateOf(frame, frame.snapshot.contacts[contact]));
    case ContactColoring::kGraph:
      if (contact >= frame.contactColor.size() || frame.contactColor[contact] < 0) break;
      return cycled(kMarkColors, frame.contactColor[contact]);
    case ContactColoring::kResidual:
      if (contact >= frame.contactResidual.size()) break;
      return mapColor(ColorMap::kViridis, logShare(frame.contactResidual[contact],
                                                   options.residualLow, options.residualHigh));
  }
  return kUnknown;
}

void ContactDrawer::drawPoints(const ViewFrame& frame, const DrawOptions& options, Real bodySize,
                               ListWriter& out) const {
  const std::size_t batch = out.addBatch(point_, false, true, kLeastPointRadius);
  const Eigen::Matrix3f scale =
      Eigen::Matrix3f::Identity() * static_cast<float>(kPointRadius * bodySize);
  for (std::size_t i = 0; i < frame.snapshot.contacts.size(); ++i) {
    out.add(batch, scale, frame.snapshot.contacts[i].position, colorOf(frame, options, i));
  }
}

void ContactDrawer::drawImpulses(const ViewFrame& frame, const DrawOptions& options, Real bodySize,
                                 ListWriter& out) const {
  const std::size_t shafts = out.addBatch(shaft_, false, true);
  const std::size_t heads = out.addBatch(head_, false, true);
  const Real perImpulse = lengthPerImpulse(options, bodySize);
  for (std::size_t i = 0; i < frame.snapshot.contacts.size(); ++i) {
    const ContactSnapshot& contact = frame.snapshot.contacts[i];
    const Real length = contact.impulse.norm() * perImpulse;
    // Shorter than a point is no arrow.
    if (!(length > kPointRadius * bodySize) || !std::isfinite(length)) continue;
    const Color color =
        options.impulses ? colorOf(frame, options, i) : stateColor(stateOf(frame, contact));
    // The head of a short arrow shrinks with it.
    const Real size = bodySize * std::min<Real>(1, length / (2 * kHeadLength * bodySize));
    const Real head = kHeadLength * size, shaft = length - head;
    for (const Real side : shownSides(contact, frame.scene->gravity)) {
      const Vec3 direction = side * contact.impulse.normalized();
      const Eigen::Matrix3f axes = axesAlong(single(direction));
      const auto stretched = [&](Real across, Real along) {
        const Eigen::Vector3d factors(across, across, along);
        return Eigen::Matrix3f(axes * factors.cast<float>().asDiagonal());
      };
      out.add(shafts, stretched(kShaftRadius * size, 0.5 * shaft),
              contact.position + 0.5 * shaft * direction, color);
      out.add(heads, stretched(kHeadRadius * size, head),
              contact.position + (length - 0.5 * head) * direction, color);
    }
  }
}

void ContactDrawer::drawCones(const ViewFrame& frame, const DrawOptions& options, Real bodySize,
                              ListWriter& out) const {
  if (frame.friction == FrictionModel::kNone) return;
  const bool isRound = frame.friction == FrictionModel::kCone ||
                       frame.friction == FrictionModel::kContensou ||
                       frame.friction == FrictionModel::kRolling;
  const std::size_t batch = out.addBatch(isRound ? cone_ : pyramid_, false, true);
  const Real perImpulse = lengthPerImpulse(options, bodySize);
  for (const ContactSnapshot& contact : frame.snapshot.contacts) {
    // Cut at the normal impulse: the tip of the impulse lies in the base, on its rim in a slip.
    const auto height = static_cast<float>(contact.normalImpulse * perImpulse);
    if (!(height > 0) || !std::isfinite(height) || !(contact.friction > 0)) continue;
    const auto radius =
        static_cast<float>(std::min<Real>(contact.friction, kMostFriction)) * height;
    for (const Real side : shownSides(contact, frame.scene->gravity)) {
      const Mat3 axes = frictionAxes(seenFrom(contact, side), frame.friction);
      out.add(batch, axes.cast<float>() * Vec3f(radius, radius, height).asDiagonal(),
              contact.position, kConeColor);
    }
  }
}

}  // namespace drystone::viewer
