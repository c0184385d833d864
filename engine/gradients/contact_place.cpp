// Places of contacts with their derivatives: docs/theory/derivatives.md, "A whole step".
#include "engine/gradients/contact_place.h"

namespace drystone {
namespace {

using Rule = ContactAnchor::Rule;
using Rider = ContactAnchor::Rider;
using Place = PolytopeMeeting::Place;
using Normal = PolytopeMeeting::Normal;

PosedVector unit(const PosedVector& v) { return v / norm(v); }

/// The part of a vector that is square to a unit vector.
PosedVector across(const PosedVector& axis, const PosedVector& v) {
  return v - dot(axis, v) * axis;
}

/// Where a line meets the plane through `origin` that is square to `normal`.
PosedVector cut(const PosedVector& point, const PosedVector& along, const PosedVector& origin,
                const PosedVector& normal) {
  return point + dot(normal, origin - point) / dot(normal, along) * along;
}

/// The point of a line that is closest to another line.
PosedVector closest(const PosedVector& point, const PosedVector& along, const PosedVector& other,
                    const PosedVector& alongOther) {
  return cut(point, along, other, cross(alongOther, cross(along, alongOther)));
}

PosedVector facing(const PosedVector& normal, const Vec3& side) {
  return normal.value.dot(side) < 0 ? -normal : normal;
}

}  // namespace

PosedVector MovingPair::direction(bool ofA, const Vec3& along) const {
  PosedVector moving{.value = along};
  moving.rate.middleCols<3>(ofA ? 3 : 9) = -skew(along);
  return moving;
}

PosedVector MovingPair::point(bool ofA, const Vec3& at) const {
  PosedVector moving = direction(ofA, at - (ofA ? positionA_ : positionB_));
  moving.value = at;
  moving.rate.middleCols<3>(ofA ? 0 : 6).setIdentity();
  return moving;
}

MovingPlace moveAnchored(const MovingPair& pair, const BodyStore& bodies,
                         const ContactAnchor& anchor, std::array<bool, 2> areRounds) {
  const StepContact& contact = pair.contact();
  const auto placed = [&](int body, const Vec3& local) -> Vec3 {
    return bodies.position[body] + bodies.rotation[body] * local;
  };
  PosedVector onA = pair.point(true, placed(contact.bodyA, anchor.onA));
  PosedVector onB = pair.point(false, placed(contact.bodyB, anchor.onB));
  const PosedVector axisA = pair.direction(true, bodies.rotation[contact.bodyA] * anchor.axisA);
  const PosedVector axisB = pair.direction(false, bodies.rotation[contact.bodyB] * anchor.axisB);
  const Vec3& side = contact.point.normal;
  MovingPlace place;
  if (anchor.rule == Rule::kCarried) {
    place.normal = pair.direction(anchor.carrier == contact.bodyA, side);
  } else if (anchor.rule == Rule::kBetweenCores) {
    // A core on a line goes along it to where it faces the other one.
    if (!anchor.axisA.isZero(0)) {
      onA = onA + dot(axisA, onB - onA) * axisA;
    } else if (!anchor.axisB.isZero(0)) {
      onB = onB + dot(axisB, onA - onB) * axisB;
    }
    place.normal = unit(onB - onA);
  } else {
    const PosedVector startA = onA;
    onA = closest(startA, axisA, onB, axisB);
    onB = closest(onB, axisB, startA, axisA);
    place.normal = facing(unit(cross(axisA, axisB)), side);
  }
  const auto leaveCore = [&](Real radius, bool isRim, const PosedVector& axis,
                             const PosedVector& outwards, PosedVector& point) {
    if (radius > 0) {
      point = point + radius * (isRim ? unit(across(axis, outwards)) : outwards);
    }
  };
  leaveCore(anchor.radiusA, anchor.isRimA || areRounds[0], axisA, place.normal, onA);
  leaveCore(anchor.radiusB, anchor.isRimB || areRounds[1], axisB, -place.normal, onB);
  place.gap = dot(place.normal, onB - onA);
  const PosedVector half = 0.5 * (place.gap * place.normal);
  place.position = anchor.rider == Rider::kA   ? onA + half
                   : anchor.rider == Rider::kB ? onB - half
                                               : 0.5 * (onA + onB);
  return place;
}

namespace {

PosedVector normalOf(const MovingPair& pair, const PolytopeMeeting& meeting) {
  const PosedVector ofA = pair.direction(true, meeting.normalOfA);
  const PosedVector ofB = pair.direction(false, meeting.normalOfB);
  switch (meeting.normal) {
    case Normal::kOfOther:
      return meeting.referenceIsA ? -ofB : ofA;
    case Normal::kAcrossEdges:
      return facing(unit(cross(ofA, ofB)), pair.contact().point.normal);
    case Normal::kHalfway:
      return unit(ofA - ofB);
    default:
      break;
  }
  const PosedVector normal = pair.direction(meeting.referenceIsA, meeting.reference.along);
  return meeting.referenceIsA ? normal : -normal;
}

}  // namespace

MovingPlace moveMeeting(const MovingPair& pair, const PolytopeMeeting& meeting) {
  MovingPlace place;
  place.normal = normalOf(pair, meeting);
  PosedVector onA = pair.point(true, meeting.ofA.point);
  PosedVector onB = pair.point(false, meeting.ofB.point);
  const PosedVector alongA = pair.direction(true, meeting.ofA.along);
  const PosedVector alongB = pair.direction(false, meeting.ofB.along);
  if (meeting.place == Place::kEdgesAlongA || meeting.place == Place::kEdgesAlongB) {
    // Both lie in the plane through the corner that is square to A's edge.
    if (meeting.place == Place::kEdgesAlongA) {
      onB = cut(onB, alongB, onA, alongA);
    } else {
      onA = cut(onA, alongA, onB, alongA);
    }
    place.gap = dot(place.normal, onB - onA);
    place.position = 0.5 * (onA + onB);
    return place;
  }
  const bool ofA = meeting.referenceIsA;
  const PosedVector outwards = ofA ? place.normal : -place.normal;
  const PosedVector &own = ofA ? onA : onB, &ownAlong = ofA ? alongA : alongB;
  const PosedVector &other = ofA ? onB : onA, &otherAlong = ofA ? alongB : alongA;
  PosedVector point = other;
  if (meeting.place == Place::kBelowCorner) {
    point = cut(own, outwards, other, otherAlong);
  } else if (meeting.place == Place::kEdgeAtSide) {
    point = cut(other, otherAlong, own, cross(ownAlong, outwards));
  }
  const PosedVector origin = pair.point(ofA, meeting.reference.point);
  const PosedVector face = pair.direction(ofA, meeting.reference.along);
  place.gap = dot(face, point - origin) / dot(face, outwards);
  place.position = point - 0.5 * (place.gap * outwards);
  return place;
}

}  // namespace drystone
