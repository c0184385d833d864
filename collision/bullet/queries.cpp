#include <algorithm>
#include <cmath>
#include <limits>

#include "collision/bullet/implementation.h"
#include "collision/narrow/distance.h"
#include "collision/narrow/triangle_surface.h"
#include "core/input_error.h"

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

/// Calls visit(convex shape) for the part, or for those triangles of it that may meet the box.
template <class Visit>
void forConvexPieces(const Part& part, const Bounds& box, Visit&& visit) {
  if (!part.surface) {
    visit(part.placed);
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
    visit(triangle);
  }
}

struct BoxVisitor final : btBroadphaseAabbCallback {
  explicit BoxVisitor(std::vector<int>& list) : out(&list) {}
  bool process(const btBroadphaseProxy* proxy) override {
    out->push_back(static_cast<int>(reinterpret_cast<std::intptr_t>(proxy->m_clientObject)));
    return true;
  }
  std::vector<int>* out;
};

struct RayVisitor final : btBroadphaseRayCallback {
  RayVisitor(const Vec3& from, const Vec3& to, std::vector<int>& list) : out(&list) {
    const Vec3 d = to - from;
    const Vec3 direction = d.normalized();
    for (int i = 0; i < 3; ++i) {
      m_rayDirectionInverse[i] = direction[i] == 0 ? BT_LARGE_FLOAT : 1 / direction[i];
      m_signs[i] = m_rayDirectionInverse[i] < 0 ? 1 : 0;
    }
    m_lambda_max = d.norm();
  }
  bool process(const btBroadphaseProxy* proxy) override {
    out->push_back(static_cast<int>(reinterpret_cast<std::intptr_t>(proxy->m_clientObject)));
    return true;
  }
  std::vector<int>* out;
};

void offer(std::optional<RayHit>& best, int collider, const RayContact& contact,
           const Vec3& position) {
  if (best && best->fraction <= contact.fraction) return;
  best = RayHit{collider, position, contact.normal, contact.fraction};
}

}  // namespace

std::vector<int> CollisionWorld::Implementation::collidersIn(const Bounds& box,
                                                             CollisionFilter query) {
  updateProxies();
  std::vector<int> found;
  BoxVisitor visitor(found);
  broadPhase.aabbTest(toBullet(box.lower), toBullet(box.upper), visitor);
  std::erase_if(found, [&](int index) {
    return !mayMeet(query, collider(index).filter) ||
           !box.meets(bounds[static_cast<std::size_t>(index)]);
  });
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<int> CollisionWorld::Implementation::collidersOn(const Vec3& from, const Vec3& to,
                                                             CollisionFilter query) {
  updateProxies();
  std::vector<int> found;
  RayVisitor visitor(from, to, found);
  broadPhase.rayTest(toBullet(from), toBullet(to), visitor);
  std::erase_if(found, [&](int index) { return !mayMeet(query, collider(index).filter); });
  std::sort(found.begin(), found.end());
  return found;
}

std::optional<RayHit> CollisionWorld::rayCast(const Vec3& from, const Vec3& to,
                                              CollisionFilter filter) const {
  std::optional<RayHit> best;
  if (from == to) return best;
  std::vector<int> triangles;
  for (const int index : implementation_->collidersOn(from, to, filter)) {
    for (const Part& part : implementation_->collider(index).parts) {
      const auto offerContact = [&](const std::optional<RayContact>& contact) {
        if (contact) offer(best, index, *contact, from + contact->fraction * (to - from));
      };
      if (!part.surface) {
        offerContact(castRay(part.placed, from, to));
        continue;
      }
      const PlacedShape& frame = part.placed;
      const auto toLocal = [&](const Vec3& point) -> Vec3 {
        return frame.rotation.transpose() * (point - frame.position);
      };
      part.surface->trianglesOn(toLocal(from), toLocal(to), triangles);
      for (const int triangle : triangles) {
        auto contact = narrow::castRay(part.surface->corners(triangle), toLocal(from), toLocal(to));
        if (contact) contact->normal = frame.rotation * contact->normal;
        offerContact(contact);
      }
    }
  }
  return best;
}

std::optional<RayHit> CollisionWorld::shapeCast(const Shape& convex, const Pose& from,
                                                const Vec3& to, CollisionFilter filter) const {
  const Part probe = makeProbe(convex, from);
  const Vec3 motion = to - from.position;
  Bounds swept = probe.bounds;
  swept.merge({probe.bounds.lower + motion, probe.bounds.upper + motion});
  std::optional<RayHit> best;
  for (const int index : implementation_->collidersIn(swept, filter)) {
    for (const Part& part : implementation_->collider(index).parts) {
      forConvexPieces(part, swept, [&](const PlacedShape& piece) {
        const auto contact = narrow::castConvex(probe.placed, motion, piece);
        if (!contact) return;
        PlacedShape there = probe.placed;
        there.position += contact->fraction * motion;
        offer(best, index, *contact, narrow::distanceTo(there, piece).onB);
      });
    }
  }
  return best;
}

std::vector<int> CollisionWorld::overlap(const Shape& convex, const Pose& pose,
                                         CollisionFilter filter) const {
  const Part probe = makeProbe(convex, pose);
  std::vector<int> found = implementation_->collidersIn(probe.bounds, filter);
  std::erase_if(found, [&](int index) {
    bool isMet = false;
    for (const Part& part : implementation_->collider(index).parts) {
      forConvexPieces(part, probe.bounds, [&](const PlacedShape& piece) {
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
  const std::vector<Part>& parts = implementation_->existing(collider).parts;
  const Part probe = makeProbe(convex, pose);
  implementation_->updateProxies();
  const Bounds& box = implementation_->bounds[static_cast<std::size_t>(collider)];
  SurfaceDistance least{.gap = std::numeric_limits<Real>::infinity()};
  for (const Part& part : parts) {
    forConvexPieces(part, box, [&](const PlacedShape& piece) {
      const narrow::ClosestPoints closest = narrow::distanceTo(probe.placed, piece);
      if (closest.gap >= least.gap) return;
      least = {closest.gap, closest.normal, closest.onA, closest.onB};
    });
  }
  return least;
}

}  // namespace drystone
