// Frames on which block pivots circle or wander without an end, and what the solvers make of them:
// the wall of Ho 2022, §6.2, and other scenes.
#include <algorithm>
#include <array>
#include <utility>

#include "apps/support/progress.h"
#include "bench/studies/bare_pivoting.h"
#include "bench/studies/krylov/study.h"
#include "bench/studies/measure.h"

namespace drystone::bench {
namespace {

struct CycleCase {
  std::string scene, title;
  Real first, seconds;  ///< simulated before and in the study [s]
  std::vector<std::string> overrides = {};
};
const std::vector<CycleCase> kCycleCases = {
    {"wall", "wall", 0.2, 0.8},
    {"wall",
     "wall of 12 × 10 bricks",
     0.2,
     0.8,
     {"generators.0.columns=12", "generators.0.rows=10"}},
    {"wall", "wall in steps of 1/240 s", 0.2, 0.8, {"world.timestep=0.004166666666666667"}},
    {"tower", "tower", 0.5, 2.5},
    {"rocks", "rocks", 0.5, 1.5},
    {"card_house", "card_house", 0, 1},
};
const std::vector<std::string> kCycleSolvers = {"bpp-sparse", "bpp-pcg", "pgcg"};
constexpr const char* kPlain = "blocks alone";
constexpr const char* kThesis = "bpp of the thesis";

struct CycleTotals {
  Real outer = 0, inner = 0, energyMax = 0;
  int solved = 0;
};

/// What pivots without this library's countermeasures do in a frame from one start.
struct Frame {
  SolveStatus plain = SolveStatus::kConverged;  ///< of every violator in every round
  Real plainOuter = 0;                          ///< the limit where it finds no answer
  Real outer = 0;                               ///< of the thesis's bpp
  bool solved = true;
};

/// Of the frames on which plain block pivots find no answer from one start.
struct StartTotals {
  int lost = 0;
  CycleTotals plain, thesis;
  std::vector<CycleTotals> solvers = std::vector<CycleTotals>(kCycleSolvers.size());
};

const char* startName(bool startsFree) { return startsFree ? "all free" : "warm"; }

void measureCycles(const CycleCase& test, const KrylovOptions& options, CsvFile& csv) {
  const Scene scene = krylovScene(test.scene, test.overrides);
  std::vector<ShadowRun> runs = {{"bpp-auto"}};
  for (const bool startsFree : {false, true}) {
    for (const std::string& solver : kCycleSolvers) {
      runs.push_back(krylovRun(options, solver, {}, startsFree));
    }
  }
  Shadow shadow(runs, 1);
  PlainPivoting plain;
  ThesisPivoting thesis;
  thesis.maxRounds = options.rounds;
  std::array<Frame, 2> now;
  shadow.observer = [&](const ShadowView& view) {
    const std::vector<Real> zero(view.warmLambda.size(), 0);
    const std::vector<RowState> free(view.warmState.size(), RowState::kFree);
    for (const bool startsFree : {false, true}) {
      const std::span<const RowState> sets = startsFree ? free : view.warmState;
      const std::span<const Real> lambda = startsFree ? zero : view.warmLambda;
      Frame& frame = now[startsFree];
      const SolveStatus status = plain.solve(view.problem, sets, lambda);
      const bool isSolved = status == SolveStatus::kConverged;
      frame.plainOuter += isSolved ? plain.rounds() + 1 : PlainPivoting::kMaxRounds;
      if (!isSolved) frame.plain = status;
      const PivotOutcome outcome = thesis.solve(view.problem, sets, lambda);
      frame.outer += outcome.rounds;
      if (outcome.status != SolveStatus::kConverged) frame.solved = false;
    }
  };
  std::array<StartTotals, 2> totals;
  cli::ProgressBar bar(true);
  const int frames = simulate(
      scene, shadow, sampledFrames(scene, test.first, test.seconds, options.frames), options.limit,
      [&](World& world) {
        bar.draw(std::min(1.0, (world.time() - test.first) / test.seconds), test.title);
        for (const bool startsFree : {false, true}) {
          const Frame frame = std::exchange(now[startsFree], {});
          StartTotals& total = totals[startsFree];
          const std::string_view status = solveStatusName(frame.plain);
          const bool isLost = frame.plain != SolveStatus::kConverged;
          csv.row(test.title, world.time(), startName(startsFree), status, kPlain, frame.plainOuter,
                  0, 0, isLost ? 0 : 1);
          csv.row(test.title, world.time(), startName(startsFree), status, kThesis, frame.outer, 0,
                  0, frame.solved ? 1 : 0);
          if (isLost) {
            ++total.lost;
            total.plain.outer += frame.plainOuter;
            total.thesis.outer += frame.outer;
            total.thesis.solved += frame.solved ? 1 : 0;
          }
          for (std::size_t s = 0; s < kCycleSolvers.size(); ++s) {
            const std::size_t run = 1 + s + (startsFree ? kCycleSolvers.size() : 0);
            const FrameFigures figures = figuresOf(shadow.records, run);
            csv.row(test.title, world.time(), startName(startsFree), status, kCycleSolvers[s],
                    figures.outer, figures.inner, figures.energyMax, figures.solved() ? 1 : 0);
            if (!isLost) continue;
            CycleTotals& one = total.solvers[s];
            one.outer += figures.outer;
            one.inner += figures.inner;
            one.solved += figures.solved() ? 1 : 0;
            one.energyMax = std::max(one.energyMax, figures.energyMax);
          }
        }
      });
  bar.clear();
  for (const bool startsFree : {false, true}) {
    const StartTotals& total = totals[startsFree];
    const Real count = std::max(total.lost, 1);
    const auto print = [&](const std::string& solver, const CycleTotals& one, bool isJudged) {
      printRow("| {} | {} | {} of {} | {} | {} | {:.1f} | {:.2f} × | {:.0f} | {} |\n", test.title,
               startName(startsFree), total.lost, frames, solver, one.solved, one.outer / count,
               total.plain.outer / std::max(one.outer, 1.0), one.inner / count,
               isJudged ? fmt::format("{:.1e}", one.energyMax) : "–");
    };
    if (total.lost == 0) {
      printRow("| {} | {} | 0 of {} | – | – | – | – | – | – |\n", test.title, startName(startsFree),
               frames);
      continue;
    }
    print(kPlain, total.plain, false);
    print(kThesis, total.thesis, false);
    for (std::size_t s = 0; s < kCycleSolvers.size(); ++s)
      print(kCycleSolvers[s], total.solvers[s], true);
  }
}

}  // namespace

std::vector<std::string> cycleScenes() { return scenesOf(kCycleCases); }

void studyKrylovCycles(const KrylovOptions& options) {
  fmt::print(
      "## Frames on which block pivots find no answer\n\n"
      "| scene | start | frames on which block pivots alone find no answer | solver | of these "
      "solved | "
      "outer "
      "iterations, mean | fewer than blocks alone | inner, mean | largest LCP error J "
      "|\n|---|---|--:|---|--:|--:|--:|--:|--:|\n");
  CsvFile csv(options, "cycles", "scene,time_s,start,plain,solver,outer,inner,energy_j,solved");
  for (const CycleCase& test : kCycleCases) {
    if (options.wants(test.scene)) measureCycles(test, options, csv);
  }
  fmt::print(
      "\nBlocks alone: every violator moves in every round. Where sets come back or wander for {} "
      "rounds "
      "it counts with that limit, so that the ratios to it are lower bounds. The thesis's bpp "
      "pivots "
      "singly then until there are fewer violators than ever, and ends where sets come back once "
      "more, after {} rounds at most (20,000 there). Published, mean over all frames of the wall: "
      "bpp-pcg 1,300, pgcg 33, bpp 1,900; bpp-pcg and bpp without an answer on some.\n\n",
      PlainPivoting::kMaxRounds, options.rounds);
}

}  // namespace drystone::bench
