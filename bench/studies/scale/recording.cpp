// What a recording of a world on several processes takes of a step: to gather a frame, and to write
// it.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "bench/studies/measure.h"
#include "bench/studies/scale/scale_studies.h"
#include "core/timer.h"
#include "distributed/distributed_world.h"
#include "distributed/processes.h"
#include "engine/recording/recorder.h"
#include "scenes/scene_builder.h"
#include "solvers/default_registry.h"

namespace drystone::bench {
namespace {

constexpr int kFrames = 10;

struct Recorded {
  StepReport report;
  std::uint64_t hash = 0;
  WorldSnapshot frame;
  double stepMs = 0, gatherMs = 0;  ///< of the slowest process
};

/// Steps, and gathers after each of them what a recording takes. On the first process the steps
/// are those of all.
std::vector<Recorded> stepAndGather(DistributedWorld& world, Processes& processes) {
  std::vector<Recorded> steps(kFrames);
  std::vector<Real> scratch;
  for (Recorded& step : steps) {
    Timer timer;
    step.report = world.step();
    Real times[] = {timer.lap(), 0};
    step.hash = world.hash();
    world.gatherSnapshot(step.frame);
    times[1] = timer.lap();
    takeLargest(processes, times, scratch);
    step.stepMs = times[0];
    step.gatherMs = times[1];
  }
  return steps;
}

struct Written {
  double frameMs = 0;
  Real frameBytes = 0;
};

/// The frames one after the other into a file, until it is closed.
Written writeAll(const std::vector<Recorded>& steps, const std::vector<std::string>& names,
                 const WorldSnapshot& start) {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / fmt::format("drystone_scale_{}.h5", getpid());
  const Timer timer;
  Recorder recorder(path.string(), {.version = "bench", .scene = "scale"}, names, start, 0);
  const double openMs = timer.milliseconds();
  for (const Recorded& step : steps) recorder.addStep({step.report, step.hash}, &step.frame);
  recorder.finish();
  const Written written{(timer.milliseconds() - openMs) / kFrames,
                        static_cast<Real>(std::filesystem::file_size(path)) / (kFrames + 1)};
  std::filesystem::remove(path);
  return written;
}

Real medianOf(const std::vector<Recorded>& steps, double Recorded::*time) {
  std::vector<Real> values;
  for (const Recorded& step : steps) values.push_back(step.*time);
  return median(values);
}

}  // namespace

void runRecording(const StudyOptions& options, Processes& processes) {
  const bool isFirst = processes.rank() == 0;
  const int count = processes.count();
  const SolverRegistry registry = makeDefaultRegistry();
  std::optional<CsvFile> csv;
  if (isFirst) {
    csv.emplace(options, fmt::format("recording_{}", count),
                "scene,processes,bodies,contacts,step_ms,gather_ms,sent_bytes,frame_bytes,write_ms,"
                "file_bytes");
    printRow(
        "| scene | processes | bodies | contacts | step ms | gather ms | write ms | sent kB a "
        "frame | kB of a frame | kB in the file |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n");
  }
  for (const std::string scene : {"ball_grid_small", "ball_grid_medium", "ball_pile_small"}) {
    if (!options.wants(scene)) continue;
    Scene made = sceneAsRun(scene, {"tolerance=1e-4"}, "apgd");
    made.settings.threads = 1;
    DistributedWorld world(buildWorld(made, registry), registry, processes);
    WorldSnapshot start;
    world.gatherSnapshot(start);
    const Traffic before = world.gathered();
    const std::vector<Recorded> steps = stepAndGather(world, processes);
    Real sent[] = {static_cast<Real>(world.gathered().bytes - before.bytes) / kFrames};
    std::vector<Real> scratch;
    addUp(processes, sent, scratch);
    if (!isFirst) continue;
    const WorldSnapshot& last = steps.back().frame;
    const Real frameBytes = static_cast<Real>(last.bodies.size() * sizeof(BodySnapshot) +
                                              last.contacts.size() * sizeof(ContactSnapshot));
    const Written written = writeAll(steps, world.names(), start);
    const Real stepMs = medianOf(steps, &Recorded::stepMs);
    const Real gatherMs = medianOf(steps, &Recorded::gatherMs);
    csv->row(scene, count, last.bodies.size(), last.contacts.size(), stepMs, gatherMs, sent[0],
             frameBytes, written.frameMs, written.frameBytes);
    printRow("| {} | {} | {} | {} | {:.3g} | {:.3g} | {:.3g} | {:.0f} | {:.0f} | {:.0f} |\n", scene,
             count, last.bodies.size(), last.contacts.size(), stepMs, gatherMs, written.frameMs,
             sent[0] / 1e3, frameBytes / 1e3, written.frameBytes / 1e3);
  }
}

}  // namespace drystone::bench
