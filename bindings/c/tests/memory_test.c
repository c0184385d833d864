// Where memory ends in a call, it returns DRYSTONE_NO_MEMORY, and what there was before stays.

#include "bindings/c/tests/check.h"

// The library's operator new takes its memory from this malloc, which glibc has under a second
// name.
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define CAN_FAIL 1
extern void* __libc_malloc(size_t size);
static long until_failure = 0;  // 0: none is to fail
void* malloc(size_t size) {
  if (until_failure > 0 && --until_failure == 0) return NULL;
  return __libc_malloc(size);
}
#else
#define CAN_FAIL 0
static long until_failure = 0;
#endif

/// Lets the n-th allocation of a call fail. False: the call came to its end before.
static int fails(long n, drystone_error (*call)(void* context), void* context,
                 drystone_error* error) {
  until_failure = n;
  *error = call(context);
  const int has_failed = until_failure == 0;
  until_failure = 0;
  return has_failed;
}

struct solve {
  drystone_problem* problem;
  double impulses[3];
};

static drystone_error solve(void* context) {
  struct solve* one = context;
  drystone_solution solution = {0};
  solution.size = sizeof solution;
  one->impulses[0] = 7;
  return drystone_problem_solve(one->problem, NULL, one->impulses, NULL, 3, &solution);
}

/// A contact that 1 kg falls on with 2 m/s.
static void a_solve_without_memory(void) {
  const double m[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, h[9] = {0, 1, 0, 0, 0, 1, 1, 0, 0};
  const double f[3] = {0, 0, -2}, mu[1] = {0.5};
  drystone_matrix M = {0}, H = {0};
  struct solve one = {NULL, {0, 0, 0}};
  drystone_error error = DRYSTONE_OK;
  long n = 1;
  int refused = 0;
  M.size = H.size = sizeof M;
  M.rows = M.columns = H.rows = H.columns = 3;
  M.values = m;
  H.values = h;
  CHECK_OK(drystone_problem_of_bodies(&M, &H, f, NULL, mu, 1, &one.problem));
  for (; fails(n, solve, &one, &error); ++n) {
    if (error == DRYSTONE_OK) continue;  // it did without
    ++refused;
    CHECK(error == DRYSTONE_NO_MEMORY);
    CHECK(strcmp(drystone_last_error(), "out of memory") == 0);
    CHECK_NEAR(one.impulses[0], 7, 0);
  }
  CHECK(error == DRYSTONE_OK);
  CHECK_NEAR(one.impulses[0], 2, 1e-6);
  CHECK(!CAN_FAIL || refused > 20);
  CHECK_OK(drystone_problem_destroy(one.problem));
}

static drystone_error step(void* context) { return drystone_world_step(context, 1, NULL); }

static void a_step_without_memory(void) {
  int refused = 0, half_done = 0, is_left = 1;
  for (long n = 1; is_left; n += 7) {
    drystone_world* world = make_world();
    drystone_error error = DRYSTONE_OK;
    add_floor(world);
    add_box(world, 0, 0, 0.5, 1);
    is_left = fails(n, step, world, &error);
    if (error != DRYSTONE_OK) {
      ++refused;
      CHECK(error == DRYSTONE_NO_MEMORY);
      error = drystone_world_step(world, 1, NULL);
      if (error != DRYSTONE_OK) {
        ++half_done;
        CHECK(error == DRYSTONE_BAD_INPUT);
        CHECK(strstr(drystone_last_error(), "restore a saved state") != NULL);
      }
    }
    CHECK_OK(drystone_world_destroy(world));
  }
  CHECK(!CAN_FAIL || (refused > 10 && half_done > 10));
}

void test_memory(void) {
  a_solve_without_memory();
  a_step_without_memory();
}
