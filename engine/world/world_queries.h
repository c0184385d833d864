#pragma once

#include <optional>
#include <vector>

#include "engine/model/body.h"

namespace drystone {

struct WorldParts;

/// What a ray or a moved shape meets first.
struct BodyHit {
  BodyId body;
  Vec3 position = Vec3::Zero();  ///< world [m]
  Vec3 normal = Vec3::UnitZ();   ///< of the surface hit, against the motion
  Real fraction = 1;             ///< of the way, in [0, 1]
};

/// Questions about where the bodies of a world are: World::queries(). They see the bodies where
/// they were at that call, so ask for queries again after a step. Sensors are seen too: exclude
/// them by the filter. Valid as long as the world is; one thread at a time. Points, poses and
/// vectors are in world axes [m]; what is not finite throws InputError.
class WorldQueries {
 public:
  /// First surface that the segment enters from outside. A shape that contains `from` is not hit;
  /// meshes and height fields are hit from both sides.
  std::optional<BodyHit> rayCast(const Vec3& from, const Vec3& to,
                                 CollisionFilter filter = {}) const;
  /// First hit of a shape moved from one place to another without turning on the way; fraction 0
  /// where it touches from the start. Like all below, for bounded convex shapes; others throw
  /// InputError.
  std::optional<BodyHit> shapeCast(const Shape& convex, const Pose& from, const Vec3& to,
                                   CollisionFilter filter = {}) const;
  /// Bodies that touch or overlap the placed shape, ascending by index.
  std::vector<BodyId> overlap(const Shape& convex, const Pose& pose,
                              CollisionFilter filter = {}) const;
  /// Where the placed shape and the body are closest, or overlap least. The body must have a shape.
  SurfaceDistance closestPoints(const Shape& convex, const Pose& pose, BodyId body) const;

 private:
  friend class World;
  explicit WorldQueries(const WorldParts* parts) : parts_(parts) {}
  BodyHit hitOf(const RayHit& hit) const;

  const WorldParts* parts_;
};

}  // namespace drystone
