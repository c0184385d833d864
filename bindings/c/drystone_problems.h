#pragma once

/// Contact problems without a world, and the solvers: part of drystone.h, whose first lines hold
/// here too. A contact has three rows, normal and two tangents, or two in the plane. Friction is
/// that of Coulomb's cone.

#include <drystone.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A matrix by rows. Dense: rows * columns values. CSR: the values of row i are those from
/// row_starts[i] on, before row_starts[i + 1], of ascending columns; row_starts has rows + 1.
typedef struct {
  size_t size;
  size_t rows, columns;
  const double* values;
  const size_t* row_starts;      ///< null: dense
  const size_t* column_indices;  ///< null: dense
} drystone_matrix;

/// M v = f + H r, u = H^T v + w, without its velocities v: M of m x m [kg], H of m x n, f of m
/// [N s], w of n [m/s] (null: 0), mu of the contacts.
drystone_error drystone_problem_of_bodies(const drystone_matrix* M, const drystone_matrix* H,
                                          const double* f, const double* w, const double* mu,
                                          size_t contacts, drystone_problem** problem);
/// u = W r + q: W of n x n, symmetric [1/kg], q of n [m/s], mu of the contacts.
drystone_error drystone_problem_of_delassus(const drystone_matrix* W, const double* q,
                                            const double* mu, size_t contacts,
                                            drystone_problem** problem);
/// A stored one, from JSON, HDF5 or FCLIB: docs/problem_file.md.
drystone_error drystone_problem_read(const char* path, drystone_problem** problem);
drystone_error drystone_problem_destroy(drystone_problem* problem);  ///< null is no error
/// Rows of the impulses. A contact has three, in the plane too: the last one is zero.
drystone_error drystone_problem_rows(const drystone_problem* problem, size_t* rows);

typedef struct {
  size_t size;
  const char* solver;
  double tolerance;                  ///< natural map that counts as solved [m/s], > 0
  int max_iterations;                ///< -1: as many as the solver takes
  double time_limit;                 ///< [s]
  const double* start;               ///< impulses to start from, as many as rows [N s]; null: 0
  const drystone_setting* settings;  ///< of the solver
  size_t setting_count;
} drystone_solve_options;
/// Sets the size, and all fields to their defaults: auto, 1e-6 m/s.
drystone_error drystone_solve_defaults(drystone_solve_options* options, size_t size);

typedef struct {
  size_t size;
  double natural_map;   ///< residual [m/s]
  double relative;      ///< relative error
  double energy_error;  ///< of the worst row [J]
  double cone_excess;   ///< impulse by which friction leaves its cone [N s]
  double time_ms;       ///< [ms]
  int iterations;
  int within_tolerance;  ///< the natural map is within the tolerance
  const char* status;    ///< as the solver sees it: converged, iteration_limit, ...; valid always
  const char* reason;    ///< why this is the answer: asked, trivial, ...; valid always
} drystone_solution;
/// Solves, and judges the answer. Options may be null. `impulses` [N s] gets as many numbers as the
/// problem has rows, likewise `velocities` [m/s], which may be null; `capacity` is that of each.
/// A tolerance that is missed is no error: the solution tells.
drystone_error drystone_problem_solve(const drystone_problem* problem,
                                      const drystone_solve_options* options, double* impulses,
                                      double* velocities, size_t capacity,
                                      drystone_solution* solution);

typedef struct {
  size_t size;
  const char* name;
  const char* summary;
  const char* when;         ///< to take it; "": kept to measure against
  const char* unavailable;  ///< why it cannot run here; "": it can
} drystone_solver;
drystone_error drystone_solver_count(size_t* count);
/// Texts are valid always.
drystone_error drystone_solver_at(size_t index, drystone_solver* solver);

#ifdef __cplusplus
}
#endif
