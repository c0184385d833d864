#pragma once

#include <btBulletCollisionCommon.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "collision/narrow/manifold.h"
#include "collision/narrow/still_contact.h"

namespace drystone::bullet {

/// Cache of one pair of children within a pair of colliders.
struct ChildCache {
  std::uint64_t child = 0;  ///< childA * childCountB + childB
  narrow::PairCache cache;
};

/// The caches of a pair of colliders with parts. Most pairs have no parts: the lists are made when
/// they are first asked for, and then keep their memory.
class PartCaches {
 public:
  PartCaches() = default;
  PartCaches(const PartCaches& other) { *this = other; }
  PartCaches(PartCaches&&) noexcept = default;
  PartCaches& operator=(const PartCaches& other);
  PartCaches& operator=(PartCaches&&) noexcept = default;

  /// Ascending by child.
  std::vector<ChildCache>& now() { return made().now; }
  std::span<const ChildCache> now() const { return spanOf(&Lists::now); }
  /// Scratch of the same pair: those of the step before.
  std::vector<ChildCache>& previous() { return made().previous; }
  std::span<const ChildCache> previous() const { return spanOf(&Lists::previous); }
  void clear();

 private:
  struct Lists {
    std::vector<ChildCache> now, previous;
  };
  Lists& made() {
    if (!lists_) lists_ = std::make_unique<Lists>();
    return *lists_;
  }
  std::span<const ChildCache> spanOf(std::vector<ChildCache> Lists::*list) const {
    return lists_ ? std::span<const ChildCache>(*lists_.*list) : std::span<const ChildCache>();
  }

  std::unique_ptr<Lists> lists_;
};

/// What one pair of colliders keeps from step to step. Caches exist only while the pair's own
/// bounding boxes meet, so they do not depend on how generous the broad phase is.
struct PairState {
  int a = -1, b = -1;     ///< collider indices, a < b; of a free state b is the next free one
  bool enabled = true;    ///< switched by setPairEnabled
  bool isPlaced = false;  ///< whether the last detection placed its contact
  /// Of two polytopes: its place in the pool's list of those. -1: this state never had two. It
  /// stays when the state is used again.
  int still = -1;
  std::uint64_t listed = 0;  ///< number of the last detection that did not leave it out
  narrow::PairCache cache;   ///< of two convex colliders
  PartCaches parts;          ///< of colliders with parts
};

/// What a pair of two polytopes keeps on top of that.
struct StillPair {
  /// Number of the detection that found its contact at the anchors of both; 0: none did.
  std::uint64_t keptAt = 0;
  /// Of the last one that found none there that could stand for later ones: with the same anchors
  /// and cache none will.
  std::uint64_t notKeptAt = 0;
  narrow::StillContact contact;

  void forgetKept() { keptAt = notKeptAt = 0; }
};

/// Pair states at stable indices, reused in last-out first-in order with their memory.
class PairPool {
 public:
  int acquire();
  void release(int slot);
  PairState& operator[](int slot) { return states_[static_cast<std::size_t>(slot)]; }
  const PairState& operator[](int slot) const { return states_[static_cast<std::size_t>(slot)]; }
  /// All of them; those that are free have no colliders.
  std::span<PairState> all() { return states_; }
  std::span<const PairState> all() const { return states_; }
  /// Gives a pair of polytopes its place among those.
  void makeStill(PairState& state);
  /// Null where the state never had two polytopes.
  StillPair* stillOf(const PairState& state) {
    return state.still < 0 ? nullptr : &still_[state.still];
  }
  const StillPair* stillOf(const PairState& state) const {
    return state.still < 0 ? nullptr : &still_[state.still];
  }
  /// Begins a pair anew.
  void forget(PairState& state);
  /// Begins all anew.
  void forgetAll();
  /// Forgets which contacts at anchors stand for those of their pairs.
  void forgetKept();
  /// How often a state was acquired or released.
  std::uint64_t changes() const { return changes_; }

 private:
  std::uint64_t changes_ = 0;
  std::vector<PairState> states_;
  std::vector<StillPair> still_;
  int free_ = -1;  ///< the state that was released last; -1: none is free
};

/// Bullet's table of pairs of boxes that meet, with the states of these pairs. Bullet only decides
/// how long a pair lives: it has none of Bullet's algorithms, and the world runs the narrow phase.
class PairTable final : public btHashedOverlappingPairCache {
 public:
  /// The slot of the state of a pair; -1: it has none yet. Bullet keeps the number with the pair.
  static int slotOf(const btBroadphasePair& pair) { return pair.m_internalTmpValue - 1; }
  /// Gives a pair its state.
  PairState& acquire(btBroadphasePair& pair);

  /// Whole after a failed addition.
  btBroadphasePair* addOverlappingPair(btBroadphaseProxy* a, btBroadphaseProxy* b) override;
  /// Bullet calls it for what it removes.
  void cleanOverlappingPair(btBroadphasePair& pair, btDispatcher*) override;

  PairPool states;
};

}  // namespace drystone::bullet
