#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "viewer/draw/view_frame.h"

namespace drystone::viewer {

/// How much of the past a simulation keeps.
struct HistoryLimits {
  std::size_t bytes = std::size_t{256} << 20;  ///< of states and frames together
  int steps = 3600;                            ///< one minute at 60 steps a second
};

/// A step as it was: what the world goes on from, and what was shown.
struct PastStep {
  std::int64_t step = 0;
  std::vector<std::byte> state;  ///< World::save()
  ViewFrame frame;
  std::size_t bytes = 0;  ///< memory of it when it was added
};

/// The last steps, the oldest forgotten first, with one of them as the present. The present step is
/// kept whatever its size. Memory of forgotten steps is used again.
class History {
 public:
  explicit History(const HistoryLimits& limits);

  /// Where the coming step is to be written; then call add().
  PastStep& next() { return next_; }
  /// Makes it the newest step and the present one. Steps after the one that was present are
  /// forgotten: the world went another way.
  void add();
  void clear();

  const PastStep& present() const { return at(present_); }
  PastStep& present() { return ring_[slot(present_)]; }
  /// One of those kept.
  const PastStep& step(std::int64_t number) const {
    return at(static_cast<int>(number - firstStep()));  // no step is left out
  }
  std::int64_t firstStep() const { return at(0).step; }
  std::int64_t lastStep() const { return at(count_ - 1).step; }
  /// Makes that step the present one; it must be one of those kept.
  void goTo(std::int64_t step);

 private:
  std::size_t slot(int index) const { return (first_ + index) % ring_.size(); }
  const PastStep& at(int index) const { return ring_[slot(index)]; }

  HistoryLimits limits_;
  std::vector<PastStep> ring_;
  PastStep next_;
  std::size_t first_ = 0;  // slot of the oldest step
  int count_ = 0, present_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace drystone::viewer
