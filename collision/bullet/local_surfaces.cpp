#include <algorithm>
#include <utility>

#include "collision/bullet/implementation.h"
#include "collision/narrow/manifold.h"
#include "collision/narrow/triangle_surface.h"
#include "collision/shape/shape_operations.h"

namespace drystone {
namespace {

/// Of the child with this number of a collider.
LocalSurface surfaceOf(const bullet::Collider& collider, std::uint64_t child, const Vec3& point,
                       const Vec3& outwards) {
  const bullet::Part& part = collider.partOf(child);
  if (!part.surface) {
    return operationsOf(part.placed.kind).localSurface(part.placed, point, outwards);
  }
  const int triangle = static_cast<int>(child - part.firstChild);
  return narrow::localSurface(part.surface->corners(triangle), part.placed, point, outwards);
}

TouchedPart touchedPart(const bullet::Collider& collider, std::uint64_t child) {
  const bullet::Part& part = collider.partOf(child);
  return {.part = collider.numberOf(part),
          .triangle = part.surface ? static_cast<int>(child - part.firstChild) : -1};
}

}  // namespace

std::array<LocalSurface, 2> CollisionWorld::localSurfaces(const ContactPoint& contact) const {
  const bullet::Collider& a = implementation_->collider(contact.colliderA);
  const bullet::Collider& b = implementation_->collider(contact.colliderB);
  const std::uint64_t child = contact.feature >> narrow::kFeatureBits;
  const Vec3 half = contact.gap / 2 * contact.normal;
  return {surfaceOf(a, child / b.childCount, contact.position - half, contact.normal),
          surfaceOf(b, child % b.childCount, contact.position + half, -contact.normal)};
}

std::optional<PolytopeMeeting> CollisionWorld::meetingOf(const ContactPoint& contact) const {
  const bullet::Collider& a = implementation_->collider(contact.colliderA);
  const bullet::Collider& b = implementation_->collider(contact.colliderB);
  const btBroadphasePair* const pair = implementation_->pairCache.findPair(a.proxy, b.proxy);
  const int slot = pair != nullptr ? bullet::PairTable::slotOf(*pair) : -1;
  if (slot < 0) return std::nullopt;
  const bullet::PairState& state = implementation_->pairCache.states[slot];
  const std::uint64_t child = contact.feature >> narrow::kFeatureBits;
  const bullet::Part &partA = a.partOf(child / b.childCount),
                     &partB = b.partOf(child % b.childCount);
  const narrow::PairCache* cache = &state.cache;
  if (!(a.isConvex() && b.isConvex())) {
    const std::span<const bullet::ChildCache> parts = std::as_const(state.parts).now();
    const auto at = std::ranges::find(parts, child, &bullet::ChildCache::child);
    if (at == parts.end()) return std::nullopt;
    cache = &at->cache;
  }
  constexpr std::uint64_t kMask = (std::uint64_t{1} << narrow::kFeatureBits) - 1;
  return narrow::meetingOf(partA.placed, partB.placed, *cache,
                           static_cast<std::uint32_t>(contact.feature & kMask), contact.normal);
}

std::array<TouchedPart, 2> CollisionWorld::touchedParts(const ContactPoint& contact) const {
  const bullet::Collider& a = implementation_->collider(contact.colliderA);
  const bullet::Collider& b = implementation_->collider(contact.colliderB);
  const std::uint64_t child = contact.feature >> narrow::kFeatureBits;
  return {touchedPart(a, child / b.childCount), touchedPart(b, child % b.childCount)};
}

std::uint64_t CollisionWorld::turnedFeature(const ContactPoint& contact) const {
  const std::uint64_t ofA = implementation_->collider(contact.colliderA).childCount;
  const std::uint64_t ofB = implementation_->collider(contact.colliderB).childCount;
  const std::uint64_t child = contact.feature >> narrow::kFeatureBits;
  constexpr std::uint64_t kMask = (std::uint64_t{1} << narrow::kFeatureBits) - 1;
  return (child % ofB * ofA + child / ofB) << narrow::kFeatureBits |
         narrow::swappedKey(static_cast<std::uint32_t>(contact.feature & kMask));
}

ContactVertex vertexOf(const ContactPoint& contact) {
  switch (static_cast<narrow::FeatureKind>(contact.feature >> (2 * narrow::kFeatureIdBits) & 3)) {
    case narrow::FeatureKind::kVertexA:
      return ContactVertex::kOfA;
    case narrow::FeatureKind::kVertexB:
      return ContactVertex::kOfB;
    default:
      return ContactVertex::kNone;
  }
}

}  // namespace drystone
