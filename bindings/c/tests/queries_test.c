// Rays, moved shapes, overlaps and distances find the surfaces that are there.

#include "bindings/c/tests/check.h"

static void rays_hit_the_first_surface(void) {
  drystone_world* world = make_world();
  const drystone_body_id floor_id = add_floor(world);
  const drystone_body_id box = add_box(world, 0, 0, 2.5, 1);
  const double from[3] = {0.1, 0.2, 5}, to[3] = {0.1, 0.2, -5};
  drystone_hit hit = {0};
  hit.size = sizeof hit;
  CHECK_OK(drystone_ray_cast(world, from, to, NULL, &hit));
  CHECK(hit.body.index == box.index && hit.part == -1 && hit.triangle == -1);
  CHECK_NEAR(hit.position[2], 3, 1e-12);
  CHECK_NEAR(hit.normal[2], 1, 1e-12);
  CHECK_NEAR(hit.fraction, 0.2, 1e-12);

  drystone_query_filter filter;
  CHECK_OK(drystone_query_defaults(&filter, sizeof filter));
  filter.without = &box;
  filter.without_count = 1;
  CHECK_OK(drystone_ray_cast(world, from, to, &filter, &hit));
  CHECK(hit.body.index == floor_id.index);
  CHECK_NEAR(hit.fraction, 0.5, 1e-12);

  const double rays[12] = {0.1, 0.2, 5, 0.1, 0.2, -5, 9, 9, 5, 9, 9, 1};
  drystone_hit hits[2];
  CHECK_OK(drystone_ray_casts(world, rays, 2, 2, NULL, hits, sizeof hits[0]));
  CHECK(hits[0].body.index == box.index && hits[1].body.index == -1);
  CHECK_NEAR(hits[0].fraction, 0.2, 1e-12);
  CHECK_NEAR(hits[1].fraction, 0, 0);
  CHECK_OK(drystone_world_destroy(world));
}

static void shapes_find_their_neighbours(void) {
  drystone_world* world = make_world();
  add_floor(world);
  const drystone_body_id box = add_box(world, 0, 0, 2.5, 1);
  drystone_shape* ball;
  drystone_pose pose = {{0, 0, 6}, {1, 0, 0, 0}};
  const double down[3] = {0, 0, -4};
  drystone_hit hit = {0};
  drystone_distance distance = {0};
  drystone_body_id ids[2];
  size_t count = 9;
  hit.size = sizeof hit;
  distance.size = sizeof distance;
  CHECK_OK(drystone_shape_sphere(0.5, &ball));
  CHECK_OK(drystone_shape_cast(world, ball, &pose, down, NULL, &hit));
  CHECK(hit.body.index == box.index);
  CHECK_NEAR(hit.fraction, 0.25, 1e-6);  // at z = 3.5
  CHECK_OK(drystone_closest(world, ball, &pose, 5, NULL, &distance));
  CHECK(distance.body.index == box.index);
  CHECK_NEAR(distance.gap, 2.5, 1e-9);
  CHECK_NEAR(distance.normal[2], -1, 1e-9);
  CHECK_NEAR(distance.on_shape[2], 5.5, 1e-9);
  CHECK_NEAR(distance.on_body[2], 3, 1e-9);
  CHECK_OK(drystone_closest(world, ball, &pose, 1, NULL, &distance));
  CHECK(distance.body.index == -1 && distance.gap == 0);
  CHECK_OK(drystone_overlaps(world, ball, &pose, NULL, ids, 2, &count));
  CHECK(count == 0);
  pose.position[2] = 3.4;
  CHECK_OK(drystone_overlaps(world, ball, &pose, NULL, ids, 2, &count));
  CHECK(count == 1 && ids[0].index == box.index);
  CHECK_OK(drystone_shape_destroy(ball));
  CHECK_OK(drystone_world_destroy(world));
}

static void sensors_are_seen_when_asked_for(void) {
  drystone_world* world = make_world();
  drystone_body_definition body;
  drystone_body_id sensor;
  drystone_shape* ball;
  const double from[3] = {0, 0, 5}, to[3] = {0, 0, -5};
  drystone_query_filter filter;
  drystone_hit hit = {0};
  drystone_event events[2];
  size_t count = 0;
  hit.size = sizeof hit;
  CHECK_OK(drystone_shape_sphere(1, &ball));
  CHECK_OK(drystone_body_defaults(&body, sizeof body));
  body.kind = DRYSTONE_STATIC;
  body.shape = ball;
  body.is_sensor = 1;
  CHECK_OK(drystone_world_add_body(world, &body, &sensor));
  CHECK_OK(drystone_ray_cast(world, from, to, NULL, &hit));
  CHECK(hit.body.index == -1);
  CHECK_OK(drystone_query_defaults(&filter, sizeof filter));
  filter.sensors = 1;
  CHECK_OK(drystone_ray_cast(world, from, to, &filter, &hit));
  CHECK(hit.body.index == sensor.index);
  const drystone_body_id box = add_box(world, 0, 0, 0, 1);
  CHECK_OK(drystone_world_step(world, 1, NULL));
  CHECK_OK(drystone_world_events(world, events, sizeof events[0], 2, &count));
  CHECK(count == 1 && events[0].kind == DRYSTONE_SENSOR_BEGUN);
  CHECK(events[0].a.index == sensor.index && events[0].b.index == box.index);
  CHECK_OK(drystone_shape_destroy(ball));
  CHECK_OK(drystone_world_destroy(world));
}

void test_queries(void) {
  rays_hit_the_first_surface();
  shapes_find_their_neighbours();
  sensors_are_seen_when_asked_for();
}
