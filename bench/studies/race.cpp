// One scene, two engines, one run: our step with a solver of choice against Bullet's own dynamics
// world, stepped in turn, one thread each.
#include <fmt/format.h>

#include <algorithm>

#include "apps/support/command_line.h"
#include "apps/support/option_checks.h"
#include "bench/peers/worlds.h"
#include "bench/studies/measure.h"
#include "bench/studies/study.h"
#include "bench/studies/study_program.h"
#include "core/timer.h"
#include "core/wording.h"
#include "engine/observe/snapshot.h"
#include "scenes/scene_builder.h"
#include "solvers/default_registry.h"

namespace {

using namespace drystone;
using namespace drystone::bench;

struct Side {
  std::vector<Real> all, settled;
  void add(Real ms, bool isSettled) {
    all.push_back(ms);
    if (isSettled) settled.push_back(ms);
  }
};

/// Farthest that a dynamic body is from where it started [m].
Real drift(const std::vector<Vec3>& start, const std::vector<Vec3>& now) {
  Real most = 0;
  for (std::size_t i = 0; i < start.size(); ++i) most = std::max(most, (now[i] - start[i]).norm());
  return most;
}

std::vector<Vec3> positions(const PeerWorld& world) {
  std::vector<BodyState> states;
  world.readStates(states);
  std::vector<Vec3> result;
  for (const BodyState& state : states) result.push_back(state.pose.position);
  return result;
}

std::vector<Vec3> positions(const World& world) {
  WorldSnapshot snapshot;
  world.observe().snapshot(snapshot);
  std::vector<Vec3> result;
  for (const BodySnapshot& body : snapshot.bodies) {
    if (body.kind == BodyKind::kDynamic) result.push_back(body.centerOfMass);
  }
  return result;
}

/// Mean overlap of the touching contacts [m].
Real meanOverlap(const World& world) {
  WorldSnapshot snapshot;
  world.observe().snapshot(snapshot);
  Real sum = 0;
  int count = 0;
  for (const ContactSnapshot& contact : snapshot.contacts) {
    if (contact.gap >= 0) continue;
    sum -= contact.gap;
    ++count;
  }
  return count == 0 ? 0 : sum / count;
}

}  // namespace

int main(int argc, char** argv) {
  StudyApp app("race");
  constexpr int kMost = 1'000'000;
  std::string name = "pile_4000", solver = "sor-prox", fallback;
  int steps = 300, sweeps = 20, iterations = 10;
  Real fallbackAbove = 1e-3;
  std::vector<std::string> sets;
  app.add_option("scene", name, "library scene of spheres, boxes, planes and hulls");
  app.add_option("--steps", steps, "steps")->transform(cli::wholeNumber(1, kMost));
  app.add_option("--solver", solver, "ours, an iterative one");
  app.add_option("--sweeps", sweeps, "our sweeps a solve")->transform(cli::wholeNumber(1, kMost));
  app.add_option("--iterations", iterations, "Bullet's; its default is 10")
      ->transform(cli::wholeNumber(1, kMost));
  app.addRepeatable("--set", sets, "KEY=VALUE",
                    "for our solver or the scene, as in `drystone run`");
  app.add_option("--fallback", fallback,
                 "our solver of islands above the residual --fallback-above");
  app.add_option("--fallback-above", fallbackAbove, "[m/s]")->transform(cli::positiveNumber("m/s"));
  return runStudy(app, argc, argv, [&] {
    const SolverRegistry registry = makeDefaultRegistry();
    sets.insert(sets.begin(), {fmt::format("max_iterations={}", sweeps), "check_every=1000000"});
    Scene scene = sceneAsRun(name, sets, solver);
    if (!fallback.empty()) {
      cli::requireSolver(registry, fallback);
      scene.settings.solver.fallback = fallback;
      scene.settings.solver.policy = FailurePolicy::kFallback;
      scene.settings.solver.budget.tolerance = fallbackAbove;
    }
    World ours = buildWorld(scene, registry);
    const std::unique_ptr<PeerWorld> bullet = makeBulletWorld(peerScene(scene), iterations);
    const std::vector<Vec3> ourStart = positions(ours), theirStart = positions(*bullet);
    Side us, them;
    Real collision = 0, rows = 0, solve = 0, integrate = 0;
    int fallbacks = 0;
    for (int step = 0; step < steps; ++step) {
      const bool settled = step >= 2 * steps / 3;
      Timer timer;
      const StepReport& report = ours.step();
      us.add(timer.milliseconds(), settled);
      timer.restart();
      bullet->step();
      them.add(timer.milliseconds(), settled);
      collision += report.times.collision;
      rows += report.times.rows;
      solve += report.times.solve;
      integrate += report.times.integrate;
      for (const IslandReport& island : report.islands) fallbacks += island.result.usedFallback;
    }
    fmt::print("{}: {}, one thread\n\n", name, counted(steps, "step"));
    fmt::print("| | drystone {}, {} sweeps | Bullet, {} iterations | ratio |\n|---|--:|--:|--:|\n",
               solver, sweeps, iterations);
    const auto row = [](const char* what, Real a, Real b) {
      fmt::print("| {} | {:.2f} | {:.2f} | {:.2f} |\n", what, a, b, a / b);
    };
    row("ms a step, mean", mean(us.all), mean(them.all));
    row("ms a step, median", median(us.all), median(them.all));
    row("ms a step, settled, median", median(us.settled), median(them.settled));
    fmt::print("| contacts at the end | {} | {} | |\n", ours.lastReport().contacts,
               bullet->contactCount());
    fmt::print("| farthest body from its start, m | {:.2g} | {:.2g} | |\n",
               drift(ourStart, positions(ours)), drift(theirStart, positions(*bullet)));
    fmt::print("| mean overlap of our contacts, m | {:.2g} | | |\n", meanOverlap(ours));
    if (!fallback.empty()) fmt::print("| islands left to {} | {} | | |\n", fallback, fallbacks);
    fmt::print(
        "\nour stages, mean ms: collision {:.2f}, rows {:.2f}, solve {:.2f}, integrate {:.2f}\n",
        collision / steps, rows / steps, solve / steps, integrate / steps);
    return 0;
  });
}
