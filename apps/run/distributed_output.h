#pragma once

#include <optional>

#include "apps/run/csv_output.h"
#include "apps/run/distributed_run.h"
#include "core/timer.h"
#include "distributed/distributed_world.h"
#include "engine/recording/recorder.h"
#include "engine/recording/shared_recorder.h"

namespace drystone::cli {

/// The files of a run on several processes. The first one writes them, from what all send to it,
/// but for a recording that all write. All processes make one and call the same functions.
class DistributedOutput {
 public:
  /// Throws UsageError for files that cannot be written. To be called before one is made, on the
  /// first process: to make one, all talk to each other.
  static void check(const DistributedRunOptions& options, const ReadyScene& scene);
  DistributedOutput(const DistributedRunOptions& options, const SceneSource& source,
                    const ReadyScene& scene, const SolverRegistry& registry, Processes& processes,
                    DistributedWorld& world);

  /// Adds the step that the world has just done; steps count from 1.
  void addStep(std::int64_t step, bool isLast, DistributedWorld& world);
  /// Closes what is open; throws what could not be written.
  void finish();

 private:
  void addToRecording(const RecordedStep& step, bool isDue, DistributedWorld& world);

  bool isFirst_, hasCsv_, hasRecording_, hashesRows_;
  int every_;        ///< steps between two rows of the table or frames of the recording
  int solver_ = -1;  ///< of the scene, as recordings count them
  Processes& processes_;
  std::optional<StepCsv> csv_;
  WorldSnapshot frame_;
  std::optional<Recorder> recorder_;  ///< of the first process alone
  SnapshotPart part_;
  std::optional<SharedRecorder> shared_;  ///< in place of it, of all
  Timer sinceFlush_;
};

}  // namespace drystone::cli
