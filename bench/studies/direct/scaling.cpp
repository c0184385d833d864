// Envelope against body space as problems grow: the factor of bpp-skyline lies in the space of the
// rows, that of bpp-sparse in the space of the bodies.
#include <algorithm>

#include "bench/studies/direct/factors.h"
#include "bench/studies/direct/study.h"
#include "bench/studies/measure.h"

namespace drystone::bench {
namespace {

/// Every scene of the library with more than 500 rows in its largest step and whose solver is bpp;
/// and the wall, whose is nsgs.
const std::vector<std::string> kScalingScenes = {
    "wall",    "chain_rod",        "tower",      "rocks",
    "spinner", "pyramid_20",       "trucks",     "pyramid_30",
    "boxes",   "brick_wall_20x20", "joint_grid", "brick_wall_40x25"};
constexpr Real kScalingSeconds = 3;  ///< simulated of every scene
constexpr int kScalingFrames = 10;   ///< measured of those
/// Multiplications of the envelope's loops in a second: what decides beforehand whether a scene can
/// be measured within the limit.
constexpr Real kRate = 1e9;

struct Pilot {
  int rows = 0, islandRows = 0, tightRows = 0;  ///< of the frame with the most rows
  Real operations = 0;  ///< most of a frame, of bpp-skyline with as many candidates
  Real skylineEntries = 0;
};

FrameRange sampledFrames(const Scene& scene) {
  FrameRange range = framesOf(scene, kScalingSeconds);
  range.stride = std::max(range.count / kScalingFrames, 1);
  range.first = std::min(range.stride - 1, range.count - 1);
  range.count -= range.first;
  return range;
}

/// What the frames hold and what bpp-skyline would cost there.
Pilot look(const Scene& scene, const StudyOptions& options) {
  Shadow shadow({{"bpp-sparse"}}, 1);
  Pilot pilot;
  EnvelopeMatrix envelope;
  Real operations = 0, entries = 0;
  shadow.observer = [&](const ShadowView& view) {
    envelope.analyze(assemble(view.problem), true);
    operations +=
        view.record.runs[0].report.factorizations *
        (factorCost(envelope) + downdateCost(envelope, tightByPlace(envelope, view.state)));
    entries += static_cast<Real>(envelope.entries());
  };
  simulate(scene, shadow, sampledFrames(scene), options.limit, [&](World&) {
    int rows = 0, tight = 0;
    for (const ShadowRecord& record : shadow.records) {
      rows += record.rows;
      tight += record.tightRows;
      pilot.islandRows = std::max(pilot.islandRows, record.rows);
    }
    if (rows > pilot.rows) {
      pilot.rows = rows;
      pilot.tightRows = tight;
    }
    pilot.operations = std::max(pilot.operations, operations);
    pilot.skylineEntries = std::max(pilot.skylineEntries, entries);
    operations = entries = 0;
  });
  return pilot;
}

struct Totals {
  int frames = 0;
  std::vector<Real> ms;  ///< [runs] of all frames
  Real velocityError = 0, impulseError = 0;
  int failures = 0;
};

Totals measure(const Scene& scene, const std::vector<ShadowRun>& runs, int repeats, Real limit) {
  Shadow shadow(runs, repeats);
  Totals totals;
  totals.ms.assign(runs.size(), 0);
  totals.frames = simulate(scene, shadow, sampledFrames(scene), limit, [&](World&) {
    for (const ShadowRecord& record : shadow.records) {
      for (std::size_t r = 0; r < runs.size(); ++r) {
        totals.ms[r] += record.runs[r].report.timeMs;
        totals.velocityError = std::max(totals.velocityError, record.runs[r].velocityError);
        totals.impulseError = std::max(totals.impulseError, record.runs[r].impulseError);
        totals.failures += record.runs[r].report.status == SolveStatus::kConverged ? 0 : 1;
      }
    }
  });
  return totals;
}

void measureScaling(const std::string& name, const StudyOptions& options, CsvFile& csv) {
  const bool isBox = sceneWith(name, "").settings.friction == FrictionModel::kBox;
  const Scene scene = sceneWith(name, "", {}, {"world.friction=box"});
  const Pilot pilot = look(scene, options);
  const Real expected = pilot.operations / kRate;  // [s]
  // All frames within the limit where possible, else as many as there is time for.
  const bool measuresSkyline = expected <= options.limit;
  const int repeats =
      expected * kScalingFrames * options.repeats <= options.limit ? options.repeats : 1;
  std::vector<ShadowRun> runs = {{"bpp-sparse"}, {"bpp-auto"}};
  if (measuresSkyline) runs.push_back({"bpp-skyline"});
  const Totals totals = measure(scene, runs, repeats, options.limit);
  const Real count = std::max(totals.frames, 1);
  const Real sparse = totals.ms[0] / count, automatic = totals.ms[1] / count;
  std::string skyline = fmt::format("about {:.0f} s by its operations", expected), ratio;
  if (measuresSkyline) {
    const Real ms = totals.ms[2] / count;
    skyline = fmt::format("{:.2f}", ms);
    ratio = fmt::format("{:.1f}", ms / sparse);
    csv.row(name, pilot.rows, pilot.islandRows, ms, sparse, automatic);
  } else {
    ratio = fmt::format("about {:.0f}", 1e3 * expected / sparse);
    csv.row(name, pilot.rows, pilot.islandRows, "", sparse, automatic);
  }
  printRow(
      "| {} | {} | {} | {} | {:.0f} % | {:.3g} | {} | {} | {:.2f} | {:.2f} | {} | {:.1e} | "
      "{:.1e} | {} |\n",
      name, isBox ? "box" : "box (own: cone)", pilot.rows, pilot.islandRows,
      100.0 * pilot.tightRows / std::max(pilot.rows, 1), pilot.skylineEntries / 1e6, totals.frames,
      skyline, sparse, automatic, ratio, totals.velocityError, totals.impulseError,
      totals.failures);
}

}  // namespace

std::vector<std::string> scalingScenes() { return kScalingScenes; }

void studyScaling(const StudyOptions& options) {
  fmt::print("## Envelope against body space\n\n");
  fmt::print(
      "| scene | friction | rows of a step, most | of an island, most | tight | entries of the "
      "envelope, million | frames | bpp-skyline ms | bpp-sparse ms | bpp-auto ms | "
      "skyline/sparse | largest relative difference of w | of λ | problems not converged "
      "|\n|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n");
  CsvFile csv(options, "scaling", "scene,rows,island_rows,skyline_ms,sparse_ms,auto_ms");
  for (const std::string& name : kScalingScenes) {
    if (options.wants(name)) measureScaling(name, options, csv);
  }
  fmt::print(
      "\n{} frames spread over {} s of each scene, warm starts; solve time of a frame, sum over "
      "its "
      "islands, mean. λ is not unique where rows depend on each other.\n\n",
      kScalingFrames, kScalingSeconds);
}

}  // namespace drystone::bench
