#include "collision/collision_world.h"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <string>
#include <utility>

#include "collision/bullet/implementation.h"
#include "collision/narrow/pairs.h"
#include "core/check.h"
#include "core/input_error.h"

namespace drystone {
namespace {

void* allocateOrThrow(std::size_t size) {
  void* const memory = std::malloc(size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

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
  // Trees, pairs and states free what is theirs, and look at nothing that a call may have left half
  // done. Proxies belong to no one.
  for (const bullet::Collider& one : colliders) btAlignedFree(one.proxy);
}

int CollisionWorld::Implementation::add(const Shape& shape, const Pose& pose,
                                        CollisionFilter colliderFilter, bool isStatic, int at) {
  auto index = static_cast<std::size_t>(at);
  if (at < 0) {
    index = firstMaybeFree;
    while (index < colliders.size() && colliders[index].used) ++index;
  }
  // What makes room comes first, so that a failure leaves no collider.
  if (index >= colliders.size()) colliders.resize(index + 1);
  if (index >= placed.size()) placed.resize(index + 1);
  if (index >= bounds.size()) bounds.resize(index + 1);
  for (std::vector<int>* list : {&moved, &stirring}) {  // which change places
    if (list->capacity() <= index) list->reserve(colliders.capacity());
  }
  DRYSTONE_ASSERT(!colliders[index].used);
  bullet::Collider made;
  made.isStatic = isStatic;
  made.isCompound = kindOf(shape) == ShapeKind::kCompound;
  made.filter = colliderFilter;
  made.pose = pose;
  made.parts = bullet::makeParts(shape);
  made.childCount = made.parts.back().firstChild + made.parts.back().childCount();
  for (const bullet::Part& part : made.parts) {
    made.thinnest = std::min(made.thinnest, bullet::thicknessOf(part));
  }
  colliders[index] = std::move(made);
  try {
    place(static_cast<int>(index));
    createProxy(static_cast<int>(index));
  } catch (...) {
    colliders[index] = {};
    throw;
  }
  colliders[index].used = true;
  setMoved(static_cast<int>(index));
  if (at < 0) firstMaybeFree = index + 1;
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
  const int slot = pair != nullptr ? bullet::PairTable::slotOf(*pair) : -1;
  if (slot >= 0) pairCache.states[slot].enabled = enabled;
}

CollisionWorld::CollisionWorld(const CollisionSettings& settings) {
  // Bullet goes on with null where memory is out. What it took before may be freed as well.
  [[maybe_unused]] static const bool kThrows = [] {
    btAlignedAllocSetCustom(allocateOrThrow, std::free);
    return true;
  }();
  implementation_ = std::make_unique<Implementation>(settings);
}
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
bool CollisionWorld::isWhole() const { return implementation_->isWhole; }
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
  implementation_->isWhole = false;
  implementation_->destroyProxy(collider);
  implementation_->createProxy(collider);
  implementation_->setMoved(collider);
  implementation_->isWhole = true;
}

void CollisionWorld::setPairEnabled(int colliderA, int colliderB, bool enabled) {
  implementation_->setPairEnabled(colliderA, colliderB, enabled);
}

void CollisionWorld::setMargin(Real margin) {
  implementation_->settings.margin = margin;
  implementation_->pairCache.states.forgetKept();
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
  const bullet::PairPool& pairs = implementation_->pairCache.states;
  return static_cast<int>(std::ranges::count_if(implementation_->activePairs,
                                                [&](int slot) { return pairs[slot].isPlaced; }));
}

}  // namespace drystone
