// Weak scaling (Poulsen 2010, tables 6.1 to 6.3): the ball grid grows with the threads, in length,
// so that impulses have as many layers to pass.
#include "bench/studies/prox/prox_run.h"
#include "bench/studies/prox/studies.h"

namespace drystone::bench {
namespace {

constexpr const char* kGrowingScene = "ball_grid_medium";
constexpr int kEdge = 24;  ///< balls along an edge of the scene

Frame gridOf(int threads) {
  const int length = kEdge * threads;
  return firstFrame(kGrowingScene,
                    {fmt::format("generators.ball.counts=[{}, {}, {}]", length, kEdge, kEdge),
                     fmt::format("bodies.ground.shape.half_extents=[{}, 50, 1]", 2 * length)});
}

}  // namespace

std::vector<std::string> weakScenes() { return {kGrowingScene}; }

void studyWeakScaling(const ProxOptions& options) {
  CsvFile csv(options, "weak", "run,threads,contacts,prepare_ms,sweep_ms,efficiency");
  std::vector<Frame> grids;
  for (const int threads : options.threads) grids.push_back(gridOf(threads));
  fmt::print("## Weak scaling, {} lengthened: ms a sweep (first time over this one)\n\n| run |",
             kGrowingScene);
  for (std::size_t i = 0; i < grids.size(); ++i) {
    fmt::print(" {} threads, {} contacts |", options.threads[i], grids[i].problem.blocks.size());
  }
  fmt::print("\n|---|");
  for (std::size_t i = 0; i < grids.size(); ++i) fmt::print("--:|");
  fmt::print("\n");
  for (const ProxRun& run : parallelRuns()) {
    fmt::print("| {} |", run.label);
    Real first = 0;
    for (std::size_t i = 0; i < grids.size(); ++i) {
      const ProxFigures figures =
          measureProx(grids[i].problem, run, options.sweeps, options.threads[i], options.repeats);
      if (first == 0) first = figures.sweepMs;
      printRow(" {:.2f} ({:.2f}) |", figures.sweepMs, first / figures.sweepMs);
      csv.row(run.label, options.threads[i], grids[i].problem.blocks.size(), figures.prepareMs,
              figures.sweepMs, first / figures.sweepMs);
    }
    fmt::print("\n");
  }
  fmt::print("\n");
}

}  // namespace drystone::bench
