// Nützi 2011, section 6.1: time of an iteration of the dense variants over the number of contacts,
// beside the processor's sweeps over the blocks of T.
#include "bench/studies/gpu/studies.h"
#include "bench/studies/prox/prox_run.h"
#include "gpu/devices.h"

namespace drystone::bench {

void studyDense(const GpuOptions& options) {
  constexpr int kContacts[] = {2000, 3000, 4000};
  constexpr std::uint64_t kSeed = 5;
  constexpr std::size_t kFarBeyondCaches = std::size_t{1} << 30;
  CsvFile csv(options, "dense", "contacts,run,ms,gflops,gbs,cpu_ms,iterations");
  fmt::print("## Dense iterations, double, device copy {:.0f} GB/s\n\n",
             gpu::copyBandwidth(kFarBeyondCaches, options.repeats));
  const bool hasBlas = gpu::whyNoBlas().empty();
  if (!hasBlas) fmt::print("Without what cuBLAS multiplies: {}.\n\n", gpu::whyNoBlas());
  for (const int contacts : kContacts) {
    Random random(kSeed);
    const StoredProblem problem = randomDominantProblem(contacts, random);
    const ContactProblem view = problem.view();
    const Real entries = static_cast<Real>(view.rowCount()) * view.rowCount();
    fmt::print("### {} contacts\n\n", contacts);
    if (hasBlas) {
      const gpu::ProductTiming product = gpu::timeDenseProduct(view.rowCount(), options.repeats);
      fmt::print(
          "The product alone: {:.3f} ms, by cuBLAS {:.3f} ms, {:.2f} times as long; they differ by "
          "{:.1e} of the largest number.\n\n",
          product.ownMs, product.blasMs, product.ownMs / product.blasMs, product.difference);
    }
    fmt::print(
        "| variant | ms an iteration | GFLOP/s | GB/s of T | ms on one thread, block-sparse T | "
        "iterations to 1e-7 |\n|---|--:|--:|--:|--:|--:|\n");
    for (const DenseRun& run : denseRuns()) {
      const Real ms = sweepTime(view, run.run, options.sweeps, 1, options.repeats);
      const ProxRun twin = {"", run.cpuTwin, {{"scheme", "T"}, {"step", "local"}}};
      const Real cpuMs = sweepTime(view, twin, options.sweeps, 1, options.repeats);
      const int iterations = sweepsToStandstill(view, run.run, 1e-7);
      const Real gflops = 2e-6 * entries / ms, rate = 1e-6 * entries * sizeof(Real) / ms;
      printRow("| {} | {:.3f} | {:.1f} | {:.0f} | {:.3f} | {} |\n", run.run.label, ms, gflops, rate,
               cpuMs, iterations);
      csv.row(contacts, run.run.label, ms, gflops, rate, cpuMs, iterations);
    }
    fmt::print("\n");
  }
}

}  // namespace drystone::bench
