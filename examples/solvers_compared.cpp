// One contact problem, five solvers: the largest island of a brick wall that is hit, solved from
// zero with more and more iterations.
//
//     example_solvers_compared [PROBLEM_FILE] [--csv FILE]      FCLIB's problem files too
//
// Residuals are natural maps as judged, in m/s.
#include <drystone/drystone.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace drystone;

constexpr const char* kSolvers[] = {"auto", "nsgs", "apgd", "prox-newton", "sor-prox"};
constexpr int kLimits[] = {1, 3, 10, 30, 100, 300, 1000};

/// The largest problem of the first steps of a scene.
StoredProblem problemOfWall(const SolverRegistry& solvers) {
  World world = buildWorld(readScene("wall"), solvers);
  StoredProblem largest;
  for (int i = 0; i < 40; ++i) {
    world.step();
    for (int island = 0; island < world.observe().islandCount(); ++island) {
      const ContactProblem problem = world.observe().islandProblem(island);
      if (problem.rowCount() > std::ssize(largest.b)) largest = storedCopy(problem);
    }
  }
  return largest;
}

SolveResult solveFromZero(const ContactProblem& problem, const std::string& name, int limit,
                          const SolverRegistry& solvers) {
  const std::unique_ptr<ContactSolver> solver = solvers.create(name);
  std::vector<Real> lambda(problem.rowCount(), 0);
  std::vector<RowState> states(problem.rowCount(), RowState::kUnknown);
  SolveWorkspace workspace;
  return solveProblem(*solver, problem, {.tolerance = 1e-9, .iterations = limit}, {lambda, states},
                      workspace);
}

}  // namespace

int main(int argc, char** argv) {
  std::string file, table;
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--csv" && i + 1 < argc) {
      table = argv[++i];
    } else {
      file = argv[i];
    }
  }
  const SolverRegistry solvers = makeDefaultRegistry();
  const StoredProblem stored =
      file.empty() ? problemOfWall(solvers) : readProblemFile(file).problem;
  const ContactProblem problem = stored.view();
  std::printf("%d contacts, %d rows\n", problem.contactCount(), problem.rowCount());

  std::ofstream csv;
  if (!table.empty()) csv.open(table);
  csv << "solver,max_iterations,time_ms,natural_map\n";
  Real best = kInfinity;
  for (const char* name : kSolvers) {
    SolveResult result;
    for (const int limit : kLimits) {
      result = solveFromZero(problem, name, limit, solvers);
      csv << name << ',' << limit << ',' << result.solver.timeMs << ',' << result.judge.naturalMap
          << '\n';
    }
    best = std::min(best, result.judge.naturalMap);
    std::printf("%-12s %8.1e m/s after %8.2f ms\n", name, result.judge.naturalMap,
                result.solver.timeMs);
  }
  if (!table.empty() && !csv.flush()) {
    std::printf("cannot write %s\n", table.c_str());
    return 1;
  }
  if (best < 1e-6) return 0;
  std::printf("no solver comes below 1e-6 m/s\n");
  return 1;
}
