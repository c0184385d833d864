#include <algorithm>

#include "collision/bullet/implementation.h"

// Contacts that motions lead to: what is beyond the margin now and would overlap at the next
// detection. Of shapes that touch already all points as near as the motion is long are contacts. Of
// shapes that are apart a cast along the way finds the first touch, and the contact is that of the
// two shapes there: a body that misses another one meets nothing, whereas a wider margin would stop
// it at planes that it never crosses. Without a touch on the way, points that turning closes count.
// Within the margin the same cast drops the points of what flies past. What rests on another body
// does not fall, so it asks only where more than the fall would close the gap.

namespace drystone {
namespace {

/// Turning that may close what a straight way passes, over the margin.
constexpr Real kTurningShare = 0.1;

}  // namespace

CollisionWorld::Implementation::PairMotion CollisionWorld::Implementation::motionOf(
    const bullet::PairState& state) const {
  const bullet::Collider &a = collider(state.a), &b = collider(state.b);
  PairMotion motion{.way = a.motion.way - b.motion.way,
                    .turning = a.reach + b.reach,
                    .flight = a.motion.flight - b.motion.flight};
  motion.margin = std::max(settings.margin, motion.way.norm() + motion.turning);
  return motion;
}

bool CollisionWorld::Implementation::isApart(const narrow::Manifold& manifold) const {
  return manifold.points.empty() || manifold.deepest().gap > settings.margin;
}

bool CollisionWorld::Implementation::mayFlyPast(const narrow::Manifold& manifold,
                                                const Vec3& flight, Real turning) const {
  if (turning > kTurningShare * settings.margin || manifold.points.empty()) return false;
  const Real gap = manifold.deepest().gap;
  return gap > 0 && manifold.normal.dot(flight) > gap;
}

std::optional<Vec3> CollisionWorld::Implementation::wayToTouch(const PlacedShape& a,
                                                               const PlacedShape& b,
                                                               const Vec3& way) {
  const bool isPlaneA = a.kind == ShapeKind::kPlane;
  const std::optional<RayContact> touch =
      isPlaneA ? narrow::castConvex(b, -way, a) : narrow::castConvex(a, way, b);
  if (!touch) return std::nullopt;
  return touch->fraction * way;
}

void CollisionWorld::Implementation::collideConvexParts(const bullet::PairState& state,
                                                        std::uint64_t child, const PlacedShape& a,
                                                        const PlacedShape& b,
                                                        narrow::PairCache& cache,
                                                        ThreadScratch& own) {
  const PairMotion motion = motionOf(state);
  const auto collide = [&](const PlacedShape& shape) {
    narrow::collideConvex(shape, b, {motion.margin, settings.reduceManifolds}, cache, own.clip,
                          own.manifold);
  };
  collide(a);
  std::optional<Vec3> way;
  if (!own.manifold.points.empty() && isApart(own.manifold)) {
    way = wayToTouch(a, b, motion.way);
    if (way) {
      collide(movedBy(*way, a));
    } else if (motion.turning <= settings.margin) {
      own.manifold.clear();
    }
  } else if (mayFlyPast(own.manifold, motion.flight, motion.turning) &&
             !wayToTouch(a, b, motion.way)) {
    own.manifold.clear();
  }
  appendMeeting(state, child, way, own);
}

void CollisionWorld::Implementation::appendMeeting(const bullet::PairState& state,
                                                   std::uint64_t child,
                                                   const std::optional<Vec3>& way,
                                                   ThreadScratch& own) const {
  const auto first = static_cast<std::ptrdiff_t>(own.contacts.size());
  appendContacts(state, child, own);
  const auto begin = own.contacts.begin() + first;
  const bullet::Collider &a = collider(state.a), &b = collider(state.b);
  if (way) {
    // At the touch itself a triangle may answer with its other side: that is no way to it.
    own.contacts.erase(
        std::remove_if(begin, own.contacts.end(),
                       [&](const ContactPoint& contact) { return contact.normal.dot(*way) <= 0; }),
        own.contacts.end());
    for (auto contact = begin; contact != own.contacts.end(); ++contact) {
      contact->isAhead = true;
      contact->halfWay = 0.5 * *way;
      contact->position -= contact->halfWay;
      contact->gap += contact->normal.dot(*way);
    }
    return;
  }
  bool isNear = false;
  for (auto contact = begin; contact != own.contacts.end(); ++contact) {
    contact->isAhead = contact->gap > settings.margin;
    isNear = isNear || !contact->isAhead;
  }
  if (isNear) return;
  const auto wayOf = [](const bullet::Collider& of, const Vec3& point) -> Vec3 {
    return of.motion.way + of.motion.turn.cross(point - of.pose.position);
  };
  const bool closes = std::any_of(begin, own.contacts.end(), [&](const ContactPoint& contact) {
    const Vec3& point = contact.position;
    return contact.gap < contact.normal.dot(wayOf(a, point) - wayOf(b, point));
  });
  if (!closes) own.contacts.erase(begin, own.contacts.end());
}

}  // namespace drystone
