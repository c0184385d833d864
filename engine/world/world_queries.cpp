#include "engine/world/world_queries.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "core/executor.h"
#include "core/field_visitor.h"
#include "core/input_error.h"
#include "engine/model/argument_checks.h"
#include "engine/step/world_parts.h"

namespace drystone {
namespace {

/// As of WorldSettings::threads.
constexpr int kMostThreads = 1024;

/// Throws InputError unless the ray has a direction and its ends lie as near as bodies may. With
/// more, or with less than the smallest shape, the squares of its length leave the numbers, and its
/// hits with them. `index`: among many; -1: it is alone.
void requireRay(std::string_view function, const Ray& ray, int index = -1) {
  const Real length = (ray.to - ray.from).stableNorm();
  const Real farthest = std::max(ray.from.cwiseAbs().maxCoeff(), ray.to.cwiseAbs().maxCoeff());
  if (length >= kSmallestPositiveInput && farthest <= kLargestInput) return;
  const std::string which = index < 0 ? "" : fmt::format("ray {}: ", index);
  requireBounded(function, which + "from", ray.from, "m");
  requireBounded(function, which + "to", ray.to, "m");
  throw InputError(fmt::format(
      "{}: {}from and to are {} and give no direction: move `to`, or ask overlap() what is there",
      function, which,
      length > 0 ? fmt::format("{:g} m apart, less than {:g} m,", length, kSmallestPositiveInput)
                 : "one point"));
}

}  // namespace

BodyId WorldQueries::bodyOf(int collider) const {
  return parts_->bodies.idOf(parts_->bodyOfCollider[collider]);
}

BodyHit WorldQueries::hitOf(const RayHit& hit) const {
  return {bodyOf(hit.collider), hit.position, hit.normal, hit.fraction, hit.part, hit.triangle};
}

BodyDistance WorldQueries::distanceOf(const SurfaceDistance& distance) const {
  return {bodyOf(distance.collider), distance.gap,  distance.normal,  distance.onShape,
          distance.onOther,          distance.part, distance.triangle};
}

ColliderTest WorldQueries::testOf(const QueryFilter& filter) const {
  for (const BodyId id : filter.without) parts_->bodies.slotOf(id);  // checks that it is there
  return [parts = parts_, &filter](int collider) {
    const int body = parts->bodyOfCollider[collider];
    return (filter.sensors || !parts->bodies.isSensor[body]) &&
           std::ranges::find(filter.without, body, &BodyId::index) == filter.without.end();
  };
}

std::optional<BodyHit> WorldQueries::rayCast(const Vec3& from, const Vec3& to,
                                             const QueryFilter& filter) const {
  requireRay("rayCast", {from, to});
  const std::optional<RayHit> hit =
      parts_->collision.rayCast(from, to, filter.filter, testOf(filter));
  if (!hit) return std::nullopt;
  return hitOf(*hit);
}

std::vector<BodyHit> WorldQueries::rayCastAll(const Vec3& from, const Vec3& to,
                                              const QueryFilter& filter) const {
  requireRay("rayCastAll", {from, to});
  std::vector<BodyHit> hits;
  for (const RayHit& hit : parts_->collision.rayCastAll(from, to, filter.filter, testOf(filter))) {
    hits.push_back(hitOf(hit));
  }
  return hits;
}

void WorldQueries::rayCasts(std::span<const Ray> rays, std::span<std::optional<BodyHit>> hits,
                            int threads, const QueryFilter& filter) const {
  if (rays.size() != hits.size()) {
    throw InputError(fmt::format("rayCasts: {} rays but room for {} hits: give as many hits",
                                 rays.size(), hits.size()));
  }
  if (threads < 1 || threads > kMostThreads) {
    throw InputError(
        fmt::format("rayCasts: threads must be 1 to {}, got {}", kMostThreads, threads));
  }
  for (std::size_t i = 0; i < rays.size(); ++i) {
    requireRay("rayCasts", rays[i], static_cast<int>(i));
  }
  std::vector<std::optional<RayHit>> found(rays.size());
  const ExecutorScope scope(parts_->executor.get());
  parts_->collision.rayCasts(rays, found, threads, filter.filter, testOf(filter));
  for (std::size_t i = 0; i < rays.size(); ++i) {
    hits[i].reset();
    if (found[i]) hits[i] = hitOf(*found[i]);
  }
}

std::optional<BodyHit> WorldQueries::shapeCast(const Shape& convex, const Pose& from,
                                               const Vec3& to, const QueryFilter& filter) const {
  const Pose start = requirePose("shapeCast", "from", from);
  requireBounded("shapeCast", "to", to, "m");
  const std::optional<RayHit> hit =
      parts_->collision.shapeCast(convex, start, to, filter.filter, testOf(filter));
  if (!hit) return std::nullopt;
  return hitOf(*hit);
}

std::vector<BodyId> WorldQueries::overlap(const Shape& convex, const Pose& pose,
                                          const QueryFilter& filter) const {
  const Pose place = requirePose("overlap", "pose", pose);
  std::vector<BodyId> bodies;
  for (const int collider :
       parts_->collision.overlap(convex, place, filter.filter, testOf(filter))) {
    bodies.push_back(bodyOf(collider));
  }
  std::ranges::sort(bodies, {}, &BodyId::index);
  return bodies;
}

BodyDistance WorldQueries::closestPoints(const Shape& convex, const Pose& pose, BodyId body) const {
  const Pose place = requirePose("closestPoints", "pose", pose);
  const int collider = parts_->bodies.collider[parts_->bodies.slotOf(body)];
  if (collider < 0) {
    throw InputError(fmt::format("closestPoints: body '{}' has no shape",
                                 parts_->bodies.record[body.index].name));
  }
  return distanceOf(parts_->collision.closestPoints(convex, place, collider));
}

std::optional<BodyDistance> WorldQueries::closestBody(const Shape& convex, const Pose& pose,
                                                      Real reach, const QueryFilter& filter) const {
  const Pose place = requirePose("closestBody", "pose", pose);
  if (!(reach > 0 && reach <= kLargestInput)) {
    throw InputError(
        fmt::format("closestBody: reach must be > 0 m and at most {:g} m, got {}: take the size of "
                    "the scene to ask all of it",
                    kLargestInput, reach));
  }
  const std::optional<SurfaceDistance> least =
      parts_->collision.closest(convex, place, reach, filter.filter, testOf(filter));
  if (!least) return std::nullopt;
  return distanceOf(*least);
}

}  // namespace drystone
