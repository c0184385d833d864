// Contact problems of arrays have the answers that a few lines of algebra give.

#include "bindings/c/tests/check.h"

static drystone_matrix dense(size_t rows, size_t columns, const double* values) {
  drystone_matrix matrix = {0};
  matrix.size = sizeof matrix;
  matrix.rows = rows;
  matrix.columns = columns;
  matrix.values = values;
  return matrix;
}

/// A block of 2 kg on the ground that an impulse of 0.3 N s pushes within 0.01 s, mu = 0.5.
static void check_block(const drystone_matrix* M, const drystone_matrix* H) {
  const double f[3] = {0.3, 0, -2 * 9.81 * 0.01}, mu[1] = {0.5};
  drystone_problem* problem = NULL;
  drystone_solve_options options;
  drystone_solution solution = {0};
  double impulses[3], velocities[3];
  size_t rows = 0;
  solution.size = sizeof solution;
  CHECK_OK(drystone_problem_of_bodies(M, H, f, NULL, mu, 1, &problem));
  CHECK_OK(drystone_problem_rows(problem, &rows));
  CHECK(rows == 3);
  CHECK_OK(drystone_solve_defaults(&options, sizeof options));
  CHECK(strcmp(options.solver, "auto") == 0);
  options.tolerance = 1e-10;
  CHECK_OK(drystone_problem_solve(problem, &options, impulses, velocities, 3, &solution));
  CHECK_NEAR(impulses[0], 0.1962, 1e-9);
  CHECK_NEAR(impulses[1], -0.0981, 1e-9);
  CHECK_NEAR(impulses[2], 0, 1e-9);
  CHECK_NEAR(velocities[0], 0, 1e-9);
  CHECK_NEAR(velocities[1], (0.3 - 0.0981) / 2, 1e-9);
  CHECK(solution.within_tolerance == 1 && solution.natural_map <= 1e-10);
  CHECK(solution.status != NULL && strcmp(solution.reason, "asked") == 0);

  options.max_iterations = 0;  // the start is the answer
  options.start = impulses;
  CHECK_OK(drystone_problem_solve(problem, &options, impulses, NULL, 3, &solution));
  CHECK_NEAR(impulses[0], 0.1962, 1e-9);
  options.solver = "nsgs";
  options.start = NULL;
  CHECK_OK(drystone_problem_solve(problem, &options, impulses, NULL, 3, &solution));
  CHECK(solution.iterations == 0 && solution.within_tolerance == 0);
  options.max_iterations = 50;
  CHECK_OK(drystone_problem_solve(problem, &options, impulses, NULL, 3, &solution));
  CHECK(solution.iterations > 0 && solution.within_tolerance == 1);

  impulses[0] = 7;
  CHECK_FAILS(drystone_problem_solve(problem, NULL, impulses, NULL, 2, &solution),
              DRYSTONE_TOO_SMALL, "holds 2");
  options.solver = "magic";
  CHECK_FAILS(drystone_problem_solve(problem, &options, impulses, NULL, 3, &solution),
              DRYSTONE_BAD_INPUT, "magic");
  options.solver = "nsgs";
  options.tolerance = NAN;
  CHECK_FAILS(drystone_problem_solve(problem, &options, impulses, NULL, 3, &solution),
              DRYSTONE_BAD_INPUT, "tolerance");
  const drystone_setting setting = {"no_such_setting", "1"};
  options.tolerance = 1e-6;
  options.settings = &setting;
  options.setting_count = 1;
  CHECK_FAILS(drystone_problem_solve(problem, &options, impulses, NULL, 3, &solution),
              DRYSTONE_BAD_INPUT, "no_such_setting");
  CHECK_NEAR(impulses[0], 7, 0);
  CHECK_OK(drystone_problem_destroy(problem));
}

static void a_block_slides_dense_and_sparse(void) {
  const double m[9] = {2, 0, 0, 0, 2, 0, 0, 0, 2}, h[9] = {0, 1, 0, 0, 0, 1, 1, 0, 0};
  drystone_matrix M = dense(3, 3, m), H = dense(3, 3, h);
  check_block(&M, &H);
  const double twos[3] = {2, 2, 2}, ones[3] = {1, 1, 1};
  const size_t starts[4] = {0, 1, 2, 3}, diagonal[3] = {0, 1, 2}, turned[3] = {1, 2, 0};
  M.values = twos;
  M.row_starts = H.row_starts = starts;
  M.column_indices = diagonal;
  H.values = ones;
  H.column_indices = turned;
  check_block(&M, &H);
}

/// Two contacts of the plane that press against each other's mass: u_n = 0 gives r.
static void a_delassus_of_the_plane(void) {
  const double w[16] = {2, 0, 1, 0, 0, 2, 0, 0, 1, 0, 2, 0, 0, 0, 0, 2};
  const double q[4] = {-3, 0, -3, 0}, mu[2] = {0, 0};
  const drystone_matrix W = dense(4, 4, w);
  drystone_problem* problem = NULL;
  drystone_solution solution = {0};
  double impulses[6];
  size_t rows = 0;
  solution.size = sizeof solution;
  CHECK_OK(drystone_problem_of_delassus(&W, q, mu, 2, &problem));
  CHECK_OK(drystone_problem_rows(problem, &rows));
  CHECK(rows == 6);
  CHECK_OK(drystone_problem_solve(problem, NULL, impulses, NULL, 6, &solution));
  CHECK_NEAR(impulses[0], 1, 1e-6);
  CHECK_NEAR(impulses[3], 1, 1e-6);
  CHECK_NEAR(impulses[5], 0, 0);
  CHECK_OK(drystone_problem_destroy(problem));
}

static void bad_arrays_are_named(void) {
  const double one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, zero[9] = {0}, f[3] = {0, 0, -1};
  const double bad[3] = {0, NAN, 0}, mu[1] = {0.5}, negative[1] = {-1};
  const size_t starts[4] = {0, 1, 2, 3}, far[3] = {0, 1, 7}, twice[4] = {0, 2, 2, 3};
  drystone_matrix M = dense(3, 3, one), W = dense(3, 2, one), Z = dense(3, 3, zero), S = M;
  drystone_problem* problem = NULL;
  CHECK_FAILS(drystone_problem_of_delassus(&W, f, mu, 1, &problem), DRYSTONE_BAD_INPUT, "W must");
  CHECK_FAILS(drystone_problem_of_delassus(&M, bad, mu, 1, &problem), DRYSTONE_BAD_INPUT,
              "q must be finite");
  CHECK_FAILS(drystone_problem_of_delassus(&M, f, negative, 1, &problem), DRYSTONE_BAD_INPUT,
              "mu must be at least 0");
  CHECK_FAILS(drystone_problem_of_delassus(&M, f, mu, 0, &problem), DRYSTONE_BAD_INPUT,
              "one entry a contact");
  CHECK_FAILS(drystone_problem_of_bodies(&Z, &M, f, NULL, mu, 1, &problem), DRYSTONE_BAD_INPUT,
              "singular");
  S.row_starts = starts;
  CHECK_FAILS(drystone_problem_of_delassus(&S, f, mu, 1, &problem), DRYSTONE_BAD_INPUT,
              "go together");
  S.column_indices = far;
  CHECK_FAILS(drystone_problem_of_delassus(&S, f, mu, 1, &problem), DRYSTONE_BAD_INPUT,
              "too large");
  S.row_starts = twice;
  S.column_indices = starts;
  S.values = NULL;
  CHECK_FAILS(drystone_problem_of_delassus(&S, f, mu, 1, &problem), DRYSTONE_BAD_INPUT, "null");
  CHECK_FAILS(drystone_problem_read("missing.json", &problem), DRYSTONE_BAD_INPUT, "missing.json");
  CHECK(problem == NULL);
}

static void solvers_are_listed(void) {
  size_t count = 0;
  int has_auto = 0;
  drystone_solver solver = {0};
  solver.size = sizeof solver;
  CHECK_OK(drystone_solver_count(&count));
  for (size_t i = 0; i < count; ++i) {
    CHECK_OK(drystone_solver_at(i, &solver));
    CHECK(solver.name[0] != '\0' && solver.summary[0] != '\0');
    if (strcmp(solver.name, "auto") == 0) has_auto = solver.when[0] != '\0';
  }
  CHECK(count > 10 && has_auto);
  CHECK_FAILS(drystone_solver_at(count, &solver), DRYSTONE_BAD_INPUT, "no solver");
}

void test_problems(void) {
  a_block_slides_dense_and_sparse();
  a_delassus_of_the_plane();
  bad_arrays_are_named();
  solvers_are_listed();
}
