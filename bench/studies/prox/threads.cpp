// Poulsen 2010, tables 6.1 to 6.3 and figures 7.5 to 7.10: strong and weak scaling over threads, a
// sweep and a whole solve to the quality of 50 sequential Gauss-Seidel sweeps.
#include "bench/studies/prox/frame.h"
#include "bench/studies/prox/studies.h"

namespace drystone::bench {

void studyThreads(const ProxOptions& options) {
  const std::vector<ProxRun> runs = {
      {"Jacobi, T", "jacobi-prox", {{"scheme", "T"}}},
      {"Jacobi, factorized", "jacobi-prox"},
      {"greedy, T", "sor-prox-colored", {{"scheme", "T"}, {"color_unit", "contact"}}},
      {"greedy, factorized", "sor-prox-colored", {{"color_unit", "contact"}}},
      {"balanced, factorized",
       "sor-prox-colored",
       {{"color_unit", "contact"}, {"coloring", "balanced"}}},
      {"lanes, float", "sor-prox-wide", {{"precision", "float"}}},
  };
  CsvFile csv(options, "threads", "scene,contacts,run,threads,sweeps,prepare_ms,sweep_ms,solve_ms");
  fmt::print("## Threads: ms to the quality of {} sequential sweeps (speed-up of a sweep)\n\n",
             options.sweeps);
  fmt::print("| scene | run | sweeps |");
  for (const int threads : options.threads) fmt::print(" {} |", threads);
  fmt::print("\n|---|---|--:|");
  for (std::size_t i = 0; i < options.threads.size(); ++i) fmt::print("--:|");
  fmt::print("\n");
  for (const PublishedBalls& balls : publishedBalls()) {
    if (!options.wants(balls.scene)) continue;
    const Frame frame = firstFrame(balls.scene);
    const Real gamma = targetQuality(frame.problem, options.sweeps);
    const ProxFigures sequential =
        measureProx(frame.problem, {"", "sor-prox"}, options.sweeps, 1, options.repeats);
    fmt::print("| {} | sequential, factorized | {} | {:.1f} |", balls.scene, options.sweeps,
               sequential.prepareMs + options.sweeps * sequential.sweepMs);
    for (std::size_t i = 1; i < options.threads.size(); ++i) fmt::print(" – |");
    printRow("\n");
    for (const ProxRun& run : runs) {
      const int sweeps = sweepsToQuality(frame.problem, run, gamma, 20 * options.sweeps);
      fmt::print("| {} | {} | {} |", balls.scene, run.label, sweeps);
      Real oneThread = 0;
      for (const int threads : options.threads) {
        const ProxFigures figures =
            measureProx(frame.problem, run, options.sweeps, threads, options.repeats);
        if (oneThread == 0) oneThread = figures.sweepMs;
        const Real solve = figures.prepareMs + sweeps * figures.sweepMs;
        printRow(" {:.1f} ({:.2f} ×) |", solve, oneThread / figures.sweepMs);
        csv.row(balls.scene, frame.problem.blocks.size(), run.label, threads, sweeps,
                figures.prepareMs, figures.sweepMs, solve);
      }
      fmt::print("\n");
    }
  }
  fmt::print("\n");
}

}  // namespace drystone::bench
