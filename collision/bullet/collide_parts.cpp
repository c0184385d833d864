#include <algorithm>

#include "collision/bullet/implementation.h"
#include "collision/shape/shape_operations.h"

namespace drystone {
namespace {

using bullet::ChildCache;
using bullet::PairState;
using bullet::Part;

/// The cache that a pair of children had in the last step.
narrow::PairCache recall(const PairState& state, std::uint64_t child) {
  const std::span<const ChildCache> previous = state.parts.previous();
  const auto at = std::lower_bound(
      previous.begin(), previous.end(), child,
      [](const ChildCache& entry, std::uint64_t key) { return entry.child < key; });
  return at != previous.end() && at->child == child ? at->cache : narrow::PairCache{};
}

void remember(PairState& state, std::uint64_t child, const narrow::PairCache& cache) {
  if (cache.isEmpty()) return;
  state.parts.now().push_back({child, cache});
}

Bounds grown(Bounds box, Real by) {
  box.lower -= Vec3::Constant(by);
  box.upper += Vec3::Constant(by);
  return box;
}

/// The key of a convex part and a triangle among the pairs of children of two colliders.
std::uint64_t childOf(const Part& convex, const Part& surface, int triangle, bool surfaceIsA,
                      std::uint64_t countB) {
  const std::uint64_t ofSurface = surface.firstChild + static_cast<std::uint64_t>(triangle);
  return surfaceIsA ? ofSurface * countB + convex.firstChild
                    : convex.firstChild * countB + ofSurface;
}

/// Drops the caches from `first` on that have nothing to say.
void forgetEmpty(PairState& state, std::size_t first) {
  std::vector<ChildCache>& caches = state.parts.now();
  const auto begin = caches.begin() + static_cast<std::ptrdiff_t>(first);
  caches.erase(std::remove_if(begin, caches.end(),
                              [](const ChildCache& entry) { return entry.cache.isEmpty(); }),
               caches.end());
}

/// The feature of a contact within its pair of children.
std::uint32_t featureWithin(const ContactPoint& contact) {
  constexpr std::uint64_t kMask = (std::uint64_t{1} << narrow::kFeatureBits) - 1;
  return static_cast<std::uint32_t>(contact.feature & kMask);
}

}  // namespace

void CollisionWorld::Implementation::appendContacts(const PairState& state, std::uint64_t child,
                                                    ThreadScratch& own) {
  for (const narrow::ManifoldPoint& point : own.manifold.points) {
    own.contacts.push_back({state.a, state.b, point.position, own.manifold.normal, point.gap,
                            child << narrow::kFeatureBits | point.feature});
  }
}

void CollisionWorld::Implementation::listForReduction(const PairState& state, std::size_t first,
                                                      bool surfaceIsA, ThreadScratch& own) {
  const int cache = static_cast<int>(state.parts.now().size()) - 1;
  const narrow::PairCache& before = state.parts.now().back().cache;
  for (std::size_t i = first; i < own.contacts.size(); ++i) {
    const ContactPoint& contact = own.contacts[i];
    own.reduction.points.push_back({.position = surfaceIsA ? contact.onB() : contact.onA(),
                                    .normal = contact.normal,
                                    .gap = contact.gap,
                                    .feature = contact.feature,
                                    .wasKept = before.keeps(featureWithin(contact)),
                                    .contact = static_cast<int>(i),
                                    .cache = cache});
  }
}

void CollisionWorld::Implementation::judgeGhosts(const PairState& state, ThreadScratch& own) const {
  if (!collider(state.a).isStatic && !collider(state.b).isStatic) return;
  own.judged.clear();
  std::vector<narrow::SurfacePoint>& points = own.reduction.points;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto contact = static_cast<std::size_t>(points[i].contact);
    own.judged.push_back(staticContact(own.contacts[contact], static_cast<int>(i)));
  }
  narrow::findGhosts(own.judged, own.faces);
  const bool isStaticA = collider(state.a).isStatic;
  for (const narrow::StaticContact& one : own.judged) {
    narrow::SurfacePoint& point = points[static_cast<std::size_t>(one.index)];
    ContactPoint& contact = own.contacts[static_cast<std::size_t>(point.contact)];
    point.isGhost = one.isGhost;
    if (one.isGhost) contact.colliderA = -1;
    point.normal = contact.normal = isStaticA ? one.normal : Vec3(-one.normal);
    point.gap = contact.gap = one.gap;
  }
  std::erase_if(points, [](const narrow::SurfacePoint& point) { return point.isGhost; });
}

void CollisionWorld::Implementation::reduceSurface(const Part& convex, std::size_t firstContact,
                                                   std::size_t firstCache, PairState& state,
                                                   ThreadScratch& own) {
  std::vector<ChildCache>& caches = state.parts.now();
  for (std::size_t i = firstCache; i < caches.size(); ++i) caches[i].cache.forgetKept();
  own.reduction.reduce(operationsOf(convex.placed.kind).thickness(convex.placed));
  for (const narrow::SurfacePoint& point : own.reduction.points) {
    ContactPoint& contact = own.contacts[static_cast<std::size_t>(point.contact)];
    if (point.isKept) {
      caches[static_cast<std::size_t>(point.cache)].cache.keep(featureWithin(contact));
    } else {
      contact.colliderA = -1;
    }
  }
  const auto contacts = own.contacts.begin() + static_cast<std::ptrdiff_t>(firstContact);
  own.contacts.erase(
      std::remove_if(contacts, own.contacts.end(),
                     [](const ContactPoint& contact) { return contact.colliderA < 0; }),
      own.contacts.end());
}

void CollisionWorld::Implementation::collideSurface(PairState& state, const Part& convex,
                                                    const Part& surface, bool surfaceIsA,
                                                    ThreadScratch& own) {
  if (convex.placed.kind == ShapeKind::kPlane) return;
  const std::uint64_t countB = collider(state.b).childCount;
  const PairMotion motion = motionOf(state);
  const Vec3 wayOfConvex = surfaceIsA ? Vec3(-motion.way) : motion.way;
  const Vec3 flightOfConvex = surfaceIsA ? Vec3(-motion.flight) : motion.flight;
  surface.surface->trianglesIn(bullet::boxIn(surface.placed, grown(convex.bounds, motion.margin)),
                               own.triangles);
  own.lost.clear();
  own.reduction.points.clear();
  const std::size_t firstContact = own.contacts.size(), firstCache = state.parts.now().size();
  bool overlaps = false;
  for (const int triangle : own.triangles) {
    const std::uint64_t child = childOf(convex, surface, triangle, surfaceIsA, countB);
    narrow::PairCache cache = recall(state, child);
    const auto collide = [&](const PlacedShape& shape) {
      return narrow::collideTriangle(shape, *surface.surface, triangle, surface.placed,
                                     motion.margin, cache, own.clip, own.triangle, own.manifold);
    };
    own.triangle.shape.polytope = nullptr;  // and so it stays where the triangle has no area
    const auto lost = collide(convex.placed);
    if (lost) own.lost.push_back(*lost);
    overlaps = overlaps || own.manifold.overlaps();
    std::optional<Vec3> way;
    // Beside a triangle an edge within the surface is no contact, but what lies ahead may be.
    const bool isTriangle = !lost && own.triangle.shape.polytope != nullptr;
    if (isTriangle && motion.margin > settings.margin && isApart(own.manifold)) {
      way = wayToTouch(convex.placed, own.triangle.shape, wayOfConvex);
      if (way) {
        collide(movedBy(*way, convex.placed));
      } else if (motion.turning <= settings.margin) {
        own.manifold.clear();
      }
    } else if (isTriangle && mayFlyPast(own.manifold, flightOfConvex, motion.turning) &&
               !wayToTouch(convex.placed, own.triangle.shape, wayOfConvex)) {
      own.manifold.clear();
    }
    if (way && surfaceIsA) {
      // As if the surface had come.
      for (narrow::ManifoldPoint& point : own.manifold.points) point.position -= *way;
      way = -*way;
    }
    if (surfaceIsA) own.manifold.swapRoles();
    state.parts.now().push_back({child, cache});
    const std::size_t first = own.contacts.size();
    appendMeeting(state, child, way, own);
    if (settings.reduceManifolds) listForReduction(state, first, surfaceIsA, own);
  }
  if (settings.reduceManifolds) judgeGhosts(state, own);
  if (settings.reduceManifolds) reduceSurface(convex, firstContact, firstCache, state, own);
  forgetEmpty(state, firstCache);
  if (!overlaps) collideLost(state, convex, surface, surfaceIsA, countB, own);
}

void CollisionWorld::Implementation::collideLost(const PairState& state, const Part& convex,
                                                 const Part& surface, bool surfaceIsA,
                                                 std::uint64_t countB, ThreadScratch& own) {
  narrow::Manifold deepest;
  int through = -1;
  for (const narrow::LostOverlap& lost : own.lost) {
    std::array<Vec3, 3> corners = surface.surface->corners(lost.triangle);
    for (Vec3& corner : corners) {
      corner = surface.placed.position + surface.placed.rotation * corner;
    }
    narrow::collideThroughFace(convex.placed, corners, lost, own.manifold);
    if (own.manifold.points.empty()) continue;
    if (through >= 0 && own.manifold.deepest().gap >= deepest.deepest().gap) continue;
    deepest = own.manifold;
    through = lost.triangle;
  }
  if (through < 0) return;
  own.manifold = deepest;
  if (surfaceIsA) own.manifold.swapRoles();
  appendContacts(state, childOf(convex, surface, through, surfaceIsA, countB), own);
}

void CollisionWorld::Implementation::collideParts(PairState& state, ThreadScratch& own) {
  std::vector<ChildCache>& caches = state.parts.now();
  state.parts.previous().swap(caches);
  caches.clear();
  const std::uint64_t countB = collider(state.b).childCount;
  const Real margin = motionOf(state).margin;
  for (const Part& a : collider(state.a).parts) {
    const Bounds around = grown(a.bounds, margin);
    for (const Part& b : collider(state.b).parts) {
      if (!around.meets(b.bounds)) continue;
      if (!a.surface && !b.surface) {
        const std::uint64_t child = a.firstChild * countB + b.firstChild;
        narrow::PairCache cache = recall(state, child);
        collideConvexParts(state, child, a.placed, b.placed, cache, own);
        remember(state, child, cache);
      } else if (!a.surface) {
        collideSurface(state, a, b, false, own);
      } else if (!b.surface) {
        collideSurface(state, b, a, true, own);
      }
    }
  }
  std::sort(caches.begin(), caches.end(),
            [](const ChildCache& p, const ChildCache& q) { return p.child < q.child; });
}

}  // namespace drystone
