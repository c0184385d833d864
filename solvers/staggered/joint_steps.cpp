#include "solvers/staggered/joint_steps.h"

#include <algorithm>
#include <limits>

namespace drystone {

void JointSteps::reserve(const ProblemSize& size) {
  factor_.reserve(size);
  system_.reserve(size);
  states_.reserve(size);
  newton_.reserve(size);
  proximal_.reserve(size);
  lambda_.reserve(size.rows);
  w_.reserve(size.rows);
}

void JointSteps::start(RowSystem& rows, std::span<const RowState> states,
                       std::span<const Real> lambda, std::span<const Real> w) {
  rows_ = &rows;
  rest_ = resting_ = 0;
  report_ = {};
  proximal_.begin();
  states_.start(rows, states, lambda, w);
  system_.attach(rows, factor_, BasisKind::kGeneral);
}

bool JointSteps::isDue() { return rows_ != nullptr && resting_-- <= 0; }

void JointSteps::rate(bool wasOfUse) {
  rest_ = wasOfUse ? 0 : std::clamp(2 * rest_, 1, kLongestRest);
  resting_ = rest_;
}

void JointSteps::clear() {
  rows_ = nullptr;
  report_ = {};
}

Real JointSteps::run(std::span<const Real> lambda, Real tolerance, Real roundOff,
                     const Deadline& deadline) {
  lambda_.assign(lambda.begin(), lambda.end());
  w_.resize(lambda.size());
  unused_.clear();
  Spending steps{.iterationsLeft = std::numeric_limits<int>::max()};
  StageContext context{*rows_, system_, tolerance, roundOff, {steps, deadline}, unused_, report_};
  Iterate iterate{lambda_, w_, states_};
  iterate.measure(*rows_);
  if (newton_.improve(iterate, context) != SolveStatus::kConverged && iterate.error > tolerance) {
    proximal_.improve(iterate, context);
  }
  return iterate.error;
}

}  // namespace drystone
