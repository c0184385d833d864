// Contact problems on their own and solvers, for C.

#include <Eigen/SparseCore>
#include <limits>

#include "bindings/c/boundary.h"
#include "solvers/driver/solve_stored.h"
#include "solvers/driver/solver_traits.h"
#include "solvers/file/problem_arrays.h"

namespace drystone::c {
namespace {

using SparseColumns = Eigen::SparseMatrix<Real>;

/// Every index of a problem is an int.
int sizeOf(std::size_t size, const char* name) {
  if (size <= static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    return static_cast<int>(size);
  }
  throw InputError(std::string(name) + " has too many rows or columns");
}

[[noreturn]] void failStructure(const char* name, const char* what) {
  throw InputError(std::string(name) + ": " + what);
}

SparseColumns matrixOf(const drystone_matrix* definition, const char* name) {
  const drystone_matrix from = readStruct(definition, drystone_matrix{}, name);
  SparseColumns matrix(sizeOf(from.rows, name), sizeOf(from.columns, name));
  std::vector<Eigen::Triplet<Real>> entries;
  const auto add = [&](std::size_t row, std::size_t column, Real value) {
    entries.emplace_back(static_cast<int>(row), static_cast<int>(column), value);
  };
  if ((from.row_starts == nullptr) != (from.column_indices == nullptr)) {
    failStructure(name, "row_starts and column_indices go together");
  }
  if (from.row_starts == nullptr) {
    const auto values = spanOf(from.values, from.rows * from.columns, name);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] != 0) add(i / from.columns, i % from.columns, values[i]);
    }
  } else {
    const std::size_t* starts = from.row_starts;
    if (starts[0] != 0) failStructure(name, "row_starts must begin with 0");
    for (std::size_t row = 0; row < from.rows; ++row) {
      if (starts[row + 1] < starts[row]) failStructure(name, "row_starts must not fall");
      spanOf(from.values, starts[row + 1], name);
      for (std::size_t k = starts[row]; k < starts[row + 1]; ++k) {
        const std::size_t column = from.column_indices[k];
        if (column >= from.columns) failStructure(name, "a column index is too large");
        if (k > starts[row] && column <= from.column_indices[k - 1]) {
          failStructure(name, "the column indices of a row must rise");
        }
        add(row, column, from.values[k]);
      }
    }
  }
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

void give(drystone_problem** problem, StoredProblem stored) {
  ReadProblem read;
  read.problem = std::move(stored);
  *problem = new drystone_problem{std::move(read)};
}

drystone_solve_options defaultOptions() {
  static const NamedSolver solver;
  const Budget budget;
  return {.size = sizeof(drystone_solve_options),
          .solver = solver.name.c_str(),
          .tolerance = budget.tolerance,
          .max_iterations = -1,
          .time_limit = budget.seconds};
}

/// What the library lists of its solvers, as texts that stay.
struct ListedSolver {
  std::string name, summary, when, unavailable;
};
const std::vector<ListedSolver>& listedSolvers() {
  static const std::vector<ListedSolver> solvers = [] {
    const SolverRegistry registry = allSolvers();
    std::vector<ListedSolver> list;
    for (const std::string& name : registry.names()) {
      const SolverTraits& traits = registry.traits(name);
      list.push_back({name, std::string(traits.summary), std::string(traits.whenToTake),
                      std::string(traits.unavailable())});
    }
    return list;
  }();
  return solvers;
}

}  // namespace

extern "C" {

drystone_error drystone_problem_of_bodies(const drystone_matrix* M, const drystone_matrix* H,
                                          const double* f, const double* w, const double* mu,
                                          size_t contacts, drystone_problem** problem) {
  return guarded([&] {
    given(problem, "problem");
    const SparseColumns mass = matrixOf(M, "M"), jacobianT = matrixOf(H, "H");
    const auto rows = static_cast<std::size_t>(jacobianT.cols());
    const std::vector<Real> zero(w == nullptr ? rows : 0, 0);
    give(problem, bodyProblem(mass, jacobianT, spanOf(f, mass.rows(), "f"),
                              w == nullptr ? std::span<const Real>(zero) : spanOf(w, rows, "w"),
                              spanOf(mu, contacts, "mu")));
  });
}

drystone_error drystone_problem_of_delassus(const drystone_matrix* W, const double* q,
                                            const double* mu, size_t contacts,
                                            drystone_problem** problem) {
  return guarded([&] {
    given(problem, "problem");
    const SparseColumns matrix = matrixOf(W, "W");
    give(problem,
         delassusProblem(matrix, spanOf(q, matrix.rows(), "q"), spanOf(mu, contacts, "mu")));
  });
}

drystone_error drystone_problem_read(const char* path, drystone_problem** problem) {
  return guarded([&] {
    given(problem, "problem");
    *problem = new drystone_problem{readProblemFile(textOf(path, "path"))};
  });
}

drystone_error drystone_problem_destroy(drystone_problem* problem) {
  return guarded([&] { delete problem; });
}

drystone_error drystone_problem_rows(const drystone_problem* problem, size_t* rows) {
  return guarded([&] {
    const ContactProblem view = given(problem, "problem").read.problem.view();
    given(rows, "rows") = static_cast<std::size_t>(view.rowCount());
  });
}

drystone_error drystone_solve_defaults(drystone_solve_options* options, size_t size) {
  return setDefaults(defaultOptions(), options, size, "options");
}

drystone_error drystone_problem_solve(const drystone_problem* problem,
                                      const drystone_solve_options* options, double* impulses,
                                      double* velocities, size_t capacity,
                                      drystone_solution* solution) {
  return guarded([&] {
    const StoredProblem& stored = given(problem, "problem").read.problem;
    const auto rows = static_cast<std::size_t>(stored.view().rowCount());
    const drystone_solve_options asked =
        options == nullptr ? defaultOptions() : readStruct(options, defaultOptions(), "options");
    requireSize<drystone_solution>(given(solution, "solution").size, "solution");
    if (rows > 0) given(impulses, "impulses");
    std::size_t count = 0;
    fits(rows, impulses, capacity, &count);
    Budget budget{.tolerance = asked.tolerance, .seconds = asked.time_limit};
    if (asked.max_iterations != -1) budget.iterations = asked.max_iterations;
    const StoredAnswer answer = solveStored(
        stored, allSolvers(),
        {.name = textOf(asked.solver, "options: solver"),
         .settings =
             textsOf<SolverSetting>(asked.settings, asked.setting_count, "options: settings")},
        budget, asked.start == nullptr ? std::span<const Real>() : spanOf(asked.start, rows, ""));
    std::ranges::copy(answer.impulses, impulses);
    if (velocities != nullptr) std::ranges::copy(answer.velocities, velocities);
    const SolveResult& result = answer.result;
    const drystone_solution told = {
        .size = sizeof told,
        .natural_map = result.judge.naturalMap,
        .relative = result.judge.relative,
        .energy_error = result.judge.energyMax,
        .cone_excess = result.judge.coneExcess,
        .time_ms = result.solver.timeMs,
        .iterations = result.solver.iterations,
        .within_tolerance = result.withinTolerance,
        .status = solveStatusName(result.solver.status).data(),  // literals, which end in a zero
        .reason = solveReasonName(result.reason).data()};
    writeStruct(told, solution, solution->size);
  });
}

drystone_error drystone_solver_count(size_t* count) {
  return guarded([&] { given(count, "count") = listedSolvers().size(); });
}

drystone_error drystone_solver_at(size_t index, drystone_solver* solver) {
  return guarded([&] {
    requireSize<drystone_solver>(given(solver, "solver").size, "solver");
    const std::vector<ListedSolver>& all = listedSolvers();
    if (index >= all.size()) {
      throw InputError("there is no solver " + std::to_string(index) + ": there are " +
                       std::to_string(all.size()));
    }
    const ListedSolver& one = all[index];
    const drystone_solver told = {.size = sizeof told,
                                  .name = one.name.c_str(),
                                  .summary = one.summary.c_str(),
                                  .when = one.when.c_str(),
                                  .unavailable = one.unavailable.c_str()};
    writeStruct(told, solver, solver->size);
  });
}

}  // extern "C"

}  // namespace drystone::c
