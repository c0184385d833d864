#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "collision/narrow/contact_point.h"
#include "collision/narrow/polytope_meeting.h"
#include "collision/shape/local_surface.h"
#include "collision/shape/shape.h"

namespace drystone {

/// Two colliders meet only if each one's mask has the other's group bit.
struct CollisionFilter {
  std::uint32_t group = 1;
  std::uint32_t mask = 0xffffffffu;
};

/// How a collider would go until the next detection, to first order.
struct ColliderMotion {
  Vec3 way = Vec3::Zero();   ///< of its frame [m]
  Vec3 turn = Vec3::Zero();  ///< about that frame's origin [rad]
  Real arc = 0;              ///< how far the frame departs from a straight way at most [m]
  /// The part of `way` on which it may fly past others: by its own velocity, and where what is
  /// run into all the same is found late. Zero: nothing is asked [m].
  Vec3 flight = Vec3::Zero();
};

/// The way of a collider within a step, over which time runs from 0 to 1.
struct ColliderSweep {
  int collider = -1;
  Vec3 center = Vec3::Zero();  ///< that it turns about, at the start [m]
  Vec3 way = Vec3::Zero();     ///< of that centre [m]
  Vec3 turn = Vec3::Zero();    ///< rotation vector [rad]
  Real reach = 0;              ///< no point of it is farther from that centre [m]
  Real turning = 0;            ///< turning leads its surface no farther: turningOf() [m]
  Real share = 1;              ///< > 0: the time at which it has gone all that, and stops
  bool isFast = false;         ///< by itself: against whatever it meets

  /// Share of a thickness by which one may move without its way being looked at: what it meets is
  /// still seen at the end of it, and from the right side.
  static constexpr Real kSlowShare = 0.5;

  Real length() const { return way.norm() + turning; }  ///< its surface goes no farther [m]
};
/// Where a frame of it is at a time, that is at `start` at 0.
Pose sweptPose(const ColliderSweep& sweep, const Pose& start, Real time);

/// Two colliders that come to overlap within a step.
struct SweptTouch {
  static constexpr Real kNever = 2;
  int colliderA = -1, colliderB = -1;
  Real free = 0;       ///< a time at which they do not overlap by more than they may
  Real time = kNever;  ///< one soon after it at which they do
  Real deep = kNever;  ///< one at which they do so by some share of the smaller part's thickness
  bool isDeepAtEnd = false;  ///< so deep at the end that the far side may be nearer
  /// Cosine between the directions of least overlap at `time` and at the end of the step; 0 where
  /// they are apart at the end. Negative: they have come to overlap from the other side.
  Real sameSide = 0;
  Real turn = 0;  ///< by how much the two turn from `time` on [rad]
  /// Where they are closest then, or overlap least. Its feature says the parts only.
  ContactPoint closest;
  bool exists() const { return time < kNever; }
};

/// What of a collider a contact touches; the numbers are those of RayHit.
struct TouchedPart {
  int part = -1;      ///< child of a compound; -1: the shape is none
  int triangle = -1;  ///< of a mesh or height field; -1: the part is neither
  bool operator==(const TouchedPart&) const = default;
};

struct CollisionSettings {
  Real margin = 0.01;  ///< points with gap ≤ margin are reported [m]
  /// Keep at most 4 points a face pair, those that span the support polygon, and of the triangles
  /// of a surface those of a body together. Off keeps them all.
  bool reduceManifolds = true;
  int threads = 1;  ///< for the narrow phase; the contacts do not depend on it
};

/// The segment from one point to another, world [m].
struct Ray {
  Vec3 from = Vec3::Zero();
  Vec3 to = Vec3::UnitX();
};

struct RayHit {
  int collider = -1;
  Vec3 position = Vec3::Zero();  ///< world [m]
  Vec3 normal = Vec3::UnitZ();   ///< of the surface hit, towards the ray's origin, world
  Real fraction = 1;             ///< along from → to, in [0, 1]
  int part = -1;                 ///< child of a compound; -1: the shape is none
  /// As MeshData counts, or of a height field: 2 (row (columns - 1) + column) is that of the cell
  /// below its diagonal, the next one that above it. -1: the part is neither.
  int triangle = -1;
};

/// Where two surfaces are closest or, where they overlap, the points of least overlap.
struct SurfaceDistance {
  Real gap = 0;                  ///< along the normal; negative: overlap [m]
  Vec3 normal = Vec3::UnitZ();   ///< unit, from the placed shape to the other
  Vec3 onShape = Vec3::Zero();   ///< of the placed shape, world [m]
  Vec3 onOther = Vec3::Zero();   ///< world [m]
  int collider = -1;             ///< the other
  int part = -1, triangle = -1;  ///< of the other, as in RayHit
};

/// Whether a query sees a collider, beside its filter; empty: it sees all.
using ColliderTest = std::function<bool(int collider)>;

/// Broad phase, narrow phase and queries over a set of placed shapes. Positions are the frames of
/// the shapes. Results depend only on the poses set, the colliders' indices and the saved state,
/// never on memory layout or thread count. An index of no collider throws InputError. Not
/// thread-safe; queries bring the broad phase up to date, so they do not run at the same time
/// either.
class CollisionWorld {
 public:
  explicit CollisionWorld(const CollisionSettings& settings);
  ~CollisionWorld();
  CollisionWorld(CollisionWorld&&) noexcept;
  CollisionWorld& operator=(CollisionWorld&&) noexcept;

  /// Adds a collider and returns its index: `at` where that is given, which must be free, else the
  /// lowest free one. Two static colliders never meet.
  int add(const Shape& shape, const Pose& pose, CollisionFilter filter, bool isStatic, int at = -1);
  bool contains(int collider) const;
  /// Whether every call came to its end, or changed nothing, as a failed add() does. A world that
  /// is not whole is to be made anew: detection and queries throw InputError.
  bool isWhole() const;
  void remove(int collider);
  /// Detection also looks for what the collider meets by its motion beyond the margin.
  void setPose(int collider, const Pose& pose, const ColliderMotion& motion = {});
  /// Says which colliders rest [colliders]; none at first. A pair of two that rest is left out of
  /// detect() and keeps its state, until one of them is moved, or rests no more.
  void setResting(std::span<const std::uint8_t> isResting);
  void setFilter(int collider, CollisionFilter filter);
  /// Switches one pair on or off, on top of the filters. Used for bodies that a joint connects.
  void setPairEnabled(int colliderA, int colliderB, bool enabled);
  void setMargin(Real margin);
  void setThreads(int threads);

  /// Replaces `contacts` by all points with gap ≤ margin and those that motions lead to, sorted by
  /// (colliderA, colliderB, feature). After warm-up, allocates only when the number of pairs or
  /// contacts reaches a new maximum.
  void detect(std::vector<ContactPoint>& contacts);
  /// The two halves of it: the pairs whose boxes meet, and then their contacts.
  void findPairs();
  void collidePairs(std::vector<ContactPoint>& contacts);
  /// Replaces `contacts` by those of the pairs that the last detect() left out, and that are not to
  /// be left out any more, at the poses of then.
  void detectWoken(std::vector<ContactPoint>& contacts);
  /// Drops the contacts with static colliders that a seam between their parts feigns, and turns
  /// those to the face there that lean by no more than such a seam. The contacts are those of the
  /// last detect(), in its order, less those that push nothing (docs/theory/contacts.md).
  void dropGhosts(std::vector<ContactPoint>& contacts);
  /// Adds to the pairs of the last detect() those whose ways lead out of the boxes that it had, and
  /// to each other: for contactsAt() and sweep(), in place of those of the last call.
  void findPairsOnWays(std::span<const ColliderSweep> sweeps);
  /// Replaces `contacts` by those that the pairs of the last detect() would have with the listed
  /// colliders at other poses and nothing in motion: only pairs with one of these colliders, in
  /// detect()'s order, only points that push, and no ghosts. Everything stays where it is, and
  /// nothing is remembered.
  void contactsAt(std::span<const int> colliders, std::span<const Pose> poses,
                  const std::function<bool(const ContactPoint&)>& pushes,
                  std::vector<ContactPoint>& contacts);
  /// How far a turn about a centre leads the surface of a collider from where it was placed last,
  /// at most [m]. No point of it is farther than `reach` from the centre [m]. A turn about the axis
  /// of what is round leads it nowhere.
  Real turningOf(int collider, const Vec3& center, const Vec3& turn, Real reach) const;
  /// Thickness of the thinnest part of a collider [m]: of a surface 0, of a plane infinite.
  Real thinnestOf(int collider) const;
  /// Replaces `touches` by the first overlaps of parts within a step, by ascending colliders and
  /// times, of the pairs of the last detect() with a fast collider, and of those of which two parts
  /// move against each other by more than half of their thicknesses together. The others may move
  /// too; what is not listed stands. `allowed`: how deep a pair may overlap [m]; not finite: it is
  /// left out. Several threads call it. No overlap that reaches half as deep as the smaller part is
  /// thick is missed, unless the two turn so close to each other that a thousand tries do not get
  /// past: the rest of the way is then tried at a thousand even times. Returns how many of the
  /// listed are fast, or in such a pair without a fast one.
  int sweep(std::span<const ColliderSweep> sweeps, const std::function<Real(int a, int b)>& allowed,
            std::vector<SweptTouch>& touches);
  /// The surfaces of A and of B at a contact of the last detect(), at the poses of then.
  std::array<LocalSurface, 2> localSurfaces(const ContactPoint& contact) const;
  /// What makes such a contact of two polytopes; none where the search for it does not tell.
  std::optional<PolytopeMeeting> meetingOf(const ContactPoint& contact) const;
  /// The feature of a contact of colliders that are still there, when B comes first.
  std::uint64_t turnedFeature(const ContactPoint& contact) const;
  /// What of A and of B a contact of colliders that are still there touches.
  std::array<TouchedPart, 2> touchedParts(const ContactPoint& contact) const;
  /// Pairs whose bounding boxes met in the last detect(), without those that rest.
  int pairCount() const;
  /// Of these, pairs that lie still: their contacts were placed by those of an earlier search.
  int placedCount() const;
  /// Where a collider was in the last detect(), or was added since, grown by half the margin and
  /// by its motion: the boxes of two colliders that may have contacts meet. None for what is not
  /// bounded.
  std::optional<Bounds> bounds(int collider) const;

  /// First surface that the segment enters from outside. A shape that contains `from` is not hit;
  /// meshes and height fields are hit from both sides. None where the ends are one point.
  std::optional<RayHit> rayCast(const Vec3& from, const Vec3& to, CollisionFilter filter = {},
                                const ColliderTest& sees = {}) const;
  /// All such surfaces by ascending fraction: one of each convex part, and each triangle. Where a
  /// ray meets the common edge of two triangles it hits both. The first is that of rayCast().
  std::vector<RayHit> rayCastAll(const Vec3& from, const Vec3& to, CollisionFilter filter = {},
                                 const ColliderTest& sees = {}) const;
  /// Replaces hits[i] by what rayCast() finds for rays[i]: as many hits as rays, the same bits for
  /// every number of threads. Then `sees` is called by several threads at a time.
  void rayCasts(std::span<const Ray> rays, std::span<std::optional<RayHit>> hits, int threads,
                CollisionFilter filter = {}, const ColliderTest& sees = {}) const;
  /// First hit of a bounded convex shape moved from one place to another without turning on the
  /// way; fraction 0 where it touches from the start. Throws InputError for other shapes, like all
  /// below.
  std::optional<RayHit> shapeCast(const Shape& convex, const Pose& from, const Vec3& to,
                                  CollisionFilter filter = {}, const ColliderTest& sees = {}) const;
  /// Colliders that touch or overlap the placed convex shape, ascending.
  std::vector<int> overlap(const Shape& convex, const Pose& pose, CollisionFilter filter = {},
                           const ColliderTest& sees = {}) const;
  /// Closest points of a placed bounded convex shape and a collider. Of a compound or mesh they are
  /// those of its closest part or triangle.
  SurfaceDistance closestPoints(const Shape& convex, const Pose& pose, int collider) const;
  /// The same of the collider that is closest, or overlaps deepest; none within `reach` [m].
  std::optional<SurfaceDistance> closest(const Shape& convex, const Pose& pose, Real reach,
                                         CollisionFilter filter = {},
                                         const ColliderTest& sees = {}) const;

  /// The part of the state that later contacts depend on (cached axes and features by pair).
  /// A world with the same colliders that loads it goes on bit for bit.
  void saveState(std::vector<std::byte>& out) const;
  /// Leaves out pairs that are not here, and those whose shapes have not the features that are
  /// named: they begin anew. Throws InputError, and changes nothing, when the bytes are damaged, as
  /// checkCollisionState() does.
  void loadState(std::span<const std::byte> state);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

/// Throws InputError unless the bytes are a state of CollisionWorld::saveState(), of whatever
/// world.
void checkCollisionState(std::span<const std::byte> state);

/// A state of CollisionWorld::saveState() for a world whose colliders have other indices: `to` has
/// those by the old ones, -1 for what is gone. Leaves out pairs of what is gone, and those whose
/// order turns, which begin anew. Throws InputError when the bytes are damaged.
std::vector<std::byte> renumberedState(std::span<const std::byte> state, std::span<const int> to);

}  // namespace drystone
