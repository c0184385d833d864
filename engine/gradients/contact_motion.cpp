// Derivatives of contacts by poses: docs/theory/derivatives.md, "A whole step".
#include "engine/gradients/contact_motion.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "collision/collision_world.h"
#include "collision/narrow/manifold.h"
#include "collision/shape/rim.h"
#include "collision/shape/shape.h"
#include "core/input_error.h"
#include "engine/gradients/contact_place.h"
#include "engine/step/contact_anchors.h"

namespace drystone {
namespace {

using Rule = ContactAnchor::Rule;
using Rider = ContactAnchor::Rider;
using Kind = LocalSurface::Kind;
using narrow::FeatureKind;

/// How far the features may miss the detected contact [m], and its normal: what searches for
/// closest points leave.
constexpr Real kSamePlace = 1e-7;
/// Likewise along the face, of what lies still and was placed by an earlier search [m].
constexpr Real kSlid = 1e-5;

[[noreturn]] void refuse(const BodyStore& bodies, const StepContact& contact,
                         const std::string& what) {
  const auto nameOf = [&](int slot) {
    const std::string& name = bodies.record[slot].name;
    return name.empty() ? "body " + std::to_string(slot) : "`" + name + "`";
  };
  throw InputError("step derivative: " + what + " between " + nameOf(contact.bodyA) + " and " +
                   nameOf(contact.bodyB) +
                   " has none; use boxes, hulls, spheres, capsules, cylinders, cones and planes "
                   "that meet at corners, rims, round sides or edges");
}

/// Whether it is known how the surface of a shape moves: of others the local one is exact to first
/// order alone.
bool isKnown(const Shape& shape) {
  switch (kindOf(shape)) {
    case ShapeKind::kSphere:
    case ShapeKind::kCapsule:
    case ShapeKind::kCylinder:
    case ShapeKind::kCone:
    case ShapeKind::kBox:
    case ShapeKind::kPlane:
    case ShapeKind::kHull:
      return true;
    default:
      return false;
  }
}

/// The child of a compound that is touched.
const Shape& touchedShape(const Shape& shape, int part) {
  return part < 0 ? shape : std::get<Compound>(shape).children[part].shape;
}

FeatureKind featureKindOf(const ContactPoint& point) {
  return static_cast<FeatureKind>(point.feature >> (2 * narrow::kFeatureIdBits) & 3);
}

/// Whether a visitor takes all other contacts of the same two parts, which lie side by side.
template <class Takes>
bool forAllBeside(std::span<const StepContact> contacts, std::size_t index, Takes&& takes) {
  const ContactPoint& own = contacts[index].point;
  const auto isBeside = [&](const StepContact& other) {
    const ContactPoint& point = other.point;
    return point.colliderA == own.colliderA && point.colliderB == own.colliderB &&
           point.feature >> narrow::kFeatureBits == own.feature >> narrow::kFeatureBits;
  };
  std::size_t first = index, last = index + 1;
  while (first > 0 && isBeside(contacts[first - 1])) --first;
  while (last < contacts.size() && isBeside(contacts[last])) ++last;
  for (std::size_t i = first; i < last; ++i) {
    if (i != index && !takes(contacts[i].point)) return false;
  }
  return true;
}

/// A contact whose features the local surfaces tell.
class AnchoredContact {
 public:
  AnchoredContact(const BodyStore& bodies, const CollisionWorld& collision,
                  std::span<const StepContact> contacts, std::size_t index)
      : bodies_(bodies),
        contacts_(contacts),
        index_(index),
        contact_(contacts[index]),
        surfaces_(collision.localSurfaces(contact_.point)),
        anchor_(anchorContact(bodies, collision, contact_)) {}

  MovingPlace move(const MovingPair& pair, const std::array<ShapeKind, 2>& kinds) {
    if (anchor_.rule == Rule::kCarried) {
      requireOnFace();
      holdSample(kinds);
    } else if (anchor_.rule == Rule::kBetweenCores) {
      // Lines side by side touch all along, where nothing says which point it is.
      if (surfaces_[0].kind != Kind::kPoint && surfaces_[1].kind != Kind::kPoint) {
        refuseIt("a contact of lines side by side");
      }
    } else if (!forAllBeside(contacts_, index_, [](const ContactPoint&) { return false; })) {
      // The edges that give several contacts their normal are not those that meet at each.
      refuseIt("a contact of crossing edges beside others");
    }
    return moveAnchored(pair, bodies_, anchor_,
                        {kinds[0] == ShapeKind::kCylinder, kinds[1] == ShapeKind::kCylinder});
  }

 private:
  [[noreturn]] void refuseIt(const char* what) const { refuse(bodies_, contact_, what); }

  void requireOnFace() const {
    const auto& [a, b] = surfaces_;
    const FeatureKind kind = featureKindOf(contact_.point);
    if (a.kind != Kind::kFace && b.kind != Kind::kFace) {
      refuseIt("a contact without a face or edges that cross");
    }
    // Where a piece of a line ends on the border of the face, its end moves with both.
    const LocalSurface& rider = anchor_.rider == Rider::kA ? a : b;
    const bool isEdge = rider.kind == Kind::kLine && rider.radius == 0;
    if (anchor_.rider == Rider::kBoth || kind == FeatureKind::kEdges ||
        (isEdge && kind == FeatureKind::kSpecial)) {
      refuseIt("a contact where an edge leaves a face");
    }
    // One of the two faces has the normal of all.
    const auto isOfSame = [&](const ContactPoint& other) { return featureKindOf(other) == kind; };
    if (a.kind == Kind::kFace && b.kind == Kind::kFace &&
        !forAllBeside(contacts_, index_, isOfSame)) {
      refuseIt("a contact of flat ends that lie across a border");
    }
  }

  /// A sample of a rim stays where it is on the body, though the rim may be deepest there.
  void holdSample(const std::array<ShapeKind, 2>& kinds) {
    const bool ofA = anchor_.rider == Rider::kA;
    const ShapeKind kind = kinds[ofA ? 0 : 1];
    if (kind != ShapeKind::kCylinder && kind != ShapeKind::kCone) return;
    if (featureKindOf(contact_.point) != (ofA ? FeatureKind::kVertexA : FeatureKind::kVertexB)) {
      return;
    }
    constexpr std::uint64_t kMask = (1u << narrow::kFeatureIdBits) - 1;
    const std::uint64_t id = contact_.point.feature >> (ofA ? narrow::kFeatureIdBits : 0) & kMask;
    if (id >= kSideLowId || id % 16 >= RimSamples::kFixed) return;
    const int body = ofA ? contact_.bodyA : contact_.bodyB;
    const Vec3 half = 0.5 * contact_.point.gap * contact_.point.normal;
    const Vec3 at = contact_.point.position + (ofA ? Vec3(-half) : half);
    (ofA ? anchor_.onA : anchor_.onB) =
        bodies_.rotation[body].conjugate() * (at - bodies_.position[body]);
    (ofA ? anchor_.radiusA : anchor_.radiusB) = 0;
  }

  const BodyStore& bodies_;
  std::span<const StepContact> contacts_;
  std::size_t index_;
  const StepContact& contact_;
  std::array<LocalSurface, 2> surfaces_;
  ContactAnchor anchor_;
};

}  // namespace

ContactMotion contactMotion(const BodyStore& bodies, const CollisionWorld& collision,
                            std::span<const StepContact> contacts, std::size_t index) {
  const StepContact& contact = contacts[index];
  const ContactPoint& point = contact.point;
  if (!point.halfWay.isZero(0)) refuse(bodies, contact, "a contact far ahead");
  std::array<ShapeKind, 2> kinds;
  const std::array<TouchedPart, 2> parts = collision.touchedParts(point);
  for (int i = 0; i < 2; ++i) {
    const int body = i == 0 ? contact.bodyA : contact.bodyB;
    const Shape& shape = touchedShape(*bodies.record[body].shape, parts[i].part);
    if (!isKnown(shape)) refuse(bodies, contact, "a contact of another shape");
    kinds[i] = kindOf(shape);
  }
  const MovingPair pair(bodies, contact);
  const std::optional<PolytopeMeeting> meeting = collision.meetingOf(point);
  const MovingPlace place =
      meeting ? moveMeeting(pair, *meeting)
              : AnchoredContact(bodies, collision, contacts, index).move(pair, kinds);

  const Vec3& n = point.normal;
  const Vec3 off = place.position.value - point.position;
  const bool isSame = std::abs(place.gap.value - point.gap) <= kSamePlace &&
                      (place.normal.value - n).norm() <= kSamePlace &&
                      std::abs(n.dot(off)) <= kSamePlace &&
                      off.norm() <= (meeting ? kSlid : kSamePlace);
  if (!isSame) refuse(bodies, contact, "a contact that its features do not place");

  const bool areMovers = bodies.isDynamic(contact.bodyA) && bodies.isDynamic(contact.bodyB);
  const PosedVector half = 0.5 * (place.gap * place.normal);
  ContactMotion motion;
  for (int i = 0; i < 12; ++i) motion.turn.col(i) = n.cross(place.normal.rate.col(i));
  motion.endA = areMovers ? place.position.rate : (place.position - half).rate;
  motion.endB = areMovers ? place.position.rate : (place.position + half).rate;
  motion.gap = place.gap.rate;
  return motion;
}

}  // namespace drystone
