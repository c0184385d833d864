#pragma once

/// Contacts, rays, moved shapes, overlaps and distances: part of drystone.h, whose first lines hold
/// here too. Bodies are seen where they are now. Moved and placed shapes are bounded and convex.

#include <drystone.h>

#ifdef __cplusplus
extern "C" {
#endif

/// One contact point of the last step.
typedef struct {
  drystone_body_id a, b;
  double position[3];     ///< [m]
  double normal[3];       ///< unit, from a to b
  double impulse[3];      ///< on b, friction included [N s]
  double gap;             ///< at detection; negative: overlap [m]
  double normal_impulse;  ///< [N s]
  double friction;        ///< coefficient
  double attraction;      ///< pull of adhesion, which the normal impulse is less by [N s]
} drystone_contact;
/// `element_size` is sizeof(drystone_contact).
drystone_error drystone_world_contacts(drystone_world* world, drystone_contact* contacts,
                                       size_t element_size, size_t capacity, size_t* count);

/// Which bodies a query sees.
typedef struct {
  size_t size;
  uint32_t group, mask;             ///< as of a body that would meet them
  int sensors;                      ///< 1: sensors too
  const drystone_body_id* without;  ///< left out
  size_t without_count;
} drystone_query_filter;
/// Sets the size, and all fields to their defaults: all bodies but sensors.
drystone_error drystone_query_defaults(drystone_query_filter* filter, size_t size);

/// A surface that a ray or a moved shape meets.
typedef struct {
  size_t size;
  drystone_body_id body;  ///< index -1: nothing was hit, and the rest is 0
  double position[3];     ///< [m]
  double normal[3];       ///< unit, of the surface, against the motion
  double fraction;        ///< of the way, 0 to 1
  int part;               ///< child of a compound; -1: it is none
  int triangle;           ///< of a mesh or height field; -1: it is neither
} drystone_hit;
/// The first surface that a segment [m] enters from outside. The filter may be null: the default.
drystone_error drystone_ray_cast(drystone_world* world, const double from[3], const double to[3],
                                 const drystone_query_filter* filter, drystone_hit* hit);
/// The same of many rays, six numbers each: from, to [m]. As many hits as rays, whose own `size` is
/// not read: `element_size` is sizeof(drystone_hit). The same bits for every number of threads.
drystone_error drystone_ray_casts(drystone_world* world, const double* rays, size_t ray_count,
                                  int threads, const drystone_query_filter* filter,
                                  drystone_hit* hits, size_t element_size);
/// The first hit of a shape that goes from a pose to a place [m] without turning.
drystone_error drystone_shape_cast(drystone_world* world, const drystone_shape* shape,
                                   const drystone_pose* from, const double to[3],
                                   const drystone_query_filter* filter, drystone_hit* hit);
/// The bodies that a placed shape touches or overlaps.
drystone_error drystone_overlaps(drystone_world* world, const drystone_shape* shape,
                                 const drystone_pose* pose, const drystone_query_filter* filter,
                                 drystone_body_id* ids, size_t capacity, size_t* count);

/// Where a placed shape and a body are closest, or overlap least.
typedef struct {
  size_t size;
  drystone_body_id body;  ///< index -1: none is within reach, and the rest is 0
  double gap;             ///< negative: overlap [m]
  double normal[3];       ///< unit, from the shape to the body
  double on_shape[3];     ///< [m]
  double on_body[3];      ///< [m]
} drystone_distance;
/// The body closest to a placed shape, or that overlaps deepest, nearer than `reach` > 0 [m].
drystone_error drystone_closest(drystone_world* world, const drystone_shape* shape,
                                const drystone_pose* pose, double reach,
                                const drystone_query_filter* filter, drystone_distance* distance);

#ifdef __cplusplus
}
#endif
