#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "collision/bullet/implementation.h"
#include "collision/narrow/distance.h"
#include "collision/narrow/triangle_surface.h"
#include "collision/shape/ray_cast.h"
#include "core/input_error.h"
#include "core/parallel.h"

namespace drystone {
namespace {

using bullet::Collider;
using bullet::Part;

bool mayMeet(const CollisionFilter& a, const CollisionFilter& b) {
  return (a.group & b.mask) != 0 && (b.group & a.mask) != 0;
}

/// A convex shape placed for a query.
Part makeProbe(const Shape& shape, const Pose& pose) {
  checkShape(shape);
  std::vector<Part> parts = bullet::makeParts(shape);
  if (parts.size() != 1 || parts[0].surface || parts[0].placed.kind == ShapeKind::kPlane) {
    throw InputError("query with a " + std::string(shapeName(shape)) +
                     ": only bounded convex shapes can be used; query with its parts instead");
  }
  bullet::placeParts(pose, parts);
  return std::move(parts[0]);
}

/// Calls visit(convex shape, triangle) for the part, with -1, or for those triangles of it that may
/// meet the box.
template <class Visit>
void forConvexPieces(const Part& part, const Bounds& box, Visit&& visit) {
  if (!part.surface) {
    visit(part.placed, -1);
    return;
  }
  std::vector<int> triangles;
  part.surface->trianglesIn(bullet::boxIn(part.placed, box), triangles);
  Polytope polytope;
  PlacedShape triangle = part.placed;
  triangle.kind = ShapeKind::kHull;
  triangle.polytope = &polytope;
  for (const int index : triangles) {
    setTriangle(part.surface->corners(index), polytope);
    visit(triangle, index);
  }
}

struct BoxVisitor final : btBroadphaseAabbCallback {
  explicit BoxVisitor(std::vector<int>& list) : out(&list) {}
  bool process(const btBroadphaseProxy* proxy) override {
    out->push_back(indexOf(proxy));
    return true;
  }
  std::vector<int>* out;
};

struct LeafVisitor final : btDbvt::ICollide {
  explicit LeafVisitor(std::vector<int>& list) : out(&list) {}
  void Process(const btDbvtNode* leaf) override {
    out->push_back(indexOf(static_cast<const btBroadphaseProxy*>(leaf->data)));
  }
  std::vector<int>* out;
};

void takeFirst(const RayHit& hit, std::optional<RayHit>& first) {
  if (!first || hit.fraction < first->fraction) first = hit;
}

Bounds grown(const Bounds& box, Real by) {
  return {box.lower - Vec3::Constant(by), box.upper + Vec3::Constant(by)};
}

}  // namespace

bool CollisionWorld::Implementation::sees(const Sight& sight, int index) const {
  return mayMeet(sight.filter, collider(index).filter) && (!sight.test || sight.test(index));
}

std::vector<int> CollisionWorld::Implementation::collidersIn(const Bounds& box,
                                                             const Sight& sight) {
  updateProxies();
  std::vector<int> found;
  BoxVisitor visitor(found);
  broadPhase.aabbTest(toBullet(box.lower), toBullet(box.upper), visitor);
  std::erase_if(found, [&](int index) {
    return !box.meets(bounds[static_cast<std::size_t>(index)]) || !sees(sight, index);
  });
  std::sort(found.begin(), found.end());
  return found;
}

void CollisionWorld::Implementation::listCollidersOn(const Ray& ray, const Sight& sight,
                                                     RayScratch& work) const {
  std::vector<int>& found = work.colliders;
  found.clear();
  const Vec3 d = ray.to - ray.from;
  const Vec3 direction = d.normalized();
  btVector3 inverse;
  unsigned int signs[3];
  for (int i = 0; i < 3; ++i) {
    inverse[i] = direction[i] == 0 ? BT_LARGE_FLOAT : 1 / direction[i];
    signs[i] = inverse[i] < 0 ? 1 : 0;
  }
  // Not by the broad phase's own rayTest(): its work space is one for all threads.
  const btVector3 none(0, 0, 0);
  LeafVisitor visitor(found);
  for (const btDbvt& tree : broadPhase.m_sets) {
    tree.rayTestInternal(tree.m_root, toBullet(ray.from), toBullet(ray.to), inverse, signs,
                         d.norm(), none, none, work.nodes, visitor);
  }
  std::erase_if(found, [&](int index) { return !sees(sight, index); });
  std::sort(found.begin(), found.end());
}

template <class Offer>
void CollisionWorld::Implementation::forHits(const Ray& ray, const Sight& sight, RayScratch& work,
                                             Offer&& offer) const {
  if (ray.from == ray.to) return;
  listCollidersOn(ray, sight, work);
  for (const int index : work.colliders) {
    const Collider& own = collider(index);
    for (const Part& part : own.parts) {
      const auto offerContact = [&](const std::optional<RayContact>& contact, int triangle) {
        if (!contact) return;
        offer(RayHit{.collider = index,
                     .position = ray.from + contact->fraction * (ray.to - ray.from),
                     .normal = contact->normal,
                     .fraction = contact->fraction,
                     .part = own.numberOf(part),
                     .triangle = triangle});
      };
      if (!part.surface) {
        offerContact(castRay(part.placed, ray.from, ray.to), -1);
        continue;
      }
      const PlacedShape& frame = part.placed;
      const auto toLocal = [&](const Vec3& point) -> Vec3 {
        return frame.rotation.transpose() * (point - frame.position);
      };
      const Vec3 from = toLocal(ray.from), to = toLocal(ray.to);
      part.surface->trianglesOn(from, to, work.triangles);
      for (const int triangle : work.triangles) {
        auto contact = narrow::castRay(part.surface->corners(triangle), from, to);
        if (contact) contact->normal = frame.rotation * contact->normal;
        offerContact(contact, triangle);
      }
    }
  }
}

std::optional<RayHit> CollisionWorld::Implementation::firstHit(const Ray& ray, const Sight& sight,
                                                               RayScratch& work) const {
  std::optional<RayHit> first;
  forHits(ray, sight, work, [&](const RayHit& hit) { takeFirst(hit, first); });
  return first;
}

void CollisionWorld::Implementation::takeCloser(const Part& probe, int index,
                                                SurfaceDistance& least) const {
  const Collider& own = collider(index);
  for (const Part& part : own.parts) {
    const Bounds box = std::isfinite(least.gap) ? grown(probe.bounds, std::max<Real>(least.gap, 0))
                                                : bounds[static_cast<std::size_t>(index)];
    forConvexPieces(part, box, [&](const PlacedShape& piece, int triangle) {
      const narrow::ClosestPoints closest = narrow::distanceTo(probe.placed, piece);
      if (closest.gap >= least.gap) return;
      least = {.gap = closest.gap,
               .normal = closest.normal,
               .onShape = closest.onA,
               .onOther = closest.onB,
               .collider = index,
               .part = own.numberOf(part),
               .triangle = triangle};
    });
  }
}

std::optional<RayHit> CollisionWorld::rayCast(const Vec3& from, const Vec3& to,
                                              CollisionFilter filter,
                                              const ColliderTest& sees) const {
  implementation_->updateProxies();
  Implementation::RayScratch scratch;
  return implementation_->firstHit({from, to}, {filter, sees}, scratch);
}

std::vector<RayHit> CollisionWorld::rayCastAll(const Vec3& from, const Vec3& to,
                                               CollisionFilter filter,
                                               const ColliderTest& sees) const {
  implementation_->updateProxies();
  Implementation::RayScratch scratch;
  std::vector<RayHit> hits;
  implementation_->forHits({from, to}, {filter, sees}, scratch,
                           [&](const RayHit& hit) { hits.push_back(hit); });
  std::ranges::stable_sort(hits, {}, &RayHit::fraction);
  return hits;
}

void CollisionWorld::rayCasts(std::span<const Ray> rays, std::span<std::optional<RayHit>> hits,
                              int threads, CollisionFilter filter, const ColliderTest& sees) const {
  if (rays.size() != hits.size()) {
    throw InputError("rayCasts: " + std::to_string(rays.size()) + " rays but room for " +
                     std::to_string(hits.size()) + " hits: give as many");
  }
  implementation_->updateProxies();
  constexpr int kRaysPerRange = 64;  // some 100 µs of work
  parallelRanges(static_cast<int>(rays.size()), kRaysPerRange, threads, [&](int begin, int end) {
    Implementation::RayScratch scratch;
    for (int i = begin; i < end; ++i) {
      const auto at = static_cast<std::size_t>(i);
      hits[at] = implementation_->firstHit(rays[at], {filter, sees}, scratch);
    }
  });
}

std::optional<RayHit> CollisionWorld::shapeCast(const Shape& convex, const Pose& from,
                                                const Vec3& to, CollisionFilter filter,
                                                const ColliderTest& sees) const {
  const Part probe = makeProbe(convex, from);
  const Vec3 motion = to - from.position;
  Bounds swept = probe.bounds;
  swept.merge({probe.bounds.lower + motion, probe.bounds.upper + motion});
  std::optional<RayHit> first;
  for (const int index : implementation_->collidersIn(swept, {filter, sees})) {
    const Collider& own = implementation_->collider(index);
    for (const Part& part : own.parts) {
      forConvexPieces(part, swept, [&](const PlacedShape& piece, int triangle) {
        const auto contact = narrow::castConvex(probe.placed, motion, piece);
        if (!contact) return;
        PlacedShape there = probe.placed;
        there.position += contact->fraction * motion;
        takeFirst({.collider = index,
                   .position = narrow::distanceTo(there, piece).onB,
                   .normal = contact->normal,
                   .fraction = contact->fraction,
                   .part = own.numberOf(part),
                   .triangle = triangle},
                  first);
      });
    }
  }
  return first;
}

std::vector<int> CollisionWorld::overlap(const Shape& convex, const Pose& pose,
                                         CollisionFilter filter, const ColliderTest& sees) const {
  const Part probe = makeProbe(convex, pose);
  std::vector<int> found = implementation_->collidersIn(probe.bounds, {filter, sees});
  std::erase_if(found, [&](int index) {
    bool isMet = false;
    for (const Part& part : implementation_->collider(index).parts) {
      forConvexPieces(part, probe.bounds, [&](const PlacedShape& piece, int) {
        isMet = isMet || narrow::distanceTo(probe.placed, piece).gap <=
                             narrow::kTouchingShare * thickness(probe.placed, piece);
      });
    }
    return !isMet;
  });
  return found;
}

SurfaceDistance CollisionWorld::closestPoints(const Shape& convex, const Pose& pose,
                                              int collider) const {
  implementation_->existing(collider);
  const Part probe = makeProbe(convex, pose);
  implementation_->updateProxies();
  SurfaceDistance least{.gap = std::numeric_limits<Real>::infinity()};
  implementation_->takeCloser(probe, collider, least);
  return least;
}

std::optional<SurfaceDistance> CollisionWorld::closest(const Shape& convex, const Pose& pose,
                                                       Real reach, CollisionFilter filter,
                                                       const ColliderTest& sees) const {
  const Part probe = makeProbe(convex, pose);
  SurfaceDistance least{.gap = reach};
  for (const int index : implementation_->collidersIn(grown(probe.bounds, reach), {filter, sees})) {
    implementation_->takeCloser(probe, index, least);
  }
  if (least.collider < 0) return std::nullopt;
  return least;
}

}  // namespace drystone
