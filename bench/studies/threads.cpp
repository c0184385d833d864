// The loops of a step on the pool and on OpenMP: worlds of one scene in turn, some steps each, so
// that a drift of the machine's speed and what else it does hit all alike.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "apps/support/option_checks.h"
#include "bench/studies/measure.h"
#include "bench/studies/study_program.h"
#include "core/executor.h"
#include "core/parallel.h"
#include "core/timer.h"
#include "scenes/scene_builder.h"
#include "solvers/default_registry.h"

namespace {

using namespace drystone;

struct Settings {
  int threads = 2;
  int steps = 200;
  int block = 10;
  std::string solver;  ///< empty: that of the scene
  std::vector<std::string> scenes = {"ball_grid_small", "pile_1000", "stack_20", "wall"};
};

/// One of those that are compared.
struct Runner {
  std::string name;
  std::shared_ptr<Parallel> executor;
  int threads;
};

std::vector<Runner> runners(int threads) {
  std::vector<Runner> all = {{"one thread", nullptr, 1}, {"pool", makeThreadPool(), threads}};
  if (makeOpenMp()) all.push_back({"OpenMP", makeOpenMp(), threads});
  return all;
}

/// Long enough for all threads of the one before to fall asleep, so that their looking for work
/// does not count as time of the next [ms].
constexpr double kPause = 20;

void pause() {
  const Timer timer;
  while (timer.milliseconds() < kPause) {
  }
}

/// Of a loop of one empty index a thread, the median of some hundred [µs]: what it costs to meet.
Real meeting(Parallel* executor, int threads) {
  const ExecutorScope scope(executor);
  std::vector<Real> times;
  for (int i = 0; i < 500; ++i) {
    const Timer timer;
    parallelFor(threads, threads, [](int, int) {});
    times.push_back(1e3 * timer.milliseconds());
  }
  return bench::median(times);
}

void measureMeetings(const Settings& settings) {
  fmt::print("A loop of {} empty indices:", settings.threads);
  for (const Runner& runner : runners(settings.threads)) {
    pause();
    fmt::print(" {} {:.2f} µs", runner.name, meeting(runner.executor.get(), runner.threads));
  }
  fmt::print("\n\n");
}

void measureScene(const std::string& name, const Settings& settings) {
  const SolverRegistry registry = makeDefaultRegistry();
  const std::vector<Runner> all = runners(settings.threads);
  std::vector<World> worlds;
  for (const Runner& runner : all) {
    worlds.push_back(buildWorld(bench::sceneAsRun(name, {}, settings.solver), registry));
    worlds.back().setThreads(runner.threads);
    worlds.back().setExecutor(runner.executor);
  }
  std::vector<std::vector<Real>> times(all.size());
  for (int done = 0; done < settings.steps; done += settings.block) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      pause();
      for (int step = 0; step < settings.block; ++step) {
        times[i].push_back(worlds[i].step().times.step);
      }
    }
  }
  const std::uint64_t hash = worlds.front().observe().hash();
  const bool isSame = std::ranges::all_of(
      worlds, [&](const World& world) { return world.observe().hash() == hash; });
  fmt::print("| {} | {} |", name, worlds.front().lastReport().contacts);
  for (const std::vector<Real>& of : times) {
    Real sum = 0;
    for (const Real time : of) sum += time;
    fmt::print(" {:.2f} / {:.2f} |", bench::median(of), sum / static_cast<Real>(of.size()));
  }
  fmt::print(" {} |\n", isSame ? "yes" : "NO");
}

}  // namespace

int main(int argc, char** argv) {
  bench::StudyApp app("threads");
  Settings settings;
  constexpr int kMost = 1'000'000;
  constexpr int kMostThreads = 1024;
  app.add_option("--threads", settings.threads, "of the pool and of OpenMP")
      ->transform(cli::wholeNumber(2, kMostThreads));
  app.add_option("--steps", settings.steps, "of every world")
      ->transform(cli::wholeNumber(1, kMost));
  app.add_option("--block", settings.block, "steps of a world before the next has its turn")
      ->transform(cli::wholeNumber(1, kMost));
  app.add_option("--solver", settings.solver, "in place of that of the scene");
  app.addWords("scenes", settings.scenes, "SCENE", "library scenes or files");
  return bench::runStudy(app, argc, argv, [&] {
    for (const std::string& name : settings.scenes) bench::sceneAsRun(name, {}, settings.solver);
    measureMeetings(settings);
    fmt::print("Time of a step, median / mean [ms]:\n\n| scene | contacts |");
    const std::size_t columns = runners(settings.threads).size();
    for (const Runner& runner : runners(settings.threads)) fmt::print(" {} |", runner.name);
    fmt::print(" same bits |\n|-|--:|");
    for (std::size_t i = 0; i < columns; ++i) fmt::print("--:|");
    fmt::print("-|\n");
    for (const std::string& name : settings.scenes) measureScene(name, settings);
    return 0;
  });
}
