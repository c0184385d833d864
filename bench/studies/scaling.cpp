// Cost against size: step time per contact of sor-prox on the piles of 1000, 4000 and 8000 bodies,
// all in one run, the piles stepped in turn so that a drift of the machine's speed hits all alike.
#include <fmt/format.h>
#include <sys/resource.h>

#include "apps/support/option_checks.h"
#include "apps/support/program.h"
#include "bench/studies/measure.h"
#include "bench/studies/study_program.h"
#include "scenes/scene_builder.h"
#include "solvers/default_registry.h"

int main(int argc, char** argv) {
  using namespace drystone;
  bench::StudyApp app("scaling");
  constexpr int kMostSteps = 1'000'000;
  int steps = 300;
  app.add_option("--steps", steps, "steps of every pile; the last third is measured")
      ->transform(cli::wholeNumber(1, kMostSteps));
  return bench::runStudy(app, argc, argv, [&] {
    const SolverRegistry registry = makeDefaultRegistry();
    const std::vector<std::string> names = {"pile_1000", "pile_4000", "pile_8000"};
    std::vector<World> worlds;
    for (const std::string& name : names) {
      worlds.push_back(buildWorld(
          bench::sceneWith(name, "sor-prox", {"max_iterations=20", "check_every=1000"}), registry));
    }
    std::vector<std::vector<Real>> perContact(worlds.size()), total(worlds.size()),
        collision(worlds.size()), rows(worlds.size()), solve(worlds.size());
    for (int step = 0; step < steps; ++step) {
      for (std::size_t i = 0; i < worlds.size(); ++i) {
        const StepReport& report = worlds[i].step();
        if (step < 2 * steps / 3) continue;
        if (report.contacts == 0) {
          throw cli::UsageError(
              fmt::format("--steps {}: the piles are still falling, without contacts in the last "
                          "third of the steps",
                          steps));
        }
        perContact[i].push_back(1e3 * report.times.step / report.contacts);
        total[i].push_back(report.times.step);
        collision[i].push_back(report.times.collision);
        rows[i].push_back(report.times.rows);
        solve[i].push_back(report.times.solve);
      }
    }
    fmt::print(
        "| pile | contacts | step ms | collision | rows | solve | µs a contact | to pile_1000 |\n"
        "|---|--:|--:|--:|--:|--:|--:|--:|\n");
    for (std::size_t i = 0; i < worlds.size(); ++i) {
      fmt::print("| {} | {} | {:.2f} | {:.2f} | {:.2f} | {:.2f} | {:.3f} | {:.2f} |\n", names[i],
                 worlds[i].lastReport().contacts, bench::median(total[i]),
                 bench::median(collision[i]), bench::median(rows[i]), bench::median(solve[i]),
                 bench::median(perContact[i]),
                 bench::median(perContact[i]) / bench::median(perContact[0]));
    }
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    fmt::print("\npeak memory of the process, all three piles: {:.0f} MB\n",
               usage.ru_maxrss / 1024.0);
    return 0;
  });
}
