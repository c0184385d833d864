// The two QPs of a problem, contact and friction: what is in which, how the friction turns with the
// slip, and what one sees of the other.

#include "solvers/staggered/staggered.h"

#include <algorithm>
#include <cmath>

#include "solvers/linear/usable_pivot.h"

namespace drystone {
namespace {

/// A tangent that hardly anything moves counts as much as this share of its normal.
constexpr Real kLeastMetric = 1e-3;

}  // namespace

QpSettings StaggeredSolver::qpSettings() const {
  QpSettings qp;
  qp.engine = settings.engine;
  qp.tolerance = settings.qpTolerance * rows_.velocityScale();
  qp.maxSolves = settings.maxSolves;
  // Redundant contacts make A singular, and the method needs H_FF definite for every working set.
  qp.proximal = kRegularization;
  return qp;
}

void StaggeredSolver::splitContact(int c, ImpulseView impulses) {
  const ContactProblem& problem = rows_.problem();
  const ProblemBlock& block = problem.blocks[c];
  const bool hasPair = problem.followsNormal(block);
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

}  // namespace drystone
