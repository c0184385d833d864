#include <algorithm>

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

void CollisionWorld::Implementation::gather(std::vector<ContactPoint>& contacts) {
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
  contacts.resize(total);
  parallelRanges(static_cast<int>(pairs), bullet::kPairsPerRange, settings.threads,
                 [&](int first, int end) {
                   for (int i = first; i < end; ++i) {
                     const PairContacts& pair = touching[static_cast<std::size_t>(i)];
                     const auto& from = scratch[static_cast<std::size_t>(pair.thread)].contacts;
                     std::copy_n(from.begin() + pair.begin, pair.count, contacts.begin() + pair.to);
                   }
                 });
}

void CollisionWorld::Implementation::collidePairs(std::span<const int> pairs, bool isTry) {
  const int threads = std::max(1, settings.threads);
  if (static_cast<int>(scratch.size()) < threads) scratch.resize(static_cast<std::size_t>(threads));
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
}

void CollisionWorld::Implementation::collideActive(std::vector<ContactPoint>& contacts) {
  applyLoadedCaches();
  collidePairs(activePairs, false);
  gather(contacts);
}

void CollisionWorld::Implementation::detectWoken(std::vector<ContactPoint>& contacts) {
  listPairs();
  wokenPairs.clear();
  for (const int slot : activePairs) {
    bullet::PairState& state = dispatcher.pairs()[slot];
    if (state.listed == detections) continue;
    state.listed = detections;
    wokenPairs.push_back(slot);
  }
  collidePairs(wokenPairs, false);
  gather(contacts);
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
        const bullet::PairState& pair = dispatcher.pairs()[slot];
        const bool isOfTry = isTried[static_cast<std::size_t>(pair.a)] != 0 ||
                             isTried[static_cast<std::size_t>(pair.b)] != 0;
        return isOfTry ? slot : -1;
      },
      triedPairs);
  listWayPairs([&](const bullet::PairState& pair) {
    return isTried[static_cast<std::size_t>(pair.a)] != 0 ||
           isTried[static_cast<std::size_t>(pair.b)] != 0;
  });
  collidePairs(triedPairs, true);
  gather(contacts);
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
