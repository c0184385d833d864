// Pairs of polytopes that lie still. Each collider has an anchor: the pose from which it has not
// moved since, up to a millionth of its size. While both anchors of a pair stand, its contact is
// the one at the anchors, placed where the two are. All of this follows from anchors and caches,
// which are saved, so that a restored world goes on with the same bits.
#include <algorithm>

#include "collision/bullet/implementation.h"
#include "core/parallel.h"

namespace drystone {
namespace {

/// Whether all points of the collider are where its anchor has them, or nearly so. Written such
/// that an anchor of damaged bytes is none.
bool liesStill(const bullet::Collider& own) {
  const bullet::Part& part = own.parts[0];
  const Vec3& origin = own.pose.position;
  const Vec3 farthest =
      (part.bounds.lower - origin).cwiseAbs().cwiseMax((part.bounds.upper - origin).cwiseAbs());
  const Real turned = 2 * (own.pose.rotation.coeffs() - own.anchor.rotation.coeffs()).norm();
  const Real moved = (origin - own.anchor.position).norm();
  return moved + turned * farthest.norm() <= narrow::kStillShare * part.placed.polytope->size;
}

PlacedShape placedAtAnchor(const bullet::Collider& own) {
  const Pose pose = own.anchor * own.parts[0].local;
  PlacedShape shape = own.parts[0].placed;
  shape.position = pose.position;
  shape.rotation = pose.rotation.toRotationMatrix();
  return shape;
}

}  // namespace

void CollisionWorld::Implementation::anchorMoved() {
  parallelRanges(static_cast<int>(unanchored.size()), bullet::kPlacedPerRange, settings.threads,
                 [&](int begin, int end) {
                   for (int i = begin; i < end; ++i) {
                     bullet::Collider& own = collider(unanchored[static_cast<std::size_t>(i)]);
                     own.toAnchor = false;
                     if (!own.isPolytope() || (own.isAnchored && liesStill(own))) continue;
                     own.anchor = own.pose;
                     own.isAnchored = true;
                     own.anchoredAt = detections;
                   }
                 });
  unanchored.clear();
}

bool CollisionWorld::Implementation::isStill(const bullet::PairState& state) const {
  const bullet::Collider &a = collider(state.a), &b = collider(state.b);
  return a.isPolytope() && b.isPolytope() && wasAnchoredAt(state) < detections &&
         motionOf(state).margin <= settings.margin;
}

std::uint64_t CollisionWorld::Implementation::wasAnchoredAt(const bullet::PairState& state) const {
  return std::max(collider(state.a).anchoredAt, collider(state.b).anchoredAt);
}

bool CollisionWorld::Implementation::findStill(const bullet::PairState& state,
                                               narrow::StillContact& contact, ThreadScratch& own) {
  return narrow::findStillContact(placedAtAnchor(collider(state.a)),
                                  placedAtAnchor(collider(state.b)), settings.margin, state.cache,
                                  own.clip, own.manifold, contact);
}

void CollisionWorld::Implementation::collideStill(bullet::PairState& state, ThreadScratch& own) {
  const PlacedShape& a = placed[static_cast<std::size_t>(state.a)];
  const PlacedShape& b = placed[static_cast<std::size_t>(state.b)];
  bullet::StillPair* const still = pairCache.states.stillOf(state);
  const bool mayKeep = still != nullptr && settings.reduceManifolds && isStill(state);
  if (mayKeep && keepsContact(state)) {
    // A state that was loaded has to be found again.
    if (still->contact.count > 0 || findStill(state, still->contact, own)) {
      narrow::placeStillContact(a, b, still->contact, own.manifold);
      appendContacts(state, 0, own);
      state.isPlaced = true;
      return;
    }
  }
  state.isPlaced = false;
  if (still != nullptr) still->keptAt = 0;
  const narrow::PairCache before = state.cache;
  collideConvexParts(state, 0, a, b, state.cache, own);
  if (!mayKeep || (state.cache == before && wasAnchoredAt(state) < still->notKeptAt)) return;
  (findStill(state, still->contact, own) ? still->keptAt : still->notKeptAt) = detections;
}

}  // namespace drystone
