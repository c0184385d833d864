#include "collision/collision_world.h"

#include <algorithm>

#include "collision/bullet/implementation.h"
#include "collision/narrow/bounds.h"
#include "engine/core/check.h"
#include "engine/core/parallel.h"

namespace drystone {
namespace {

btVector3 toBullet(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

int indexOf(const btBroadphaseProxy* proxy) {
  return static_cast<int>(reinterpret_cast<std::intptr_t>(proxy->m_clientObject));
}

narrow::PlacedShape placeable(const Shape& shape, std::unique_ptr<narrow::Polytope>& polytope) {
  using narrow::ShapeKind;
  narrow::PlacedShape placed;
  if (const auto* sphere = std::get_if<Sphere>(&shape)) {
    placed.kind = ShapeKind::kSphere;
    placed.size = {sphere->radius, 0, 0};
  } else if (const auto* box = std::get_if<Box>(&shape)) {
    placed.kind = ShapeKind::kBox;
    placed.size = box->halfExtents;
    polytope = std::make_unique<narrow::Polytope>(narrow::makeBoxPolytope(box->halfExtents));
  } else if (const auto* capsule = std::get_if<Capsule>(&shape)) {
    placed.kind = ShapeKind::kCapsule;
    placed.size = {capsule->radius, capsule->halfLength, 0};
  } else if (const auto* cylinder = std::get_if<Cylinder>(&shape)) {
    placed.kind = ShapeKind::kCylinder;
    placed.size = {cylinder->radius, cylinder->halfLength, 0};
  } else if (const auto* cone = std::get_if<Cone>(&shape)) {
    placed.kind = ShapeKind::kCone;
    placed.size = {cone->radius, cone->height, 0};
  } else if (std::holds_alternative<Plane>(shape)) {
    placed.kind = ShapeKind::kPlane;
  } else if (const auto* hull = std::get_if<ConvexHull>(&shape)) {
    placed.kind = ShapeKind::kPolytope;
    polytope = std::make_unique<narrow::Polytope>(narrow::makeHullPolytope(*hull->data));
  }
  placed.polytope = polytope.get();
  return placed;
}

}  // namespace

bool CollisionWorld::Implementation::PairFilter::needBroadphaseCollision(
    btBroadphaseProxy* a, btBroadphaseProxy* b) const {
  const Collider& first = world->colliders[static_cast<std::size_t>(indexOf(a))];
  const Collider& second = world->colliders[static_cast<std::size_t>(indexOf(b))];
  if (first.isStatic && second.isStatic) return false;
  return (first.filter.group & second.filter.mask) != 0 &&
         (second.filter.group & first.filter.mask) != 0;
}

CollisionWorld::Implementation::Implementation(const CollisionSettings& worldSettings)
    : settings(worldSettings), broadPhase(&pairCache) {
  pairCache.setOverlapFilterCallback(&filter);
}

CollisionWorld::Implementation::~Implementation() {
  for (std::size_t i = 0; i < colliders.size(); ++i) {
    if (colliders[i].used) destroyProxy(static_cast<int>(i));
  }
}

int CollisionWorld::Implementation::add(const Shape& shape, const Pose& pose,
                                        CollisionFilter colliderFilter, bool isStatic) {
  std::size_t index = 0;
  while (index < colliders.size() && colliders[index].used) ++index;
  if (index == colliders.size()) {
    colliders.emplace_back();
    placed.emplace_back();
    bounds.emplace_back();
  }
  Collider& collider = colliders[index];
  collider.used = true;
  collider.isStatic = isStatic;
  collider.filter = colliderFilter;
  collider.shape = shape;
  collider.pose = pose;
  placed[index] = placeable(shape, collider.polytope);
  place(static_cast<int>(index));
  createProxy(static_cast<int>(index));
  return static_cast<int>(index);
}

void CollisionWorld::Implementation::remove(int collider) {
  destroyProxy(collider);
  std::erase(moved, collider);
  std::erase_if(disabledPairs, [&](std::uint64_t key) {
    return static_cast<int>(key >> 32) == collider ||
           static_cast<int>(key & 0xffffffffu) == collider;
  });
  colliders[static_cast<std::size_t>(collider)] = Collider{};
}

void CollisionWorld::Implementation::createProxy(int collider) {
  const narrow::Aabb& box = bounds[static_cast<std::size_t>(collider)];
  void* client = reinterpret_cast<void*>(static_cast<std::intptr_t>(collider));
  colliders[static_cast<std::size_t>(collider)].proxy = broadPhase.createProxy(
      toBullet(box.min), toBullet(box.max), EMPTY_SHAPE_PROXYTYPE, client, 1, 1, &dispatcher);
}

void CollisionWorld::Implementation::destroyProxy(int collider) {
  broadPhase.destroyProxy(colliders[static_cast<std::size_t>(collider)].proxy, &dispatcher);
}

void CollisionWorld::Implementation::place(int collider) {
  const auto i = static_cast<std::size_t>(collider);
  const Pose& pose = colliders[i].pose;
  placed[i].position = pose.position;
  placed[i].rotation = pose.rotation.toRotationMatrix();
  bounds[i] = narrow::boundsOf(placed[i]);
  const Vec3 grow = Vec3::Constant(0.5 * settings.margin);
  bounds[i].min -= grow;
  bounds[i].max += grow;
}

bool CollisionWorld::Implementation::isPairDisabled(int a, int b) const {
  return std::binary_search(disabledPairs.begin(), disabledPairs.end(), pairKey(a, b));
}

void CollisionWorld::Implementation::setPairEnabled(int a, int b, bool enabled) {
  const std::uint64_t key = pairKey(a, b);
  const auto at = std::lower_bound(disabledPairs.begin(), disabledPairs.end(), key);
  const bool isListed = at != disabledPairs.end() && *at == key;
  if (enabled && isListed) disabledPairs.erase(at);
  if (!enabled && !isListed) disabledPairs.insert(at, key);
  btBroadphasePair* pair = pairCache.findPair(colliders[static_cast<std::size_t>(a)].proxy,
                                              colliders[static_cast<std::size_t>(b)].proxy);
  if (pair != nullptr && pair->m_algorithm != nullptr) {
    dispatcher.pairs()[dispatcher.algorithmOf(*pair).slot()].enabled = enabled;
  }
}

void CollisionWorld::Implementation::updateBroadPhase() {
  for (const int collider : moved) {
    const auto i = static_cast<std::size_t>(collider);
    colliders[i].moved = false;
    place(collider);
    broadPhase.setAabb(colliders[i].proxy, toBullet(bounds[i].min), toBullet(bounds[i].max),
                       &dispatcher);
  }
  moved.clear();
  broadPhase.calculateOverlappingPairs(&dispatcher);
}

void CollisionWorld::Implementation::listPairs() {
  activePairs.clear();
  btBroadphasePairArray& pairs = pairCache.getOverlappingPairArray();
  for (int i = 0; i < pairs.size(); ++i) {
    const bool isNew = pairs[i].m_algorithm == nullptr;
    const int slot = dispatcher.algorithmOf(pairs[i]).slot();
    bullet::PairState& state = dispatcher.pairs()[slot];
    if (isNew) {
      const int first = indexOf(pairs[i].m_pProxy0), second = indexOf(pairs[i].m_pProxy1);
      state.a = std::min(first, second);
      state.b = std::max(first, second);
      state.enabled = !isPairDisabled(first, second);
    }
    if (state.enabled && bounds[static_cast<std::size_t>(state.a)].meets(
                             bounds[static_cast<std::size_t>(state.b)])) {
      activePairs.push_back(slot);
    } else {
      state.cache = {};
    }
  }
}

void CollisionWorld::Implementation::collidePair(int index, int thread) {
  bullet::PairState& state = dispatcher.pairs()[activePairs[static_cast<std::size_t>(index)]];
  ThreadScratch& own = scratch[static_cast<std::size_t>(thread)];
  PairContacts& result = results[static_cast<std::size_t>(index)];
  result = {state.a, state.b, thread, static_cast<int>(own.contacts.size()), 0};
  narrow::collideConvex(
      placed[static_cast<std::size_t>(state.a)], placed[static_cast<std::size_t>(state.b)],
      {settings.margin, settings.reduceManifolds}, state.cache, own.clip, own.manifold);
  for (const narrow::ManifoldPoint& point : own.manifold.points) {
    own.contacts.push_back(
        {state.a, state.b, point.position, own.manifold.normal, point.gap, point.feature});
  }
  result.count = static_cast<int>(own.contacts.size()) - result.begin;
  std::sort(own.contacts.begin() + result.begin, own.contacts.end(),
            [](const ContactPoint& p, const ContactPoint& q) { return p.feature < q.feature; });
}

void CollisionWorld::Implementation::gather(std::vector<ContactPoint>& contacts) {
  // Counting sort by A, then by B within the few pairs of each A.
  firstOfA.assign(colliders.size() + 1, 0);
  std::size_t total = 0, pairs = 0;
  for (const PairContacts& result : results) {
    if (result.count == 0) continue;
    ++firstOfA[static_cast<std::size_t>(result.a) + 1];
    total += static_cast<std::size_t>(result.count);
    ++pairs;
  }
  for (std::size_t i = 1; i < firstOfA.size(); ++i) firstOfA[i] += firstOfA[i - 1];
  touching.resize(pairs);
  for (const PairContacts& result : results) {
    if (result.count == 0) continue;
    touching[static_cast<std::size_t>(firstOfA[static_cast<std::size_t>(result.a)]++)] = result;
  }
  int begin = 0;
  for (std::size_t i = 0; i + 1 < firstOfA.size(); ++i) {
    std::sort(touching.begin() + begin, touching.begin() + firstOfA[i],
              [](const PairContacts& p, const PairContacts& q) { return p.b < q.b; });
    begin = firstOfA[i];
  }
  contacts.clear();
  contacts.reserve(total);
  for (const PairContacts& pair : touching) {
    const std::vector<ContactPoint>& from = scratch[static_cast<std::size_t>(pair.thread)].contacts;
    contacts.insert(contacts.end(), from.begin() + pair.begin,
                    from.begin() + pair.begin + pair.count);
  }
}

void CollisionWorld::Implementation::detect(std::vector<ContactPoint>& contacts) {
  updateBroadPhase();
  listPairs();
  results.resize(activePairs.size());
  const int threads = std::max(1, settings.threads);
  if (static_cast<int>(scratch.size()) < threads) scratch.resize(static_cast<std::size_t>(threads));
  for (ThreadScratch& own : scratch) own.contacts.clear();
  constexpr int kChunk = 64;
  const int count = static_cast<int>(activePairs.size());
  parallelFor((count + kChunk - 1) / kChunk, threads, [&](int chunk, int thread) {
    const int end = std::min(count, (chunk + 1) * kChunk);
    for (int i = chunk * kChunk; i < end; ++i) collidePair(i, thread);
  });
  gather(contacts);
}

CollisionWorld::CollisionWorld(const CollisionSettings& settings)
    : implementation_(std::make_unique<Implementation>(settings)) {}
CollisionWorld::~CollisionWorld() = default;
CollisionWorld::CollisionWorld(CollisionWorld&&) noexcept = default;
CollisionWorld& CollisionWorld::operator=(CollisionWorld&&) noexcept = default;

int CollisionWorld::add(const Shape& shape, const Pose& pose, CollisionFilter filter,
                        bool isStatic) {
  checkShape(shape);
  return implementation_->add(shape, pose, filter, isStatic);
}
void CollisionWorld::remove(int collider) { implementation_->remove(collider); }

void CollisionWorld::setPose(int collider, const Pose& pose) {
  Implementation::Collider& entry = implementation_->colliders[static_cast<std::size_t>(collider)];
  DRYSTONE_ASSERT(entry.used);
  entry.pose = pose;
  if (!entry.moved) implementation_->moved.push_back(collider);
  entry.moved = true;
}

void CollisionWorld::setFilter(int collider, CollisionFilter filter) {
  implementation_->colliders[static_cast<std::size_t>(collider)].filter = filter;
  implementation_->destroyProxy(collider);
  implementation_->createProxy(collider);
}

void CollisionWorld::setPairEnabled(int colliderA, int colliderB, bool enabled) {
  implementation_->setPairEnabled(colliderA, colliderB, enabled);
}

void CollisionWorld::setMargin(Real margin) {
  implementation_->settings.margin = margin;
  for (std::size_t i = 0; i < implementation_->colliders.size(); ++i) {
    if (implementation_->colliders[i].used) {
      setPose(static_cast<int>(i), implementation_->colliders[i].pose);
    }
  }
}

void CollisionWorld::setThreads(int threads) { implementation_->settings.threads = threads; }

void CollisionWorld::detect(std::vector<ContactPoint>& contacts) {
  implementation_->detect(contacts);
}

int CollisionWorld::pairCount() const {
  return static_cast<int>(implementation_->activePairs.size());
}

}  // namespace drystone
