// How many steps and islands of a scene the loop solves within a number of rounds, by how the
// rounds are sped up. Every problem is given to all in turn, from the same warm start.
#include <algorithm>
#include <array>

#include "apps/support/progress.h"
#include "bench/studies/measure.h"
#include "bench/studies/staggered/study.h"

namespace drystone::bench {
namespace {

struct ConvergenceCase {
  std::string scene;
  int first, steps;  ///< simulated before, and looked at
};
const std::vector<ConvergenceCase> kConvergenceCases = {
    {"boxes", 0, 120},     {"arch", 0, 300},     {"card_house", 0, 300},
    {"cylinders", 0, 100}, {"pile_1000", 0, 60}, {"wall", 0, 60}};
/// The first one carries the simulation on.
constexpr std::array<const char*, 3> kAccelerations = {"newton", "anderson", "none"};

/// Over the islands of the steps with any.
struct Totals {
  int steps = 0, solvedSteps = 0, islands = 0, solvedIslands = 0;
  int rounds = 0, newtonSteps = 0, qps = 0, unsolvedQps = 0;
  Real kktError = 0;
  double ms = 0;
  std::vector<Real> naturalMaps;  ///< of the islands that were not solved [m/s]

  void add(std::span<const ShadowRecord> records, std::size_t run) {
    bool allSolved = true;
    for (const ShadowRecord& record : records) {
      const ShadowFigures& one = record.runs[run];
      const bool isSolved = one.report.status == SolveStatus::kConverged;
      ++islands;
      solvedIslands += isSolved ? 1 : 0;
      allSolved = allSolved && isSolved;
      if (!isSolved) naturalMaps.push_back(one.naturalMap);
      rounds += one.report.iterations;
      newtonSteps += static_cast<int>(one.report.innerIterations);
      ms += one.cpuMs;
      for (const QpTotals* half : {&one.contactQps, &one.frictionQps}) {
        qps += half->qps;
        unsolvedQps += half->unsolved;
        kktError = std::max(kktError, half->kktError);
      }
    }
    ++steps;
    solvedSteps += allSolved ? 1 : 0;
  }
};

Real percent(int part, int whole) { return 100.0 * part / std::max(whole, 1); }

void measureConvergence(const ConvergenceCase& test, const StaggeredOptions& options,
                        CsvFile& csv) {
  const Scene scene = sceneWith(test.scene, "", {}, {"world.friction=diamond"});
  std::vector<ShadowRun> runs;
  for (const char* acceleration : kAccelerations) {
    runs.push_back(
        {"staggered",
         false,
         {{"acceleration", acceleration}, {"max_iterations", std::to_string(options.rounds)}}});
  }
  Shadow shadow(runs, 1);
  std::vector<Totals> totals(runs.size());
  cli::ProgressBar bar(true);
  simulate(scene, shadow, {test.first, test.steps, 1}, options.limit, [&](World& world) {
    bar.draw(std::min(1.0, world.time() / (test.steps * scene.settings.timestep)), test.scene);
    // Where nothing touches there is nothing to solve.
    if (shadow.records.empty()) return;
    for (std::size_t r = 0; r < runs.size(); ++r) {
      Totals frame;
      frame.add(shadow.records, r);
      totals[r].add(shadow.records, r);
      csv.row(test.scene, world.time(), kAccelerations[r], frame.islands, frame.solvedIslands,
              frame.rounds, frame.newtonSteps, largest(frame.naturalMaps), frame.ms);
    }
  });
  bar.clear();
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const Totals& total = totals[r];
    const Real islands = std::max(total.islands, 1);
    const std::string left =
        total.naturalMaps.empty() ? "–" : fmt::format("{:.0e}", median(total.naturalMaps));
    printRow(
        "| {} | {} | {} | {} | {:.1f} % | {:.1f} % | {:.1f} | {:.1f} | {} | {:.2f} % | {:.0e} | "
        "{:.2f} |\n",
        test.scene, total.steps, total.islands, kAccelerations[r],
        percent(total.solvedIslands, total.islands), percent(total.solvedSteps, total.steps),
        total.rounds / islands, total.newtonSteps / islands, left,
        percent(total.qps - total.unsolvedQps, total.qps), total.kktError,
        total.ms / std::max(total.steps, 1));
  }
}

}  // namespace

std::vector<std::string> convergenceScenes() { return scenesOf(kConvergenceCases); }

void studyConvergence(const StaggeredOptions& options) {
  fmt::print(
      "## Rounds of the loop\n\n"
      "| scene | steps | islands | acceleration | islands within {} rounds | steps | rounds, mean "
      "of an island | Newton steps | natural map of the others, median m/s | QPs solved | largest "
      "KKT error m/s | processor ms a step "
      "|\n|---|--:|--:|---|--:|--:|--:|--:|--:|--:|--:|--:|\n",
      options.rounds);
  CsvFile csv(options, "scenes",
              "scene,time_s,acceleration,islands,solved,rounds,newton_steps,natural_map,ms");
  for (const ConvergenceCase& test : kConvergenceCases) {
    if (options.wants(test.scene)) measureConvergence(test, options, csv);
  }
  fmt::print(
      "\n`diamond` friction, natural map 1e-6 m/s. All three from the same warm starts, those of "
      "`newton`, which carries the simulation on. Steps with contacts or joints; one counts as "
      "solved when all its islands are. "
      "QPs solved: to 1e-10 of the largest |b|, or to round-off.\n\n");
}

}  // namespace drystone::bench
