// What C asks of the bodies of a world: contacts, rays, moved shapes, overlaps, distances.

#include "bindings/c/boundary.h"

namespace drystone::c {
namespace {

drystone_query_filter defaultFilter() {
  static const QueryFilter defaults;
  return {.size = sizeof(drystone_query_filter),
          .group = defaults.filter.group,
          .mask = defaults.filter.mask,
          .sensors = defaults.sensors};
}

/// A filter of the engine, and the ids that it points to.
struct Filter {
  std::vector<BodyId> without;
  QueryFilter filter;

  explicit Filter(const drystone_query_filter* definition) {
    if (definition == nullptr) return;
    const drystone_query_filter from = readStruct(definition, defaultFilter(), "filter");
    for (const drystone_body_id id : spanOf(from.without, from.without_count, "filter: without")) {
      without.push_back(fromId(id));
    }
    filter = {.filter = {.group = from.group, .mask = from.mask},
              .without = without,
              .sensors = from.sensors != 0};
  }
  Filter(const Filter&) = delete;
  Filter& operator=(const Filter&) = delete;
};

drystone_hit hitOf(const std::optional<BodyHit>& from) {
  drystone_hit hit = {
      .size = sizeof hit, .body = {.index = -1, .generation = 0}, .part = -1, .triangle = -1};
  if (!from) return hit;
  hit.body = toId(from->body);
  put(from->position, hit.position);
  put(from->normal, hit.normal);
  hit.fraction = from->fraction;
  hit.part = from->part;
  hit.triangle = from->triangle;
  return hit;
}

drystone_distance distanceOf(const std::optional<BodyDistance>& from) {
  drystone_distance distance = {.size = sizeof distance, .body = {.index = -1, .generation = 0}};
  if (!from) return distance;
  distance.body = toId(from->body);
  distance.gap = from->gap;
  put(from->normal, distance.normal);
  put(from->onShape, distance.on_shape);
  put(from->onOther, distance.on_body);
  return distance;
}

}  // namespace

drystone_contact contactOf(const ContactSnapshot& from) {
  drystone_contact contact = {.a = toId(from.bodyA),
                              .b = toId(from.bodyB),
                              .gap = from.gap,
                              .normal_impulse = from.normalImpulse,
                              .friction = from.friction,
                              .attraction = from.attraction};
  put(from.position, contact.position);
  put(from.normal, contact.normal);
  put(from.impulse, contact.impulse);
  return contact;
}

extern "C" {

drystone_error drystone_world_contacts(drystone_world* world, drystone_contact* contacts,
                                       size_t element_size, size_t capacity, size_t* count) {
  return guarded([&] {
    WorldSnapshot snapshot;
    worldOf(world).observe().snapshot(snapshot);
    std::vector<drystone_contact> list;
    for (const ContactSnapshot& from : snapshot.contacts) list.push_back(contactOf(from));
    writeElements(list, contacts, element_size, capacity, count);
  });
}

drystone_error drystone_query_defaults(drystone_query_filter* filter, size_t size) {
  return setDefaults(defaultFilter(), filter, size, "filter");
}

drystone_error drystone_ray_cast(drystone_world* world, const double from[3], const double to[3],
                                 const drystone_query_filter* filter, drystone_hit* hit) {
  return guarded([&] {
    requireSize<drystone_hit>(given(hit, "hit").size, "hit");
    const Filter which(filter);
    const auto found =
        worldOf(world).queries().rayCast(vectorOf(from, "from"), vectorOf(to, "to"), which.filter);
    writeStruct(hitOf(found), hit, hit->size);
  });
}

drystone_error drystone_ray_casts(drystone_world* world, const double* rays, size_t ray_count,
                                  int threads, const drystone_query_filter* filter,
                                  drystone_hit* hits, size_t element_size) {
  return guarded([&] {
    const World& asked = worldOf(world);
    requireFinite(spanOf(rays, 6 * ray_count, "rays"), "rays");
    std::vector<Ray> segments;
    for (size_t i = 0; i < ray_count; ++i) {
      segments.push_back({Vec3(rays + 6 * i), Vec3(rays + 6 * i + 3)});
    }
    if (ray_count > 0) given(hits, "hits");
    std::vector<std::optional<BodyHit>> found(ray_count);
    const Filter which(filter);
    asked.queries().rayCasts(segments, found, threads, which.filter);
    std::vector<drystone_hit> list;
    for (const auto& one : found) list.push_back(hitOf(one));
    std::size_t count = 0;
    writeElements(list, hits, element_size, ray_count, &count);
  });
}

drystone_error drystone_shape_cast(drystone_world* world, const drystone_shape* shape,
                                   const drystone_pose* from, const double to[3],
                                   const drystone_query_filter* filter, drystone_hit* hit) {
  return guarded([&] {
    requireSize<drystone_hit>(given(hit, "hit").size, "hit");
    const Filter which(filter);
    const auto found = worldOf(world).queries().shapeCast(
        given(shape, "shape").shape, poseOf(from, "from"), vectorOf(to, "to"), which.filter);
    writeStruct(hitOf(found), hit, hit->size);
  });
}

drystone_error drystone_overlaps(drystone_world* world, const drystone_shape* shape,
                                 const drystone_pose* pose, const drystone_query_filter* filter,
                                 drystone_body_id* ids, size_t capacity, size_t* count) {
  return guarded([&] {
    const Filter which(filter);
    writeIds(worldOf(world).queries().overlap(given(shape, "shape").shape, poseOf(pose, "pose"),
                                              which.filter),
             ids, capacity, count);
  });
}

drystone_error drystone_closest(drystone_world* world, const drystone_shape* shape,
                                const drystone_pose* pose, double reach,
                                const drystone_query_filter* filter, drystone_distance* distance) {
  return guarded([&] {
    requireSize<drystone_distance>(given(distance, "distance").size, "distance");
    const Filter which(filter);
    const auto found = worldOf(world).queries().closestBody(
        given(shape, "shape").shape, poseOf(pose, "pose"), reach, which.filter);
    writeStruct(distanceOf(found), distance, distance->size);
  });
}

}  // extern "C"

}  // namespace drystone::c
