#pragma once

#include "core/timer.h"

namespace drystone {

/// What a solve of several stages has left, counted once over all of them.
struct Spending {
  int iterationsLeft = 0;
  Real begun = 0;  ///< when the last iteration was begun [s]
  Real took = 0;   ///< the one before it [s]
};

/// What a solve may still spend: iterations and time. A handle that the stages copy; the spending
/// and the deadline's timer must outlive it.
class Allowance {
 public:
  Allowance() = default;  ///< no end
  explicit Allowance(const Deadline& deadline) : deadline_(deadline) {}
  Allowance(Spending& spending, const Deadline& deadline)
      : spending_(&spending), deadline_(deadline) {}

  /// Takes one iteration. False: nothing is left.
  bool take() const {
    if (isSpent()) return false;
    if (spending_ == nullptr) return true;
    --spending_->iterationsLeft;
    if (deadline_.isSet()) {
      const Real now = deadline_.timer->milliseconds() / 1e3;
      spending_->took = spending_->begun > 0 ? now - spending_->begun : 0;
      spending_->begun = now;
    }
    return true;
  }
  /// What follows is another stage, whose iterations take another time.
  void beginStage() const {
    if (spending_ != nullptr) spending_->begun = spending_->took = 0;
  }
  bool isSpent() const {
    return (spending_ != nullptr && spending_->iterationsLeft <= 0) || isLate();
  }
  /// Time is over, or too short for an iteration like the last.
  bool isLate() const {
    if (!deadline_.isSet()) return false;
    return deadline_.passed() ||
           (spending_ != nullptr && deadline_.secondsLeft() < spending_->took);
  }
  const Deadline& deadline() const { return deadline_; }

 private:
  Spending* spending_ = nullptr;
  Deadline deadline_;
};

}  // namespace drystone
