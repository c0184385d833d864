// Plain block pivoting, which moves every violator in every round and nothing else, comes back to
// sets it had: how often, and what becomes of these problems.
#include <algorithm>

#include "bench/studies/bare_pivoting.h"
#include "bench/studies/direct/study.h"
#include "bench/studies/measure.h"

namespace drystone::bench {
namespace {

constexpr Real kCycleSeconds = 3;  ///< of each scene at most
const std::vector<std::string> kCycleScenes = {"wall",     "stack_20", "tower",   "chain_rod",
                                               "crane",    "winch",    "vehicle", "offshore",
                                               "forklift", "forwarder"};

/// Frames of one way to start in which the sets of a problem recur.
struct Start {
  bool isFree;
  std::size_t allRun,
      singlesRun;  ///< of the shadow: with Newton steps and sweeps, and pivots alone
  int recurring = 0;
  int bySinglePivots = 0, byAll = 0;                          ///< of these: solved
  bool recurs = false, singlesSolve = true, allSolve = true;  ///< in the frame at hand

  void endFrame() {
    recurring += recurs ? 1 : 0;
    bySinglePivots += recurs && singlesSolve ? 1 : 0;
    byAll += recurs && allSolve ? 1 : 0;
    recurs = false;
    singlesSolve = allSolve = true;
  }
};

void measureCycles(const std::string& name, const StudyOptions& options) {
  const bool isBox = sceneWith(name, "").settings.friction == FrictionModel::kBox;
  const Scene scene = sceneWith(name, "", {}, {"world.friction=box"});
  const std::vector<std::pair<std::string, std::string>> pivotsOnly = {{"max_newton", "0"},
                                                                       {"max_proximal", "0"}};
  Shadow shadow({{"bpp-sparse"},
                 {"bpp-sparse", true},
                 {"bpp-sparse", false, pivotsOnly},
                 {"bpp-sparse", true, pivotsOnly}},
                1);
  PlainPivoting plain;
  Start starts[] = {{true, 1, 3}, {false, 0, 2}};
  int rows = 0;
  shadow.observer = [&](const ShadowView& view) {
    rows = std::max(rows, view.record.rows);
    const std::vector<Real> zero(view.warmLambda.size(), 0);
    const std::vector<RowState> free(view.warmState.size(), RowState::kFree);
    for (Start& start : starts) {
      const SolveStatus status = start.isFree
                                     ? plain.solve(view.problem, free, zero)
                                     : plain.solve(view.problem, view.warmState, view.warmLambda);
      if (status != SolveStatus::kCycled) continue;
      const auto solved = [&](std::size_t run) {
        return view.record.runs[run].report.status == SolveStatus::kConverged;
      };
      start.recurs = true;
      start.singlesSolve = start.singlesSolve && solved(start.singlesRun);
      start.allSolve = start.allSolve && solved(start.allRun);
    }
  };
  const int frames =
      simulate(scene, shadow, framesOf(scene, kCycleSeconds), options.limit, [&](World&) {
        for (Start& start : starts) start.endFrame();
      });
  printRow("| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", name,
           isBox ? "box" : "box (own: cone)", frames, rows, starts[0].recurring,
           starts[0].bySinglePivots, starts[0].byAll, starts[1].recurring, starts[1].bySinglePivots,
           starts[1].byAll);
}

}  // namespace

std::vector<std::string> cyclesScenes() { return kCycleScenes; }

void studyCycles(const StudyOptions& options) {
  fmt::print("## Sets that recur under plain block pivoting\n\n");
  fmt::print(
      "| scene | friction | frames | rows of an island, most | all free: frames whose sets recur | "
      "of these solved by pivots alone | with Newton steps too | warm start: frames whose sets "
      "recur | of these "
      "solved by pivots alone | with Newton steps too "
      "|\n|---|---|--:|--:|--:|--:|--:|--:|--:|--:|\n");
  for (const std::string& name : kCycleScenes) {
    if (options.wants(name)) measureCycles(name, options);
  }
  fmt::print(
      "\nPlain: every violator moves in every round. Solved: by bpp-sparse, without Newton "
      "steps and sweeps or with them. The first {} s of each scene, at most {} s of wall "
      "clock.\n\n",
      kCycleSeconds, options.limit);
}

}  // namespace drystone::bench
