// Staggered projections. D. M. Kaufman, S. Sueda, D. L. James and D. K. Pai, "Staggered projections
// for frictional contact in multibody systems", ACM Transactions on Graphics 27 (2008). Equation
// and algorithm numbers are those of J. A. Litven, "A Parallel Active-Set Method for Solving
// Frictional Contact Problems" (2013); α and β there are λ_n and λ_t here.

#include "solvers/staggered/staggered.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace drystone {
namespace {

/// Proximal term over the diagonal of A: redundant contacts make A singular, and the method needs
/// H_FF definite for every working set.
constexpr Real kProximal = 1e-10;
/// A tangent that hardly anything moves counts as much as this share of its normal.
constexpr Real kLeastMetric = 1e-3;
/// Rounds without a natural map lower by a hundredth before the loop counts as stalled.
constexpr int kRoundPatience = 100;
/// Growth of the squared change of a round that drops what the acceleration remembers, and for how
/// many rounds the plain ones then stand: twice as many every time.
constexpr Real kAstray = 4;
constexpr int kFirstRest = 2, kLongestRest = 64;
/// A change of less than this share of the energy of the contact impulses counts as none in (4.19):
/// friction that hardly acts need not stand still.
constexpr Real kNoFriction = 1e-12;
/// The diamonds are turned when the rounds have brought the error of the present ones to this share
/// of that of the cone.
constexpr Real kTurnShare = 0.1;
/// Newton steps of a try before proximal points, and what share of the start's error is of use to
/// the next round.
constexpr int kPlainSteps = 5;
constexpr Real kUsefulShare = 0.5;

bool followsNormal(const ContactProblem& problem, const ProblemBlock& block) {
  return block.law == BlockLaw::kContact && block.friction > 0 &&
         (problem.friction == FrictionModel::kPyramid ||
          problem.friction == FrictionModel::kDiamond || problem.friction == FrictionModel::kCone);
}

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
  traits.summary = "contact QP and friction QP in turns, by a primal-dual active-set method";
  traits.whenToTake =
      "walls and piles that move and shall meet a tolerance, and the polyhedral friction models";
  traits.source = "Kaufman et al. 2008; Litven 2013";
  traits.frictionModels = {FrictionModel::kNone, FrictionModel::kBox, FrictionModel::kPyramid,
                           FrictionModel::kDiamond, FrictionModel::kCone};
  traits.parallel = true;
  return traits;
}

StaggeredSolver::StaggeredSolver()
    : StaggeredSolver(staggeredTraits(), std::make_unique<BandedCholesky>(),
                      std::make_unique<BandedCholesky>()) {}

StaggeredSolver::StaggeredSolver(SolverTraits traits, std::unique_ptr<BandFactor> contact,
                                 std::unique_ptr<BandFactor> friction)
    : traits_(std::move(traits)), contact_(std::move(contact)), friction_(std::move(friction)) {
  budget.iterations = 200;
}

void StaggeredSolver::reserveOwn(const ProblemSize& size) {
  rows_.reserve(size);
  bounds_.reserve(size);
  contact_.reserve(size);
  friction_.reserve(size);
  pairs_.reserve(size.blocks);
  joint_.reserve(size);
  anderson_.reserve(size.rows, settings.memory);
  frames_.reserve(size.blocks);
  for (auto* array : {&lambda_, &w_, &contactW_, &frictionW_, &tangents_, &bestLambda_, &weights_,
                      &start_, &change_}) {
    array->reserve(size.rows);
  }
  bestContactSets_.reserve(size.rows);
  bestFrictionSets_.reserve(size.rows);
}

QpSettings StaggeredSolver::qpSettings() const {
  QpSettings qp;
  qp.engine = settings.engine;
  qp.tolerance = settings.qpTolerance * rows_.velocityScale();
  qp.maxSolves = settings.maxSolves;
  qp.proximal = kProximal;
  return qp;
}

void StaggeredSolver::splitContact(int c, ImpulseView impulses) {
  const ContactProblem& problem = rows_.problem();
  const ProblemBlock& block = problem.blocks[c];
  const bool hasPair = followsNormal(problem, block);
  const auto metricOf = [&](int row) {
    const Real least = kLeastMetric * rows_.diagonal(block.firstRow);
    const Real metric = std::max(rows_.diagonal(row), least);
    return metric > 0 ? metric : 1;
  };
  const bool onlyNormal =
      block.law == BlockLaw::kContact && problem.friction != FrictionModel::kBox;
  const int end = block.firstRow + (onlyNormal ? 1 : block.rows);
  if (hasPair) {
    const Real width = problem.friction == FrictionModel::kPyramid ? 1 : kDiamondHalfWidth;
    pairs_.push_back({c, contact_.size(), block.firstRow + 1, width * block.friction});
  }
  for (int row = block.firstRow; row < end; ++row) {
    contact_.add({.block = c, .row = row}, metricOf(row));
    contact_.lower.push_back(bounds_.lower[row]);
    contact_.upper.push_back(bounds_.upper[row]);
    contact_.sets.push_back(impulses.state[row]);
    lambda_[row] = std::clamp(lambda_[row], bounds_.lower[row], bounds_.upper[row]);
    contact_.x.push_back(lambda_[row]);
  }
  if (!hasPair) {
    for (int row = end; row < block.firstRow + block.rows; ++row) lambda_[row] = 0;
    return;
  }
  const Real metric = std::max(metricOf(end), metricOf(end + 1));
  for (int row = end; row < end + 2; ++row) {
    friction_.add({.block = c, .row = row}, metric);
    friction_.sets.push_back(impulses.state[row]);
    friction_.x.push_back(lambda_[row]);
  }
}

void StaggeredSolver::split(ImpulseView impulses) {
  const ContactProblem& problem = rows_.problem();
  for (QpHalf* half : {&contact_, &friction_}) {
    half->begin();
    half->totals = {};
    half->x.clear();
    half->lower.clear();
    half->upper.clear();
    half->sets.clear();
  }
  pairs_.clear();
  for (int c = 0; c < problem.blockCount(); ++c) splitContact(c, impulses);
  friction_.lower.assign(friction_.size(), 0);
  friction_.upper.assign(friction_.size(), 0);
  contactW_.resize(contact_.size());
  frictionW_.resize(friction_.size());
}

bool StaggeredSolver::turnToSlip() {
  bool hasMoved = false;
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    const int row = pairs_[k].row;
    const Real rho = rows_.step(pairs_[k].block);
    const Real z1 = lambda_[row] - rho * w_[row], z2 = lambda_[row + 1] - rho * w_[row + 1];
    const Real length = std::hypot(z1, z2);
    if (!(length > 0)) continue;
    const PairFrame axes = diamondAxes({z1 / length, z2 / length});
    hasMoved = hasMoved || axes.cosine != frames_[k].cosine || axes.sine != frames_[k].sine;
    frames_[k] = axes;
    // What is beyond the disc slips, at the corner.
    const Real radius = rows_.problem().blocks[pairs_[k].block].friction * lambda_[row - 1];
    const RowState guess = length > radius && radius > 0 ? RowState::kUpper : RowState::kFree;
    friction_.sets[2 * k] = guess;
    friction_.sets[2 * k + 1] = guess == RowState::kUpper ? RowState::kLower : guess;
  }
  return hasMoved;
}

void StaggeredSolver::attachFriction() {
  if (pairs_.empty()) return;
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    friction_.x[2 * k] = lambda_[pairs_[k].row];
    friction_.x[2 * k + 1] = lambda_[pairs_[k].row + 1];
  }
  toFrames(frames_, friction_.x);
  friction_.turn(frames_);
  friction_.attach(rows_, settings.factor, threads_, qpSettings());
  weights_.resize(friction_.size());
  for (int i = 0; i < friction_.size(); ++i) weights_[i] = std::sqrt(friction_.metric(i));
  anderson_.start(weights_, settings.memory);
  lastChange_ = kInfinity;
  resting_ = 0;
}

bool StaggeredSolver::turns() const {
  return rows_.problem().friction == FrictionModel::kCone && settings.maxTurns > 0;
}

bool StaggeredSolver::turn(SolverReport& report) {
  if (report.outerIterations >= settings.maxTurns || !turnToSlip()) return false;
  ++report.outerIterations;
  attachFriction();
  return true;
}

void StaggeredSolver::attachHalves() {
  contact_.fillHessian(rows_);
  contact_.attach(rows_, settings.factor, threads_, qpSettings());
  if (pairs_.empty()) return;
  friction_.fillHessian(rows_);
  const FrictionModel model = rows_.problem().friction;
  frames_.assign(pairs_.size(),
                 model == FrictionModel::kPyramid ? PairFrame{} : diamondAxes(PairFrame{}));
  if (turns()) turnToSlip();
  attachFriction();
}

void StaggeredSolver::gather() {
  for (int i = 0; i < contact_.size(); ++i) contactW_[i] = w_[contact_.variable(i).row];
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    frictionW_[2 * k] = w_[pairs_[k].row];
    frictionW_[2 * k + 1] = w_[pairs_[k].row + 1];
  }
  toFrames(frames_, frictionW_);
}

void StaggeredSolver::solveContact() {
  contact_.solve(contactW_);
  for (int i = 0; i < contact_.size(); ++i) lambda_[contact_.variable(i).row] = contact_.x[i];
  rows_.velocity(lambda_, w_);
  gather();
}

void StaggeredSolver::setWidths() {
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    const Real width = pairs_[k].share * std::max(contact_.x[pairs_[k].normal], 0.0);
    for (std::size_t i = 2 * k; i < 2 * k + 2; ++i) {
      // A set that a square without width forced says nothing about the next one.
      if (friction_.upper[i] == 0 && width > 0 && friction_.sets[i] != RowState::kFree) {
        friction_.sets[i] = RowState::kUnknown;
      }
      friction_.upper[i] = width;
      friction_.lower[i] = -width;
    }
  }
}

void StaggeredSolver::solveFriction() {
  setWidths();
  start_.assign(friction_.x.begin(), friction_.x.end());
  friction_.solve(frictionW_);
  spreadFriction();
  rows_.velocity(lambda_, w_);
  gather();
}

void StaggeredSolver::spreadFriction() {
  tangents_.assign(friction_.x.begin(), friction_.x.end());
  fromFrames(frames_, tangents_);
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    lambda_[pairs_[k].row] = tangents_[2 * k];
    lambda_[pairs_[k].row + 1] = tangents_[2 * k + 1];
  }
}

void StaggeredSolver::accelerate() {
  change_.resize(friction_.x.size());
  Real size = 0;
  for (std::size_t i = 0; i < change_.size(); ++i) {
    change_[i] = friction_.x[i] - start_[i];
    size += weights_[i] * change_[i] * weights_[i] * change_[i];
  }
  if (size > kAstray * lastChange_) {
    anderson_.restart();
    resting_ = rest_;
    rest_ = std::min(2 * rest_, kLongestRest);
  }
  lastChange_ = size;
  if (resting_-- > 0) return;
  anderson_.next(friction_.x, change_);
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

bool StaggeredSolver::stepJointly(const Budget& limits, SolverReport& report) {
  NewtonSettings newton;
  newton.tolerance = settings.qpTolerance * rows_.velocityScale();
  newton.maxPlain = kPlainSteps;
  newton.deadline = deadline();
  const bool isBestNew = bestError_ < triedError_;
  const Real startError = isBestNew ? bestError_ : error_;
  const NewtonOutcome outcome =
      joint_.run(isBestNew ? bestLambda_ : lambda_, limits.tolerance, newton);
  report.innerIterations += outcome.iterations;
  const bool isSolved = outcome.naturalMap <= limits.tolerance;
  const bool isOfUse = isSolved || outcome.naturalMap < kUsefulShare * startError;
  joint_.rate(isOfUse);
  if (isBestNew) triedError_ = bestError_;
  if (!isOfUse && !(outcome.naturalMap < bestError_)) return false;
  error_ = outcome.naturalMap;
  history_.add(report.iterations, error_);
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

void StaggeredSolver::iterate(const Budget& limits, SolverReport& report) {
  report.status = SolveStatus::kIterationLimit;
  Real mark = bestError_;
  rest_ = kFirstRest;
  triedError_ = kInfinity;
  int sinceMark = 0;
  while (report.iterations < limits.iterations) {
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
    history_.add(report.iterations, error_);
    if (!std::isfinite(error_)) {
      report.status = SolveStatus::kNumericalFailure;
      return;
    }
    if (error_ < bestError_) keepBest();
    if (error_ <= limits.tolerance && change <= settings.metricTolerance) {
      keepBest();
      report.status = SolveStatus::kConverged;
      return;
    }
    if (deadline().passed()) {
      report.status = SolveStatus::kTimeLimit;
      return;
    }
    if (bestError_ < 0.99 * mark) {
      mark = bestError_;
      sinceMark = 0;
    } else if (++sinceMark > kRoundPatience) {
      report.status = SolveStatus::kStalled;
      return;
    }
    if (pairs_.empty()) continue;
    if (joint_.isDue() && stepJointly(limits, report)) {
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

void StaggeredSolver::run(const ContactProblem& problem, const Budget& limits, ImpulseView impulses,
                          SolverReport& report) {
  threads_ = limits.threads;
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
  if (error_ > limits.tolerance) iterate(limits, report);
  writeBest(impulses);
  for (const QpHalf* half : {&contact_, &friction_}) {
    report.pivots += half->totals.changes;
    report.factorizations += half->totals.factorizations;
    if (half->size() > 0) {
      report.regularization = std::max(report.regularization, half->regularization());
    }
  }
  report.factorizations += joint_.factorizations();
  report.regularization = std::max(report.regularization, joint_.regularization());
}

}  // namespace drystone
