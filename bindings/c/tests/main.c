// Runs the tests of the C API whose names are given.

#include "bindings/c/tests/check.h"

int failures = 0;

drystone_world* make_world(void) {
  drystone_world_settings settings;
  drystone_world* world = NULL;
  CHECK_OK(drystone_world_defaults(&settings, sizeof settings));
  settings.timestep = 0.01;
  settings.tolerance = 1e-10;
  CHECK_OK(drystone_world_create(&settings, &world));
  return world;
}

drystone_body_id add_floor(drystone_world* world) {
  drystone_body_definition body;
  drystone_body_id id = {-1, 0};
  drystone_shape* plane = NULL;
  CHECK_OK(drystone_shape_plane(&plane));
  CHECK_OK(drystone_body_defaults(&body, sizeof body));
  body.name = "floor";
  body.kind = DRYSTONE_STATIC;
  body.shape = plane;
  CHECK_OK(drystone_world_add_body(world, &body, &id));
  CHECK_OK(drystone_shape_destroy(plane));  // the body has its own copy
  return id;
}

drystone_body_id add_box(drystone_world* world, double x, double y, double z, double mass) {
  const double half[3] = {0.5, 0.5, 0.5};
  drystone_body_definition body;
  drystone_body_id id = {-1, 0};
  drystone_shape* box = NULL;
  CHECK_OK(drystone_shape_box(half, &box));
  CHECK_OK(drystone_body_defaults(&body, sizeof body));
  body.shape = box;
  body.mass = mass;
  body.pose.position[0] = x;
  body.pose.position[1] = y;
  body.pose.position[2] = z;
  CHECK_OK(drystone_world_add_body(world, &body, &id));
  CHECK_OK(drystone_shape_destroy(box));
  return id;
}

int main(int argc, char** argv) {
  static const struct {
    const char* name;
    void (*run)(void);
  } tests[] = {
      {"motion", test_motion},     {"bodies", test_bodies},         {"joints", test_joints},
      {"queries", test_queries},   {"errors", test_errors},         {"states", test_states},
      {"problems", test_problems}, {"recordings", test_recordings}, {"memory", test_memory}};
  int found = 0;
  setvbuf(stdout, NULL, _IONBF, 0);  // what failed is told before a crash
  for (int i = 1; i < argc; ++i) {
    for (size_t k = 0; k < sizeof tests / sizeof tests[0]; ++k) {
      if (strcmp(argv[i], tests[k].name) != 0) continue;
      ++found;
      tests[k].run();
    }
  }
  if (found == 0 || found != argc - 1) printf("usage: test_c motion|bodies|joints|...\n");
  return failures == 0 && found == argc - 1 && found > 0 ? 0 : 1;
}
