#include "viewer/window/step_history.h"

namespace drystone::viewer {

void StepHistory::add(const StepSample& sample) {
  while (!empty() && newest().step >= sample.step) --size_;
  if (!sample.isDone) return;
  if (size_ == kCapacity) {
    first_ = (first_ + 1) % kCapacity;
    --size_;
  }
  samples_[(first_ + size_) % kCapacity] = sample;
  ++size_;
}

void StepHistory::clear() { first_ = size_ = 0; }

}  // namespace drystone::viewer
