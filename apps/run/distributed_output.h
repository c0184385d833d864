#pragma once

#include <optional>

#include "apps/run/csv_output.h"
#include "apps/run/distributed_run.h"
#include "distributed/distributed_world.h"
#include "engine/recording/recorder.h"

namespace drystone::cli {

/// The files of a run on several processes. The first one writes them, from what all send to it:
/// all processes make one and call the same functions.
class DistributedOutput {
 public:
  /// Throws UsageError for files that cannot be written, on the first process alone.
  DistributedOutput(const DistributedRunOptions& options, const SceneSource& source,
                    const ReadyScene& scene, const SolverRegistry& registry, Processes& processes,
                    DistributedWorld& world);

  /// Adds the step that the world has just done; steps count from 1.
  void addStep(std::int64_t step, bool isLast, DistributedWorld& world);
  /// Closes what is open; throws what could not be written.
  void finish();

 private:
  bool isFirst_, hasCsv_, hasRecording_, hashesRows_;
  int every_;        ///< steps between two rows of the table or frames of the recording
  int solver_ = -1;  ///< of the scene, as recordings count them
  WorldSnapshot frame_;
  std::optional<StepCsv> csv_;
  std::optional<Recorder> recorder_;
};

}  // namespace drystone::cli
