#include "solvers/staggered/joint_steps.h"

#include <algorithm>

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
  steps_ = kFirstSteps;
  proximal_.start();
  states_.start(rows, states, lambda, w);
  system_.attach(rows, factor_, BasisKind::kGeneral);
}

bool JointSteps::isDue() { return rows_ != nullptr && resting_-- <= 0; }

void JointSteps::rate(bool wasOfUse) {
  rest_ = wasOfUse ? 0 : std::clamp(2 * rest_, 1, kLongestRest);
  if (!wasOfUse) steps_ = std::min(2 * steps_, kMostSteps);
  resting_ = rest_;
}

NewtonOutcome JointSteps::run(std::span<const Real> lambda, Real tolerance,
                              const NewtonSettings& settings) {
  lambda_.assign(lambda.begin(), lambda.end());
  w_.resize(lambda.size());
  rows_->velocity(lambda_, w_);
  states_.classify(*rows_, lambda_, w_);
  NewtonOutcome outcome;
  const FrictionNewton::Problem problem{*rows_, system_, states_, lambda_, w_};
  unused_.clear();
  newton_.runPlain(problem, settings, unused_, outcome);
  if (outcome.status != SolveStatus::kConverged && outcome.naturalMap > tolerance) {
    proximal_.run(problem, {tolerance, steps_, settings.allowance}, unused_, outcome);
  }
  return outcome;
}

}  // namespace drystone
