#include <algorithm>

#include "collision/bullet/implementation.h"
#include "core/parallel.h"

namespace drystone {
void CollisionWorld::Implementation::setMoved(int index) {
  if (!collider(index).moved) moved.push_back(index);
  collider(index).moved = true;
}

void CollisionWorld::Implementation::setResting(std::span<const std::uint8_t> isResting) {
  for (std::size_t i = 0; i < colliders.size(); ++i) {
    colliders[i].rests = i < isResting.size() && isResting[i] != 0;
  }
  awakeMark = {};
}

void CollisionWorld::Implementation::updateProxies() {
  for (const int index : stirring) {
    if (collider(index).rests) awakeMark = {};
    collider(index).stirs = false;
  }
  stirring.swap(moved);
  moved.clear();
  for (const int index : stirring) {
    if (collider(index).rests) awakeMark = {};
    const auto i = static_cast<std::size_t>(index);
    collider(index).moved = false;
    collider(index).stirs = true;
    place(index);
    broadPhase.setAabb(collider(index).proxy, toBullet(bounds[i].lower), toBullet(bounds[i].upper),
                       &dispatcher);
  }
}

void CollisionWorld::Implementation::listAwakePairs() {
  btBroadphasePairArray& pairs = pairCache.getOverlappingPairArray();
  if (awakeMark == PairsMark{pairs.size(), dispatcher.pairs().changes()}) return;
  awakePairs.clear();
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
    if (!isResting(state.a) || !isResting(state.b)) awakePairs.push_back(slot);
  }
  awakeMark = {pairs.size(), dispatcher.pairs().changes()};
}

void CollisionWorld::Implementation::listPairs() {
  listAwakePairs();
  activePairs.clear();
  for (const int slot : awakePairs) {
    bullet::PairState& state = dispatcher.pairs()[slot];
    if (state.enabled && bounds[static_cast<std::size_t>(state.a)].meets(
                             bounds[static_cast<std::size_t>(state.b)])) {
      activePairs.push_back(slot);
    } else {
      state.cache = {};
      state.caches.clear();
    }
  }
}

void CollisionWorld::Implementation::collidePair(bullet::PairState& state, int index, int thread) {
  ThreadScratch& own = scratch[static_cast<std::size_t>(thread)];
  PairContacts& result = results[static_cast<std::size_t>(index)];
  result = {state.a, state.b, thread, static_cast<int>(own.contacts.size()), 0};
  if (collider(state.a).isConvex() && collider(state.b).isConvex()) {
    collideConvexParts(state, 0, placed[static_cast<std::size_t>(state.a)],
                       placed[static_cast<std::size_t>(state.b)], state.cache, own);
  } else {
    collideParts(state, own);
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

void CollisionWorld::Implementation::collidePairs(std::span<const int> pairs, bool isTry) {
  results.resize(pairs.size());
  const int threads = std::max(1, settings.threads);
  if (static_cast<int>(scratch.size()) < threads) scratch.resize(static_cast<std::size_t>(threads));
  for (ThreadScratch& own : scratch) own.contacts.clear();
  constexpr int kChunk = 64;
  const int count = static_cast<int>(pairs.size());
  parallelFor((count + kChunk - 1) / kChunk, threads, [&](int chunk, int thread) {
    const int end = std::min(count, (chunk + 1) * kChunk);
    bullet::PairState& tried = scratch[static_cast<std::size_t>(thread)].tried;
    for (int i = chunk * kChunk; i < end; ++i) {
      bullet::PairState& own = dispatcher.pairs()[pairs[static_cast<std::size_t>(i)]];
      if (isTry) tried = own;
      collidePair(isTry ? tried : own, i, thread);
    }
  });
}

void CollisionWorld::Implementation::findPairs() {
  ++detections;
  updateProxies();
  if (!stirring.empty()) broadPhase.calculateOverlappingPairs(&dispatcher);
  listPairs();
  for (const int slot : activePairs) dispatcher.pairs()[slot].listed = detections;
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
  const auto stand = [&](int index) {
    bullet::Collider& own = collider(index);
    bullet::placeParts(own.pose, own.parts);
    placed[static_cast<std::size_t>(index)] = own.parts[0].placed;
  };
  isTried.assign(colliders.size(), 0);
  kept.clear();
  for (std::size_t i = 0; i < moving.size(); ++i) {
    bullet::Collider& own = collider(moving[i]);
    kept.push_back({own.pose, own.motion, own.reach});
    own.pose = poses[i];
    own.motion = {};
    own.reach = 0;
    stand(moving[i]);
    isTried[static_cast<std::size_t>(moving[i])] = 1;
  }
  triedPairs.clear();
  for (const int slot : activePairs) {
    const bullet::PairState& pair = dispatcher.pairs()[slot];
    if (isTried[static_cast<std::size_t>(pair.a)] != 0 ||
        isTried[static_cast<std::size_t>(pair.b)] != 0) {
      triedPairs.push_back(slot);
    }
  }
  collidePairs(triedPairs, true);
  gather(contacts);
  std::erase_if(contacts, [&](const ContactPoint& point) { return !pushes(point); });
  dropGhosts(contacts);
  for (std::size_t i = 0; i < moving.size(); ++i) {
    bullet::Collider& own = collider(moving[i]);
    own.pose = kept[i].pose;
    own.motion = kept[i].motion;
    own.reach = kept[i].reach;
    stand(moving[i]);
  }
}

}  // namespace drystone
