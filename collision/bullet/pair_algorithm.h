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
  int a = -1, b = -1;     ///< collider indices, a < b
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
  std::vector<int> free_;
};

/// The algorithm that Bullet attaches to an overlapping pair. It holds no manifold of Bullet's: the
/// pair's state lies in the pool of its Dispatcher, and the world runs the narrow phase over it.
/// Bullet only decides how long the pair lives.
class PairAlgorithm final : public btCollisionAlgorithm {
 public:
  explicit PairAlgorithm(const btCollisionAlgorithmConstructionInfo& info);
  ~PairAlgorithm() override;
  PairAlgorithm(const PairAlgorithm&) = delete;
  PairAlgorithm& operator=(const PairAlgorithm&) = delete;

  int slot() const { return slot_; }

  void processCollision(const btCollisionObjectWrapper*, const btCollisionObjectWrapper*,
                        const btDispatcherInfo&, btManifoldResult*) override {}
  btScalar calculateTimeOfImpact(btCollisionObject*, btCollisionObject*, const btDispatcherInfo&,
                                 btManifoldResult*) override {
    return 1;
  }
  void getAllContactManifolds(btManifoldArray&) override {}

 private:
  PairPool& pool() const;

  int slot_;
};

/// Bullet's dispatcher with every pair of shape types registered to PairAlgorithm, and a pool for
/// the algorithm objects.
class Dispatcher final : public btCollisionDispatcher {
 public:
  Dispatcher();
  ~Dispatcher() override;

  PairPool& pairs() { return pairs_; }
  const PairPool& pairs() const { return pairs_; }
  /// The algorithm of a pair, made when it has none.
  PairAlgorithm& algorithmOf(btBroadphasePair& pair);

  void* allocateCollisionAlgorithm(int size) override;
  void freeCollisionAlgorithm(void* memory) override;

 private:
  struct CreateFunction;
  Dispatcher(std::unique_ptr<btCollisionConfiguration> configuration);

  std::unique_ptr<btCollisionConfiguration> configuration_;
  std::unique_ptr<CreateFunction> create_;
  btEmptyShape anyShape_;
  PairPool pairs_;
  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  std::vector<void*> freeBlocks_;
};

}  // namespace drystone::bullet
