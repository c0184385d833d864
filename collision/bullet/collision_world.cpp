#include "collision/collision_world.h"

#include <algorithm>

#include "collision/bullet/implementation.h"
#include "collision/narrow/pairs.h"
#include "core/check.h"
#include "core/input_error.h"

namespace drystone {
bool CollisionWorld::Implementation::PairFilter::needBroadphaseCollision(
    btBroadphaseProxy* a, btBroadphaseProxy* b) const {
  const bullet::Collider& first = world->colliders[static_cast<std::size_t>(indexOf(a))];
  const bullet::Collider& second = world->colliders[static_cast<std::size_t>(indexOf(b))];
  if (first.isStatic && second.isStatic) return false;
  return (first.filter.group & second.filter.mask) != 0 &&
         (second.filter.group & first.filter.mask) != 0;
}

CollisionWorld::Implementation::Implementation(const CollisionSettings& worldSettings)
    : settings(worldSettings), broadPhase(&pairCache) {
  pairCache.setOverlapFilterCallback(&filter);
}

CollisionWorld::Implementation::~Implementation() {
  // Pairs first: destroyProxy() looks through all that are left.
  btBroadphasePairArray& pairs = pairCache.getOverlappingPairArray();
  while (pairs.size() > 0) {
    const btBroadphasePair& last = pairs[pairs.size() - 1];
    pairCache.removeOverlappingPair(last.m_pProxy0, last.m_pProxy1, &dispatcher);
  }
  for (std::size_t i = 0; i < colliders.size(); ++i) {
    if (colliders[i].used) destroyProxy(static_cast<int>(i));
  }
}

int CollisionWorld::Implementation::add(const Shape& shape, const Pose& pose,
                                        CollisionFilter colliderFilter, bool isStatic, int at) {
  auto index = static_cast<std::size_t>(at);
  if (at < 0) {
    index = firstMaybeFree;
    while (index < colliders.size() && colliders[index].used) ++index;
    firstMaybeFree = index + 1;
  }
  while (index >= colliders.size()) {
    colliders.emplace_back();
    placed.emplace_back();
    bounds.emplace_back();
  }
  DRYSTONE_ASSERT(!colliders[index].used);
  bullet::Collider& made = colliders[index];
  made.used = true;
  made.isStatic = isStatic;
  made.isCompound = kindOf(shape) == ShapeKind::kCompound;
  made.filter = colliderFilter;
  made.pose = pose;
  made.parts = bullet::makeParts(shape);
  made.childCount = made.parts.back().firstChild + made.parts.back().childCount();
  for (const bullet::Part& part : made.parts) {
    made.thinnest = std::min(made.thinnest, bullet::thicknessOf(part));
  }
  place(static_cast<int>(index));
  createProxy(static_cast<int>(index));
  setMoved(static_cast<int>(index));
  return static_cast<int>(index);
}

void CollisionWorld::Implementation::throwMissing(int index) {
  throw InputError("collider " + std::to_string(index) +
                   " does not exist: it was removed, or never added");
}

void CollisionWorld::Implementation::remove(int index) {
  existing(index);
  destroyProxy(index);
  std::erase(moved, index);
  std::erase(stirring, index);
  std::erase(unanchored, index);
  std::erase_if(disabledPairs, [&](std::uint64_t key) {
    return static_cast<int>(key >> 32) == index || static_cast<int>(key & 0xffffffffu) == index;
  });
  std::erase_if(loaded, [&](const bullet::SavedCache& saved) {
    return static_cast<int>(saved.a) == index || static_cast<int>(saved.b) == index;
  });
  collider(index) = bullet::Collider{};
  firstMaybeFree = std::min(firstMaybeFree, static_cast<std::size_t>(index));
}

void CollisionWorld::Implementation::createProxy(int index) {
  const Bounds& box = bounds[static_cast<std::size_t>(index)];
  void* client = reinterpret_cast<void*>(static_cast<std::intptr_t>(index));
  collider(index).proxy = broadPhase.createProxy(
      toBullet(box.lower), toBullet(box.upper), EMPTY_SHAPE_PROXYTYPE, client,
      btBroadphaseProxy::DefaultFilter, btBroadphaseProxy::AllFilter, &dispatcher);
  // Boxes that come in a row, as those of a tower, would make a tree as deep as they are many.
  constexpr int kLeavesPutAnew = 2;
  broadPhase.m_sets[btDbvtBroadphase::DYNAMIC_SET].optimizeIncremental(kLeavesPutAnew);
}

void CollisionWorld::Implementation::destroyProxy(int index) {
  broadPhase.destroyProxy(collider(index).proxy, &dispatcher);
}

void CollisionWorld::Implementation::place(int index) {
  bullet::Collider& own = collider(index);
  const auto i = static_cast<std::size_t>(index);
  bullet::placeParts(own.pose, own.parts);
  placed[i] = own.parts[0].placed;
  bounds[i] = own.parts[0].bounds;
  for (const bullet::Part& part : own.parts) bounds[i].merge(part.bounds);
  own.reach = bullet::reachOfTurning(own, bounds[i]);
  const Vec3 grow = Vec3::Constant(0.5 * settings.margin + own.reach + own.motion.arc);
  bounds[i].lower -= grow;
  bounds[i].upper += grow;
  bounds[i].merge({bounds[i].lower + own.motion.way, bounds[i].upper + own.motion.way});
}

bool CollisionWorld::Implementation::isPairDisabled(int a, int b) const {
  return std::binary_search(disabledPairs.begin(), disabledPairs.end(), pairKey(a, b));
}

void CollisionWorld::Implementation::setPairEnabled(int a, int b, bool enabled) {
  btBroadphasePair* pair = pairCache.findPair(existing(a).proxy, existing(b).proxy);
  const std::uint64_t key = pairKey(a, b);
  const auto at = std::lower_bound(disabledPairs.begin(), disabledPairs.end(), key);
  const bool isListed = at != disabledPairs.end() && *at == key;
  if (enabled && isListed) disabledPairs.erase(at);
  if (!enabled && !isListed) disabledPairs.insert(at, key);
  if (pair != nullptr && pair->m_algorithm != nullptr) {
    dispatcher.pairs()[dispatcher.algorithmOf(*pair).slot()].enabled = enabled;
  }
}

CollisionWorld::CollisionWorld(const CollisionSettings& settings)
    : implementation_(std::make_unique<Implementation>(settings)) {}
CollisionWorld::~CollisionWorld() = default;
CollisionWorld::CollisionWorld(CollisionWorld&&) noexcept = default;
CollisionWorld& CollisionWorld::operator=(CollisionWorld&&) noexcept = default;

int CollisionWorld::add(const Shape& shape, const Pose& pose, CollisionFilter filter, bool isStatic,
                        int at) {
  checkShape(shape);
  return implementation_->add(shape, pose, filter, isStatic, at);
}
bool CollisionWorld::contains(int collider) const {
  const auto& all = implementation_->colliders;
  return collider >= 0 && collider < static_cast<int>(all.size()) &&
         all[static_cast<std::size_t>(collider)].used;
}
void CollisionWorld::remove(int collider) { implementation_->remove(collider); }

void CollisionWorld::setPose(int collider, const Pose& pose, const ColliderMotion& motion) {
  bullet::Collider& entry = implementation_->existing(collider);
  entry.pose = pose;
  entry.motion = motion;
  implementation_->setMoved(collider);
}

void CollisionWorld::setResting(std::span<const std::uint8_t> isResting) {
  implementation_->setResting(isResting);
}

void CollisionWorld::setFilter(int collider, CollisionFilter filter) {
  implementation_->existing(collider).filter = filter;
  implementation_->destroyProxy(collider);
  implementation_->createProxy(collider);
  implementation_->setMoved(collider);
}

void CollisionWorld::setPairEnabled(int colliderA, int colliderB, bool enabled) {
  implementation_->setPairEnabled(colliderA, colliderB, enabled);
}

void CollisionWorld::setMargin(Real margin) {
  implementation_->settings.margin = margin;
  for (bullet::PairState& state : implementation_->dispatcher.pairs().all()) state.forgetKept();
  for (std::size_t i = 0; i < implementation_->colliders.size(); ++i) {
    if (implementation_->colliders[i].used) {
      const bullet::Collider& entry = implementation_->colliders[i];
      setPose(static_cast<int>(i), entry.pose, entry.motion);
    }
  }
}

void CollisionWorld::setThreads(int threads) { implementation_->settings.threads = threads; }

void CollisionWorld::detect(std::vector<ContactPoint>& contacts) {
  findPairs();
  collidePairs(contacts);
}

void CollisionWorld::findPairs() { implementation_->findPairs(); }

void CollisionWorld::collidePairs(std::vector<ContactPoint>& contacts) {
  implementation_->collideActive(contacts);
}

void CollisionWorld::detectWoken(std::vector<ContactPoint>& contacts) {
  implementation_->detectWoken(contacts);
}

void CollisionWorld::findPairsOnWays(std::span<const ColliderSweep> sweeps) {
  implementation_->findPairsOnWays(sweeps);
}

void CollisionWorld::contactsAt(std::span<const int> colliders, std::span<const Pose> poses,
                                const std::function<bool(const ContactPoint&)>& pushes,
                                std::vector<ContactPoint>& contacts) {
  implementation_->contactsAt(colliders, poses, pushes, contacts);
}

Real CollisionWorld::turningOf(int collider, const Vec3& center, const Vec3& turn,
                               Real reach) const {
  return implementation_->turningOf(collider, center, turn, reach);
}

Real CollisionWorld::thinnestOf(int collider) const {
  return implementation_->existing(collider).thinnest;
}

int CollisionWorld::sweep(std::span<const ColliderSweep> sweeps,
                          const std::function<Real(int a, int b)>& allowed,
                          std::vector<SweptTouch>& touches) {
  return implementation_->sweep(sweeps, allowed, touches);
}

std::optional<Bounds> CollisionWorld::bounds(int collider) const {
  implementation_->existing(collider);
  const Bounds& box = implementation_->bounds[static_cast<std::size_t>(collider)];
  // Those of a half-space reach to kUnbounded on some side; no real thing comes near it.
  if ((box.lower.array() < -0.5 * kUnbounded).any() ||
      (box.upper.array() > 0.5 * kUnbounded).any()) {
    return std::nullopt;
  }
  return Bounds{box.lower, box.upper};
}

int CollisionWorld::pairCount() const {
  return static_cast<int>(implementation_->activePairs.size());
}

int CollisionWorld::placedCount() const {
  const bullet::PairPool& pairs = implementation_->dispatcher.pairs();
  return static_cast<int>(std::ranges::count_if(implementation_->activePairs,
                                                [&](int slot) { return pairs[slot].isPlaced; }));
}

}  // namespace drystone
