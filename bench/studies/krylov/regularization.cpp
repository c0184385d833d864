// Adaptive regularization: Ho 2022, table 6.5 and figure 6.6.
#include <algorithm>
#include <array>
#include <utility>

#include "apps/support/progress.h"
#include "bench/studies/bare_pivoting.h"
#include "bench/studies/krylov/study.h"
#include "bench/studies/measure.h"
#include "scenes/scene_builder.h"
#include "solvers/default_registry.h"

namespace drystone::bench {
namespace {

struct RegularizationCase {
  std::string scene, title;
  std::string body;       ///< whose path is compared; empty: none
  std::string published;  ///< outer iterations: without, d = 10, d = 5
  std::vector<std::string> overrides = {};
};
const std::vector<RegularizationCase> kRegularizationCases = {
    {"chain_rod", "chain_rod", "box", "68.0, 17.5, 14.8"},
    {"chain_rod", "chain_rod, box of 50,000 kg", "", "–", {"bodies.1.mass=50000"}},
    {"trucks", "trucks", "", "47.6, 28.2, 19.6"},
    {"rocks", "rocks", "", "17.5, 16.5, 17.1"},
    {"wall", "wall", "", "1,300 without"},
};
constexpr int kLimits[] = {0, 10, 5};  ///< d; 0: without regularization

std::vector<std::pair<std::string, std::string>> settingsOf(int limit) {
  if (limit == 0) return {};
  return {{"adaptive_regularization", "true"}, {"regularization_pivots", std::to_string(limit)}};
}

std::string limitName(int limit) { return limit == 0 ? "–" : std::to_string(limit); }

struct RegularizationTotals {
  Real outer = 0, slip = 0;
  int regularizedRows = 0, unsolved = 0;
};

void measureFrames(const RegularizationCase& test, const KrylovOptions& options) {
  const Scene scene = krylovScene(test.scene, test.overrides);
  std::vector<ShadowRun> runs = {{"bpp-auto"}};
  for (const bool startsFree : {false, true}) {
    for (const int limit : kLimits) {
      runs.push_back(krylovRun(options, "bpp-pcg", settingsOf(limit), startsFree));
    }
  }
  Shadow shadow(runs, 1);
  std::vector<RegularizationTotals> totals(runs.size());
  std::array<RegularizationTotals, std::size(kLimits)> ofThesis, thesisNow;
  ThesisPivoting thesis;
  thesis.maxRounds = options.rounds;
  shadow.observer = [&](const ShadowView& view) {
    const std::vector<Real> zero(view.warmLambda.size(), 0);
    const std::vector<RowState> free(view.warmState.size(), RowState::kFree);
    for (std::size_t kind = 0; kind < std::size(kLimits); ++kind) {
      thesis.regularization.settings = {.enabled = kLimits[kind] > 0,
                                        .pivotLimit = std::max(kLimits[kind], 1)};
      const PivotOutcome outcome = thesis.solve(view.problem, free, zero);
      RegularizationTotals& now = thesisNow[kind];
      now.outer += outcome.rounds;
      now.slip = std::max(now.slip, thesis.report().relaxationError);
      now.regularizedRows += thesis.report().regularizedRows;
      if (outcome.status != SolveStatus::kConverged) now.unsolved = 1;
    }
  };
  int frames = 0;
  const PublishedScene& published = publishedScene(test.scene);
  cli::ProgressBar bar(true);
  simulate(
      scene, shadow, sampledFrames(scene, published.first, published.seconds, options.frames),
      options.limit, [&](World& world) {
        bar.draw(std::min(1.0, (world.time() - published.first) / published.seconds), test.title);
        const auto thesisFrame = std::exchange(thesisNow, {});
        if (figuresOf(shadow.records, 0).tightRows == 0) return;
        ++frames;
        for (std::size_t kind = 0; kind < std::size(kLimits); ++kind) {
          const RegularizationTotals& now = thesisFrame[kind];
          ofThesis[kind].outer += now.outer;
          ofThesis[kind].slip = std::max(ofThesis[kind].slip, now.slip);
          ofThesis[kind].regularizedRows =
              std::max(ofThesis[kind].regularizedRows, now.regularizedRows);
          ofThesis[kind].unsolved += now.unsolved;
        }
        for (std::size_t r = 1; r < runs.size(); ++r) {
          const FrameFigures frame = figuresOf(shadow.records, r);
          totals[r].outer += frame.outer;
          totals[r].slip = std::max(totals[r].slip, frame.slip);
          totals[r].regularizedRows = std::max(totals[r].regularizedRows, frame.regularizedRows);
          totals[r].unsolved += frame.solved() ? 0 : 1;
        }
      });
  bar.clear();
  const auto print = [&](const char* solver, bool startsFree, std::size_t kind,
                         const RegularizationTotals& one, const RegularizationTotals& without) {
    printRow("| {} | {} | {} | {} | {:.1f} | {:.2f} × | {} | {:.1e} | {} of {} | {} |\n",
             test.title, solver, startsFree ? "all free" : "warm", limitName(kLimits[kind]),
             one.outer / std::max(frames, 1), without.outer / std::max(one.outer, 1.0),
             one.regularizedRows, one.slip, one.unsolved, frames, test.published);
  };
  for (std::size_t r = 1; r < runs.size(); ++r) {
    const std::size_t kind = (r - 1) % std::size(kLimits);
    print("bpp-pcg", runs[r].startsFree, kind, totals[r], totals[r - kind]);
  }
  for (std::size_t kind = 0; kind < std::size(kLimits); ++kind) {
    print("bpp of the thesis", true, kind, ofThesis[kind], ofThesis[0]);
  }
}

std::vector<Vec3> pathOf(const RegularizationCase& test, int limit, Real& slip) {
  std::vector<std::string> settings;
  for (const auto& [name, value] : settingsOf(limit)) settings.push_back(name + "=" + value);
  const Scene scene = sceneWith(test.scene, "bpp-auto", settings, {"world.friction=box"});
  const PublishedScene& published = publishedScene(test.scene);
  const SolverRegistry registry = makeDefaultRegistry();
  World world = buildWorld(scene, registry);
  const BodyId body = world.findBody(test.body);
  std::vector<Vec3> path;
  const int steps =
      static_cast<int>((published.first + published.seconds) / scene.settings.timestep);
  for (int step = 0; step < steps; ++step) {
    const StepReport& report = world.step();
    slip = std::max(slip, report.relaxationError);
    path.push_back(world.body(body).centerOfMass());
  }
  return path;
}

void measurePath(const RegularizationCase& test, CsvFile& csv) {
  Real slip = 0;
  const std::vector<Vec3> reference = pathOf(test, 0, slip);
  for (const int limit : kLimits) {
    if (limit == 0) continue;
    slip = 0;
    const std::vector<Vec3> path = pathOf(test, limit, slip);
    Real farthest = 0;
    int firstStep = -1;
    for (std::size_t i = 0; i < path.size(); ++i) {
      const Real distance = (path[i] - reference[i]).norm();
      if (firstStep < 0 && distance > 1e-3) firstStep = static_cast<int>(i);
      farthest = std::max(farthest, distance);
      csv.row(test.scene, limit, static_cast<int>(i), distance);
    }
    printRow("| {} | {} | {} | {} | {:.2e} | {} | {:.1e} |\n", test.scene, test.body, limit,
             path.size(), farthest, firstStep < 0 ? "never" : std::to_string(firstStep), slip);
  }
}

}  // namespace

std::vector<std::string> regularizationScenes() { return scenesOf(kRegularizationCases); }

void studyRegularization(const KrylovOptions& options) {
  fmt::print(
      "## Adaptive regularization (Ho 2022, table 6.5)\n\n"
      "| scene | solver | start | d | outer iterations, mean of a frame | fewer | regularized "
      "rows, most | slip allowed, most m/s | not converged | published: without, d = 10, d = 5 "
      "|\n|---|---|---|--:|--:|--:|--:|--:|--:|--:|\n");
  for (const RegularizationCase& test : kRegularizationCases) {
    if (options.wants(test.scene)) measureFrames(test, options);
  }
  fmt::print(
      "\n### Path with regularization in every step (figure 6.6)\n\n"
      "| scene | body | d | steps | farthest from the path without, m | first step beyond 1 mm | "
      "slip allowed, most m/s |\n|---|---|--:|--:|--:|--:|--:|\n");
  CsvFile csv(options, "paths", "scene,d,step,distance_m");
  for (const RegularizationCase& test : kRegularizationCases) {
    if (!test.body.empty() && options.wants(test.scene)) measurePath(test, csv);
  }
  fmt::print(
      "\n1e-3 1/kg each time. The path is that of a simulation with bpp-auto. The thesis's bpp has "
      "single pivots where blocks circle, and nothing else; {} rounds at most.\n\n",
      options.rounds);
}

}  // namespace drystone::bench
