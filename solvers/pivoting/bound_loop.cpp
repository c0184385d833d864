#include "solvers/pivoting/bound_loop.h"

#include <algorithm>
#include <cmath>

#include "core/patience.h"
#include "solvers/problem/laws.h"

namespace drystone {
namespace {

/// Rounds in a row that do not halve the best natural map: more than the first ask for a proximal
/// term, since what converges without it does so faster. More than the second end the loop.
constexpr int kPlainPatience = 10, kLoopPatience = 100;

}  // namespace

void BoundLoopSettings::visit(SettingVisitor& visitor) {
  visitor.real(
      {"relative_tolerance", "", "natural map that ends the friction, over the largest |b|"},
      relativeTolerance, 0, 1);
}

bool BoundLoop::isCoupled(const ContactProblem& problem, const ProblemBlock& block) {
  return block.law == BlockLaw::kContact && followsNormal(problem.friction);
}

void BoundLoop::reserve(const ProblemSize& size) {
  rows_.reserve(size);
  turnedRows_.reserve(size);
  turned_.blocks.reserve(size.blocks);
  turned_.bodies.reserve(size.bodies);
  for (auto* array : {&turned_.b, &turned_.compliance, &turned_.lower, &turned_.upper, &w_,
                      &lambda_, &startLambda_, &bestLambda_, &turnedPoint_}) {
    array->reserve(size.rows);
  }
  turned_.jacobianA.reserve(size.rows);
  turned_.jacobianB.reserve(size.rows);
  frames_.reserve(size.blocks);
  for (auto* array : {&normalBound_, &alongBefore_, &slipCompliance_}) array->reserve(size.blocks);
  proximal_.reserve(size);
  bounds_.reserve(size);
  sets_.reserve(size.rows);
  startState_.reserve(size.rows);
}

NaturalMapSize BoundLoop::errorOf(std::span<const Real> lambda) {
  rows_.velocity(lambda, w_);
  if (regularization_ != nullptr) regularization_->soften(lambda, w_);
  return naturalMapSize(rows_.problem(), rows_.steps(), lambda, w_);
}

void BoundLoop::solveOnce(FixedBoundMethod& method, ImpulseView impulses, ResidualHistory& history,
                          SolverReport& report) {
  const ContactProblem& problem = rows_.problem();
  bounds_.assignKnown(problem);
  const bool isPossible = bounds_.fixIdleRows(rows_);
  w_.resize(problem.rowCount());
  lambda_.assign(impulses.lambda.begin(), impulses.lambda.end());
  startState_.assign(impulses.state.begin(), impulses.state.end());
  sets_.start(bounds_, impulses.state, impulses.lambda);
  method.attach(rows_);
  const PivotOutcome outcome = method.run(bounds_, sets_, impulses.lambda, &history);
  std::copy(sets_.states().begin(), sets_.states().end(), impulses.state.begin());
  addOutcome(outcome, report);
  report.status = isPossible ? outcome.status : SolveStatus::kInfeasible;
  if (outcome.status == SolveStatus::kConverged) return;
  if (errorOf(lambda_).largest < errorOf(impulses.lambda).largest) {
    std::copy(lambda_.begin(), lambda_.end(), impulses.lambda.begin());
    std::copy(startState_.begin(), startState_.end(), impulses.state.begin());
  }
}

void BoundLoop::solve(const ContactProblem& problem, FixedBoundMethod& method,
                      const BoundLoopSettings& settings, ImpulseView impulses,
                      ResidualHistory& history, SolverReport& report) {
  rows_.prepare(problem, method.needsMatrix(problem));
  report.assemblyMs += rows_.assemblyMs();
  if (!std::isfinite(rows_.velocityScale())) {
    report.status = SolveStatus::kNumericalFailure;
    return;
  }
  method.setAllowance(settings.allowance);
  method.allowedError = settings.tolerance;
  regularization_ = method.regularization();
  if (regularization_ != nullptr) regularization_->start(problem);
  if (problem.followsNormals()) {
    iterate(method, settings, impulses, history, report);
  } else {
    solveOnce(method, impulses, history, report);
  }
  // The method measures each row by its own step, the natural map a block by one.
  const Real error = errorOf(impulses.lambda).largest;
  // A factor that failed on the way may leave an answer all the same.
  const bool isSolved = error <= settings.tolerance;
  if (report.status == SolveStatus::kNumericalFailure && isSolved) {
    report.status = SolveStatus::kConverged;
  }
  report.status = settledStatus(report.status, error, settings.tolerance);
  if (regularization_ != nullptr) regularization_->describe(impulses, report);
}

void BoundLoop::iterate(FixedBoundMethod& method, const BoundLoopSettings& settings,
                        ImpulseView impulses, ResidualHistory& history, SolverReport& report) {
  const ContactProblem& problem = rows_.problem();
  const bool turns = problem.friction == FrictionModel::kCone;
  w_.resize(problem.rowCount());
  frames_.assign(problem.blockCount(), Frame{});
  alongBefore_.assign(problem.blockCount(), 0);
  slipCompliance_.assign(problem.blockCount(), 0);
  normalBound_.assign(problem.blockCount(), 0);
  proximal_.clear();
  moveBounds(impulses.lambda, 1);
  startState_.assign(impulses.state.begin(), impulses.state.end());
  startLambda_.assign(impulses.lambda.begin(), impulses.lambda.end());
  bestLambda_.assign(impulses.lambda.begin(), impulses.lambda.end());
  lambda_.assign(impulses.lambda.begin(), impulses.lambda.end());
  const auto isSolved = [&](Real error) {
    const Real tolerance = settings.toleranceOf(rows_);
    return error <= std::max(tolerance, std::min(rows_.roundOff(lambda_), 100 * tolerance));
  };
  Real error = errorOf(lambda_).largest;
  if (isSolved(error)) return;
  const Real startError = error;
  const auto changesSoFar = [&] {
    return regularization_ != nullptr ? regularization_->changes() : 0;
  };
  Real best = error, before = kInfinity, share = 1;
  Patience patience(kPlainPatience, 0.5, best);
  const RowSystem* attached = nullptr;
  SolveStatus verdict = SolveStatus::kIterationLimit;
  for (int round = 1; round <= settings.maxRounds; ++round) {
    const bool isTurned = turns || proximal_.isOn();
    if (turns) turnTangents(lambda_, w_);
    if (isTurned) {
      prepareTurned(method.needsMatrix(problem));
      report.assemblyMs += turnedRows_.assemblyMs();
      toFrames(lambda_);
    }
    RowSystem* const rows = isTurned ? &turnedRows_ : &rows_;
    if (isTurned || rows != attached) method.attach(*rows);
    attached = rows;
    const bool isPossible = setBounds();
    startSets();
    const int changes = changesSoFar();
    const PivotOutcome outcome = method.run(bounds_, sets_, lambda_, nullptr);
    if (outcome.status == SolveStatus::kUnsupported) {
      report.status = outcome.status;
      return;
    }
    // Another problem from now on, with which the rounds before cannot be compared.
    if (changesSoFar() != changes) {
      best = before = kInfinity;
      patience = Patience(kPlainPatience, 0.5);
      proximal_.clear();
    }
    addOutcome(outcome, report);
    report.outerIterations = round;
    fromFrames(lambda_);
    error = errorOf(lambda_).largest;
    history.add(round, error);
    if (error < best) {
      best = error;
      std::swap(bestLambda_, lambda_);
      lambda_.assign(bestLambda_.begin(), bestLambda_.end());
      writeStates(bestLambda_, impulses.state);
    }
    if (isSolved(error)) {
      verdict = SolveStatus::kConverged;
      break;
    }
    if (!isPossible) {
      verdict = SolveStatus::kInfeasible;
      break;
    }
    const bool hasFailed =
        outcome.status == SolveStatus::kNumericalFailure || !std::isfinite(error);
    if (hasFailed && !proximal_.isOn()) {
      verdict = SolveStatus::kNumericalFailure;
      break;
    }
    if (hasFailed) error = kInfinity;  // with a larger δ there may be an answer
    if (outcome.isSpent) {
      verdict = limitStatus(settings.allowance);
      break;
    }
    // Nor would the rounds that follow end within the limit.
    if (outcome.status == SolveStatus::kIterationLimit) {
      verdict = SolveStatus::kIterationLimit;
      break;
    }
    const bool goesOn = patience.goesOn(best);
    if (!goesOn && proximal_.isOn()) {
      verdict = SolveStatus::kStalled;
      break;
    }
    if (!goesOn) patience = Patience(kLoopPatience, 0.5, best);
    Real measure = error;  // of the problem that the rounds solve
    if (proximal_.isOn() || !goesOn) measure = continueProximal(error);
    verdict = hasFailed                                   ? SolveStatus::kNumericalFailure
              : outcome.status == SolveStatus::kConverged ? SolveStatus::kIterationLimit
                                                          : outcome.status;
    // A new point is another problem, whose first round has none to be compared with.
    if (std::isfinite(measure)) {
      share = measure > before ? share / 2 : std::min(1.5 * share, 1.0);
    }
    before = measure;
    moveBounds(lambda_, share);
    rememberSets();
  }
  if (verdict != SolveStatus::kConverged && changesSoFar() > 0) {
    rows_.velocity(bestLambda_, w_);
    const NaturalMapSize own = naturalMapSize(problem, rows_.steps(), bestLambda_, w_);
    if (!(own.largest < startError)) bestLambda_.swap(startLambda_);
  }
  std::copy(bestLambda_.begin(), bestLambda_.end(), impulses.lambda.begin());
  report.status = verdict;
}

void BoundLoop::moveBounds(std::span<const Real> lambda, Real share) {
  const ContactProblem& problem = rows_.problem();
  for (int c = 0; c < problem.blockCount(); ++c) {
    if (!isCoupled(problem, problem.blocks[c])) continue;
    const Real solved = std::max(lambda[problem.blocks[c].firstRow], 0.0);
    normalBound_[c] += share * (solved - normalBound_[c]);
  }
}

bool BoundLoop::setBounds() {
  const ContactProblem& problem = rows_.problem();
  bounds_.assign(problem);
  for (int c = 0; c < problem.blockCount(); ++c) {
    const ProblemBlock& block = problem.blocks[c];
    if (!isCoupled(problem, block)) continue;
    const Real radius = block.friction * normalBound_[c];
    bounds_.setFriction(block, radius);
    if (problem.friction != FrictionModel::kCone || slipCompliance_[c] > 0) continue;
    const Real across =
        std::sqrt(std::max(radius * radius - alongBefore_[c] * alongBefore_[c], 0.0));
    bounds_.lower[block.firstRow + 2] = -across;
    bounds_.upper[block.firstRow + 2] = across;
  }
  return bounds_.fixIdleRows(rows_);
}

/// A set that bounds of zero width forced says nothing about the next round.
void BoundLoop::rememberSets() {
  for (int row = 0; row < sets_.size(); ++row) {
    startState_[row] = bounds_.lower[row] == bounds_.upper[row] ? RowState::kUnknown : sets_[row];
  }
}

void BoundLoop::startSets() {
  const ContactProblem& problem = rows_.problem();
  for (int c = 0; c < problem.blockCount(); ++c) {
    const ProblemBlock& block = problem.blocks[c];
    if (problem.friction != FrictionModel::kCone || !isCoupled(problem, block)) continue;
    RowState* tangent = &startState_[block.firstRow + 1];
    tangent[0] = slipCompliance_[c] > 0 ? RowState::kUpper : RowState::kFree;
    tangent[1] = RowState::kFree;
  }
  sets_.start(bounds_, startState_, lambda_);
}

void BoundLoop::writeStates(std::span<const Real> lambda, std::span<RowState> states) const {
  const ContactProblem& problem = rows_.problem();
  std::copy(sets_.states().begin(), sets_.states().end(), states.begin());
  if (problem.friction != FrictionModel::kCone) return;
  for (int c = 0; c < problem.blockCount(); ++c) {
    const ProblemBlock& block = problem.blocks[c];
    if (!isCoupled(problem, block)) continue;
    const int t = block.firstRow + 1;
    const bool slips = !sets_.free(t);
    for (int i = t; i < t + 2; ++i) {
      states[i] = !slips ? RowState::kFree : lambda[i] > 0 ? RowState::kUpper : RowState::kLower;
    }
  }
}

}  // namespace drystone
