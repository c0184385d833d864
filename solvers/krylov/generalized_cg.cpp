// Generalized conjugate gradients for bounds: D. P. O'Leary, "A generalized conjugate gradient
// algorithm for solving a class of quadratic programming problems", Linear Algebra and its
// Applications 34 (1980); with a preconditioner, and for bounds on both sides, as A. Ho has it
// (thesis of 2022, §5.2, algorithm 11).

#include "solvers/krylov/generalized_cg.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/patience.h"
#include "solvers/krylov/pcg.h"

namespace drystone {
namespace {

/// Residual of the free rows over the largest w of a wrong sign at which rows are freed.
constexpr Real kResidualShare = 0.1;
/// Rounds without a clearly smaller error that end a run.
constexpr int kPatience = 200;
constexpr Real kProgress = 0.9;
}  // namespace

void GeneralizedCgSettings::visit(SettingVisitor& visitor) {
  visitor.real({"inner_tolerance", "", "residual that ends an inner loop, over the largest |b|"},
               innerTolerance, 0, 1);
  visitor.integer({"max_inner_iterations", "", "steps of conjugate gradients in one inner loop"},
                  maxInner, 1, 1'000'000'000);
}

void GeneralizedCg::visitSettings(SettingVisitor& visitor) {
  settings.visit(visitor);
  regularization_.settings.visit(visitor);
  preconditioner_->visitSettings(visitor);
}

void GeneralizedCg::reserve(const ProblemSize& size) {
  regularization_.reserve(size);
  preconditioner_->reserve(size);
  best_.reserve(size);
  isOut_.reserve(size.rows);
  wrong_.reserve(size.rows);
  for (auto* array : {&w_, &ownW_, &r_, &z_, &direction_, &product_, &projectedProduct_}) {
    array->reserve(size.rows);
  }
}

void GeneralizedCg::attach(RowSystem& rows) {
  rows_ = &rows;
  preconditioner_->attach(rows);
  isOut_.resize(rows.rowCount());
  wrong_.reserve(rows.rowCount());
  for (auto* array : {&w_, &ownW_, &r_, &z_, &direction_, &product_, &projectedProduct_}) {
    array->resize(rows.rowCount());
  }
}

PivotOutcome GeneralizedCg::run(const RowBounds& bounds, IndexSets& sets, std::span<Real> lambda,
                                ResidualHistory* history) {
  PivotOutcome outcome;
  const int before = preconditioner_->statistics().factorizations;
  const Task task{bounds, sets, lambda, outcome};
  regularization_.startRun();
  best_.clear();
  enter(task);
  outcome.status = descend(task, history);
  if (outcome.status != SolveStatus::kConverged) best_.restore(bounds, sets, lambda);
  findVelocity(task);
  outcome.error = complementarityError(*rows_, bounds, lambda, ownW_);
  if (!std::isfinite(outcome.error)) outcome.status = SolveStatus::kNumericalFailure;
  outcome.factorizations = preconditioner_->statistics().factorizations - before;
  return outcome;
}

void GeneralizedCg::enter(const Task& task) {
  for (std::size_t row = 0; row < task.lambda.size(); ++row) {
    task.lambda[row] = std::clamp(task.lambda[row], task.bounds.lower[row], task.bounds.upper[row]);
    isOut_[row] = task.sets.free(static_cast<int>(row)) ? 0 : 1;
  }
  task.sets.placeTight(task.bounds, task.lambda);
  std::fill(direction_.begin(), direction_.end(), 0.0);
}

SolveStatus GeneralizedCg::descend(const Task& task, ResidualHistory* history) {
  const Real scale = rows_->velocityScale();
  const Real loosest = settings.innerTolerance * scale;
  Real tolerance = loosest;  // of the inner loop [m/s]
  Real lastFinal = kInfinity;
  Patience patience(kPatience, kProgress);
  findVelocity(task);
  while (allowance.take()) {
    ++task.outcome.rounds;
    const int pivotsBefore = task.outcome.pivots;
    const InnerEnd end = solveFree(task, tolerance);
    if (end == InnerEnd::kNotFinite) return SolveStatus::kNumericalFailure;
    findVelocity(task);
    const Real error = complementarityError(*rows_, task.bounds, task.lambda, ownW_);
    best_.offer(error, task.sets, task.lambda);
    if (end == InnerEnd::kTimeLimit) break;
    const Real signs =
        signTolerance(*rows_, relativeTolerance(settings.tolerance, *rows_), task.lambda);
    const Real largestWrong = findWrong(task, signs);
    const Real residual = freeResidual();
    if (history != nullptr) history->add(task.outcome.rounds, static_cast<Real>(wrong_.size()));
    if (wrong_.empty() && residual <= signs) return SolveStatus::kConverged;
    if (end == InnerEnd::kLimit && task.outcome.pivots == pivotsBefore) {
      return SolveStatus::kIterationLimit;
    }
    if (wrong_.empty()) {
      if (end == InnerEnd::kFlat) return SolveStatus::kInfeasible;
      if (end == InnerEnd::kStuck) return SolveStatus::kStalled;
      // What was left before may have been the recurrence's drift from w.
      if (tolerance <= kRefinedShare * signs && !(residual < 0.5 * lastFinal)) {
        return SolveStatus::kStalled;
      }
      if (tolerance <= kRefinedShare * signs) lastFinal = residual;
      tolerance = kRefinedShare * signs;
      continue;
    }
    tolerance = std::clamp(kResidualShare * largestWrong, kRefinedShare * signs,
                           std::max(loosest, kRefinedShare * signs));
    if (!patience.goesOn(error)) return SolveStatus::kStalled;
    for (const int row : wrong_) {
      task.sets.set(row, RowState::kFree);
      isOut_[row] = 0;
      regularization_.countPivot(row);
    }
    task.outcome.pivots += static_cast<int>(wrong_.size());
    if (regularization_.endRound()) findVelocity(task);
  }
  task.outcome.endAtLimit(allowance);
  return task.outcome.status;
}

GeneralizedCg::InnerEnd GeneralizedCg::solveFree(const Task& task, Real tolerance) {
  rz_ = 0;
  for (int inner = 0; inner < settings.maxInner; ++inner) {
    if (freeResidual() <= tolerance) return InnerEnd::kSmallResidual;
    if (allowance.isLate()) return InnerEnd::kTimeLimit;
    if (preconditioner_->renew(isOut_, regularization_.compliance())) rz_ = 0;
    const bool isFirst = !(rz_ > 0);
    if (isFirst) {
      startDirection(task);
      // What was left may have been that of rows that are tight by now.
      if (freeResidual() <= tolerance) return InnerEnd::kSmallResidual;
    } else {
      continueDirection();
    }
    multiply(direction_, product_);
    ++task.outcome.innerIterations;
    preconditioner_->countSteps(1);
    const Real slope = dot(r_, direction_), curvature = dot(direction_, product_);
    if (!std::isfinite(slope) || !std::isfinite(curvature)) return InnerEnd::kNotFinite;
    if (!(slope > 0)) {
      if (isFirst) return InnerEnd::kStuck;
      rz_ = 0;  // round-off has turned the direction uphill
      continue;
    }
    Real terms = 0;
    for (int row = 0; row < rows_->rowCount(); ++row) {
      terms += std::abs(rows_->diagonal(row)) * direction_[row] * direction_[row];
    }
    const bool isFlat = !(curvature > kFlatShare * terms);
    const Real bound = longestStep(task);
    const Real free = isFlat ? kInfinity : slope / curvature;
    if (std::min(free, bound) == kInfinity) {
      return curvature < -kFlatShare * terms ? InnerEnd::kStuck : InnerEnd::kFlat;
    }
    const bool isCut = bound <= free;
    const Real cutFall = bound * (slope - bound / 2 * curvature);
    if (isCut && settings.projectsSteps && free < kInfinity && projectedStep(task, free, cutFall)) {
      continue;
    }
    step(task, std::min(free, bound), isCut);
  }
  return InnerEnd::kLimit;
}

void GeneralizedCg::findResidual() {
  for (std::size_t row = 0; row < r_.size(); ++row) r_[row] = isOut_[row] ? 0 : -w_[row];
}

void GeneralizedCg::startDirection(const Task& task) {
  preconditioner_->update(isOut_, regularization_.compliance());
  // Twice, since without the rows that are led out others may be.
  for (int attempt = 0; attempt < 2; ++attempt) {
    findResidual();
    preconditioner_->get().applyMasked(isOut_, r_, z_);
    const int pivotsBefore = task.outcome.pivots;
    if (!tightenLedOut(task)) break;
    if (task.outcome.pivots > pivotsBefore) continue;
    direction_.assign(z_.begin(), z_.end());
    rz_ = dot(r_, z_);
    return;
  }
  // Along the residuals a row is led out only where its own residual points out.
  for (int row = 0; row < rows_->rowCount(); ++row) {
    const Real diagonal = std::abs(rows_->diagonal(row));
    z_[row] = isOut_[row] ? 0 : diagonal > 0 ? -w_[row] / diagonal : -w_[row];
  }
  findResidual();
  tightenLedOut(task);
  findResidual();
  for (std::size_t row = 0; row < z_.size(); ++row) direction_[row] = isOut_[row] ? 0 : z_[row];
  rz_ = 0;  // of another preconditioner than the next one's
}

void GeneralizedCg::continueDirection() {
  findResidual();
  preconditioner_->get().applyMasked(isOut_, r_, z_);
  const Real rz = dot(r_, z_);
  for (std::size_t row = 0; row < z_.size(); ++row) {
    direction_[row] = z_[row] + rz / rz_ * direction_[row];
  }
  rz_ = rz;
}

bool GeneralizedCg::tightenLedOut(const Task& task) {
  bool isRight = true;
  for (int row = 0; row < rows_->rowCount(); ++row) {
    if (isOut_[row]) continue;
    const bool below = task.lambda[row] <= task.bounds.lower[row] && z_[row] < 0;
    const bool above = task.lambda[row] >= task.bounds.upper[row] && z_[row] > 0;
    if (!below && !above) continue;
    if (below ? r_[row] > 0 : r_[row] < 0) {
      isRight = false;
    } else {
      makeTight(task, row, below ? RowState::kLower : RowState::kUpper);
    }
  }
  return isRight;
}

void GeneralizedCg::makeTight(const Task& task, int row, RowState state) {
  task.sets.set(row, state);
  task.lambda[row] = state == RowState::kLower ? task.bounds.lower[row] : task.bounds.upper[row];
  isOut_[row] = 1;
  regularization_.countPivot(row);
  ++task.outcome.pivots;
}

Real GeneralizedCg::longestStep(const Task& task) const {
  Real share = kInfinity;
  for (std::size_t row = 0; row < direction_.size(); ++row) {
    const Real d = direction_[row];
    if (d == 0) continue;
    const Real bound = d < 0 ? task.bounds.lower[row] : task.bounds.upper[row];
    share = std::min(share, (bound - task.lambda[row]) / d);
  }
  return share;
}

void GeneralizedCg::step(const Task& task, Real share, bool isCut) {
  for (int row = 0; row < rows_->rowCount(); ++row) {
    w_[row] += share * product_[row];
    const Real d = direction_[row];
    if (d == 0) continue;
    const Real bound = d < 0 ? task.bounds.lower[row] : task.bounds.upper[row];
    if (isCut && (bound - task.lambda[row]) / d <= (1 + kRoundOff) * share) {
      makeTight(task, row, d < 0 ? RowState::kLower : RowState::kUpper);
    } else {
      task.lambda[row] =
          std::clamp(task.lambda[row] + share * d, task.bounds.lower[row], task.bounds.upper[row]);
    }
  }
  if (isCut) rz_ = 0;
}

bool GeneralizedCg::projectedStep(const Task& task, Real share, Real leastFall) {
  for (std::size_t row = 0; row < z_.size(); ++row) {
    const Real lambda = task.lambda[row];
    const Real moved = lambda + share * direction_[row];
    z_[row] = std::clamp(moved, task.bounds.lower[row], task.bounds.upper[row]) - lambda;
  }
  multiply(z_, projectedProduct_);
  ++task.outcome.innerIterations;
  const Real fall = dot(r_, z_) - dot(z_, projectedProduct_) / 2;
  if (!(fall > leastFall)) return false;
  for (int row = 0; row < rows_->rowCount(); ++row) {
    w_[row] += projectedProduct_[row];
    const Real d = direction_[row];
    if (d == 0) continue;
    const Real moved = task.lambda[row] + share * d;
    const bool below = moved <= task.bounds.lower[row];
    if (below || moved >= task.bounds.upper[row]) {
      makeTight(task, row, below ? RowState::kLower : RowState::kUpper);
    } else {
      task.lambda[row] = moved;
    }
  }
  rz_ = 0;
  return true;
}

void GeneralizedCg::multiply(std::span<const Real> x, std::span<Real> y) {
  rows_->multiply(x, y);
  const std::span<const Real> added = regularization_.compliance();
  for (std::size_t row = 0; row < added.size(); ++row) y[row] += added[row] * x[row];
}

void GeneralizedCg::findVelocity(const Task& task) {
  rows_->velocity(task.lambda, ownW_);
  std::copy(ownW_.begin(), ownW_.end(), w_.begin());
  regularization_.soften(task.lambda, w_);
}

Real GeneralizedCg::freeResidual() const {
  Real largest = 0;
  for (std::size_t row = 0; row < w_.size(); ++row) {
    if (!isOut_[row]) largest = std::max(largest, std::abs(w_[row]));
  }
  return largest;
}

Real GeneralizedCg::findWrong(const Task& task, Real tolerance) {
  wrong_.clear();
  Real largest = 0;
  for (int row = 0; row < rows_->rowCount(); ++row) {
    if (!isOut_[row] || task.bounds.lower[row] == task.bounds.upper[row]) continue;
    const Real wrong = task.sets[row] == RowState::kLower ? -w_[row] : w_[row];
    if (wrong <= tolerance) continue;
    wrong_.push_back(row);
    largest = std::max(largest, wrong);
  }
  return largest;
}

}  // namespace drystone
