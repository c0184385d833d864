// Nützi 2011, section 6.2: frames of a simulation of 3,000 spheres, each solved by every method
// until no impulse changes by more than 1e-7 (Nützi 2011, Eq. 4.49).
#include <algorithm>

#include "bench/studies/gpu/studies.h"
#include "bench/studies/prox/prox_run.h"
#include "gpu/device_dense_system.h"

namespace drystone::bench {

void studySpheres(const GpuOptions& options) {
  constexpr int kSteps[] = {300, 500, 700, 900};
  constexpr Real kTolerance = 1e-7;
  const auto local = [](const char* label, const char* solver) -> ProxRun {
    return {label, solver, {{"precision", "double"}, {"step", "local"}}};
  };
  std::vector<ProxRun> runs = {
      {"sor-prox, one thread", "sor-prox", {{"step", "local"}}},
      local("gpu-sor", "gpu-sor"),
      local("gpu-jor", "gpu-jor"),
  };
  const auto denseFrom = static_cast<std::ptrdiff_t>(runs.size());
  for (const DenseRun& run : denseRuns()) runs.push_back(run.run);
  CsvFile csv(options, "spheres", "step,contacts,run,iterations,sweep_ms");
  fmt::print("## 3,000 spheres\n\n");
  for (const int step : kSteps) {
    const Frame frame = frameOf("spheres_box", step, {"generators.fill.count=3000"});
    const ContactProblem view = frame.problem.view();
    fmt::print(
        "### Step {}: {} contacts\n\n| method | iterations | ms an iteration | ms |\n"
        "|---|--:|--:|--:|\n",
        step, view.contactCount());
    constexpr int kMostRows = gpu::DeviceDenseSystem<double>::kMostRows;
    const bool fits = view.rowCount() <= kMostRows;
    for (const ProxRun& run : std::span(runs).first(fits ? std::ssize(runs) : denseFrom)) {
      const int iterations = sweepsToStandstill(view, run, kTolerance);
      const Real ms = sweepTime(view, run, options.sweeps, 1, options.repeats);
      printRow("| {} | {} | {:.3f} | {:.1f} |\n", run.label, iterations, ms,
               std::max(iterations, 0) * ms);
      csv.row(step, view.contactCount(), run.label, iterations, ms);
    }
    if (!fits) printRow("| dense ones | more than {} rows | | |\n", kMostRows);
    fmt::print("\n-1: not within 10,000.\n\n");
  }
}

}  // namespace drystone::bench
