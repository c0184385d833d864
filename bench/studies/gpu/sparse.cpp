// The sparse solvers: time and bytes of a sweep beside a copy on the device, and from which size on
// a solve with a fixed number of sweeps pays, layout and copies included.
#include "bench/studies/gpu/studies.h"
#include "bench/studies/prox/prox_run.h"
#include "core/parallel.h"
#include "gpu/devices.h"
#include "gpu/layout/sweep_traffic.h"

namespace drystone::bench {
namespace {

struct Run {
  ProxRun run;
  bool onDevice;
  bool inFloat;
  bool movesContacts;  ///< in factorized form, whose bytes are known
};

const std::vector<Run>& runs() {
  static const std::vector<Run> kRuns = {
      {{"sor-prox, one thread", "sor-prox"}, false, false, false},
      {{"sor-prox-wide, float, one thread", "sor-prox-wide", {{"precision", "float"}}},
       false,
       true,
       false},
      {{"gpu-sor, double", "gpu-sor", {{"precision", "double"}}}, true, false, true},
      {{"gpu-sor, float", "gpu-sor", {{"precision", "float"}}}, true, true, true},
      {{"gpu-sor, naive, double", "gpu-sor", {{"precision", "double"}, {"scheme", "naive"}}},
       true,
       false,
       false},
      {{"gpu-jor, double", "gpu-jor", {{"precision", "double"}}}, true, false, false},
      {{"gpu-jor, float", "gpu-jor", {{"precision", "float"}}}, true, true, false},
  };
  return kRuns;
}

void measure(const StoredProblem& problem, const std::string& name, const GpuOptions& options,
             CsvFile& csv) {
  constexpr std::size_t kFarBeyondCaches = std::size_t{1} << 30;
  const ContactProblem view = problem.view();
  const Real copy = gpu::copyBandwidth(kFarBeyondCaches, options.repeats);
  bool isCompliant = false;
  for (const Real compliance : problem.compliance) isCompliant = isCompliant || compliance != 0;
  fmt::print(
      "### {}: {} contacts, device copy {:.0f} GB/s\n\n| sweeps by | ms a sweep | times one thread "
      "| GB/s of state | with bodies | share of the copy | ms of a solve of {} sweeps | of one "
      "thread's |\n|---|--:|--:|--:|--:|--:|--:|--:|\n",
      name, view.contactCount(), copy, options.sweeps);
  Real sequential = 0, sequentialSolve = 0;
  for (const Run& run : runs()) {
    const Real sweep = sweepTime(view, run.run, options.sweeps, 1, options.repeats);
    // What of a device's solve runs on the host is for all threads.
    const int threads = run.onDevice ? availableThreads() : 1;
    const Real solve = solveTime(view, run.run, options.sweeps, threads, options.repeats);
    if (sequential == 0) {
      sequential = sweep;
      sequentialSolve = solve;
    }
    const gpu::SweepTraffic bytes =
        run.inFloat ? gpu::sweepTraffic<float>(FrictionModel::kCone, isCompliant)
                    : gpu::sweepTraffic<double>(FrictionModel::kCone, isCompliant);
    const Real contacts = view.contactCount();
    const Real state = 1e-6 * contacts * bytes.state() / sweep;
    const Real all = 1e-6 * contacts * bytes.all() / sweep;
    const auto ifKnown = [&](const std::string& text) { return run.movesContacts ? text : ""; };
    printRow("| {} | {:.4f} | {:.1f} | {} | {} | {} | {:.2f} | {:.2f} |\n", run.run.label, sweep,
             sequential / sweep, ifKnown(fmt::format("{:.0f}", state)),
             ifKnown(fmt::format("{:.0f}", all)),
             ifKnown(fmt::format("{:.0f} %", 100 * all / copy)), solve, solve / sequentialSolve);
    csv.row(name, view.contactCount(), run.run.label, sweep, solve, run.movesContacts ? state : 0,
            copy);
  }
  fmt::print("\n");
}

}  // namespace

void studySparse(const GpuOptions& options) {
  constexpr int kContacts[] = {10'000, 30'000, 100'000, 300'000, 1'000'000};
  constexpr std::uint64_t kSeed = 5;
  CsvFile csv(options, "sparse", "problem,contacts,run,sweep_ms,solve_ms,state_gbs,copy_gbs");
  fmt::print("## Sparse sweeps\n\n");
  measure(firstFrame("ball_grid_large").problem, "ball_grid_large", options, csv);
  for (const int contacts : kContacts) {
    Random random(kSeed);
    measure(randomDominantProblem(contacts, random), "random", options, csv);
  }
}

}  // namespace drystone::bench
