#include "apps/run/distributed_output.h"

#include <algorithm>

#include "apps/support/output_file.h"
#include "apps/support/run_setup.h"
#include "engine/recording/recording.h"

namespace drystone::cli {
namespace {

/// Between two flushes of a recording that all write, as the other recorder's [s].
constexpr Real kFlushTime = 1;

}  // namespace

void DistributedOutput::check(const DistributedRunOptions& options, const ReadyScene& scene) {
  const NamedOutput outputs[] = {
      {options.csv, "--csv"}, {options.record, "--record"}, {options.states.save, "--save"}};
  refuseSameOutputs(outputs);
  for (const auto& [path, option] : outputs) checkOutputFile(path, option, scene.files);
  requireDiskFile(options.record, "--record");
  requireDiskFile(options.states.save, "--save");
}

DistributedOutput::DistributedOutput(const DistributedRunOptions& options,
                                     const SceneSource& source, const ReadyScene& scene,
                                     const SolverRegistry& registry, Processes& processes,
                                     DistributedWorld& world)
    : isFirst_(processes.rank() == 0),
      hasCsv_(!options.csv.empty()),
      hasRecording_(!options.record.empty()),
      hashesRows_(options.hash),
      every_(scene.output.every),
      processes_(processes) {
  if (isFirst_ && hasCsv_) csv_.emplace(options.csv, options.hash, false);
  if (!hasRecording_) return;
  RecordingInfo info = recordingInfo(source, scene, options.simulation, registry);
  info.processes = processes.count();
  const auto solver = std::ranges::find(info.solvers, scene.settings.solver.name);
  if (solver != info.solvers.end()) solver_ = static_cast<int>(solver - info.solvers.begin());
  const std::uint64_t hash = world.hash();
  if (options.recordParallel) {
    world.partSnapshot(part_);
    shared_.emplace(options.record, info, world.names(), part_, hash);
    return;
  }
  world.gatherSnapshot(frame_);
  if (isFirst_) recorder_.emplace(options.record, info, world.names(), frame_, hash);
}

void DistributedOutput::addStep(std::int64_t step, bool isLast, DistributedWorld& world) {
  const bool isDue = isLast || step % every_ == 0;
  const bool needsHash = hasRecording_ || (hasCsv_ && isDue && hashesRows_);
  const std::uint64_t hash = needsHash ? world.hash() : 0;
  if (csv_ && isDue) csv_->addStep({.report = world.lastReport(), .hash = hash});
  if (hasRecording_) addToRecording({world.lastReport(), hash, solver_}, isDue, world);
}

void DistributedOutput::addToRecording(const RecordedStep& step, bool isDue,
                                       DistributedWorld& world) {
  if (!shared_) {
    if (isDue) world.gatherSnapshot(frame_);
    if (recorder_) recorder_->addStep(step, isDue ? &frame_ : nullptr);
    return;
  }
  if (isDue) world.partSnapshot(part_);
  shared_->addStep(step, isDue ? &part_ : nullptr);
  // All flush at the same step: when the clock of one of them says so.
  std::vector<Real> scratch;
  Real seconds[] = {sinceFlush_.milliseconds() / 1e3};
  takeLargest(processes_, seconds, scratch);
  if (seconds[0] < kFlushTime) return;
  shared_->flush();
  sinceFlush_.restart();
}

void DistributedOutput::finish() {
  if (recorder_) recorder_->finish();
  if (shared_) shared_->finish();
}

}  // namespace drystone::cli
