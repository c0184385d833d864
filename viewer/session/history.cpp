#include "viewer/session/history.h"

#include <algorithm>
#include <utility>

#include "core/check.h"

namespace drystone::viewer {
namespace {

template <class T>
std::size_t heapBytes(const std::vector<T>& values) {
  return values.capacity() * sizeof(T);
}

/// Memory that a step holds; the scene is shared.
std::size_t bytesOf(const PastStep& step) {
  const ViewFrame& frame = step.frame;
  return sizeof(PastStep) + heapBytes(step.state) + heapBytes(frame.snapshot.bodies) +
         heapBytes(frame.snapshot.contacts) + heapBytes(frame.snapshot.joints) +
         heapBytes(frame.report.islands) + heapBytes(frame.report.brokenJoints) +
         heapBytes(frame.contactResidual) + heapBytes(frame.contactColor) +
         heapBytes(frame.convergence);
}

}  // namespace

History::History(const HistoryLimits& limits) : limits_(limits) {
  ring_.resize(static_cast<std::size_t>(std::max(1, limits.steps)));
}

void History::add() {
  while (count_ > present_ + 1) {
    PastStep& undone = ring_[slot(--count_)];
    bytes_ -= undone.bytes;
    undone = {};
  }
  next_.bytes = bytesOf(next_);
  bytes_ += next_.bytes;
  // The step that is forgotten gives its memory to the one after this.
  PastStep recycled;
  while (count_ > 0 && (count_ == std::ssize(ring_) || bytes_ > limits_.bytes)) {
    PastStep& oldest = ring_[slot(0)];
    bytes_ -= oldest.bytes;
    recycled = std::exchange(oldest, {});
    first_ = slot(1);
    --count_;
  }
  present_ = count_++;
  ring_[slot(present_)] = std::exchange(next_, std::move(recycled));
}

void History::clear() {
  ring_.assign(ring_.size(), {});
  first_ = 0;
  count_ = present_ = 0;
  bytes_ = 0;
}

void History::goTo(std::int64_t step) {
  DRYSTONE_ASSERT(step >= firstStep() && step <= lastStep());
  present_ = static_cast<int>(step - firstStep());  // no step is left out
  DRYSTONE_ASSERT(at(present_).step == step);
}

}  // namespace drystone::viewer
