// Frames on which block pivots circle, and what the solvers make of them: the wall of Ho 2022,
// §6.2.
#include <algorithm>

#include "apps/progress.h"
#include "bench/studies/krylov/study.h"
#include "bench/studies/measure.h"
#include "bench/studies/plain_pivoting.h"

namespace drystone::bench {
namespace {

const std::vector<std::string> kScenes = {"wall", "tower"};
// Not bpp-pcg: the slowest by far on the wall, and what counts is pgcg against direct pivots.
const std::vector<std::string> kSolvers = {"bpp-sparse", "pgcg"};

struct Totals {
  Real outer = 0, inner = 0, energyMax = 0;
  int solved = 0;
};

void measureScene(const std::string& name, const KrylovOptions& options, CsvFile& csv) {
  const Scene scene = krylovScene(name);
  std::vector<ShadowRun> runs = {{"bpp-auto"}};
  for (const std::string& solver : kSolvers) runs.push_back(krylovRun(options, solver, {}, true));
  Shadow shadow(runs, 1);
  PlainPivoting plain;
  bool circles = false;
  shadow.observer = [&](const ShadowView& view) {
    const std::vector<Real> zero(view.warmLambda.size(), 0);
    const std::vector<RowState> free(view.warmState.size(), RowState::kFree);
    if (plain.solve(view.problem, free, zero) == SolveStatus::kCycled) circles = true;
  };
  int circling = 0;
  std::vector<Totals> totals(runs.size());
  const PublishedScene& published = publishedScene(name);
  cli::ProgressBar bar(true);
  const int frames = simulate(
      scene, shadow, sampledFrames(published, scene, options.frames), options.limit,
      [&](World& world) {
        bar.draw(std::min(1.0, (world.time() - published.first) / published.seconds), name);
        for (std::size_t r = 1; r < runs.size(); ++r) {
          const FrameFigures frame = figuresOf(shadow.records, r);
          csv.row(name, world.time(), circles ? 1 : 0, runs[r].solver, frame.outer, frame.inner,
                  frame.energyMax, frame.solved() ? 1 : 0);
          if (!circles) continue;
          totals[r].outer += frame.outer;
          totals[r].inner += frame.inner;
          totals[r].solved += frame.solved() ? 1 : 0;
          totals[r].energyMax = std::max(totals[r].energyMax, frame.energyMax);
        }
        circling += circles ? 1 : 0;
        circles = false;
      });
  bar.clear();
  const Real count = std::max(circling, 1);
  for (std::size_t r = 1; r < runs.size(); ++r) {
    printRow("| {} | {} of {} | {} | {} | {:.1f} | {:.2f} × | {:.0f} | {:.1e} |\n", name, circling,
             frames, runs[r].solver, totals[r].solved, totals[r].outer / count,
             totals[1].outer / std::max(totals[r].outer, 1.0), totals[r].inner / count,
             totals[r].energyMax);
  }
}

}  // namespace

std::vector<std::string> cycleScenes() { return kScenes; }

void studyKrylovCycles(const KrylovOptions& options) {
  fmt::print(
      "## Frames on which block pivots circle\n\n"
      "| scene | frames on which plain block pivots circle | solver | of these solved | outer "
      "iterations, mean | fewer than bpp-sparse | inner, mean | largest LCP error J "
      "|\n|---|--:|---|--:|--:|--:|--:|--:|\n");
  CsvFile csv(options, "cycles", "scene,time_s,circles,solver,outer,inner,energy_j,solved");
  for (const std::string& name : kScenes) {
    if (options.wants(name)) measureScene(name, options, csv);
  }
  fmt::print(
      "\nAll rows free at the start. Plain: every violator moves in every round; a set then comes "
      "back, for ever. bpp-sparse has single pivots and an interior point against that. Published, "
      "mean over all frames of the wall: bpp-pcg 1,300, pgcg 33, bpp 1,900.\n\n");
}

}  // namespace drystone::bench
