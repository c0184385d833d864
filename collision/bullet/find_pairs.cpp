// Broad phase: boxes that moved, pairs of boxes that meet. Bullet keeps the trees; what reads them
// is shared by threads.
#include <algorithm>
#include <utility>

#include "collision/bullet/implementation.h"
#include "core/input_error.h"
#include "core/parallel.h"

namespace drystone {
namespace {

/// Searches that a thread takes at a time: some 30 µs of work.
constexpr int kSearchesPerRange = 32;

/// Calls visit(collider) for each leaf that a search comes to.
template <class Visit>
struct LeafVisitor final : btDbvt::ICollide {
  explicit LeafVisitor(const Visit& visitLeaf) : visit(visitLeaf) {}
  void Process(const btDbvtNode* leaf) override {
    visit(indexOf(static_cast<const btDbvtProxy*>(leaf->data)));
  }
  const Visit& visit;
};

bool isWithin(const Bounds& inner, const Bounds& outer) {
  return (outer.lower.array() <= inner.lower.array()).all() &&
         (inner.upper.array() <= outer.upper.array()).all();
}

/// While one lives, Bullet searches for no pairs where a box is new or moved.
class WithoutSearches {
 public:
  explicit WithoutSearches(btDbvtBroadphase& broadPhase) : broadPhase_(broadPhase) {
    broadPhase_.m_deferedcollide = true;
  }
  ~WithoutSearches() { broadPhase_.m_deferedcollide = false; }
  WithoutSearches(const WithoutSearches&) = delete;
  WithoutSearches& operator=(const WithoutSearches&) = delete;

 private:
  btDbvtBroadphase& broadPhase_;
};

/// Of all that a collider comes through which stands at its start.
Bounds boxOfWay(const bullet::Collider& own, const ColliderSweep& sweep) {
  Bounds box = own.parts[0].bounds;
  for (const bullet::Part& part : own.parts) box.merge(part.bounds);
  const Vec3 grow = Vec3::Constant(sweep.turning);
  box = {box.lower - grow, box.upper + grow};
  box.merge({box.lower + sweep.way, box.upper + sweep.way});
  return box;
}

}  // namespace

void CollisionWorld::Implementation::createProxy(int index) {
  const Bounds& box = bounds[static_cast<std::size_t>(index)];
  void* client = reinterpret_cast<void*>(static_cast<std::intptr_t>(index));
  {
    const WithoutSearches own(broadPhase);
    collider(index).proxy = broadPhase.createProxy(
        toBullet(box.lower), toBullet(box.upper), EMPTY_SHAPE_PROXYTYPE, client,
        btBroadphaseProxy::DefaultFilter, btBroadphaseProxy::AllFilter, nullptr);
  }
  // Bullet would lose the proxy where its search for pairs runs out of memory.
  try {
    searchPairsOf(index);
  } catch (...) {
    destroyProxy(index);
    throw;
  }
  // Boxes that come in a row, as those of a tower, would make a tree as deep as they are many.
  constexpr int kLeavesPutAnew = 2;
  broadPhase.m_sets[btDbvtBroadphase::DYNAMIC_SET].optimizeIncremental(kLeavesPutAnew);
}

void CollisionWorld::Implementation::searchPairsOf(int index) {
  const auto add = [&](int other) {
    if (other == index) return;
    pairCache.addOverlappingPair(collider(other).proxy, collider(index).proxy);
    ++broadPhase.m_newpairs;  // so many are looked through by its cleanup
  };
  LeafVisitor visitor(add);
  const btDbvtNode* const leaf = static_cast<btDbvtProxy*>(collider(index).proxy)->leaf;
  for (btDbvt& tree : broadPhase.m_sets) tree.collideTV(tree.m_root, leaf->volume, visitor);
}

void CollisionWorld::Implementation::destroyProxy(int index) {
  broadPhase.destroyProxy(std::exchange(collider(index).proxy, nullptr), nullptr);
}

void CollisionWorld::Implementation::setMoved(int index) {
  if (!collider(index).moved) moved.push_back(index);
  collider(index).moved = true;
  collider(index).isLoaded = false;
}

void CollisionWorld::Implementation::setResting(std::span<const std::uint8_t> isResting) {
  for (std::size_t i = 0; i < colliders.size(); ++i) {
    colliders[i].rests = i < isResting.size() && isResting[i] != 0;
  }
  awakeMark = {};
}

void CollisionWorld::Implementation::placeAll(std::span<const int> indices) {
  parallelRanges(static_cast<int>(indices.size()), bullet::kPlacedPerRange, settings.threads,
                 [&](int begin, int end) {
                   for (const int index : indices.subspan(begin, end - begin)) place(index);
                 });
}

void CollisionWorld::Implementation::updateProxies() {
  if (!isWhole) {
    throw InputError("collisions: memory ran out amid a call before: the world must be made anew");
  }
  isWhole = false;
  for (const int index : stirring) {
    if (collider(index).rests) awakeMark = {};
    collider(index).stirs = false;
  }
  stirring.swap(moved);
  moved.clear();
  for (const int index : stirring) {
    if (collider(index).rests) awakeMark = {};
    collider(index).moved = false;
    collider(index).stirs = true;
    if (collider(index).toAnchor) continue;
    collider(index).toAnchor = true;
    unanchored.push_back(index);
  }
  placeAll(stirring);
  // Bullet would search for pairs at each box, in trees that still have old boxes; here all come
  // first. It asks for a cleanup where a box left the wider one that the tree has of it.
  searching.clear();
  const bool cleansUp = broadPhase.m_needcleanup;
  {
    const WithoutSearches own(broadPhase);
    for (const int index : stirring) {
      const Bounds& box = bounds[static_cast<std::size_t>(index)];
      broadPhase.m_needcleanup = false;
      broadPhase.setAabb(collider(index).proxy, toBullet(box.lower), toBullet(box.upper), nullptr);
      if (!broadPhase.m_needcleanup) continue;
      searching.push_back(index);
      collider(index).searches = true;
    }
  }
  broadPhase.m_needcleanup = cleansUp || !searching.empty();
  searchPairs();
  isWhole = true;
}

void CollisionWorld::Implementation::reserveSearches(int count) {
  const auto ranges = static_cast<std::size_t>((count + kSearchesPerRange - 1) / kSearchesPerRange);
  if (searches.size() < ranges) searches.resize(ranges);
}

void CollisionWorld::Implementation::searchPairs() {
  const int count = static_cast<int>(searching.size());
  reserveSearches(count);
  parallelRanges(count, kSearchesPerRange, settings.threads, [&](int begin, int end) {
    bullet::PairSearch& search = searches[static_cast<std::size_t>(begin / kSearchesPerRange)];
    search.met.clear();
    for (int i = begin; i < end; ++i) {
      const int index = searching[static_cast<std::size_t>(i)];
      const btDbvtNode* const leaf = static_cast<btDbvtProxy*>(collider(index).proxy)->leaf;
      // Two that search meet each other: the lower one has the pair.
      const auto note = [&](int other) {
        if (other > index || (other < index && !collider(other).searches)) {
          search.met.emplace_back(index, other);
        }
      };
      LeafVisitor visitor(note);
      for (const btDbvt& tree : broadPhase.m_sets) {
        tree.collideTVNoStackAlloc(tree.m_root, leaf->volume, search.stack, visitor);
      }
    }
  });
  for (int range = 0; range * kSearchesPerRange < count; ++range) {
    for (const auto& [own, other] : searches[static_cast<std::size_t>(range)].met) {
      pairCache.addOverlappingPair(collider(own).proxy, collider(other).proxy);
      ++broadPhase.m_newpairs;  // so many are looked through by its cleanup
    }
  }
  for (const int index : searching) collider(index).searches = false;
}

void CollisionWorld::Implementation::listAwakePairs() {
  btBroadphasePairArray& pairs = pairCache.getOverlappingPairArray();
  if (awakeMark == PairsMark{pairs.size(), pairCache.states.changes()}) return;
  for (int i = 0; i < pairs.size(); ++i) {
    if (bullet::PairTable::slotOf(pairs[i]) >= 0) continue;
    bullet::PairState& state = pairCache.acquire(pairs[i]);
    const int first = indexOf(pairs[i].m_pProxy0), second = indexOf(pairs[i].m_pProxy1);
    state.a = std::min(first, second);
    state.b = std::max(first, second);
    state.enabled = !isPairDisabled(first, second);
    if (collider(first).isPolytope() && collider(second).isPolytope()) {
      pairCache.states.makeStill(state);
    }
  }
  select.list(
      pairs.size(), bullet::kPairsPerRange, settings.threads,
      [&](int i) {
        const int slot = bullet::PairTable::slotOf(pairs[i]);
        const bullet::PairState& state = pairCache.states[slot];
        return isResting(state.a) && isResting(state.b) ? -1 : slot;
      },
      awakePairs);
  awakeMark = {pairs.size(), pairCache.states.changes()};
}

void CollisionWorld::Implementation::listPairs() {
  listAwakePairs();
  select.list(
      static_cast<int>(awakePairs.size()), bullet::kPairsPerRange, settings.threads,
      [&](int i) {
        const int slot = awakePairs[static_cast<std::size_t>(i)];
        bullet::PairState& state = pairCache.states[slot];
        if (state.enabled && bounds[static_cast<std::size_t>(state.a)].meets(
                                 bounds[static_cast<std::size_t>(state.b)])) {
          return slot;
        }
        pairCache.states.forget(state);
        return -1;
      },
      activePairs);
}

bool CollisionWorld::Implementation::isActive(int a, int b) {
  // First the bounds, which cost less than the search. It changes nothing of the pairs.
  if (!bounds[static_cast<std::size_t>(a)].meets(bounds[static_cast<std::size_t>(b)])) return false;
  const btBroadphasePair* const pair = pairCache.findPair(collider(a).proxy, collider(b).proxy);
  return pair != nullptr && bullet::PairTable::slotOf(*pair) >= 0;
}

void CollisionWorld::Implementation::listLeaving(std::span<const ColliderSweep> sweeps) {
  const int count = static_cast<int>(sweeps.size());
  waysOf.resize(sweeps.size());
  select.list(
      count, kSearchesPerRange, settings.threads,
      [&](int i) {
        const ColliderSweep& sweep = sweeps[static_cast<std::size_t>(i)];
        if (sweep.length() <= 0.5 * settings.margin) return -1;  // its box has so much room
        Bounds& box = waysOf[static_cast<std::size_t>(i)];
        box = boxOfWay(collider(sweep.collider), sweep);
        return isWithin(box, bounds[static_cast<std::size_t>(sweep.collider)]) ? -1 : i;
      },
      leavingSweeps);
  leaving.clear();
  for (const int i : leavingSweeps) {
    const auto sweep = static_cast<std::size_t>(i);
    leaving.push_back({sweeps[sweep].collider, waysOf[sweep]});
  }
  std::ranges::sort(leaving, {}, [](const LeavingCollider& one) {
    return std::pair(one.box.lower.x(), one.index);
  });
}

void CollisionWorld::Implementation::listMetOnWays() {
  const int count = static_cast<int>(leaving.size());
  reserveSearches(count);
  parallelRanges(count, kSearchesPerRange, settings.threads, [&](int begin, int end) {
    bullet::PairSearch& search = searches[static_cast<std::size_t>(begin / kSearchesPerRange)];
    search.met.clear();
    for (auto own = leaving.begin() + begin; own != leaving.begin() + end; ++own) {
      const auto note = [&](int other) {
        if (other == own->index || !own->box.meets(bounds[static_cast<std::size_t>(other)])) return;
        search.met.emplace_back(std::minmax(own->index, other));
      };
      LeafVisitor visitor(note);
      const btDbvtVolume volume =
          btDbvtVolume::FromMM(toBullet(own->box.lower), toBullet(own->box.upper));
      for (const btDbvt& tree : broadPhase.m_sets) {
        tree.collideTVNoStackAlloc(tree.m_root, volume, search.stack, visitor);
      }
      // Of two that leave their boxes, the ways may meet where neither was.
      for (auto other = own + 1;
           other != leaving.end() && other->box.lower.x() <= own->box.upper.x(); ++other) {
        if (!own->box.meets(other->box)) continue;
        search.met.emplace_back(std::minmax(own->index, other->index));
      }
    }
  });
  metOnWays.clear();
  for (int range = 0; range * kSearchesPerRange < count; ++range) {
    const auto& met = searches[static_cast<std::size_t>(range)].met;
    metOnWays.insert(metOnWays.end(), met.begin(), met.end());
  }
  std::ranges::sort(metOnWays);
  metOnWays.erase(std::unique(metOnWays.begin(), metOnWays.end()), metOnWays.end());
}

void CollisionWorld::Implementation::findPairsOnWays(std::span<const ColliderSweep> sweeps) {
  wayPairCount = 0;
  listLeaving(sweeps);
  if (leaving.empty()) return;
  listMetOnWays();
  const auto isNew = [&](int a, int b) {
    return filter.needBroadphaseCollision(collider(a).proxy, collider(b).proxy) &&
           !isPairDisabled(a, b) && !isActive(a, b);
  };
  select.list(
      static_cast<int>(metOnWays.size()), bullet::kPairsPerRange, settings.threads,
      [&](int i) {
        const auto& [a, b] = metOnWays[static_cast<std::size_t>(i)];
        return isNew(a, b) ? i : -1;
      },
      newOnWays);
  for (const int i : newOnWays) {
    const auto& [a, b] = metOnWays[static_cast<std::size_t>(i)];
    if (wayPairCount == static_cast<int>(wayPairs.size())) wayPairs.emplace_back();
    bullet::PairState& pair = wayPairs[static_cast<std::size_t>(wayPairCount++)];
    pair.a = a;
    pair.b = b;
  }
}

void CollisionWorld::Implementation::findPairs() {
  ++detections;
  wayPairCount = 0;
  updateProxies();
  isWhole = false;
  anchorMoved();
  if (!stirring.empty()) broadPhase.calculateOverlappingPairs(nullptr);
  listPairs();
  parallelRanges(static_cast<int>(activePairs.size()), bullet::kPairsPerRange, settings.threads,
                 [&](int begin, int end) {
                   for (int i = begin; i < end; ++i) {
                     bullet::PairState& state =
                         pairCache.states[activePairs[static_cast<std::size_t>(i)]];
                     if (!restsAsLoaded(state)) state.listed = detections;
                   }
                 });
  isWhole = true;
}

}  // namespace drystone
