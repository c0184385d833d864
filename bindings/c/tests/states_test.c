// A world that is restored goes on bit for bit, and scenes of the library run.

#include <stdlib.h>

#include "bindings/c/tests/check.h"

static uint64_t hash_after(drystone_world* world, int steps) {
  uint64_t hash = 0;
  CHECK_OK(drystone_world_step(world, steps, NULL));
  CHECK_OK(drystone_world_hash(world, &hash));
  return hash;
}

static void a_restored_world_goes_on_bit_for_bit(void) {
  const drystone_setting half[1] = {{"world.timestep", "0.005"}};
  drystone_world *world = NULL, *other = NULL;
  size_t size = 0, written = 0, left_out = 9;
  double timestep = 0;
  CHECK_OK(drystone_world_load("arch", half, 1, &world));
  CHECK_OK(drystone_world_timestep(world, &timestep));
  CHECK_NEAR(timestep, 0.005, 0);
  CHECK_OK(drystone_world_step(world, 5, NULL));
  CHECK_OK(drystone_world_save(world, NULL, 0, &size));
  CHECK(size > 100);
  unsigned char* bytes = malloc(size);
  CHECK_FAILS(drystone_world_save(world, bytes, size - 1, &written), DRYSTONE_TOO_SMALL, "holds");
  CHECK(written == size);
  CHECK_OK(drystone_world_save(world, bytes, size, &written));
  const uint64_t hash = hash_after(world, 10);
  CHECK_OK(drystone_world_restore(world, bytes, size, DRYSTONE_RESTORE_EXACT, &left_out));
  CHECK(left_out == 0);
  CHECK(hash_after(world, 10) == hash);
  CHECK(hash_after(world, 1) != hash);

  CHECK_OK(drystone_world_load("arch", half, 1, &other));  // and so does a world that was made anew
  CHECK_OK(drystone_world_set_threads(other, 2));
  CHECK_OK(drystone_world_restore(other, bytes, size, DRYSTONE_RESTORE_EXACT, NULL));
  CHECK(hash_after(other, 10) == hash);

  const uint64_t now = hash_after(other, 0);
  CHECK_FAILS(drystone_world_restore(other, bytes, size / 2, DRYSTONE_RESTORE_EXACT, NULL),
              DRYSTONE_BAD_INPUT, "saved world");
  CHECK_FAILS(drystone_world_restore(other, bytes, size, 7, NULL), DRYSTONE_BAD_INPUT, "mode");
  CHECK(hash_after(other, 0) == now);
  free(bytes);
  CHECK_OK(drystone_world_destroy(other));
  CHECK_OK(drystone_world_destroy(world));
}

static void a_state_is_restored_without_what_was_removed(void) {
  drystone_world* world = make_world();
  unsigned char bytes[20000];
  size_t size = 0, left_out = 9;
  drystone_pose pose;
  const drystone_body_id first = add_box(world, 0, 0, 0, 1), second = add_box(world, 9, 0, 0, 1);
  CHECK_OK(drystone_world_save(world, bytes, sizeof bytes, &size));
  CHECK_OK(drystone_world_step(world, 10, NULL));
  CHECK_OK(drystone_world_remove_body(world, second));
  CHECK(drystone_world_restore(world, bytes, size, DRYSTONE_RESTORE_EXACT, &left_out) ==
        DRYSTONE_BAD_INPUT);
  CHECK(left_out == 9);
  CHECK_OK(drystone_world_restore(world, bytes, size, DRYSTONE_RESTORE_MATCHING, &left_out));
  CHECK(left_out == 1);
  CHECK_OK(drystone_body_pose(world, first, &pose));
  CHECK_NEAR(pose.position[2], 0, 0);
  CHECK_OK(drystone_world_destroy(world));
}

static void text_makes_a_world(void) {
  drystone_world* world = NULL;
  int threads = 0;
  size_t count = 0;
  CHECK_OK(
      drystone_world_from_text("{\"version\": 1, \"world\": {\"threads\": 2},\n"
                               " \"bodies\": [{\"shape\": {\"type\": \"sphere\", \"radius\": 1}}]}",
                               NULL, &world));
  CHECK_OK(drystone_world_threads(world, &threads));
  CHECK(threads == 2);
  CHECK_OK(drystone_world_bodies(world, NULL, 0, &count));
  CHECK(count == 1);
  CHECK_OK(drystone_world_set_solver(world, "nsgs", 1e-8));
  CHECK_FAILS(drystone_world_set_solver(world, "nsgz", 1e-8), DRYSTONE_BAD_INPUT, "nsgs");
  CHECK_OK(drystone_world_destroy(world));
}

void test_states(void) {
  a_restored_world_goes_on_bit_for_bit();
  a_state_is_restored_without_what_was_removed();
  text_makes_a_world();
}
