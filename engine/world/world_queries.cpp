#include "engine/world/world_queries.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/input_error.h"
#include "engine/model/argument_checks.h"
#include "engine/step/world_parts.h"

namespace drystone {

BodyHit WorldQueries::hitOf(const RayHit& hit) const {
  return {parts_->bodies.idOf(parts_->bodyOfCollider[hit.collider]), hit.position, hit.normal,
          hit.fraction};
}

std::optional<BodyHit> WorldQueries::rayCast(const Vec3& from, const Vec3& to,
                                             CollisionFilter filter) const {
  requireFinite("rayCast", "from", from);
  requireFinite("rayCast", "to", to);
  const std::optional<RayHit> hit = parts_->collision.rayCast(from, to, filter);
  if (!hit) return std::nullopt;
  return hitOf(*hit);
}

std::optional<BodyHit> WorldQueries::shapeCast(const Shape& convex, const Pose& from,
                                               const Vec3& to, CollisionFilter filter) const {
  const Pose start = requirePose("shapeCast", "from", from);
  requireFinite("shapeCast", "to", to);
  const std::optional<RayHit> hit = parts_->collision.shapeCast(convex, start, to, filter);
  if (!hit) return std::nullopt;
  return hitOf(*hit);
}

std::vector<BodyId> WorldQueries::overlap(const Shape& convex, const Pose& pose,
                                          CollisionFilter filter) const {
  const Pose place = requirePose("overlap", "pose", pose);
  std::vector<BodyId> bodies;
  for (const int collider : parts_->collision.overlap(convex, place, filter)) {
    bodies.push_back(parts_->bodies.idOf(parts_->bodyOfCollider[collider]));
  }
  std::ranges::sort(bodies, {}, &BodyId::index);
  return bodies;
}

SurfaceDistance WorldQueries::closestPoints(const Shape& convex, const Pose& pose,
                                            BodyId body) const {
  const Pose place = requirePose("closestPoints", "pose", pose);
  const int collider = parts_->bodies.collider[parts_->bodies.slotOf(body)];
  if (collider < 0) {
    throw InputError(fmt::format("closestPoints: body '{}' has no shape",
                                 parts_->bodies.record[body.index].name));
  }
  return parts_->collision.closestPoints(convex, place, collider);
}

}  // namespace drystone
