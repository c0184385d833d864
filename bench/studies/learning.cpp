// Many copies of a robot, as reinforcement learning steps them: steps a second of all copies
// together in episodes, what a reset costs, and MuJoCo on the same cart-pole with one mjData a
// copy.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <functional>

#include "apps/support/option_checks.h"
#include "bench/peers/mujoco_batch.h"
#include "bench/studies/measure.h"
#include "bench/studies/study_program.h"
#include "core/parallel.h"
#include "core/timer.h"
#include "engine/world/world_batch.h"
#include "scenes/importing/import_model.h"
#include "scenes/scene_builder.h"
#include "solvers/default_registry.h"

namespace {

using namespace drystone;

/// Steps of an episode, after which all copies begin anew: a pole falls and swings through once.
constexpr int kEpisode = 50;

struct Settings {
  int steps = 100;
  int runs = 3;
  int copies = 4096;
  std::vector<int> threads = {1, 2};
};

/// Steps a second of `copies` copies, the median of some runs of so many steps each.
Real stepsPerSecond(int copies, const Settings& settings, const std::function<void(int)>& step) {
  std::vector<Real> rates;
  step(kEpisode);  // warm
  for (int run = 0; run < settings.runs; ++run) {
    const Timer timer;
    step(settings.steps);
    rates.push_back(1e3 * copies * settings.steps / timer.milliseconds());
  }
  return bench::median(rates);
}

Real residentMb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024.0;
}

/// Pushes the first coordinate of each copy with a force of its own [N].
void push(WorldBatch& batch) {
  std::vector<Real> forces(batch.count() * batch.coordinates().size());
  for (int i = 0; i < batch.count(); ++i) {
    forces[i * batch.coordinates().size()] = bench::pushOf(i);
  }
  batch.setForces(forces);
}

/// Whole episodes, what the resets cost included. Counts copies that missed a tolerance.
void runEpisodes(WorldBatch& batch, int steps, int& missed) {
  for (int done = 0; done < steps; done += kEpisode) {
    batch.reset();
    push(batch);
    batch.step(std::min(kEpisode, steps - done));
    for (const std::uint8_t flag : batch.withinTolerance()) missed += flag == 0 ? 1 : 0;
  }
}

void measure(const std::string& name, const Scene& scene, int copies, const Settings& settings) {
  const SolverRegistry registry = makeDefaultRegistry();
  for (const int threads : settings.threads) {
    const Real before = residentMb();
    WorldBatch batch(
        copies, [&] { return buildWorld(scene, registry); }, threads);
    int missed = 0;
    const Real rate =
        stepsPerSecond(copies, settings, [&](int steps) { runEpisodes(batch, steps, missed); });
    const Timer timer;
    batch.reset();
    const Real resetMicroseconds = 1e3 * timer.milliseconds() * threads / copies;
    fmt::print("| {} | {} | {} | {:.0f} | {:.2f} | {:.1f} | {:.0f} | {} |\n", name, copies, threads,
               rate, 1e6 * threads / rate, resetMicroseconds,
               threads == settings.threads.front() ? 1e3 * (residentMb() - before) / copies : 0.0,
               missed);
  }
}

void measureMujoco(int copies, const Settings& settings) {
  if (!bench::hasMujocoBatch()) {
    fmt::print("| MuJoCo | – | – | not installed | – | – | – | – |\n");
    return;
  }
  for (const int threads : settings.threads) {
    bench::MujocoBatch batch(copies);
    const Real rate = stepsPerSecond(copies, settings, [&](int steps) {
      parallelFor(copies, threads, [&](int index, int) {
        for (int done = 0; done < steps; done += kEpisode) {
          batch.restart(index);
          batch.step(index, std::min(kEpisode, steps - done));
        }
      });
    });
    fmt::print("| cart-pole, MuJoCo | {} | {} | {:.0f} | {:.2f} | – | – | – |\n", copies, threads,
               rate, 1e6 * threads / rate);
  }
}

}  // namespace

int main(int argc, char** argv) {
  bench::StudyApp app("learning");
  Settings settings;
  std::string models = "tests/data/models";
  constexpr int kMost = 1'000'000;
  app.add_option("--steps", settings.steps, "of each copy, a run")
      ->transform(cli::wholeNumber(1, kMost));
  app.add_option("--runs", settings.runs, "of which the median counts")
      ->transform(cli::wholeNumber(1, kMost));
  app.add_option("--copies", settings.copies, "of the cart-pole; of the others a sixteenth")
      ->transform(cli::wholeNumber(16, kMost));
  app.add_option("--models", models, "folder of arm.urdf and quadruped.urdf");
  return bench::runStudy(app, argc, argv, [&] {
    fmt::print(
        "| scene | copies | threads | steps/s | µs a step and thread | reset µs | kB a copy | "
        "missed |\n|-|--:|--:|--:|--:|--:|--:|--:|\n");
    const Scene cart = readScene("cart_pole");
    measure("cart-pole", cart, settings.copies, settings);
    measureMujoco(settings.copies, settings);
    for (const char* name : {"arm", "quadruped"}) {
      const std::string path = fmt::format("{}/{}.urdf", models, name);
      const ImportedScene model = importModel(path, {.holdJoints = true});
      measure(name, readSceneText(model.text, name), settings.copies / 16, settings);
    }
    return 0;
  });
}
