// What a sweep moves through memory beside what a copy moves, on one thread.
#include <cstring>

#include "bench/studies/prox/prox_run.h"
#include "bench/studies/prox/studies.h"
#include "solvers/prox/factorized_system.h"
#include "solvers/prox/wide_kernel.h"

namespace drystone::bench {
namespace {

constexpr const char* kBandwidthScene = "ball_grid_large";

/// Bytes that an update of one contact with a cone reads and writes.
struct Traffic {
  Real state;   ///< its own data once, and its impulses written back
  Real bodies;  ///< two bodies read and written, which the caches may serve
};

template <class Scalar>
Traffic wideTraffic() {
  using Batch = wide::Batch<Scalar, 3>;
  return {static_cast<Real>(sizeof(Batch) + sizeof(Batch::lambda)) / wide::kLanes<Scalar>,
          4.0 * sizeof(wide::BodyRecord<Scalar>)};
}

Traffic sequentialTraffic() {
  using Contact = ScaledContact<3>;
  return {static_cast<Real>(sizeof(Contact) + sizeof(Contact::lambda)),
          4.0 * sizeof(FactorizedSystem::BodyVelocity)};
}

struct BandwidthRun {
  ProxRun run;
  Traffic traffic;
};

/// GB/s of memcpy, read and written bytes. It does not read what it is about to overwrite when
/// blocks are large; a sweep has no such reads either, since it writes what it has read.
Real copyBandwidth(std::size_t bytes, int repeats) {
  const std::vector<char> from(bytes, 1);
  std::vector<char> to(bytes, 2);
  Real best = 0;
  for (int i = 0; i < repeats; ++i) {
    const Timer timer;
    std::memcpy(to.data(), from.data(), bytes);
    best = std::max(best, 2e-6 * static_cast<Real>(bytes) / timer.milliseconds());
  }
  return best;
}

}  // namespace

std::vector<std::string> bandwidthScenes() { return {kBandwidthScene}; }

void studyBandwidth(const ProxOptions& options) {
  constexpr std::size_t kFarBeyondCaches = std::size_t{1} << 30;
  const std::vector<BandwidthRun> runs = {
      {{"lanes, float", "sor-prox-wide", {{"precision", "float"}}}, wideTraffic<float>()},
      {{"lanes, double", "sor-prox-wide", {{"precision", "double"}}}, wideTraffic<double>()},
      {{"sequential", "sor-prox"}, sequentialTraffic()},
  };
  const Frame frame = firstFrame(kBandwidthScene);
  const auto contacts = static_cast<Real>(frame.problem.blocks.size());
  CsvFile csv(options, "bandwidth", "run,state_bytes,body_bytes,sweep_ms,state_gbs,copy_gbs");
  fmt::print(
      "## Bandwidth: {}, one thread\n\n| sweep | bytes a contact: state | bodies | ms | GB/s of "
      "state | with bodies | GB/s of a copy | share of it: state | with bodies |\n"
      "|---|--:|--:|--:|--:|--:|--:|--:|--:|\n",
      kBandwidthScene);
  for (const BandwidthRun& run : runs) {
    const Real before = copyBandwidth(kFarBeyondCaches, options.repeats);
    const Real ms = sweepTime(frame.problem.view(), run.run, options.sweeps, 1, options.repeats);
    const Real copy = std::max(before, copyBandwidth(kFarBeyondCaches, options.repeats));
    const Real state = 1e-6 * contacts * run.traffic.state / ms;
    const Real all = 1e-6 * contacts * (run.traffic.state + run.traffic.bodies) / ms;
    printRow("| {} | {:.0f} | {:.0f} | {:.2f} | {:.1f} | {:.1f} | {:.1f} | {:.0f} % | {:.0f} % |\n",
             run.run.label, run.traffic.state, run.traffic.bodies, ms, state, all, copy,
             100 * state / copy, 100 * all / copy);
    csv.row(run.run.label, run.traffic.state, run.traffic.bodies, ms, state, copy);
  }
  fmt::print(
      "\nA copy counts the bytes that it reads and writes; it moves 1 GiB and does not read its "
      "target.\n\n");
}

}  // namespace drystone::bench
