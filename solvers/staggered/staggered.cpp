// Staggered projections. D. M. Kaufman, S. Sueda, D. L. James and D. K. Pai, "Staggered projections
// for frictional contact in multibody systems", ACM Transactions on Graphics 27 (2008). Equation
// and algorithm numbers are those of J. A. Litven, "A Parallel Active-Set Method for Solving
// Frictional Contact Problems" (2013); α and β there are λ_n and λ_t here.

#include "solvers/staggered/staggered.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/patience.h"

namespace drystone {
namespace {

/// Rounds without a natural map lower by a hundredth before the loop counts as stalled.
constexpr int kRoundPatience = 100;
/// Growth of the squared change of a round that drops what the acceleration remembers. Plain rounds
/// then stand, twice as many every time, up to JointSteps::kLongestRest.
constexpr Real kAstray = 4;
/// A change of less than this share of the energy of the contact impulses counts as none in (4.19):
/// friction that hardly acts need not stand still.
constexpr Real kNoFriction = 1e-12;
/// The diamonds are turned when the rounds have brought the error of the present ones to this share
/// of that of the cone.
constexpr Real kTurnShare = 0.1;

}  // namespace

void StaggeredSettings::visit(SettingVisitor& visitor) {
  static constexpr std::array<std::string_view, 3> kFactors = {"auto", "banded", "sparse"};
  visitRounds(visitor);
  visitor.choice({"factor", "", "what is factored"}, factor, kFactors);
}

void StaggeredSettings::visitRounds(SettingVisitor& visitor) {
  static constexpr std::array<std::string_view, 2> kEngines = {"schurpa", "pdasm-direct"};
  constexpr int kMany = std::numeric_limits<int>::max();
  visitor.integer({"max_turns", "", "turns of the diamonds of the cone model"}, maxTurns, 0, kMany);
  visitor.choice({"engine", "", "how the working sets of a QP are solved"}, engine, kEngines);
  static constexpr std::array<std::string_view, 3> kAccelerations = {"none", "anderson", "newton"};
  visitor.choice({"acceleration", "", "how the rounds are sped up"}, acceleration, kAccelerations);
}

SolverTraits StaggeredSolver::staggeredTraits() {
  SolverTraits traits;
  traits.name = "staggered";
  traits.summary =
      "staggered projections: contact QP and friction QP in turns, by an active-set method";
  traits.whenToTake =
      "walls and piles that move, by one method, and the polyhedral friction models";
  traits.source = "Kaufman et al. 2008; Litven 2013";
  traits.frictionModels = {FrictionModel::kNone, FrictionModel::kBox, FrictionModel::kPyramid,
                           FrictionModel::kDiamond, FrictionModel::kCone};
  traits.parallel = true;
  traits.condensingPays = CondensingPays::kRarely;
  traits.iterations = 200;
  return traits;
}

StaggeredSolver::StaggeredSolver()
    : StaggeredSolver(staggeredTraits(), std::make_unique<BandedCholesky>(),
                      std::make_unique<BandedCholesky>()) {}

StaggeredSolver::StaggeredSolver(SolverTraits traits, std::unique_ptr<BandFactor> contact,
                                 std::unique_ptr<BandFactor> friction)
    : traits_(std::move(traits)), contact_(std::move(contact)), friction_(std::move(friction)) {}

void StaggeredSolver::reserveOwn(const ProblemSize& size) {
  rows_.reserve(size);
  bounds_.reserve(size);
  contact_.reserve(size);
  friction_.reserve(size);
  pairs_.reserve(size.blocks);
  joint_.reserve(size);
  anderson_.reserve(size.rows, settings.memory);
  frames_.reserve(size.blocks);
  for (auto* array :
       {&lambda_, &w_, &contactW_, &frictionW_, &tangents_, &bestLambda_, &weights_, &start_}) {
    array->reserve(size.rows);
  }
  bestContactSets_.reserve(size.rows);
  bestFrictionSets_.reserve(size.rows);
}

void StaggeredSolver::accelerate() {
  Real size = 0;
  for (std::size_t i = 0; i < start_.size(); ++i) {
    const Real change = friction_.x[i] - start_[i];
    size += weights_[i] * change * weights_[i] * change;
  }
  if (size > kAstray * lastChange_) {
    anderson_.restart();
    resting_ = rest_;
    rest_ = std::min(2 * rest_, JointSteps::kLongestRest);
  }
  lastChange_ = size;
  if (resting_-- > 0) return;
  anderson_.next(friction_.x, start_);
  spreadFriction();
  rows_.velocity(lambda_, w_);
  gather();
}

void StaggeredSolver::adoptJoint(SolverReport& report) {
  lambda_.assign(joint_.lambda().begin(), joint_.lambda().end());
  w_.assign(joint_.w().begin(), joint_.w().end());
  for (int i = 0; i < contact_.size(); ++i) contact_.x[i] = lambda_[contact_.variable(i).row];
  if (!turns() || !turn(report)) {
    for (std::size_t k = 0; k < pairs_.size(); ++k) {
      friction_.x[2 * k] = lambda_[pairs_[k].row];
      friction_.x[2 * k + 1] = lambda_[pairs_[k].row + 1];
    }
    toFrames(frames_, friction_.x);
    anderson_.restart();
    lastChange_ = kInfinity;
  }
  gather();
  setWidths();
  contact_.predictSets(contactW_);
  friction_.predictSets(frictionW_);
}

bool StaggeredSolver::stepJointly(const SolveContext& context, SolverReport& report) {
  const bool isBestNew = bestError_ < triedError_;
  const Real startError = isBestNew ? bestError_ : error_;
  const Real roundOff = settings.qpTolerance * rows_.velocityScale();
  const Real error =
      joint_.run(isBestNew ? bestLambda_ : lambda_, context.tolerance, roundOff, context.deadline);
  const bool isSolved = error <= context.tolerance;
  const bool isOfUse = isSolved || error < startError / 2;
  joint_.rate(isOfUse);
  if (isBestNew) triedError_ = bestError_;
  if (!isOfUse && !(error < bestError_)) return false;
  error_ = error;
  context.history.add(report.iterations, error_);
  adoptJoint(report);
  if (isSolved || error_ < bestError_) keepBest();
  if (isBestNew) triedError_ = bestError_;
  if (isSolved) report.status = SolveStatus::kConverged;
  return true;
}

void StaggeredSolver::measure() {
  error_ = naturalMapSize(rows_.problem(), rows_.steps(), lambda_, w_).largest;
}

void StaggeredSolver::keepBest() {
  bestError_ = error_;
  bestLambda_.assign(lambda_.begin(), lambda_.end());
  bestContactSets_.assign(contact_.sets.begin(), contact_.sets.end());
  bestFrictionSets_.assign(friction_.sets.begin(), friction_.sets.end());
}

void StaggeredSolver::writeBest(ImpulseView impulses) const {
  std::copy(bestLambda_.begin(), bestLambda_.end(), impulses.lambda.begin());
  for (int i = 0; i < contact_.size(); ++i) {
    impulses.state[contact_.variable(i).row] = bestContactSets_[i];
  }
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    const bool isForced = !(bestLambda_[pairs_[k].row - 1] > 0);
    for (int i = 0; i < 2; ++i) {
      impulses.state[pairs_[k].row + i] =
          isForced ? RowState::kUnknown : bestFrictionSets_[2 * k + i];
    }
  }
}

void StaggeredSolver::iterate(const SolveContext& context, SolverReport& report) {
  report.status = SolveStatus::kIterationLimit;
  Patience patience(kRoundPatience, 0.99, bestError_);
  rest_ = 1;
  triedError_ = kInfinity;
  while (report.iterations < context.iterations) {
    ++report.iterations;
    solveContact();
    Real change = 0;
    if (!pairs_.empty()) {
      solveFriction();
      change = friction_.changeNorm();
      if (change <= kNoFriction * contact_.norm()) {
        change = 0;
      } else {
        change = friction_.startNorm() > 0 ? change / friction_.startNorm() : kInfinity;
      }
    }
    measure();
    context.history.add(report.iterations, error_);
    if (!std::isfinite(error_)) {
      report.status = SolveStatus::kNumericalFailure;
      return;
    }
    if (error_ < bestError_) keepBest();
    if (error_ <= context.tolerance && change <= settings.metricTolerance) {
      keepBest();
      report.status = SolveStatus::kConverged;
      return;
    }
    if (context.deadline.passed()) {
      report.status = SolveStatus::kTimeLimit;
      return;
    }
    if (!patience.goesOn(bestError_)) {
      report.status = SolveStatus::kStalled;
      return;
    }
    if (pairs_.empty()) continue;
    if (joint_.isDue() && stepJointly(context, report)) {
      if (report.status == SolveStatus::kConverged) return;
      continue;
    }
    if (turns() && contact_.errorAt(contactW_) <= kTurnShare * error_ && turn(report)) {
      gather();
    } else if (settings.acceleration != StaggeredAcceleration::kNone) {
      accelerate();
    }
  }
}

void StaggeredSolver::run(const ContactProblem& problem, const SolveContext& context,
                          ImpulseView impulses, SolverReport& report) {
  threads_ = context.threads;
  rows_.prepare(problem, true);
  report.assemblyMs = rows_.assemblyMs();
  if (!std::isfinite(rows_.velocityScale())) {
    report.status = SolveStatus::kNumericalFailure;
    return;
  }
  bounds_.assignKnown(problem);
  bounds_.fixIdleRows(rows_);
  lambda_.assign(impulses.lambda.begin(), impulses.lambda.end());
  w_.resize(lambda_.size());
  split(impulses);
  rows_.velocity(lambda_, w_);
  measure();
  attachHalves();
  // Diamonds that do not turn are another law than that of the cone, which Newton steps solve.
  const bool hasOwnLaw = problem.friction != FrictionModel::kCone || settings.maxTurns > 0;
  joint_.clear();
  if (settings.acceleration == StaggeredAcceleration::kNewton && hasOwnLaw && !pairs_.empty()) {
    joint_.start(rows_, impulses.state, lambda_, w_);
  }
  gather();
  keepBest();
  if (error_ > context.tolerance) iterate(context, report);
  writeBest(impulses);
  for (const QpHalf* half : {&contact_, &friction_}) {
    report.pivots += half->totals.changes;
    report.factorizations += half->totals.factorizations;
    if (half->size() > 0) {
      report.regularization = std::max(report.regularization, half->regularization());
    }
  }
  report.innerIterations += joint_.report().outerIterations;
  report.factorizations += joint_.report().factorizations;
  report.regularization = std::max(report.regularization, joint_.report().regularization);
}

}  // namespace drystone
