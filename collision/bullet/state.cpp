#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <tuple>
#include <utility>

#include "collision/bullet/implementation.h"
#include "core/input_error.h"

namespace drystone {
namespace {

using narrow::PairCache;
using Saved = bullet::SavedCache;
using Anchor = bullet::SavedAnchor;

constexpr std::uint64_t kMagic = 0x33306c6c6f637364ULL;  // "dscoll03"

auto orderOf(const Saved& saved) { return std::tie(saved.a, saved.b, saved.child); }

[[noreturn]] void refuse(const std::string& reason) {
  throw InputError(fmt::format("collision state: {}; load a state as it was saved", reason));
}

/// Faces and edges that an id of the cache may name.
struct FeatureCounts {
  int faces = 0, edges = 0;
  bool isTriangle = false;
};

FeatureCounts featuresOf(const bullet::Collider& collider, std::uint64_t child) {
  for (const bullet::Part& part : collider.parts) {
    if (child >= part.firstChild + part.childCount()) continue;
    if (part.surface) return {2, 3, true};
    if (!part.polytope) return {};
    return {static_cast<int>(part.polytope->faces.size()),
            static_cast<int>(part.polytope->edges.size()), false};
  }
  return {};
}

bool namesFeatures(const PairCache& cache, const FeatureCounts& a, const FeatureCounts& b) {
  switch (cache.axis) {
    case PairCache::kNone:
      return true;
    case PairCache::kFaceA:
      return cache.idA < a.faces;
    case PairCache::kFaceB:
      return cache.idB < b.faces;
    case PairCache::kEdges:
    case PairCache::kParallelEdges:
      return cache.idA < a.edges && cache.idB < b.edges;
    default:
      return false;
  }
}

/// What later contacts depend on.
struct State {
  std::vector<Saved> caches;
  std::vector<Anchor> anchors;
  std::vector<std::uint64_t> moved;  ///< colliders since the last detection, ascending
};

template <class Entry>
std::size_t bytesOf(const std::vector<Entry>& entries) {
  return entries.size() * sizeof(Entry);
}

void writeState(const State& state, std::vector<std::byte>& out) {
  const std::uint64_t header[4] = {kMagic, state.caches.size(), state.anchors.size(),
                                   state.moved.size()};
  out.resize(sizeof(header) + bytesOf(state.caches) + bytesOf(state.anchors) +
             bytesOf(state.moved));
  std::byte* at = out.data();
  const auto put = [&](const void* from, std::size_t size) {
    if (size > 0) std::memcpy(at, from, size);
    at += size;
  };
  put(header, sizeof(header));
  put(state.caches.data(), bytesOf(state.caches));
  put(state.anchors.data(), bytesOf(state.anchors));
  put(state.moved.data(), bytesOf(state.moved));
}

State readState(std::span<const std::byte> state) {
  std::uint64_t header[4] = {};
  if (state.size() < sizeof(header)) refuse("it is too short");
  std::memcpy(header, state.data(), sizeof(header));
  if (header[0] != kMagic) refuse("it does not begin like one");
  std::span<const std::byte> rest = state.subspan(sizeof(header));
  const auto take = [&](std::uint64_t count, auto& entries) {
    if (count > rest.size() / sizeof(entries[0])) refuse("its size is wrong");
    entries.resize(count);
    if (count == 0) return;
    std::memcpy(entries.data(), rest.data(), bytesOf(entries));
    rest = rest.subspan(bytesOf(entries));
  };
  State read;
  take(header[1], read.caches);
  take(header[2], read.anchors);
  take(header[3], read.moved);
  if (!rest.empty()) refuse("its size is wrong");
  const std::vector<Saved>& caches = read.caches;
  for (std::size_t i = 0; i < caches.size(); ++i) {
    const Saved& saved = caches[i];
    const bool isAscending = i == 0 || orderOf(caches[i - 1]) < orderOf(saved);
    if (saved.a >= saved.b || !isAscending) refuse("its pairs are out of order");
  }
  for (std::size_t i = 1; i < read.anchors.size(); ++i) {
    if (read.anchors[i - 1].collider >= read.anchors[i].collider) {
      refuse("its anchors are out of order");
    }
  }
  if (!std::ranges::is_sorted(read.moved)) refuse("its moved colliders are out of order");
  return read;
}

}  // namespace

bullet::Still CollisionWorld::Implementation::stillOf(const bullet::PairState& state) const {
  if (state.a < 0) return bullet::Still::kUnknown;
  if (keepsContact(state)) return bullet::Still::kKept;
  const bullet::StillPair* const still = pairCache.states.stillOf(state);
  const bool isNone = still != nullptr && still->notKeptAt > wasAnchoredAt(state);
  return isNone ? bullet::Still::kNone : bullet::Still::kUnknown;
}

void CollisionWorld::Implementation::collectCaches(std::vector<Saved>& out) const {
  out = loaded;
  if (!loaded.empty()) return;
  // Those of free states and of pairs whose bounds do not meet are empty.
  for (const bullet::PairState& state : pairCache.states.all()) {
    const auto a = static_cast<std::uint32_t>(state.a), b = static_cast<std::uint32_t>(state.b);
    const bullet::Still still = stillOf(state);
    if (!state.cache.isEmpty() || still == bullet::Still::kNone) {
      out.push_back({a, b, 0, state.cache, still});
    }
    for (const bullet::ChildCache& entry : state.parts.now()) {
      out.push_back({a, b, entry.child, entry.cache});
    }
  }
  std::sort(out.begin(), out.end(),
            [](const Saved& p, const Saved& q) { return orderOf(p) < orderOf(q); });
}

bool CollisionWorld::Implementation::fits(const Saved& saved) const {
  const auto isUsed = [&](std::uint32_t index) {
    return index < colliders.size() && colliders[index].used;
  };
  if (!isUsed(saved.a) || !isUsed(saved.b)) return false;
  const bullet::Collider &a = colliders[saved.a], &b = colliders[saved.b];
  if (saved.child >= a.childCount * b.childCount || saved.cache.keptCount > PairCache::kMaxKept ||
      saved.cache.touching > 1 || saved.still > bullet::Still::kNone) {
    return false;
  }
  const std::uint64_t childA = saved.child / b.childCount, childB = saved.child % b.childCount;
  FeatureCounts first = featuresOf(a, childA), second = featuresOf(b, childB);
  // The convex part is the first of a pair with a triangle, whichever collider it belongs to.
  if (a.partOf(childA).surface && !b.partOf(childB).surface) std::swap(first, second);
  return namesFeatures(saved.cache, first, second);
}

void CollisionWorld::Implementation::collectAnchors(std::vector<Anchor>& out) const {
  for (std::size_t i = 0; i < colliders.size(); ++i) {
    if (!colliders[i].isAnchored) continue;
    const Pose& pose = colliders[i].anchor;
    out.push_back({i,
                   {pose.position.x(), pose.position.y(), pose.position.z(), pose.rotation.x(),
                    pose.rotation.y(), pose.rotation.z(), pose.rotation.w()}});
  }
}

void CollisionWorld::Implementation::setAnchors(std::span<const Anchor> saved) {
  for (std::size_t i = 0; i < colliders.size(); ++i) {
    colliders[i].isAnchored = false;
    colliders[i].anchoredAt = 0;
    if (!colliders[i].used || colliders[i].toAnchor) continue;
    colliders[i].toAnchor = true;  // those that do not move are to be looked at as well
    unanchored.push_back(static_cast<int>(i));
  }
  for (const Anchor& one : saved) {
    if (one.collider >= colliders.size() || !colliders[one.collider].isPolytope()) continue;
    const auto& p = one.pose;
    colliders[one.collider].anchor = {{p[0], p[1], p[2]}, Quat(p[6], p[3], p[4], p[5])};
    colliders[one.collider].isAnchored = true;
  }
}

void CollisionWorld::Implementation::collectMoved(std::vector<std::uint64_t>& out) const {
  for (const int index : moved) {
    const auto i = static_cast<std::size_t>(index);
    if (!colliders[i].isLoaded) out.push_back(i);
  }
  std::ranges::sort(out);
}

void CollisionWorld::Implementation::setLoaded(std::span<const std::uint64_t> savedAsMoved) {
  for (bullet::Collider& one : colliders) one.isLoaded = true;
  for (const std::uint64_t i : savedAsMoved) {
    if (i < colliders.size() && colliders[i].used) setMoved(static_cast<int>(i));
  }
}

void CollisionWorld::Implementation::applyLoadedCaches() {
  for (const Saved& saved : loaded) {
    const int a = static_cast<int>(saved.a), b = static_cast<int>(saved.b);
    const btBroadphasePair* pair = pairCache.findPair(collider(a).proxy, collider(b).proxy);
    if (pair == nullptr) continue;
    bullet::PairState& state = pairCache.states[bullet::PairTable::slotOf(*pair)];
    if (!state.enabled || !bounds[saved.a].meets(bounds[saved.b])) continue;
    if (collider(a).isConvex() && collider(b).isConvex()) {
      state.cache = saved.cache;
      // As of a detection before all, and so after what was anchored.
      if (bullet::StillPair* const still = pairCache.states.stillOf(state)) {
        still->keptAt = saved.still == bullet::Still::kKept ? 1 : 0;
        still->notKeptAt = saved.still == bullet::Still::kNone ? 1 : 0;
      }
    } else {
      state.parts.now().push_back({saved.child, saved.cache});
    }
  }
  loaded.clear();
}

void CollisionWorld::saveState(std::vector<std::byte>& out) const {
  State state;
  implementation_->collectCaches(state.caches);
  implementation_->collectAnchors(state.anchors);
  implementation_->collectMoved(state.moved);
  writeState(state, out);
}

void CollisionWorld::loadState(std::span<const std::byte> state) {
  State read = readState(state);
  std::erase_if(read.caches, [&](const Saved& saved) { return !implementation_->fits(saved); });
  implementation_->pairCache.states.forgetAll();
  implementation_->setAnchors(read.anchors);
  implementation_->setLoaded(read.moved);
  implementation_->loaded = std::move(read.caches);
}

void checkCollisionState(std::span<const std::byte> state) { readState(state); }

std::vector<std::byte> renumberedState(std::span<const std::byte> state, std::span<const int> to) {
  const State read = readState(state);
  State kept;
  const auto indexOf = [&](std::uint64_t old) { return old < to.size() ? to[old] : -1; };
  for (Saved saved : read.caches) {
    const int a = indexOf(saved.a), b = indexOf(saved.b);
    if (a < 0 || b <= a) continue;
    saved.a = static_cast<std::uint32_t>(a);
    saved.b = static_cast<std::uint32_t>(b);
    kept.caches.push_back(saved);
  }
  for (Anchor anchor : read.anchors) {
    const int index = indexOf(anchor.collider);
    if (index < 0) continue;
    anchor.collider = static_cast<std::uint64_t>(index);
    kept.anchors.push_back(anchor);
  }
  std::sort(kept.caches.begin(), kept.caches.end(),
            [](const Saved& p, const Saved& q) { return orderOf(p) < orderOf(q); });
  for (const std::uint64_t old : read.moved) {
    if (const int index = indexOf(old); index >= 0) {
      kept.moved.push_back(static_cast<std::uint64_t>(index));
    }
  }
  std::ranges::sort(kept.anchors, {}, &Anchor::collider);
  std::ranges::sort(kept.moved);
  std::vector<std::byte> out;
  writeState(kept, out);
  return out;
}

}  // namespace drystone
