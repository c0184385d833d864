#pragma once

#include <cstddef>
#include <vector>

#include "viewer/session/step_sample.h"

namespace drystone::viewer {

/// The figures of the newest steps, oldest first: a ring that never grows. Steps ascend; a step
/// that was seen before (the user went back) drops it and all after it.
class StepHistory {
 public:
  static constexpr std::size_t kCapacity = kPlottedSteps;

  /// A step that is the newest already is written anew: it may have been computed again.
  void add(const StepSample& sample);
  void clear() { first_ = size_ = 0; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  /// 0 is the oldest.
  const StepSample& operator[](std::size_t i) const { return samples_[(first_ + i) % kCapacity]; }
  const StepSample& newest() const { return (*this)[size_ - 1]; }

 private:
  std::vector<StepSample> samples_ = std::vector<StepSample>(kCapacity);
  std::size_t first_ = 0, size_ = 0;
};

inline void StepHistory::add(const StepSample& sample) {
  while (!empty() && newest().step >= sample.step) --size_;
  if (!sample.isDone) return;
  if (size_ == kCapacity) {
    first_ = (first_ + 1) % kCapacity;
    --size_;
  }
  samples_[(first_ + size_) % kCapacity] = sample;
  ++size_;
}

/// Mean and largest of one figure over the history.
struct Spread {
  double now = 0, mean = 0, most = 0;
};
template <class Figure>
Spread spreadOf(const StepHistory& history, Figure figure) {
  Spread spread;
  for (std::size_t i = 0; i < history.size(); ++i) {
    const double value = figure(history[i]);
    spread.mean += value / static_cast<double>(history.size());
    spread.most = i == 0 || value > spread.most ? value : spread.most;
    spread.now = value;
  }
  return spread;
}

}  // namespace drystone::viewer
