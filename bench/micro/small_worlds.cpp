// Steps of worlds at rest: what a step costs besides detection and the solve, and what bodies that
// sleep cost.
#include <benchmark/benchmark.h>

#include "bench/studies/measure.h"
#include "scenes/scene_builder.h"
#include "solvers/default_registry.h"

namespace {

using namespace drystone;

/// Until all is at rest: a second.
constexpr int kStepsToRest = 60;

World boxOnPlane() {
  World world({}, makeDefaultRegistry());
  world.addBody({.kind = BodyKind::kStatic, .shape = Plane{}});
  world.addBody({.shape = Box{{0.5, 0.5, 0.5}}, .pose = {{0, 0, 0.5}}});
  return world;
}

World stackOf20() {
  const SolverRegistry registry = makeDefaultRegistry();
  return buildWorld(bench::sceneWith("stack_20", "bpp-auto"), registry);
}

/// Each on the plane, none near another. They sleep after half a second.
World asleep10k() {
  constexpr int kSide = 100;  // boxes
  World world({.sleeping = true}, makeDefaultRegistry());
  world.addBody({.kind = BodyKind::kStatic, .shape = Plane{}});
  for (int i = 0; i < kSide * kSide; ++i) {
    const Vec3 position{2.0 * (i / kSide), 2.0 * (i % kSide), 0.5};
    world.addBody({.shape = Box{{0.5, 0.5, 0.5}}, .pose = {position}});
  }
  return world;
}

/// Mean times of the stages [µs]; `rest` is what no stage has.
void stepAtRest(benchmark::State& state, World (*make)()) {
  World world = make();
  for (int step = 0; step < kStepsToRest; ++step) world.step();
  StageTimes sum;
  for (auto _ : state) {
    const StageTimes& times = world.step().times;
    sum.collision += times.collision;
    sum.rows += times.rows;
    sum.solve += times.solve;
    sum.integrate += times.integrate;
    sum.step += times.step;
  }
  const auto count = [&](const char* name, double ms) {
    state.counters[name] = benchmark::Counter(1e3 * ms, benchmark::Counter::kAvgIterations);
  };
  count("collision", sum.collision);
  count("rows", sum.rows);
  count("solve", sum.solve);
  count("integrate", sum.integrate);
  count("rest", sum.step - sum.collision - sum.rows - sum.solve - sum.integrate);
}
BENCHMARK_CAPTURE(stepAtRest, box_on_plane, boxOnPlane)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(stepAtRest, stack_20, stackOf20)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(stepAtRest, asleep_10k, asleep10k)->Unit(benchmark::kMicrosecond);

}  // namespace
