/* A program in C that sees the installed C API alone. */
#include <drystone.h>
#include <math.h>
#include <stdio.h>

static int fail(const char* what) {
  printf("%s: %s\n", what, drystone_last_error());
  return 1;
}

int main(void) {
  drystone_world* world = NULL;
  drystone_shape* ball = NULL;
  drystone_body_definition body;
  drystone_body_id id;
  drystone_pose pose;
  if (drystone_world_create(NULL, &world) != DRYSTONE_OK) return fail("create");
  if (drystone_shape_sphere(0.5, &ball) != DRYSTONE_OK) return fail("sphere");
  if (drystone_body_defaults(&body, sizeof body) != DRYSTONE_OK) return fail("defaults");
  body.shape = ball;
  body.pose.position[2] = 100;
  if (drystone_world_add_body(world, &body, &id) != DRYSTONE_OK) return fail("add");
  if (drystone_world_step(world, 60, NULL) != DRYSTONE_OK) return fail("step");
  if (drystone_body_pose(world, id, &pose) != DRYSTONE_OK) return fail("pose");
  if (drystone_shape_destroy(ball) != DRYSTONE_OK) return fail("destroy");
  if (drystone_world_destroy(world) != DRYSTONE_OK) return fail("destroy");
  /* In semi-implicit steps h free fall loses g h^2 n (n + 1) / 2. */
  const double expected = 100 - 9.81 / 3600 * 60 * 61 / 2;
  printf("drystone %s: z = %.17g m\n", drystone_version(), pose.position[2]);
  return fabs(pose.position[2] - expected) < 1e-10 ? 0 : 2;
}
