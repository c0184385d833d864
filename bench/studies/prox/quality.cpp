// Poulsen 2010, tables 3.3 and 3.5: sweeps to the quality of 50 sequential Gauss-Seidel sweeps.
#include "bench/studies/prox/prox_run.h"
#include "bench/studies/prox/studies.h"

namespace drystone::bench {
namespace {

/// γ after 1, 2, 4 … sweeps, for the plot.
void writeCurve(CsvFile& csv, const Frame& frame, const ProxRun& run) {
  constexpr int kMost = 512;
  for (int sweeps = 1; sweeps <= kMost; sweeps *= 2) {
    csv.row(frame.scene, run.label, sweeps, qualityAfter(frame.problem, run, sweeps));
  }
}

}  // namespace

void studyQuality(const ProxOptions& options) {
  const std::vector<ProxRun> runs = {
      {"Jacobi", "jacobi-prox"},
      {"Jacobi, local R", "jacobi-prox", {{"step", "local"}}},
      {"greedy, contacts", "sor-prox-colored", {{"color_unit", "contact"}}},
      {"balanced, contacts",
       "sor-prox-colored",
       {{"color_unit", "contact"}, {"coloring", "balanced"}}},
      {"lanes, float", "sor-prox-wide", {{"precision", "float"}}},
  };
  CsvFile csv(options, "quality", "scene,run,sweeps,gamma");
  fmt::print("## Sweeps to the quality of {} sequential Gauss-Seidel sweeps\n\n| scene | γ |",
             options.sweeps);
  for (const ProxRun& run : runs) fmt::print(" {} |", run.label);
  fmt::print(" Jacobi, published |\n|---|--:|");
  for (std::size_t i = 0; i <= runs.size(); ++i) fmt::print("--:|");
  fmt::print("\n");
  for (const PublishedBalls& balls : publishedBalls()) {
    if (!options.wants(balls.scene)) continue;
    const Frame frame = firstFrame(balls.scene);
    const Real gamma = targetQuality(frame.problem, options.sweeps);
    fmt::print("| {} | {:.3g} |", balls.scene, gamma);
    for (const ProxRun& run : runs) {
      const int most = 20 * options.sweeps;
      const int sweeps = sweepsToQuality(frame.problem, run, gamma, most);
      printRow(" {} |", sweeps > most ? fmt::format("> {}", most) : fmt::format("{}", sweeps));
    }
    printRow(" {} |\n", balls.jacobiSweeps);
    if (options.csvFolder.empty()) continue;
    writeCurve(csv, frame, {"sequential", "sor-prox"});
    for (const ProxRun& run : runs) writeCurve(csv, frame, run);
  }
  fmt::print("\n");
}

}  // namespace drystone::bench
