#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include "collision/bullet/implementation.h"
#include "core/parallel.h"

namespace drystone {

void CollisionWorld::Implementation::collidePair(bullet::PairState& state, bool isTry, int thread) {
  ThreadScratch& own = scratch[static_cast<std::size_t>(thread)];
  const int begin = static_cast<int>(own.contacts.size());
  if (collider(state.a).isConvex() && collider(state.b).isConvex()) {
    if (!isTry) {
      collideStill(state, own);
    } else {
      collideConvexParts(state, 0, placed[static_cast<std::size_t>(state.a)],
                         placed[static_cast<std::size_t>(state.b)], state.cache, own);
    }
  } else {
    collideParts(state, own);
  }
  const int count = static_cast<int>(own.contacts.size()) - begin;
  if (count == 0) return;
  own.pairs.push_back({state.a, state.b, thread, begin, count});
  std::sort(own.contacts.begin() + begin, own.contacts.end(),
            [](const ContactPoint& p, const ContactPoint& q) { return p.feature < q.feature; });
}

std::size_t CollisionWorld::Implementation::placeContacts() {
  // Counting sort by A, then by B within the few pairs of each A.
  firstOfA.assign(colliders.size() + 1, 0);
  std::size_t total = 0, pairs = 0;
  for (const ThreadScratch& own : scratch) {
    for (const PairContacts& pair : own.pairs) ++firstOfA[static_cast<std::size_t>(pair.a) + 1];
    total += own.contacts.size();
    pairs += own.pairs.size();
  }
  for (std::size_t i = 1; i < firstOfA.size(); ++i) firstOfA[i] += firstOfA[i - 1];
  touching.resize(pairs);
  for (const ThreadScratch& own : scratch) {
    for (const PairContacts& pair : own.pairs) {
      touching[static_cast<std::size_t>(firstOfA[static_cast<std::size_t>(pair.a)]++)] = pair;
    }
  }
  int begin = 0;
  for (std::size_t i = 0; i + 1 < firstOfA.size(); ++i) {
    std::sort(touching.begin() + begin, touching.begin() + firstOfA[i],
              [](const PairContacts& p, const PairContacts& q) { return p.b < q.b; });
    begin = firstOfA[i];
  }
  int next = 0;
  for (PairContacts& pair : touching) {
    pair.to = next;
    next += pair.count;
  }
  return total;
}

void CollisionWorld::Implementation::gather(std::size_t total,
                                            std::vector<ContactPoint>& contacts) {
  contacts.resize(total);
  parallelRanges(static_cast<int>(touching.size()), bullet::kPairsPerRange, settings.threads,
                 [&](int first, int end) {
                   for (int i = first; i < end; ++i) {
                     const PairContacts& pair = touching[static_cast<std::size_t>(i)];
                     const auto& from = scratch[static_cast<std::size_t>(pair.thread)].contacts;
                     std::copy_n(from.begin() + pair.begin, pair.count, contacts.begin() + pair.to);
                   }
                 });
}

void CollisionWorld::Implementation::sortInPlace(std::vector<ContactPoint>& contacts) {
  sourceOf.resize(contacts.size());
  for (const PairContacts& pair : touching) {
    std::iota(sourceOf.begin() + pair.to, sourceOf.begin() + pair.to + pair.count, pair.begin);
  }
  // Each round of a cycle moves one contact out of the way and all others to where they belong.
  for (std::size_t first = 0; first < contacts.size(); ++first) {
    if (sourceOf[first] == static_cast<int>(first)) continue;
    const ContactPoint aside = contacts[first];
    std::size_t to = first;
    for (int from = sourceOf[to]; from != static_cast<int>(first); from = sourceOf[to]) {
      contacts[to] = contacts[static_cast<std::size_t>(from)];
      sourceOf[to] = static_cast<int>(to);
      to = static_cast<std::size_t>(from);
    }
    contacts[to] = aside;
    sourceOf[to] = static_cast<int>(to);
  }
}

void CollisionWorld::Implementation::collidePairs(std::span<const int> pairs, bool isTry,
                                                  std::vector<ContactPoint>& contacts) {
  const int threads = std::max(1, settings.threads);
  if (static_cast<int>(scratch.size()) < threads) scratch.resize(static_cast<std::size_t>(threads));
  // One thread finds its contacts in the array that they are asked for in: no second one is kept.
  const bool isAlone = threads == 1;
  if (isAlone) scratch[0].contacts.swap(contacts);
  for (ThreadScratch& own : scratch) {
    own.contacts.clear();
    own.pairs.clear();
  }
  constexpr int kChunk = 64;
  const int count = static_cast<int>(pairs.size());
  parallelFor((count + kChunk - 1) / kChunk, threads, [&](int chunk, int thread) {
    const int end = std::min(count, (chunk + 1) * kChunk);
    bullet::PairState& tried = scratch[static_cast<std::size_t>(thread)].tried;
    for (int i = chunk * kChunk; i < end; ++i) {
      const int slot = pairs[static_cast<std::size_t>(i)];
      bullet::PairState& own = pairAt(slot);
      const bool isCopy = isTry || restsAsLoaded(own);
      if (isCopy) tried = own;
      collidePair(isCopy ? tried : own, isCopy, thread);
    }
  });
  const std::size_t total = placeContacts();
  if (isAlone) {
    scratch[0].contacts.swap(contacts);
    sortInPlace(contacts);
  } else {
    gather(total, contacts);
  }
}

void CollisionWorld::Implementation::collideActive(std::vector<ContactPoint>& contacts) {
  applyLoadedCaches();
  collidePairs(activePairs, false, contacts);
}

void CollisionWorld::Implementation::detectWoken(std::vector<ContactPoint>& contacts) {
  listPairs();
  wokenPairs.clear();
  for (const int slot : activePairs) {
    bullet::PairState& state = pairCache.states[slot];
    if (state.listed == detections) continue;
    state.listed = detections;
    wokenPairs.push_back(slot);
  }
  collidePairs(wokenPairs, false, contacts);
}

void CollisionWorld::Implementation::contactsAt(
    std::span<const int> moving, std::span<const Pose> poses,
    const std::function<bool(const ContactPoint&)>& pushes, std::vector<ContactPoint>& contacts) {
  // Calls visit(i) for all that move, and brings each to where it is then.
  const auto standAll = [&](auto&& visit) {
    parallelRanges(static_cast<int>(moving.size()), bullet::kPlacedPerRange, settings.threads,
                   [&](int begin, int end) {
                     for (int i = begin; i < end; ++i) {
                       visit(static_cast<std::size_t>(i));
                       const int index = moving[static_cast<std::size_t>(i)];
                       bullet::Collider& own = collider(index);
                       bullet::placeParts(own.pose, own.parts);
                       placed[static_cast<std::size_t>(index)] = own.parts[0].placed;
                     }
                   });
  };
  isTried.assign(colliders.size(), 0);
  kept.resize(moving.size());
  standAll([&](std::size_t i) {
    bullet::Collider& own = collider(moving[i]);
    kept[i] = {own.pose, own.motion, own.reach};
    own.pose = poses[i];
    own.motion = {};
    own.reach = 0;
    isTried[static_cast<std::size_t>(moving[i])] = 1;
  });
  select.list(
      static_cast<int>(activePairs.size()), bullet::kPairsPerRange, settings.threads,
      [&](int i) {
        const int slot = activePairs[static_cast<std::size_t>(i)];
        const bullet::PairState& pair = pairCache.states[slot];
        const bool isOfTry = isTried[static_cast<std::size_t>(pair.a)] != 0 ||
                             isTried[static_cast<std::size_t>(pair.b)] != 0;
        return isOfTry ? slot : -1;
      },
      triedPairs);
  listWayPairs([&](const bullet::PairState& pair) {
    return isTried[static_cast<std::size_t>(pair.a)] != 0 ||
           isTried[static_cast<std::size_t>(pair.b)] != 0;
  });
  collidePairs(triedPairs, true, contacts);
  std::erase_if(contacts, [&](const ContactPoint& point) { return !pushes(point); });
  dropGhosts(contacts);
  standAll([&](std::size_t i) {
    bullet::Collider& own = collider(moving[i]);
    own.pose = kept[i].pose;
    own.motion = kept[i].motion;
    own.reach = kept[i].reach;
  });
}

}  // namespace drystone
