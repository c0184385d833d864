#pragma once

#include <btBulletCollisionCommon.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "collision/bullet/collider.h"
#include "collision/bullet/pair_table.h"
#include "collision/collision_world.h"
#include "collision/narrow/ghosts.h"
#include "collision/narrow/pairs.h"
#include "collision/narrow/still_contact.h"
#include "collision/narrow/surface_reduction.h"
#include "core/parallel_select.h"

namespace drystone {

namespace bullet {

/// Colliders that a thread places at a time, and pairs that it looks at: some 20 µs of work.
inline constexpr int kPlacedPerRange = 64;
inline constexpr int kPairsPerRange = 256;

/// Searches of a range of colliders for others.
struct PairSearch {
  btNodeStack stack;
  std::vector<std::pair<int, int>> met;  ///< who searched, and whom it met
};

/// What is known of a pair at the anchors of its colliders.
enum class Still : std::uint64_t {
  kUnknown,
  kKept,  ///< the contact there stands for that of the pair
  kNone,  ///< with this cache no contact there may
};

/// One cache of a saved state.
struct SavedCache {
  std::uint32_t a = 0, b = 0;  ///< colliders
  std::uint64_t child = 0;
  narrow::PairCache cache;
  Still still = Still::kUnknown;
};

/// One anchor of a saved state.
struct SavedAnchor {
  std::uint64_t collider = 0;
  std::array<Real, 7> pose{};  ///< position [m], then x, y, z, w of the rotation
};

}  // namespace bullet

/// The collider that a proxy of the broad phase stands for.
inline int indexOf(const btBroadphaseProxy* proxy) {
  return static_cast<int>(reinterpret_cast<std::intptr_t>(proxy->m_clientObject));
}

/// Broad phase and the life of pairs by Bullet, all else ours. What the inner loops read of a
/// collider lies in arrays of its own (placed, bounds).
struct CollisionWorld::Implementation {
  /// Lets no pair pass that the filters exclude or that has two static colliders.
  struct PairFilter final : btOverlapFilterCallback {
    explicit PairFilter(const Implementation& owner) : world(&owner) {}
    bool needBroadphaseCollision(btBroadphaseProxy* a, btBroadphaseProxy* b) const override;
    const Implementation* world;
  };

  /// Where the contacts of one pair lie.
  struct PairContacts {
    int a = 0, b = 0;
    int thread = 0, begin = 0, count = 0;
    int to = 0;  ///< where they go among those of all pairs
  };

  struct ThreadScratch {
    narrow::ClipScratch clip;
    narrow::Manifold manifold;
    narrow::PlacedTriangle triangle;
    std::vector<int> triangles;
    std::vector<narrow::LostOverlap> lost;
    narrow::SurfaceReduction reduction;
    std::vector<narrow::StaticContact> judged;
    std::vector<narrow::SupportingFace> faces;
    std::vector<ContactPoint> contacts;
    std::vector<PairContacts> pairs;  ///< those that have some of them
    std::vector<SweptTouch> touches;
    bullet::PairState tried;  ///< copy of a pair's state, to be thrown away
  };

  /// Where a collider is while it stands at another pose for a try.
  struct KeptPlace {
    Pose pose;
    ColliderMotion motion;
    Real reach = 0;
  };

  explicit Implementation(const CollisionSettings& settings);
  ~Implementation();

  int add(const Shape& shape, const Pose& pose, CollisionFilter filter, bool isStatic, int at);
  void remove(int collider);
  /// Gives the collider a proxy, and the pairs that this one comes to. All or nothing.
  void createProxy(int collider);
  void searchPairsOf(int collider);
  void destroyProxy(int collider);
  /// Placed shape and bounds from the pose.
  void place(int collider);
  bool isPairDisabled(int a, int b) const;
  void setPairEnabled(int a, int b, bool enabled);

  void setMoved(int collider);
  void setResting(std::span<const std::uint8_t> isResting);
  void findPairs();
  void collideActive(std::vector<ContactPoint>& contacts);
  void detectWoken(std::vector<ContactPoint>& contacts);
  /// Places colliders by their poses; each is listed once.
  void placeAll(std::span<const int> indices);
  /// Tells the broad phase of the colliders that moved, and finds the pairs that they come to.
  void updateProxies();
  void searchPairs();
  /// Makes room for so many searches.
  void reserveSearches(int count);
  /// Whether a pair of this and another such collider is left out.
  bool isResting(int index) const { return collider(index).rests && !collider(index).stirs; }
  /// Whether a pair is looked at for its contacts alone: it rests since before the state that was
  /// loaded, and the world that was saved would not look at it.
  bool restsAsLoaded(const bullet::PairState& state) const {
    const bullet::Collider &a = collider(state.a), &b = collider(state.b);
    return a.isLoaded && b.isLoaded && a.rests && b.rests;
  }
  /// Lists the pairs that do not rest, where others may do so than at the last time.
  void listAwakePairs();
  /// Lists those of them whose bounds meet.
  void listPairs();
  /// Gives the pairs the caches that loadState() brought.
  void applyLoadedCaches();
  /// Replaces `contacts` by those of the pairs in these slots, sorted. They are found with the
  /// states of the pairs or with copies of these.
  void collidePairs(std::span<const int> pairs, bool isTry, std::vector<ContactPoint>& contacts);
  /// `isTry`: of a copy of its state.
  void collidePair(bullet::PairState& state, bool isTry, int thread);
  /// Looks which of the polytopes that were placed since the last time left their anchors.
  void anchorMoved();
  /// Whether both colliders of a pair stand where they were anchored before this detection, and
  /// nothing but what lies within the margin counts.
  bool isStill(const bullet::PairState& state) const;
  /// Whether the contact at the anchors stands for that of the pair.
  bullet::Still stillOf(const bullet::PairState& state) const;
  bool keepsContact(const bullet::PairState& state) const {
    const bullet::StillPair* const still = pairCache.states.stillOf(state);
    return still != nullptr && still->keptAt > wasAnchoredAt(state);
  }
  /// Number of the last detection that found one of a pair elsewhere than at its anchor.
  std::uint64_t wasAnchoredAt(const bullet::PairState& state) const;
  /// Finds the contact at the anchors; false where it cannot stand for later ones.
  bool findStill(const bullet::PairState& state, narrow::StillContact& contact, ThreadScratch& own);
  /// The contacts of two convex colliders: placed while they lie still, else searched for.
  void collideStill(bullet::PairState& state, ThreadScratch& own);
  void contactsAt(std::span<const int> moving, std::span<const Pose> poses,
                  const std::function<bool(const ContactPoint&)>& pushes,
                  std::vector<ContactPoint>& contacts);
  Real turningOf(int index, const Vec3& center, const Vec3& turn, Real reach) const;
  int sweep(std::span<const ColliderSweep> sweeps, const std::function<Real(int a, int b)>& allowed,
            std::vector<SweptTouch>& touches);
  /// How many of them are fast, or in a pair that is tried without a fast one.
  int countSwept(std::span<const ColliderSweep> sweeps);
  /// Adds to own.touches the parts that come to overlap by more than `allowed` [m].
  void sweepPair(const bullet::PairState& state, const ColliderSweep* sweepA,
                 const ColliderSweep* sweepB, Real allowed, ThreadScratch& own) const;
  void findPairsOnWays(std::span<const ColliderSweep> sweeps);
  void listLeaving(std::span<const ColliderSweep> sweeps);
  void listMetOnWays();
  /// Whether the last detection looked for contacts of the two.
  bool isActive(int a, int b);
  /// Adds to the tried pairs those on ways that `takes` takes.
  template <class Test>
  void listWayPairs(Test&& takes) {
    for (int i = 0; i < wayPairCount; ++i) {
      if (takes(wayPairs[static_cast<std::size_t>(i)])) triedPairs.push_back(~i);
    }
  }
  /// The pair of a slot, or of ~index one on a way.
  bullet::PairState& pairAt(int slot) {
    return slot >= 0 ? pairCache.states[slot] : wayPairs[static_cast<std::size_t>(~slot)];
  }
  /// The contacts of two convex shapes.
  void collideConvexParts(const bullet::PairState& state, std::uint64_t child, const PlacedShape& a,
                          const PlacedShape& b, narrow::PairCache& cache, ThreadScratch& own);
  /// How the first collider of a pair moves as the second one sees it.
  struct PairMotion {
    Vec3 way = Vec3::Zero();     ///< [m]
    Real turning = 0;            ///< how far turning may lead on top of it [m]
    Vec3 flight = Vec3::Zero();  ///< the part of the way on which it may fly past [m]
    Real margin = 0;             ///< largest gap of what may meet [m]
  };
  PairMotion motionOf(const bullet::PairState& state) const;
  /// Whether no point lies within the margin.
  bool isApart(const narrow::Manifold& manifold) const;
  /// Whether the first shape of the manifold may fly past the second: they are apart, and its
  /// flight closes the gap along a normal that is kept, as that of a corner is not.
  bool mayFlyPast(const narrow::Manifold& manifold, const Vec3& flight, Real turning) const;
  /// The part of its way on which A touches B; none where it misses B.
  static std::optional<Vec3> wayToTouch(const PlacedShape& a, const PlacedShape& b,
                                        const Vec3& way);
  /// Colliders of several parts: every pair of parts whose bounds meet.
  void collideParts(bullet::PairState& state, ThreadScratch& own);
  void collideSurface(bullet::PairState& state, const bullet::Part& convex,
                      const bullet::Part& surface, bool surfaceIsA, ThreadScratch& own);
  /// Lists the contacts from `first` on, those of the triangle of the last cache.
  static void listForReduction(const bullet::PairState& state, std::size_t first, bool surfaceIsA,
                               ThreadScratch& own);
  /// Drops ghosts from the list and turns others, as dropGhosts() does of all parts: here no face
  /// of the surface is missing yet.
  void judgeGhosts(const bullet::PairState& state, ThreadScratch& own) const;
  /// Thins the listed contacts. The caches from `firstCache` on remember what stays.
  static void reduceSurface(const bullet::Part& convex, std::size_t firstContact,
                            std::size_t firstCache, bullet::PairState& state, ThreadScratch& own);
  /// Adds the contact of the triangle of own.lost through which the shape reaches deepest.
  static void collideLost(const bullet::PairState& state, const bullet::Part& convex,
                          const bullet::Part& surface, bool surfaceIsA, std::uint64_t countB,
                          ThreadScratch& own);
  /// Adds own.manifold to own.contacts.
  static void appendContacts(const bullet::PairState& state, std::uint64_t child,
                             ThreadScratch& own);
  /// The same; of points that all lie beyond the margin none where they do not close. With the way
  /// of A to the touch, whose manifold it is with B in place: for the poses before that way.
  void appendMeeting(const bullet::PairState& state, std::uint64_t child,
                     const std::optional<Vec3>& way, ThreadScratch& own) const;
  /// Says where the contacts of every pair go among those of all; returns how many there are.
  std::size_t placeContacts();
  /// Brings the contacts of all threads to their places.
  void gather(std::size_t total, std::vector<ContactPoint>& contacts);
  /// Brings the contacts of the one thread to their places, within their array.
  void sortInPlace(std::vector<ContactPoint>& contacts);

  void dropGhosts(std::vector<ContactPoint>& contacts);
  /// Lists the contacts with static colliders, those of one moving collider together.
  void listStaticContacts(const std::vector<ContactPoint>& contacts);
  narrow::StaticContact staticContact(const ContactPoint& contact, int index) const;

  /// What a query sees.
  struct Sight {
    CollisionFilter filter;
    const ColliderTest& test;
  };
  /// What a ray writes on its way; several may run at a time, each with its own.
  struct RayScratch {
    btAlignedObjectArray<const btDbvtNode*> nodes;
    std::vector<int> colliders, triangles;
  };
  bool sees(const Sight& sight, int index) const;
  /// Colliders that are seen and may meet the box, ascending. The broad phase must be up to date.
  std::vector<int> collidersIn(const Bounds& box, const Sight& sight);
  /// Leaves in `work.colliders` those that may meet the segment, likewise.
  void listCollidersOn(const Ray& ray, const Sight& sight, RayScratch& work) const;
  /// Calls offer(hit) for all that a ray hits, by ascending collider, part and triangle.
  template <class Offer>
  void forHits(const Ray& ray, const Sight& sight, RayScratch& scratch, Offer&& offer) const;
  std::optional<RayHit> firstHit(const Ray& ray, const Sight& sight, RayScratch& work) const;
  /// Replaces `least` where a piece of the collider has a smaller gap to the shape.
  void takeCloser(const bullet::Part& probe, int index, SurfaceDistance& least) const;

  bullet::Collider& collider(int index) { return colliders[static_cast<std::size_t>(index)]; }
  const bullet::Collider& collider(int index) const {
    return colliders[static_cast<std::size_t>(index)];
  }

  /// For public functions: throws InputError where there is no such collider.
  bullet::Collider& existing(int index) {
    if (index < 0 || index >= std::ssize(colliders) || !collider(index).used) throwMissing(index);
    return collider(index);
  }
  [[noreturn]] static void throwMissing(int index);

  /// All caches that later contacts depend on, ascending by (a, b, child).
  void collectCaches(std::vector<bullet::SavedCache>& out) const;
  void collectAnchors(std::vector<bullet::SavedAnchor>& out) const;
  /// Makes these the only anchors.
  void setAnchors(std::span<const bullet::SavedAnchor> saved);
  /// Whether the pair of a cache is here and has the features that the cache names.
  bool fits(const bullet::SavedCache& saved) const;
  /// Colliders that were moved since the last detection, and not by loading a state.
  void collectMoved(std::vector<std::uint64_t>& out) const;
  /// Lets the colliders stand as loaded, but for those that the saved world had moved.
  void setLoaded(std::span<const std::uint64_t> savedAsMoved);

  CollisionSettings settings;
  std::vector<bullet::Collider> colliders;
  std::size_t firstMaybeFree = 0;            ///< all colliders below are in use
  std::vector<PlacedShape> placed;           ///< by collider, of convex ones
  std::vector<Bounds> bounds;                ///< by collider, grown by half the margin
  std::vector<int> moved;                    ///< colliders whose pose was set since the last detect
  std::vector<std::uint64_t> disabledPairs;  ///< pairKey, ascending

  PairFilter filter{*this};
  bullet::PairTable pairCache;
  btDbvtBroadphase broadPhase;
  bool isWhole = true;  ///< false amid a change of these, and for good where it failed

  /// What of the listed pairs may be different.
  struct PairsMark {
    int pairs = -1;             ///< of the broad phase
    std::uint64_t changes = 0;  ///< of the pair states
    bool operator==(const PairsMark&) const = default;
  };
  PairsMark awakeMark;           ///< of the list of awake pairs; without pairs it is void
  std::uint64_t detections = 0;  ///< so many were begun
  std::vector<int> unanchored;   ///< colliders that were placed since the last look at anchors
  std::vector<int> stirring;     ///< colliders that were moved before the present detection
  std::vector<int> searching;    ///< of these, what left its box in the tree of the broad phase
  std::vector<bullet::PairSearch> searches;  ///< by range of them
  ParallelSelect select;
  std::vector<int> awakePairs;   ///< slots of the pairs that do not rest
  std::vector<int> activePairs;  ///< those of them whose bounds meet
  std::vector<int> wokenPairs;   ///< those of them that the last detection left out at first
  std::vector<int> triedPairs;   ///< those of them that a try is about
  std::vector<char> isTried;     ///< [colliders] whether a try moves it
  std::vector<KeptPlace> kept;   ///< of those
  std::vector<int> sweepOf;      ///< [colliders] index of its way; -1: it stands
  std::vector<char> isSwept;     ///< [ways] whether all of it is looked at

  /// A collider that a way leads out of its box of the detection.
  struct LeavingCollider {
    int index = -1;
    Bounds box;  ///< of the whole way
  };
  std::vector<LeavingCollider> leaving;  ///< by the lower end of their boxes along x
  std::vector<Bounds> waysOf;            ///< [sweeps] of the whole way
  std::vector<int> leavingSweeps;
  std::vector<std::pair<int, int>> metOnWays;  ///< colliders, the lower one first
  std::vector<int> newOnWays;                  ///< those of them that are not active
  std::vector<bullet::PairState> wayPairs;     ///< pairs that ways lead together, beside the active
  int wayPairCount = 0;                        ///< so many of them count
  std::vector<bullet::SavedCache> loaded;      ///< waits for the next detect, ascending
  std::vector<PairContacts> touching;
  std::vector<int> firstOfA;
  std::vector<int> sourceOf;  ///< [contacts] of one thread, where each was found
  std::vector<ThreadScratch> scratch;

  // Scratch of dropGhosts().
  std::vector<std::pair<int, int>> staticContacts;  ///< moving collider and contact, ascending
  std::vector<narrow::StaticContact> ofBody;
  std::vector<narrow::SupportingFace> supportingFaces;
};

/// Key of an unordered pair of colliders.
inline std::uint64_t pairKey(int a, int b) {
  const auto low = static_cast<std::uint64_t>(a < b ? a : b);
  const auto high = static_cast<std::uint64_t>(a < b ? b : a);
  return low << 32 | high;
}

inline btVector3 toBullet(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

}  // namespace drystone
