#pragma once

#include <mutex>
#include <vector>

#include "engine/step/step_report.h"

namespace drystone::viewer {

/// Steps that are plotted: ten seconds at 60 Hz.
inline constexpr int kPlottedSteps = 600;

/// The figures of one step that are plotted over time.
struct StepSample {
  std::int64_t step = 0;
  /// False: the state that all began with; it only says that the steps after it are gone.
  bool isDone = true;
  Real time = 0;  ///< [s]
  StageTimes times;
  EnergyLedger energy;
  Real naturalMap = 0;  ///< judged (M.11) [m/s]
};

StepSample sampleOf(const StepReport& report, bool isDone = true);

/// Those that were made since they were last taken.
struct StepSamples {
  bool areAnew = false;  ///< another scene was opened before them: what was taken before is not its
  std::vector<StepSample> samples;
};

/// Samples on their way to the window, from one thread to another: every step's, also of those that
/// no picture shows.
class StepSampleQueue {
 public:
  /// What nobody took is forgotten beyond so many, the oldest first.
  static constexpr std::size_t kMost = 1000;

  void push(const StepSample& sample);
  void startAnew();
  StepSamples take();

 private:
  std::mutex mutex_;
  StepSamples waiting_;
};

}  // namespace drystone::viewer
