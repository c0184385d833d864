#pragma once

#include <btBulletCollisionCommon.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "collision/bullet/pair_algorithm.h"
#include "collision/collision_world.h"
#include "collision/narrow/convex_pairs.h"
#include "collision/narrow/placed_shape.h"

namespace drystone {

/// Broad phase and pair bookkeeping by Bullet, all else ours. What the inner loops read of a
/// collider lies in arrays of its own (placed, bounds).
struct CollisionWorld::Implementation {
  /// Lets no pair pass that the filters exclude or that has two static colliders.
  struct PairFilter final : btOverlapFilterCallback {
    explicit PairFilter(const Implementation& owner) : world(&owner) {}
    bool needBroadphaseCollision(btBroadphaseProxy* a, btBroadphaseProxy* b) const override;
    const Implementation* world;
  };

  struct Collider {
    bool used = false;
    bool isStatic = false;
    bool moved = false;
    CollisionFilter filter;
    Shape shape;
    Pose pose;
    std::unique_ptr<narrow::Polytope> polytope;
    btBroadphaseProxy* proxy = nullptr;
  };

  /// Where the contacts of one pair lie.
  struct PairContacts {
    int a = 0, b = 0;
    int thread = 0, begin = 0, count = 0;
  };

  struct ThreadScratch {
    narrow::ClipScratch clip;
    narrow::Manifold manifold;
    std::vector<ContactPoint> contacts;
  };

  explicit Implementation(const CollisionSettings& settings);
  ~Implementation();

  int add(const Shape& shape, const Pose& pose, CollisionFilter filter, bool isStatic);
  void remove(int collider);
  void createProxy(int collider);
  void destroyProxy(int collider);
  /// Placed shape and bounds from the pose.
  void place(int collider);
  bool isPairDisabled(int a, int b) const;
  void setPairEnabled(int a, int b, bool enabled);

  void detect(std::vector<ContactPoint>& contacts);
  void updateBroadPhase();
  void listPairs();
  void collidePair(int index, int thread);
  void gather(std::vector<ContactPoint>& contacts);

  CollisionSettings settings;
  std::vector<Collider> colliders;
  std::vector<narrow::PlacedShape> placed;   ///< by collider
  std::vector<narrow::Aabb> bounds;          ///< by collider, grown by half the margin
  std::vector<int> moved;                    ///< colliders whose pose was set since the last detect
  std::vector<std::uint64_t> disabledPairs;  ///< sorted keys

  PairFilter filter{*this};
  bullet::Dispatcher dispatcher;
  btHashedOverlappingPairCache pairCache;
  btDbvtBroadphase broadPhase;

  std::vector<int> activePairs;  ///< slots of the pairs whose bounds meet
  std::vector<PairContacts> results;
  std::vector<PairContacts> touching;
  std::vector<int> firstOfA;
  std::vector<ThreadScratch> scratch;
};

/// Key of an unordered pair of colliders.
inline std::uint64_t pairKey(int a, int b) {
  const auto low = static_cast<std::uint64_t>(a < b ? a : b);
  const auto high = static_cast<std::uint64_t>(a < b ? b : a);
  return low << 32 | high;
}

}  // namespace drystone
