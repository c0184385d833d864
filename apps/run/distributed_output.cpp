#include "apps/run/distributed_output.h"

#include <algorithm>

#include "apps/support/output_file.h"
#include "apps/support/run_setup.h"
#include "engine/recording/recording.h"

namespace drystone::cli {

DistributedOutput::DistributedOutput(const DistributedRunOptions& options,
                                     const SceneSource& source, const ReadyScene& scene,
                                     const SolverRegistry& registry, Processes& processes,
                                     DistributedWorld& world)
    : isFirst_(processes.rank() == 0),
      hasCsv_(!options.csv.empty()),
      hasRecording_(!options.record.empty()),
      hashesRows_(options.hash),
      every_(scene.output.every) {
  if (isFirst_) {
    const NamedOutput outputs[] = {
        {options.csv, "--csv"}, {options.record, "--record"}, {options.states.save, "--save"}};
    refuseSameOutputs(outputs);
    for (const auto& [path, option] : outputs) checkOutputFile(path, option, scene.files);
    requireDiskFile(options.record, "--record");
    requireDiskFile(options.states.save, "--save");
    if (hasCsv_) csv_.emplace(options.csv, options.hash, false);
  }
  if (!hasRecording_) return;
  const std::uint64_t hash = world.hash();
  world.gatherSnapshot(frame_);
  if (!isFirst_) return;
  RecordingInfo info = recordingInfo(source, scene, options.simulation, registry);
  info.processes = processes.count();
  const auto solver = std::ranges::find(info.solvers, scene.settings.solver.name);
  if (solver != info.solvers.end()) solver_ = static_cast<int>(solver - info.solvers.begin());
  recorder_.emplace(options.record, info, world.names(), frame_, hash);
}

void DistributedOutput::addStep(std::int64_t step, bool isLast, DistributedWorld& world) {
  const bool isDue = isLast || step % every_ == 0;
  const bool needsHash = hasRecording_ || (hasCsv_ && isDue && hashesRows_);
  const std::uint64_t hash = needsHash ? world.hash() : 0;
  if (hasRecording_ && isDue) world.gatherSnapshot(frame_);
  if (csv_ && isDue) csv_->addStep({.report = world.lastReport(), .hash = hash});
  if (recorder_) {
    recorder_->addStep({world.lastReport(), hash, solver_}, isDue ? &frame_ : nullptr);
  }
}

void DistributedOutput::finish() {
  if (recorder_) recorder_->finish();
}

}  // namespace drystone::cli
