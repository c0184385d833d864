#include "bench/studies/prox/prox_run.h"

#include <algorithm>

#include "apps/support/samples.h"
#include "apps/support/solver_registry.h"
#include "core/check.h"
#include "core/timer.h"
#include "solvers/prox/prox_solver.h"
#include "solvers/prox/quality.h"

namespace drystone::bench {
namespace {

std::unique_ptr<ContactSolver> makeSolver(const ProxRun& run, int sweeps) {
  std::unique_ptr<ContactSolver> solver = cli::makeRegistry().create(run.solver);
  for (const auto& [name, value] : run.settings) applySetting(*solver, name, value);
  // Nothing is measured on the way.
  applySetting(*solver, "check_every", std::int64_t{sweeps + 1});
  return solver;
}

ProxSolver& proxOf(ContactSolver& solver) {
  auto* prox = dynamic_cast<ProxSolver*>(&solver);
  DRYSTONE_ASSERT(prox != nullptr);
  return *prox;
}

}  // namespace

Real solveTime(const ContactProblem& problem, const ProxRun& run, int sweeps, int threads,
               int repeats) {
  const std::unique_ptr<ContactSolver> solver = makeSolver(run, sweeps);
  std::vector<Real> lambda;
  std::vector<RowState> state(problem.rowCount());
  Real best = kInfinity;
  for (int i = 0; i <= repeats; ++i) {
    lambda.assign(problem.rowCount(), 0);
    const Timer timer;
    solver->solve(problem, {.iterations = sweeps, .threads = threads}, {lambda, state});
    if (i > 0) best = std::min(best, timer.milliseconds());  // the first touches the memory
  }
  return best;
}

ProxFigures measureProx(const StoredProblem& problem, const ProxRun& run, int sweeps, int threads,
                        int repeats) {
  const ContactProblem view = problem.view();
  ProxFigures figures;
  const Real one = solveTime(view, run, 1, threads, repeats);
  const Real all = solveTime(view, run, sweeps + 1, threads, repeats);
  // Differences of two times: other load on the machine must not turn them negative.
  figures.sweepMs = std::max<Real>(0, all - one) / sweeps;
  figures.prepareMs = std::max<Real>(0, one - figures.sweepMs);
  figures.gamma = qualityAfter(problem, run, sweeps);
  return figures;
}

Real sweepTime(const ContactProblem& problem, const ProxRun& run, int sweeps, int threads,
               int repeats) {
  const std::unique_ptr<ContactSolver> solver = makeSolver(run, sweeps);
  const std::vector<double> times = proxOf(*solver).timeSweeps(problem, sweeps, repeats, threads);
  DRYSTONE_ASSERT(!times.empty());
  cli::Samples samples;
  for (const double time : times) samples.add(time);
  return samples.median() / sweeps;
}

int sweepsToStandstill(const ContactProblem& problem, const ProxRun& run, Real tolerance) {
  constexpr int kMostSweeps = 10'000;
  const std::unique_ptr<ContactSolver> solver = makeSolver(run, kMostSweeps);
  applySetting(*solver, "criterion", std::string("impulse_change"));
  applySetting(*solver, "relative_tolerance", tolerance);
  proxOf(*solver).settings.stopping.absoluteTolerance = tolerance;
  applySetting(*solver, "check_every", std::int64_t{1});
  std::vector<Real> lambda(problem.rowCount(), 0);
  std::vector<RowState> state(problem.rowCount());
  const SolverReport report = solver->solve(problem, {.iterations = kMostSweeps}, {lambda, state});
  return report.status == SolveStatus::kConverged ? report.iterations : -1;
}

Real qualityAfter(const StoredProblem& problem, const ProxRun& run, int sweeps) {
  const ContactProblem view = problem.view();
  std::vector<Real> lambda(view.rowCount(), 0);
  std::vector<RowState> state(view.rowCount());
  makeSolver(run, sweeps)->solve(view, {.iterations = sweeps}, {lambda, state});
  return qualityFigure(view, lambda);
}

Real targetQuality(const StoredProblem& problem, int sweeps) {
  constexpr Real kRoundOff = 1e-14;
  const std::vector<Real> none(problem.b.size(), 0);
  return std::max(qualityAfter(problem, {"", "sor-prox"}, sweeps),
                  kRoundOff * qualityFigure(problem.view(), none));
}

int sweepsToQuality(const StoredProblem& problem, const ProxRun& run, Real gamma, int most) {
  int low = 0, high = 1;  // low misses; high is tried
  while (qualityAfter(problem, run, high) > gamma) {
    low = high;
    if (high == most) return most + 1;
    high = std::min(2 * high, most);
  }
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    (qualityAfter(problem, run, middle) > gamma ? low : high) = middle;
  }
  return high;
}

}  // namespace drystone::bench
