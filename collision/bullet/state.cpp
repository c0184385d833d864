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

constexpr std::uint64_t kMagic = 0x31306c6c6f637364ULL;  // "dscoll01"

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

void writeCaches(const std::vector<Saved>& caches, std::vector<std::byte>& out) {
  const std::uint64_t header[2] = {kMagic, caches.size()};
  out.resize(sizeof(header) + caches.size() * sizeof(Saved));
  std::memcpy(out.data(), header, sizeof(header));
  if (!caches.empty()) {
    std::memcpy(out.data() + sizeof(header), caches.data(), caches.size() * sizeof(Saved));
  }
}

std::vector<Saved> readCaches(std::span<const std::byte> state) {
  std::uint64_t header[2] = {0, 0};
  if (state.size() < sizeof(header)) refuse("it is too short");
  std::memcpy(header, state.data(), sizeof(header));
  if (header[0] != kMagic) refuse("it does not begin like one");
  const std::size_t rest = state.size() - sizeof(header);
  if (rest % sizeof(Saved) != 0 || rest / sizeof(Saved) != header[1]) refuse("its size is wrong");
  std::vector<Saved> caches(rest / sizeof(Saved));
  if (rest > 0) std::memcpy(caches.data(), state.data() + sizeof(header), rest);
  for (std::size_t i = 0; i < caches.size(); ++i) {
    const Saved& saved = caches[i];
    const bool isAscending = i == 0 || orderOf(caches[i - 1]) < orderOf(saved);
    if (saved.a >= saved.b || !isAscending) refuse("its pairs are out of order");
  }
  return caches;
}

}  // namespace

void CollisionWorld::Implementation::collectCaches(std::vector<Saved>& out) const {
  out = loaded;
  if (!loaded.empty()) return;
  // Those of free states and of pairs whose bounds do not meet are empty.
  for (const bullet::PairState& state : dispatcher.pairs().all()) {
    const auto a = static_cast<std::uint32_t>(state.a), b = static_cast<std::uint32_t>(state.b);
    if (!state.cache.isEmpty()) out.push_back({a, b, 0, state.cache});
    for (const bullet::ChildCache& entry : state.caches) {
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
      saved.cache.touching > 1) {
    return false;
  }
  const std::uint64_t childA = saved.child / b.childCount, childB = saved.child % b.childCount;
  FeatureCounts first = featuresOf(a, childA), second = featuresOf(b, childB);
  // The convex part is the first of a pair with a triangle, whichever collider it belongs to.
  if (a.partOf(childA).surface && !b.partOf(childB).surface) std::swap(first, second);
  return namesFeatures(saved.cache, first, second);
}

void CollisionWorld::Implementation::forgetCaches() {
  for (bullet::PairState& state : dispatcher.pairs().all()) {
    state.cache = {};
    state.caches.clear();
  }
}

void CollisionWorld::Implementation::applyLoadedCaches() {
  for (const Saved& saved : loaded) {
    const int a = static_cast<int>(saved.a), b = static_cast<int>(saved.b);
    const btBroadphasePair* pair = pairCache.findPair(collider(a).proxy, collider(b).proxy);
    if (pair == nullptr) continue;
    bullet::PairState& state =
        dispatcher.pairs()[static_cast<bullet::PairAlgorithm*>(pair->m_algorithm)->slot()];
    if (!state.enabled || !bounds[saved.a].meets(bounds[saved.b])) continue;
    if (collider(a).isConvex() && collider(b).isConvex()) {
      state.cache = saved.cache;
    } else {
      state.caches.push_back({saved.child, saved.cache});
    }
  }
  loaded.clear();
}

void CollisionWorld::saveState(std::vector<std::byte>& out) const {
  std::vector<Saved> caches;
  implementation_->collectCaches(caches);
  writeCaches(caches, out);
}

void CollisionWorld::loadState(std::span<const std::byte> state) {
  std::vector<Saved> caches = readCaches(state);
  std::erase_if(caches, [&](const Saved& saved) { return !implementation_->fits(saved); });
  implementation_->forgetCaches();
  implementation_->loaded = std::move(caches);
}

void checkCollisionState(std::span<const std::byte> state) { readCaches(state); }

std::vector<std::byte> renumberedState(std::span<const std::byte> state, std::span<const int> to) {
  std::vector<Saved> kept;
  for (Saved saved : readCaches(state)) {
    const int a = saved.a < to.size() ? to[saved.a] : -1;
    const int b = saved.b < to.size() ? to[saved.b] : -1;
    if (a < 0 || b <= a) continue;
    saved.a = static_cast<std::uint32_t>(a);
    saved.b = static_cast<std::uint32_t>(b);
    kept.push_back(saved);
  }
  std::sort(kept.begin(), kept.end(),
            [](const Saved& p, const Saved& q) { return orderOf(p) < orderOf(q); });
  std::vector<std::byte> out;
  writeCaches(kept, out);
  return out;
}

}  // namespace drystone
