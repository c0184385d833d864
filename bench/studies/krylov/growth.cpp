// From which size conjugate gradients are quicker than the best direct solver: Ho 2022 leaves it
// open (§6.2.3 and figure 6.3). One problem of each scene after some steps, from the same start.
#include <algorithm>

#include "bench/studies/krylov/study.h"
#include "bench/studies/measure.h"

namespace drystone::bench {
namespace {

struct GrowthCase {
  std::string scene;
  int rows;        ///< of the largest step, about
  int steps;       ///< before the problem is taken
  bool hasJoints;  ///< the simulation then goes on with bpp-sparse, else with sor-prox
};
const std::vector<GrowthCase> kGrowthCases = {
    {"tower", 1300, 60, false},
    {"spinner", 2900, 30, true},
    {"ball_grid_small", 4200, 30, false},
    {"trucks", 5600, 60, true},
    {"pile_1000", 11'000, 90, false},
    {"boxes", 12'000, 60, false},
    {"brick_wall_20x20", 14'000, 30, false},
    {"ball_pile_small", 19'800, 60, false},
    {"joint_grid", 30'000, 20, true},
    {"pile_4000", 44'400, 90, false},
    {"pile_8000", 90'800, 90, false},
    {"ball_grid_medium", 121'000, 30, false},
};

struct Contender {
  std::string title;
  ShadowRun run;
};

std::vector<Contender> contenders(const KrylovOptions& options) {
  const auto with = [](const std::string& kind) {
    return std::vector<std::pair<std::string, std::string>>{{"preconditioner", kind}};
  };
  return {{"bpp-sparse", krylovRun(options, "bpp-sparse")},
          {"bpp-pcg jacobi", krylovRun(options, "bpp-pcg", with("jacobi"))},
          {"bpp-pcg ict", krylovRun(options, "bpp-pcg", with("ict"))},
          {"pgcg jacobi", krylovRun(options, "pgcg", with("jacobi"))},
          {"pgcg ict", krylovRun(options, "pgcg", with("ict"))}};
}

void measureGrowth(const GrowthCase& test, const KrylovOptions& options, CsvFile& csv) {
  const Scene scene = krylovScene(test.scene);
  const std::vector<Contender> all = contenders(options);
  std::vector<ShadowRun> runs = {
      test.hasJoints
          ? ShadowRun{"bpp-sparse"}
          : ShadowRun{"sor-prox", false, {{"max_iterations", "50"}, {"check_every", "51"}}}};
  for (const Contender& one : all) runs.push_back(one.run);
  Shadow shadow(runs, options.repeats);
  simulate(scene, shadow, {test.steps, 1, 1}, kInfinity, [&](World& world) {
    int islandRows = 0;
    for (const ShadowRecord& record : shadow.records) {
      islandRows = std::max(islandRows, record.rows);
    }
    const FrameFigures direct = figuresOf(shadow.records, 1);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const FrameFigures frame = figuresOf(shadow.records, i + 1);
      printRow("| {} | {} | {} | {} | {:.0f} | {:.0f} | {:.3g} | {:.2f} × | {:.1e} | {} |\n",
               test.scene, frame.rows, islandRows, all[i].title, frame.outer, frame.inner, frame.ms,
               direct.ms / frame.ms, frame.energyMax, solveStatusName(frame.status));
      csv.row(test.scene, world.time(), frame.rows, islandRows, all[i].title, frame.outer,
              frame.inner, frame.ms, frame.energyMax, frame.solved() ? 1 : 0);
    }
  });
}

}  // namespace

std::vector<std::string> growthScenes() { return scenesOf(kGrowthCases); }

void studyGrowth(const KrylovOptions& options) {
  fmt::print(
      "## Conjugate gradients against a direct solver\n\n"
      "| scene | rows | of the largest island | solver | outer iterations | inner | processor ms | "
      "speed-up "
      "over bpp-sparse | LCP error J | status "
      "|\n|---|--:|--:|---|--:|--:|--:|--:|--:|---|\n");
  CsvFile csv(options, "growth",
              "scene,time_s,rows,island_rows,solver,outer,inner,ms,energy_j,solved");
  for (const GrowthCase& test : kGrowthCases) {
    if (options.wants(test.scene) && test.rows <= options.rows) {
      measureGrowth(test, options, csv);
    }
  }
  fmt::print(
      "\nOne step of each scene, sums over its islands, box friction. Problems of up to {} rows "
      "(--rows), {} s a solve (--limit).\n\n",
      options.rows, options.limit);
}

}  // namespace drystone::bench
