// What is wrong is an error with a message, and changes nothing.

#include <stdlib.h>

#include "bindings/c/tests/check.h"

static void the_version_is_that_of_the_header(void) {
  char version[32];
  snprintf(version, sizeof version, "%d.%d.%d", DRYSTONE_VERSION_MAJOR, DRYSTONE_VERSION_MINOR,
           DRYSTONE_VERSION_PATCH);
  CHECK(strcmp(drystone_version(), version) == 0);
  CHECK(strcmp(drystone_last_error(), "") == 0);  // nothing failed yet
}

static void null_pointers_are_errors(void) {
  drystone_world* world = make_world();
  const drystone_body_id box = add_box(world, 0, 0, 0, 1);
  const double vector[3] = {0, 0, 1};
  double number;
  size_t count;
  drystone_body_id id = {5, 6};
  CHECK_FAILS(drystone_world_step(NULL, 1, NULL), DRYSTONE_BAD_INPUT, "world must not be null");
  CHECK_FAILS(drystone_world_create(NULL, NULL), DRYSTONE_BAD_INPUT, "world must not be null");
  CHECK_FAILS(drystone_world_load(NULL, NULL, 0, &world), DRYSTONE_BAD_INPUT, "scene");
  CHECK_FAILS(drystone_world_load("arch", NULL, 1, &world), DRYSTONE_BAD_INPUT, "overrides");
  CHECK_FAILS(drystone_world_time(world, NULL), DRYSTONE_BAD_INPUT, "time must");
  CHECK_FAILS(drystone_world_report(world, NULL), DRYSTONE_BAD_INPUT, "report must");
  CHECK_FAILS(drystone_world_figure(world, NULL, &number), DRYSTONE_BAD_INPUT, "name must");
  CHECK_FAILS(drystone_world_add_body(world, NULL, &id), DRYSTONE_BAD_INPUT, "body must");
  CHECK_FAILS(drystone_body_set_velocity(world, box, vector, NULL), DRYSTONE_BAD_INPUT,
              "angular must");
  CHECK_FAILS(drystone_body_pose(world, box, NULL), DRYSTONE_BAD_INPUT, "pose must");
  CHECK_FAILS(drystone_world_bodies(world, NULL, 3, &count), DRYSTONE_BAD_INPUT, "buffer must");
  CHECK_FAILS(drystone_world_bodies(world, &id, 1, NULL), DRYSTONE_BAD_INPUT, "count must");
  CHECK_FAILS(drystone_ray_cast(world, vector, NULL, NULL, NULL), DRYSTONE_BAD_INPUT, "hit must");
  CHECK_FAILS(drystone_problem_rows(NULL, &count), DRYSTONE_BAD_INPUT, "problem must");
  CHECK(id.index == 5 && id.generation == 6);
  CHECK_OK(drystone_world_bodies(world, NULL, 0, &count));
  CHECK(count == 1);
  CHECK_OK(drystone_world_destroy(NULL));
  CHECK_OK(drystone_shape_destroy(NULL));
  CHECK_OK(drystone_problem_destroy(NULL));
  CHECK_OK(drystone_world_destroy(world));
}

static void bad_numbers_change_nothing(void) {
  drystone_world* world = make_world();
  const drystone_body_id box = add_box(world, 1, 2, 3, 1);
  uint64_t before = 0, after = 1;
  double value;
  const double bad[3] = {0, NAN, 0}, good[3] = {0, 0, 1};
  drystone_pose pose = {{0, 0, 0}, {2, 0, 0, 0}};
  drystone_shape* shape = NULL;
  CHECK_OK(drystone_world_hash(world, &before));
  CHECK_FAILS(drystone_body_set_pose(world, box, &pose), DRYSTONE_BAD_INPUT, "unit quaternion");
  CHECK_FAILS(drystone_body_set_velocity(world, box, bad, good), DRYSTONE_BAD_INPUT,
              "linear must be finite, got nan at place 1");
  CHECK_FAILS(drystone_body_apply_force(world, box, bad, NULL), DRYSTONE_BAD_INPUT, "force");
  CHECK_FAILS(drystone_body_apply_force(world, box, good, bad), DRYSTONE_BAD_INPUT, "point");
  CHECK_FAILS(drystone_body_apply_impulse(world, box, bad, NULL), DRYSTONE_BAD_INPUT, "impulse");
  CHECK_FAILS(drystone_world_set_gravity(world, bad), DRYSTONE_BAD_INPUT, "gravity");
  CHECK_FAILS(drystone_world_set_timestep(world, -1), DRYSTONE_BAD_INPUT, "timestep");
  CHECK_FAILS(drystone_world_set_threads(world, 0), DRYSTONE_BAD_INPUT, "threads");
  CHECK_FAILS(drystone_world_step(world, -1, NULL), DRYSTONE_BAD_INPUT, "at least 0");
  CHECK_FAILS(drystone_world_figure(world, "joy", &value), DRYSTONE_BAD_INPUT, "natural_map");
  CHECK_FAILS(drystone_shape_sphere(-1, &shape), DRYSTONE_BAD_INPUT, "radius");
  CHECK_FAILS(drystone_shape_box(bad, &shape), DRYSTONE_BAD_INPUT, "half_extents");
  CHECK_FAILS(drystone_shape_hull(good, 1, &shape), DRYSTONE_BAD_INPUT, "hull");
  CHECK(shape == NULL);
  CHECK_OK(drystone_world_hash(world, &after));
  CHECK(before == after);
  CHECK_OK(drystone_world_destroy(world));
}

static void settings_are_taken_and_checked(void) {
  drystone_world_settings settings;
  drystone_world* world = NULL;
  double gravity[3];
  CHECK_OK(drystone_world_defaults(&settings, sizeof settings));
  settings.tolerance = -1;
  CHECK_FAILS(drystone_world_create(&settings, &world), DRYSTONE_BAD_INPUT, "tolerance");
  settings.tolerance = 1e-6;
  settings.substeps = 0;
  CHECK_FAILS(drystone_world_create(&settings, &world), DRYSTONE_BAD_INPUT, "substeps");
  settings.substeps = 2;
  settings.threads = -3;
  CHECK_FAILS(drystone_world_create(&settings, &world), DRYSTONE_BAD_INPUT, "threads");
  settings.threads = 1;
  settings.solver = "nsgz";
  CHECK_FAILS(drystone_world_create(&settings, &world), DRYSTONE_BAD_INPUT, "nsgs");
  CHECK(world == NULL);
  settings.solver = "nsgs";
  settings.gravity[0] = 3;
  CHECK_OK(drystone_world_create(&settings, &world));
  CHECK_OK(drystone_world_gravity(world, gravity));
  CHECK(gravity[0] == 3 && gravity[2] == -9.81);
  CHECK_OK(drystone_world_destroy(world));
}

/// Adds a body with one field spoilt, and expects a complaint about it.
#define CHECK_BODY_FAILS(change, text)                                                 \
  do {                                                                                 \
    CHECK_OK(drystone_body_defaults(&body, sizeof body));                              \
    body.shape = box;                                                                  \
    change;                                                                            \
    CHECK_FAILS(drystone_world_add_body(world, &body, &id), DRYSTONE_BAD_INPUT, text); \
  } while (0)

static void bad_definitions_add_nothing(void) {
  drystone_world* world = make_world();
  drystone_body_definition body;
  drystone_body_id id = {5, 0}, other;
  drystone_joint_definition joint;
  drystone_joint_id joint_id;
  drystone_shape* box = NULL;
  const double half[3] = {1, 1, 1};
  size_t count = 9;
  CHECK_OK(drystone_shape_box(half, &box));
  CHECK_BODY_FAILS(body.kind = 7, "kind must be");
  CHECK_BODY_FAILS(body.mass = -1, "mass");
  CHECK_BODY_FAILS(body.mass = NAN, "mass");
  CHECK_BODY_FAILS(body.inertia[0] = 1, "mass");
  CHECK_BODY_FAILS(body.density = 0, "density");
  CHECK_BODY_FAILS(body.pose.position[0] = INFINITY, "pose must be finite");
  CHECK_BODY_FAILS(body.material = 3, "material");
  CHECK_BODY_FAILS(body.shape = NULL, "mass");
  CHECK_BODY_FAILS((body.shape = NULL, body.mass = 1), "inertia");
  CHECK_BODY_FAILS(body.size = 0, "size is 0, must be sizeof");
  CHECK_BODY_FAILS(body.size = sizeof body + 8, "older than its header");
  CHECK_FAILS(drystone_world_add_body_from_text(world, "{\"mas\": 1}", &id), DRYSTONE_BAD_INPUT,
              "mass");
  CHECK_FAILS(drystone_world_add_body_from_text(world, "{}, {}", &id), DRYSTONE_BAD_INPUT,
              "add_body:1:3");
  CHECK_FAILS(drystone_world_add_body_from_text(world, "[]", &id), DRYSTONE_BAD_INPUT,
              "must be a JSON object");
  CHECK_OK(drystone_world_bodies(world, NULL, 0, &count));
  CHECK(count == 0 && id.index == 5);

  id = add_box(world, 0, 0, 0, 1);
  other = add_box(world, 5, 0, 0, 1);
  CHECK_BODY_FAILS(body.name = "body_0", "'body_0' already");
  CHECK_OK(drystone_joint_defaults(&joint, sizeof joint));
  joint.a = id;
  CHECK_FAILS(drystone_world_add_joint(world, &joint, &joint_id), DRYSTONE_BAD_INPUT, "type must");
  joint.type = "hinj";
  CHECK_FAILS(drystone_world_add_joint(world, &joint, &joint_id), DRYSTONE_BAD_INPUT, "hinge");
  joint.type = "gear";
  CHECK_FAILS(drystone_world_add_joint(world, &joint, &joint_id), DRYSTONE_BAD_INPUT, "add_gear");
  joint.type = "hinge";
  CHECK_FAILS(drystone_world_add_joint(world, &joint, &joint_id), DRYSTONE_BAD_INPUT, "body");
  CHECK_FAILS(drystone_world_add_joint_from_text(
                  world, id, other, "{\"type\": \"hinge\", \"body_a\": \"body_0\"}", &joint_id),
              DRYSTONE_BAD_INPUT, "body_a");
  CHECK_FAILS(drystone_world_add_joint_from_text(world, id, other, "{}", &joint_id),
              DRYSTONE_BAD_INPUT, "type");
  CHECK_OK(drystone_world_joints(world, NULL, 0, &count));
  CHECK(count == 0);
  CHECK_OK(drystone_shape_destroy(box));
  CHECK_OK(drystone_world_destroy(world));
}

static void removed_bodies_are_errors(void) {
  drystone_world* world = make_world();
  const drystone_body_id gone = add_box(world, 0, 0, 0, 1);
  int exists = -1;
  double mass;
  const double force[3] = {1, 0, 0};
  drystone_query_filter filter;
  drystone_hit hit = {0};
  const double from[3] = {0, 0, 5};
  hit.size = sizeof hit;
  CHECK_OK(drystone_world_remove_body(world, gone));
  const drystone_body_id next = add_box(world, 0, 0, 0, 1);
  CHECK(next.index == gone.index && next.generation != gone.generation);
  CHECK_FAILS(drystone_body_mass(world, gone, &mass), DRYSTONE_BAD_INPUT, "removed");
  CHECK_FAILS(drystone_body_apply_force(world, gone, force, NULL), DRYSTONE_BAD_INPUT, "removed");
  CHECK_FAILS(drystone_world_remove_body(world, gone), DRYSTONE_BAD_INPUT, "removed");
  CHECK_OK(drystone_body_exists(world, gone, &exists));
  CHECK(exists == 0);
  CHECK_OK(drystone_query_defaults(&filter, sizeof filter));
  filter.without = &gone;
  filter.without_count = 1;
  CHECK_FAILS(drystone_ray_cast(world, from, force, &filter, &hit), DRYSTONE_BAD_INPUT, "removed");
  const drystone_joint_id none = {3, 0};
  double angle, rate;
  CHECK_FAILS(drystone_joint_coordinate(world, none, 0, &angle, &rate), DRYSTONE_BAD_INPUT,
              "joint");
  CHECK_OK(drystone_world_destroy(world));
}

/// Structs of an older program are shorter: no byte behind them is read or written.
static void sizes_are_kept_to(void) {
  drystone_world* world = make_world();
  drystone_report report;
  drystone_world_settings settings;
  drystone_event event;
  size_t count = 0;
  memset(&report, 0x55, sizeof report);
  report.size = offsetof(drystone_report, natural_map);
  CHECK_OK(drystone_world_step(world, 3, &report));
  CHECK(report.step == 3 && report.size == offsetof(drystone_report, natural_map));
  CHECK(*(unsigned char*)&report.natural_map == 0x55);
  CHECK(*(unsigned char*)&report.diverged == 0x55);
  report.size = sizeof(size_t);
  CHECK_FAILS(drystone_world_step(world, 1, &report), DRYSTONE_BAD_INPUT, "report: size");
  report.size = sizeof report;
  CHECK_OK(drystone_world_report(world, &report));
  CHECK(report.step == 3);  // the step that failed was not taken
  CHECK_FAILS(drystone_world_events(world, &event, sizeof event + 1, 1, &count), DRYSTONE_BAD_INPUT,
              "element_size");

  drystone_world* other = NULL;
  double timestep = 0;
  int threads = 0;
  memset(&settings, 0x55, sizeof settings);
  CHECK_OK(drystone_world_defaults(&settings, offsetof(drystone_world_settings, substeps)));
  CHECK(settings.substeps == 0x55555555);
  settings.timestep = 0.25;
  CHECK_OK(drystone_world_create(&settings, &other));
  CHECK_OK(drystone_world_timestep(other, &timestep));
  CHECK_OK(drystone_world_threads(other, &threads));
  CHECK(timestep == 0.25 && threads == 1);
  CHECK_OK(drystone_world_destroy(other));
  CHECK_OK(drystone_world_destroy(world));
}

static void small_buffers_stay_as_they_are(void) {
  drystone_world* world = make_world();
  add_box(world, 1, 0, 0, 1);
  add_box(world, 5, 0, 0, 1);
  double numbers[5] = {7, 7, 7, 7, 7};
  drystone_body_id ids[1] = {{9, 9}};
  size_t count = 0;
  CHECK_FAILS(drystone_world_positions(world, numbers, 5, &count), DRYSTONE_TOO_SMALL,
              "holds 5 elements, and there are 6");
  CHECK(count == 6 && numbers[0] == 7);
  CHECK_FAILS(drystone_world_bodies(world, ids, 1, &count), DRYSTONE_TOO_SMALL, "there are 2");
  CHECK(count == 2 && ids[0].index == 9);
  CHECK_OK(drystone_world_destroy(world));
}

void test_errors(void) {
  the_version_is_that_of_the_header();
  null_pointers_are_errors();
  bad_numbers_change_nothing();
  settings_are_taken_and_checked();
  bad_definitions_add_nothing();
  removed_bodies_are_errors();
  sizes_are_kept_to();
  small_buffers_stay_as_they_are();
}
