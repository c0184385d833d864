// One scene, two engines, one run: our step with sor-prox against Bullet's own dynamics world with
// as many iterations, stepped in turn, one thread each.
#include <fmt/format.h>

#include "bench/peers/bullet_world.h"
#include "bench/studies/measure.h"
#include "bench/studies/study_program.h"
#include "engine/core/timer.h"
#include "scenes/scene_builder.h"

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

Real mean(const std::vector<Real>& values) {
  Real sum = 0;
  for (const Real value : values) sum += value;
  return values.empty() ? 0 : sum / static_cast<Real>(values.size());
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Step time against Bullet's own world on the same scene.");
  std::string name = "pile_4000";
  int steps = 300, sweeps = 20;
  app.add_option("scene", name, "library scene of spheres, boxes, planes and hulls");
  app.add_option("--steps", steps, "steps");
  app.add_option("--sweeps", sweeps, "sweeps of both solvers");
  return runStudy(app, argc, argv, [&] {
    const SolverRegistry registry = makeDefaultRegistry();
    const Scene scene = sceneWith(
        name, "sor-prox", {fmt::format("max_iterations={}", sweeps), "check_every=1000000"});
    World ours = buildWorld(scene, registry);
    const std::unique_ptr<PeerWorld> bullet = makeBulletWorld(peerScene(scene), sweeps);
    Side us, them;
    Real collision = 0, rows = 0, solve = 0, integrate = 0;
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
    }
    fmt::print("{}: {} steps, {} sweeps, one thread\n\n", name, steps, sweeps);
    fmt::print("| | drystone sor-prox | Bullet sequential impulse | ratio |\n|---|--:|--:|--:|\n");
    const auto row = [](const char* what, Real a, Real b) {
      fmt::print("| {} | {:.2f} | {:.2f} | {:.2f} |\n", what, a, b, a / b);
    };
    row("ms a step, mean", mean(us.all), mean(them.all));
    row("ms a step, median", median(us.all), median(them.all));
    row("ms a step, settled, median", median(us.settled), median(them.settled));
    fmt::print("| contacts at the end | {} | {} | |\n", ours.lastReport().contacts,
               bullet->contactCount());
    fmt::print(
        "\nour stages, mean ms: collision {:.2f}, rows {:.2f}, solve {:.2f}, integrate {:.2f}\n",
        collision / steps, rows / steps, solve / steps, integrate / steps);
    return 0;
  });
}
