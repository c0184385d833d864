// What the processor does for a solve on a device, by kernels that run on the processor: figures
// that need no device. `host_ms` and `copy_ms` are those of DeviceWork, a solve.
#include <benchmark/benchmark.h>

#include "bench/studies/measure.h"
#include "bench/studies/prox/prox_run.h"
#include "gpu/device_prox_solver.h"
#include "scenes/scene_builder.h"
#include "solvers/default_registry.h"

namespace {

using namespace drystone;

/// Sums of solves, as averages among the counters.
class WorkCounters {
 public:
  void add(const gpu::DeviceWork& work) {
    sum_ += work;
    ++solves_;
  }
  void writeTo(benchmark::State& state) const {
    const auto put = [&](const char* name, double value) {
      state.counters[name] = value / solves_;
    };
    put("host_ms", sum_.hostMs);
    put("copy_ms", sum_.copyMs);
    put("up_MB", 1e-6 * static_cast<double>(sum_.executor.uploadedBytes));
    put("down_MB", 1e-6 * static_cast<double>(sum_.executor.downloadedBytes));
    put("launches", static_cast<double>(sum_.executor.launches));
    put("kept", sum_.keptLayouts);
  }

 private:
  gpu::DeviceWork sum_;
  int solves_ = 0;
};

/// 100,000 random contacts, one sweep in float: with the layout of the last solve, or with a new
/// one. Second argument: whether the residual is measured, at the start and the end.
void deviceSolve(benchmark::State& state) {
  constexpr int kContacts = 100'000;
  static const StoredProblem problem = [] {
    Random random(5);
    return bench::randomDominantProblem(kContacts, random);
  }();
  const ContactProblem view = problem.view();
  gpu::DeviceSorSolver solver(gpu::Target::kHost);
  solver.precision = SweepPrecision::kFloat;
  solver.settings.stopping.checkEvery = state.range(1) != 0 ? 1 : 2;
  std::vector<Real> lambda(view.rowCount());
  std::vector<RowState> rowState(view.rowCount());
  const auto solve = [&] {
    std::fill(lambda.begin(), lambda.end(), 0);
    return solver.solve(view, {.tolerance = 0, .iterations = 1}, {lambda, rowState});
  };
  solve();
  WorkCounters counters;
  for (auto _ : state) {
    if (state.range(0) == 0) {
      // Other settings make another plan.
      solver.coloringSettings.leastShare += 1e-9;
    }
    solve();
    counters.add(solver.work());
  }
  counters.writeTo(state);
}
BENCHMARK(deviceSolve)
    ->ArgNames({"kept", "measures"})
    ->ArgsProduct({{1, 0}, {0, 1}})
    ->Unit(benchmark::kMillisecond);

/// The solver of the world below is one of many; they add up here.
WorkCounters& worldCounters() {
  static WorkCounters counters;
  return counters;
}

class NotedSorSolver final : public ContactSolver {
 public:
  const SolverTraits& traits() const override { return solver_.traits(); }
  void visitSettings(SettingVisitor& visitor) override {
    static_cast<ContactSolver&>(solver_).visitSettings(visitor);
  }

 private:
  void reserveOwn(const ProblemSize& size) override { solver_.reserve(size); }
  void run(const ContactProblem& problem, const SolveContext& context, ImpulseView impulses,
           SolverReport& report) override {
    const Budget budget{.tolerance = context.tolerance,
                        .iterations = context.iterations,
                        .threads = context.threads};
    report = solver_.solve(problem, budget, impulses);
    worldCounters().add(solver_.work());
  }

  gpu::DeviceSorSolver solver_{gpu::Target::kHost};
};

/// Steps of pile_1000 from its second second on: how often the graph is that of the step before.
void devicePile(benchmark::State& state) {
  constexpr int kStepsToSettle = 120;
  SolverRegistry registry = makeDefaultRegistry();
  registry.add(
      []() -> std::unique_ptr<ContactSolver> { return std::make_unique<NotedSorSolver>(); });
  World world = buildWorld(
      bench::sceneWith("pile_1000", "gpu-sor", {"max_iterations=50", "check_every=10"}), registry);
  for (int step = 0; step < kStepsToSettle; ++step) world.step();
  worldCounters() = {};
  for (auto _ : state) world.step();
  worldCounters().writeTo(state);
}
BENCHMARK(devicePile)->Iterations(200)->Unit(benchmark::kMillisecond);

}  // namespace
