// Poulsen 2010, table 3.1 as measured: time to lay a problem out and time of a sweep, scheme by
// order of the updates, on one thread.
#include "bench/studies/prox/prox_run.h"
#include "bench/studies/prox/studies.h"

namespace drystone::bench {

void studySchemes(const ProxOptions& options) {
  const std::vector<ProxRun> runs = {
      {"sequential, naive", "sor-prox", {{"scheme", "naive"}}},
      {"sequential, T", "sor-prox", {{"scheme", "T"}}},
      {"sequential, factorized", "sor-prox"},
      {"Jacobi, T", "jacobi-prox", {{"scheme", "T"}}},
      {"Jacobi, factorized", "jacobi-prox"},
      {"colors, T", "sor-prox-colored", {{"scheme", "T"}, {"color_unit", "contact"}}},
      {"colors, factorized", "sor-prox-colored", {{"color_unit", "contact"}}},
      {"lanes, double", "sor-prox-wide", {{"precision", "double"}}},
      {"lanes, float", "sor-prox-wide", {{"precision", "float"}}},
  };
  CsvFile csv(options, "schemes", "scene,contacts,run,prepare_ms,sweep_ms");
  fmt::print(
      "## Schemes, one thread: ns a contact to lay out / ns a contact and sweep\n\n| scene |");
  for (const ProxRun& run : runs) fmt::print(" {} |", run.label);
  fmt::print("\n|---|");
  for (std::size_t i = 0; i < runs.size(); ++i) fmt::print("--:|");
  fmt::print("\n");
  for (const PublishedBalls& balls : publishedBalls()) {
    if (!options.wants(balls.scene)) continue;
    const Frame frame = firstFrame(balls.scene);
    const auto contacts = static_cast<Real>(frame.problem.blocks.size());
    fmt::print("| {} |", balls.scene);
    for (const ProxRun& run : runs) {
      const ProxFigures figures =
          measureProx(frame.problem, run, options.sweeps, 1, options.repeats);
      printRow(" {:.0f} / {:.1f} |", 1e6 * figures.prepareMs / contacts,
               1e6 * figures.sweepMs / contacts);
      csv.row(balls.scene, frame.problem.blocks.size(), run.label, figures.prepareMs,
              figures.sweepMs);
    }
    fmt::print("\n");
  }
  fmt::print("\n");
}

}  // namespace drystone::bench
