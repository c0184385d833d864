// Kernels of the solvers on the problem of a settled pile: what a sweep, an assembly and a
// judgement cost; and what the factor of the bodies costs in a wall and a pyramid. Run with
// --benchmark_filter=… ; figures go to docs/results/ as ratios.
#include <benchmark/benchmark.h>

#include "bench/studies/measure.h"
#include "scenes/scene_builder.h"
#include "solvers/default_registry.h"
#include "solvers/linear/body_factor.h"
#include "solvers/problem/judge.h"
#include "solvers/problem/problem_ops.h"

namespace {

using namespace drystone;

/// The largest island of pile_4000 after 150 steps, kept for all benchmarks.
struct SettledPile {
  SettledPile()
      : registry(makeDefaultRegistry()),
        world(buildWorld(
            bench::sceneWith("pile_4000", "sor-prox", {"max_iterations=20", "check_every=1000"}),
            registry)) {
    for (int step = 0; step < 150; ++step) world.step();
    const WorldObserver observer = world.observe();
    for (int i = 0; i < observer.islandCount(); ++i) {
      if (observer.islandProblem(i).rowCount() > problem.rowCount()) {
        problem = observer.islandProblem(i);
        warm = observer.islandWarmStart(i);
      }
    }
  }
  SolverRegistry registry;
  World world;
  ContactProblem problem;
  std::span<const Real> warm;
};

const SettledPile& pile() {
  static const SettledPile instance;
  return instance;
}

void solveWith(benchmark::State& state, const char* name, const char* scheme) {
  const SettledPile& scene = pile();
  const auto solver = scene.registry.create(name);
  const Budget budget{.iterations = static_cast<int>(state.range(0))};
  applySetting(*solver, "check_every", std::int64_t{1000});
  if (scheme) applySetting(*solver, "scheme", std::string(scheme));
  std::vector<Real> lambda(scene.problem.rowCount());
  std::vector<RowState> rowState(scene.problem.rowCount());
  double assembly = 0, total = 0;
  for (auto _ : state) {
    std::copy(scene.warm.begin(), scene.warm.end(), lambda.begin());
    const SolverReport report = solver->solve(scene.problem, budget, {lambda, rowState});
    assembly += report.assemblyMs;
    total += report.timeMs;
  }
  state.counters["contacts"] = scene.problem.contactCount();
  state.counters["assembly_share"] = assembly / total;
}

void sorFactorized(benchmark::State& state) { solveWith(state, "sor-prox", "factorized"); }
void sorNaive(benchmark::State& state) { solveWith(state, "sor-prox", "naive"); }
void nsgs(benchmark::State& state) { solveWith(state, "nsgs", nullptr); }
BENCHMARK(sorFactorized)->Arg(0)->Arg(20)->Arg(40)->Unit(benchmark::kMillisecond);
BENCHMARK(sorNaive)->Arg(20)->Unit(benchmark::kMillisecond);
BENCHMARK(nsgs)->Arg(20)->Unit(benchmark::kMillisecond);

void assembly(benchmark::State& state) {
  AssemblyWorkspace workspace;
  BlockSparseMatrix matrix;
  for (auto _ : state) assembleDelassus(pile().problem, workspace, matrix);
  state.counters["stored_blocks"] = static_cast<double>(matrix.blockColumn.size());
}
BENCHMARK(assembly)->Unit(benchmark::kMillisecond);

void judgement(benchmark::State& state) {
  JudgeWorkspace workspace;
  for (auto _ : state) benchmark::DoNotOptimize(judge(pile().problem, pile().warm, workspace));
}
BENCHMARK(judgement)->Unit(benchmark::kMillisecond);

/// The free system of all contacts of a scene, of which all stick or every third one slips.
struct FreeContacts {
  FreeContacts(const char* scene, bool slip)
      : registry(makeDefaultRegistry()),
        world(buildWorld(bench::sceneWith(scene, "bpp-auto", {}), registry)) {
    world.step();
    problem = world.observe().islandProblem(0);
    rows.prepare(problem, false);
    basis.begin(problem);
    for (int c = 0; c < problem.blockCount(); ++c) {
      const int first = problem.blocks[c].firstRow;
      basis.beginBlock();
      if (slip && c % 3 == 0) {
        basis.add(first, Vec3::UnitX(), {1, 0.3, 0.4}, 0);
        basis.add(first, {0, -0.8, 0.6}, {0, -0.8, 0.6}, 0.1);
      } else {
        for (int i = 0; i < problem.blocks[c].rows; ++i) basis.addRow(first + i);
      }
    }
    basis.end();
  }
  SolverRegistry registry;
  World world;
  ContactProblem problem;
  RowSystem rows;
  FreeBasis basis;
};

void bodyFactor(benchmark::State& state, const char* scene, bool slip) {
  const FreeContacts contacts(scene, slip);
  BodyFactor factor;
  for (auto _ : state) {
    factor.analyze(contacts.rows, BasisKind::kGeneral);  // forgets the factor, not the pattern
    benchmark::DoNotOptimize(factor.factor(contacts.rows, contacts.basis));
  }
}
void bodySolve(benchmark::State& state, const char* scene, bool slip) {
  const FreeContacts contacts(scene, slip);
  BodyFactor factor;
  factor.analyze(contacts.rows, BasisKind::kGeneral);
  factor.factor(contacts.rows, contacts.basis);
  std::vector<Real> x(contacts.basis.count(), 1.0);
  for (auto _ : state) {
    std::fill(x.begin(), x.end(), 1.0);
    factor.solve(x);
  }
}
#define DRYSTONE_BODY_FACTOR(name, scene, slip)                                    \
  BENCHMARK_CAPTURE(bodyFactor, name, scene, slip)->Unit(benchmark::kMillisecond); \
  BENCHMARK_CAPTURE(bodySolve, name, scene, slip)->Unit(benchmark::kMillisecond);
DRYSTONE_BODY_FACTOR(wall_sticks, "brick_wall_20x20", false)
DRYSTONE_BODY_FACTOR(wall_slips, "brick_wall_20x20", true)
DRYSTONE_BODY_FACTOR(pyramid_sticks, "pyramid_20", false)
DRYSTONE_BODY_FACTOR(pyramid_slips, "pyramid_20", true)
#undef DRYSTONE_BODY_FACTOR

}  // namespace

BENCHMARK_MAIN();
