#include "collision/bullet/pair_table.h"

#include <algorithm>
#include <utility>

namespace drystone::bullet {

PartCaches& PartCaches::operator=(const PartCaches& other) {
  if (this == &other) return *this;
  if (other.lists_) {
    made() = *other.lists_;
  } else {
    clear();
  }
  return *this;
}

void PartCaches::clear() {
  if (!lists_) return;
  lists_->now.clear();
  lists_->previous.clear();
}

int PairPool::acquire() {
  ++changes_;
  if (free_ < 0) {
    states_.emplace_back();
    return static_cast<int>(states_.size()) - 1;
  }
  const int slot = free_;
  free_ = std::exchange((*this)[slot].b, -1);
  return slot;
}

void PairPool::release(int slot) {
  ++changes_;
  PairState& state = (*this)[slot];
  state.a = -1;
  state.b = std::exchange(free_, slot);
  state.enabled = true;
  state.listed = 0;
  forget(state);
}

void PairPool::makeStill(PairState& state) {
  if (state.still >= 0) return;
  state.still = static_cast<int>(still_.size());
  still_.emplace_back();
}

void PairPool::forget(PairState& state) {
  state.cache = {};
  state.parts.clear();
  if (StillPair* const still = stillOf(state)) still->forgetKept();
}

void PairPool::forgetAll() {
  for (PairState& state : states_) forget(state);
  for (StillPair& still : still_) still.contact.count = 0;
}

void PairPool::forgetKept() {
  for (StillPair& still : still_) still.forgetKept();
}

PairState& PairTable::acquire(btBroadphasePair& pair) {
  const int slot = states.acquire();
  pair.m_internalTmpValue = slot + 1;
  return states[slot];
}

btBroadphasePair* PairTable::addOverlappingPair(btBroadphaseProxy* a, btBroadphaseProxy* b) {
  // Bullet adds the pair to its list and then makes both tables as long as that has room. Where the
  // list is to grow, as it does to twice its length, they go first.
  const btBroadphasePairArray& pairs = getOverlappingPairArray();
  if (pairs.size() == pairs.capacity()) {
    const int next = std::max(1, 2 * pairs.size());
    m_hashTable.reserve(next);
    m_next.reserve(next);
  }
  return btHashedOverlappingPairCache::addOverlappingPair(a, b);
}

void PairTable::cleanOverlappingPair(btBroadphasePair& pair, btDispatcher*) {
  if (slotOf(pair) >= 0) states.release(slotOf(pair));
  pair.m_internalTmpValue = 0;
}

}  // namespace drystone::bullet
