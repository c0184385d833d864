#pragma once

#include <optional>
#include <span>
#include <vector>

#include "engine/model/body.h"

namespace drystone {

struct WorldParts;

/// Which bodies a query sees.
struct QueryFilter {
  CollisionFilter filter{};           ///< as of a body that would meet them
  std::span<const BodyId> without{};  ///< left out; ids of what was removed throw InputError
  bool sensors = false;               ///< true: sensors too
};

/// A surface that a ray or a moved shape meets.
struct BodyHit {
  BodyId body{};
  Vec3 position = Vec3::Zero();  ///< world [m]
  Vec3 normal = Vec3::UnitZ();   ///< unit, of the surface hit, against the motion, world
  Real fraction = 1;             ///< of the way, in [0, 1]
  int part = -1;                 ///< child of a compound; -1: the shape is none
  int triangle = -1;  ///< of a mesh or height field, counted as in RayHit; -1: the part is neither
};

/// Where a placed shape and a body are closest or, where they overlap, the points of least overlap.
struct BodyDistance {
  BodyId body{};
  Real gap = 0;                  ///< along the normal; negative: overlap [m]
  Vec3 normal = Vec3::UnitZ();   ///< unit, from the shape to the body, world
  Vec3 onShape = Vec3::Zero();   ///< on the surface of the shape, world [m]
  Vec3 onOther = Vec3::Zero();   ///< on that of the body, world [m]
  int part = -1, triangle = -1;  ///< of the body, as in BodyHit
};

/// Questions about where the bodies of a world are: World::queries(). They see the bodies where
/// they were at that call, so ask for queries again after a step. Valid as long as the world is;
/// one thread at a time: for many rays, rayCasts() runs threads itself. Lengths are in metres;
/// points, poses and vectors in world axes.
///
/// What is not finite, a ray without direction, a shape that is bad or not convex and bounded, and
/// ids of what was removed throw InputError, which names the argument and the remedy.
class WorldQueries {
 public:
  /// First surface that the segment enters from outside. A shape that contains `from` is not hit;
  /// meshes and height fields are hit from both sides.
  std::optional<BodyHit> rayCast(const Vec3& from, const Vec3& to,
                                 const QueryFilter& filter = {}) const;
  /// All such surfaces by ascending fraction: one of each convex part of a body, and each triangle
  /// on the way. Where the ray meets the common edge of two triangles it hits both. The first is
  /// that of rayCast().
  std::vector<BodyHit> rayCastAll(const Vec3& from, const Vec3& to,
                                  const QueryFilter& filter = {}) const;
  /// Replaces hits[i] by what rayCast() finds for rays[i], as for a lidar: the same bits for every
  /// number of threads, 1 to 1024. There must be as many hits as rays.
  void rayCasts(std::span<const Ray> rays, std::span<std::optional<BodyHit>> hits, int threads,
                const QueryFilter& filter = {}) const;
  /// First hit of a shape moved from one place to another without turning on the way; fraction 0
  /// where it touches from the start. Like all below, for bounded convex shapes; others throw
  /// InputError.
  std::optional<BodyHit> shapeCast(const Shape& convex, const Pose& from, const Vec3& to,
                                   const QueryFilter& filter = {}) const;
  /// Bodies that touch or overlap the placed shape, ascending by index.
  std::vector<BodyId> overlap(const Shape& convex, const Pose& pose,
                              const QueryFilter& filter = {}) const;
  /// Where the placed shape and the body are closest, or overlap least. The body must have a shape.
  BodyDistance closestPoints(const Shape& convex, const Pose& pose, BodyId body) const;
  /// The same of the body that is closest, or overlaps deepest, of those nearer than `reach` > 0
  /// [m]. A large reach takes longer: it visits all triangles that are as near.
  std::optional<BodyDistance> closestBody(const Shape& convex, const Pose& pose, Real reach,
                                          const QueryFilter& filter = {}) const;

 private:
  friend class World;
  explicit WorldQueries(const WorldParts* parts) : parts_(parts) {}
  BodyId bodyOf(int collider) const;
  BodyHit hitOf(const RayHit& hit) const;
  BodyDistance distanceOf(const SurfaceDistance& distance) const;
  /// Valid as long as the filter is.
  ColliderTest testOf(const QueryFilter& filter) const;

  const WorldParts* parts_;
};

}  // namespace drystone
