#include "viewer/session/step_sample.h"

#include <utility>

namespace drystone::viewer {

StepSample sampleOf(const StepReport& report, bool isDone) {
  return {.step = report.step,
          .isDone = isDone,
          .time = report.time,
          .times = report.times,
          .energy = report.energy,
          .naturalMap = report.naturalMap};
}

void StepSampleQueue::push(const StepSample& sample) {
  const std::scoped_lock lock(mutex_);
  std::vector<StepSample>& samples = waiting_.samples;
  // In halves, so that each is moved once.
  if (samples.size() == 2 * kMost) samples.erase(samples.begin(), samples.begin() + kMost);
  samples.push_back(sample);
}

void StepSampleQueue::startAnew() {
  const std::scoped_lock lock(mutex_);
  waiting_.areAnew = true;
  waiting_.samples.clear();
}

StepSamples StepSampleQueue::take() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(waiting_, {});
}

}  // namespace drystone::viewer
