// Derivatives of contacts by poses: docs/theory/derivatives.md, "A whole step".
#include "engine/gradients/contact_motion.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <variant>

#include "collision/shape/shape.h"
#include "core/input_error.h"

namespace drystone {
namespace {

using Rule = ContactAnchor::Rule;
using Rider = ContactAnchor::Rider;
using Kind = LocalSurface::Kind;

/// How far the anchor may miss the detected contact [m], and its normal: round-off of poses.
constexpr Real kSamePlace = 1e-9;

[[noreturn]] void refuse(const BodyStore& bodies, const StepContact& contact,
                         const std::string& what) {
  const auto nameOf = [&](int slot) {
    const std::string& name = bodies.record[slot].name;
    return name.empty() ? "body " + std::to_string(slot) : "`" + name + "`";
  };
  throw InputError("step derivative: " + what + " between " + nameOf(contact.bodyA) + " and " +
                   nameOf(contact.bodyB) +
                   " has none; use boxes, hulls, spheres, capsules and planes that meet at "
                   "corners, round sides or edges that cross");
}

/// A place as (normal, position, gap) and how it changes.
struct PlaceChange {
  Vec3 normal, position;
  Real gap;
};

/// A point or direction, and how it changes.
struct Moving {
  Vec3 value, rate;
};

/// The feature of one body that touches.
struct MovingCore {
  Moving point, axis;
};

MovingCore moveCore(const BodyStore& bodies, int body, const Vec3& local, const Vec3& localAxis,
                    const Vec6& motion) {
  const Vec3 shift = motion.head<3>(), turn = motion.tail<3>();
  const Vec3 arm = bodies.rotation[body] * local, axis = bodies.rotation[body] * localAxis;
  return {{bodies.position[body] + arm, shift + turn.cross(arm)}, {axis, turn.cross(axis)}};
}

/// Brings two points on lines to where these are closest.
void moveAcross(MovingCore& a, MovingCore& b) {
  const Vec3 &e = a.axis.value, &f = b.axis.value;
  Eigen::Matrix2d system;
  system << e.dot(e), -e.dot(f), e.dot(f), -f.dot(f);
  const Eigen::Matrix2d inverse = system.inverse();
  const Vec3 between = b.point.value - a.point.value;
  const Eigen::Vector2d along = inverse * Eigen::Vector2d(between.dot(e), between.dot(f));
  a.point.value += along[0] * e;
  b.point.value += along[1] * f;
  a.point.rate += along[0] * a.axis.rate;
  b.point.rate += along[1] * b.axis.rate;
  const Vec3 apart = b.point.value - a.point.value, rate = b.point.rate - a.point.rate;
  const Eigen::Vector2d change = inverse * Eigen::Vector2d(rate.dot(e) + apart.dot(a.axis.rate),
                                                           rate.dot(f) + apart.dot(b.axis.rate));
  a.point.rate += change[0] * e;
  b.point.rate += change[1] * f;
}

/// Brings a point on a line to where it faces another point.
void moveAlong(MovingCore& line, const MovingCore& other) {
  const Vec3& e = line.axis.value;
  const Vec3 between = other.point.value - line.point.value;
  const Real along = between.dot(e);
  const Real change = (other.point.rate - line.point.rate).dot(e) + between.dot(line.axis.rate);
  line.point.value += along * e;
  line.point.rate += change * e + along * line.axis.rate;
}

/// The part of a change that leaves a unit vector one.
Vec3 across(const Vec3& unit, const Vec3& change) { return change - unit.dot(change) * unit; }

PlaceChange placeChange(const BodyStore& bodies, const StepContact& contact,
                        const ContactAnchor& anchor, const Vec6& motionA, const Vec6& motionB) {
  MovingCore a = moveCore(bodies, contact.bodyA, anchor.onA, anchor.axisA, motionA);
  MovingCore b = moveCore(bodies, contact.bodyB, anchor.onB, anchor.axisB, motionB);
  const Vec3& n = contact.point.normal;
  PlaceChange change;
  if (anchor.rule == Rule::kCarried) {
    const Vec6& carrier = anchor.carrier == contact.bodyA ? motionA : motionB;
    change.normal = carrier.tail<3>().cross(n);
  } else if (anchor.rule == Rule::kBetweenCores) {
    if (!anchor.axisA.isZero(0)) moveAlong(a, b);
    if (!anchor.axisB.isZero(0)) moveAlong(b, a);
    change.normal = across(n, b.point.rate - a.point.rate) / (b.point.value - a.point.value).norm();
  } else {
    moveAcross(a, b);
    const Vec3 product = a.axis.value.cross(b.axis.value);
    const Vec3 rate = a.axis.rate.cross(b.axis.value) + a.axis.value.cross(b.axis.rate);
    change.normal = across(n, rate) / product.dot(n);
  }
  const Vec3 onA = a.point.value + anchor.radiusA * n, onB = b.point.value - anchor.radiusB * n;
  const Vec3 rateA = a.point.rate + anchor.radiusA * change.normal;
  const Vec3 rateB = b.point.rate - anchor.radiusB * change.normal;
  change.gap = change.normal.dot(onB - onA) + n.dot(rateB - rateA);
  const Vec3 half = 0.5 * (change.gap * n + contact.point.gap * change.normal);
  if (anchor.rider == Rider::kA) {
    change.position = rateA + half;
  } else if (anchor.rider == Rider::kB) {
    change.position = rateB - half;
  } else {
    change.position = 0.5 * (rateA + rateB);
  }
  return change;
}

/// Whether flat faces, corners, spheres and capsules are all that a shape is made of: of others the
/// local surface is exact to first order alone, or its point goes around a rim.
bool isOfFacesAndSpheres(const Shape& shape) {
  switch (kindOf(shape)) {
    case ShapeKind::kSphere:
    case ShapeKind::kCapsule:
    case ShapeKind::kBox:
    case ShapeKind::kPlane:
    case ShapeKind::kHull:
      return true;
    case ShapeKind::kCompound:
      return std::ranges::all_of(
          std::get<Compound>(shape).children,
          [](const CompoundChild& child) { return isOfFacesAndSpheres(child.shape); });
    default:
      return false;
  }
}

/// Whether a contact is the only one of its two colliders. Those of a pair lie side by side.
bool isAlone(std::span<const StepContact> contacts, std::size_t contact) {
  const ContactPoint& own = contacts[contact].point;
  const auto isOfPair = [&](std::size_t other) {
    const ContactPoint& point = contacts[other].point;
    return point.colliderA == own.colliderA && point.colliderB == own.colliderB;
  };
  return !(contact > 0 && isOfPair(contact - 1)) &&
         !(contact + 1 < contacts.size() && isOfPair(contact + 1));
}

void requireKnown(const BodyStore& bodies, const StepContact& contact,
                  const std::array<LocalSurface, 2>& surfaces, const ContactAnchor& anchor) {
  const auto& [a, b] = surfaces;
  for (const int body : {contact.bodyA, contact.bodyB}) {
    if (!isOfFacesAndSpheres(*bodies.record[body].shape))
      refuse(bodies, contact, "a contact of another shape");
  }
  if (!contact.point.halfWay.isZero(0)) refuse(bodies, contact, "a contact far ahead");
  const bool hasFace = a.kind == Kind::kFace || b.kind == Kind::kFace;
  if (anchor.rule == Rule::kCarried && !hasFace) {
    refuse(bodies, contact, "a contact without a face or edges that cross");
  }
  if (anchor.rule == Rule::kCarried && anchor.rider == Rider::kBoth) {
    refuse(bodies, contact, "a contact where edges cross between two faces");
  }
  // The end of a piece of an edge moves along the edge, as its border does along the face.
  const bool onA = anchor.rider == Rider::kA;
  if (anchor.rule == Rule::kCarried && (onA ? anchor.radiusA : anchor.radiusB) == 0 &&
      vertexOf(contact.point) != (onA ? ContactVertex::kOfA : ContactVertex::kOfB)) {
    refuse(bodies, contact, "a contact where an edge leaves a face");
  }
  // Lines side by side touch all along, where nothing says which point it is.
  if (anchor.rule == Rule::kBetweenCores && a.kind != Kind::kPoint && b.kind != Kind::kPoint) {
    refuse(bodies, contact, "a contact of lines side by side");
  }
  const ContactPlace place = placeContact(bodies, contact, anchor);
  const Real miss = (place.position - contact.point.position).norm() +
                    std::abs(place.gap - contact.point.gap) +
                    (place.normal - contact.point.normal).norm();
  if (!(miss <= kSamePlace)) refuse(bodies, contact, "a contact that its features do not place");
}

}  // namespace

ContactMotion contactMotion(const BodyStore& bodies, std::span<const StepContact> contacts,
                            std::size_t index, const std::array<LocalSurface, 2>& surfaces,
                            const ContactAnchor& anchor) {
  const StepContact& contact = contacts[index];
  requireKnown(bodies, contact, surfaces, anchor);
  // The edges that give several contacts their normal are not those that meet at each.
  if (anchor.rule == Rule::kAcrossLines && !isAlone(contacts, index)) {
    refuse(bodies, contact, "a contact of crossing edges beside others");
  }
  const bool areMovers = bodies.isDynamic(contact.bodyA) && bodies.isDynamic(contact.bodyB);
  const Vec3& n = contact.point.normal;
  ContactMotion motion;
  for (int i = 0; i < 12; ++i) {
    Vec6 a = Vec6::Zero(), b = Vec6::Zero();
    (i < 6 ? a : b)[i % 6] = 1;
    const PlaceChange change = placeChange(bodies, contact, anchor, a, b);
    const Vec3 half = 0.5 * (change.gap * n + contact.point.gap * change.normal);
    motion.turn.col(i) = n.cross(change.normal);
    motion.endA.col(i) = areMovers ? change.position : Vec3(change.position - half);
    motion.endB.col(i) = areMovers ? change.position : Vec3(change.position + half);
    motion.gap[i] = change.gap;
  }
  return motion;
}

}  // namespace drystone
