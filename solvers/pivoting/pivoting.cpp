// Block principal pivoting. J. J. Júdice and F. M. Pires, "A block principal pivoting algorithm for
// large-scale strictly monotone linear complementarity problems", Computers & Operations Research
// 21 (1994); rules for bounds on both sides as in Ho's thesis, §2.5.

#include "solvers/pivoting/pivoting.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/check.h"

namespace drystone {
namespace {

/// Refinements of a candidate that will be pivoted anyway.
constexpr int kTrialCorrections = 2;
/// How far round-off may raise the tolerance, lest impulses that run away, as they do when there is
/// no solution, make everything tolerable.
constexpr Real kRoundOffLimit = 100;

}  // namespace

Real signTolerance(const RowSystem& rows, Real relative, std::span<const Real> lambda) {
  Real scale = rows.velocityScale();
  for (int row = 0; row < rows.rowCount(); ++row) {
    scale = std::max(scale, std::abs(rows.diagonal(row) * lambda[row]));
  }
  const Real tolerance = relative * rows.velocityScale();
  return std::max(tolerance, std::min(kRoundOff * scale, kRoundOffLimit * tolerance));
}

Real complementarityError(const RowSystem& rows, const RowBounds& bounds,
                          std::span<const Real> lambda, std::span<const Real> w) {
  Real error = 0;
  for (int row = 0; row < rows.rowCount(); ++row) {
    const Real diagonal = std::abs(rows.diagonal(row));
    const Real step = diagonal > 0 ? 1 / diagonal : 1;
    const Real moved =
        std::clamp(lambda[row] - step * w[row], bounds.lower[row], bounds.upper[row]);
    const Real own = std::abs(lambda[row] - moved) / step;
    if (!std::isfinite(own)) return kInfinity;
    error = std::max(error, own);
  }
  return error;
}

void Candidate::reserve(const ProblemSize& size) {
  w_.reserve(size.rows);
  violators_.reserve(size.rows);
}

void Candidate::attach(RowSystem& rows, FreeSystem& system,
                       AdaptiveRegularization* regularization) {
  rows_ = &rows;
  system_ = &system;
  regularization_ = regularization;
  w_.resize(rows.rowCount());
  violators_.reserve(rows.rowCount());
}

bool Candidate::evaluate(const IndexSets& sets, const RowBounds& bounds, std::span<Real> lambda,
                         const PivotSettings& settings) {
  sets.fillBasis(rows_->problem(), addedCompliance(), system_->basis());
  if (!system_->factor()) return false;
  sets.placeTight(bounds, lambda);
  rows_->velocity(lambda, w_);
  const Real trialTolerance = settings.trialTolerance * rows_->velocityScale();
  Real residual = system_->correct(lambda, w_, trialTolerance, kTrialCorrections);
  const Real tolerance = signTolerance(*rows_, settings.tolerance, lambda);
  findViolators(sets, bounds, lambda, tolerance);
  if (violators_.empty() && residual > kRefinedShare * tolerance) {
    residual = system_->correct(lambda, w_, kRefinedShare * tolerance);
    findViolators(sets, bounds, lambda, tolerance);
  }
  solved_ = violators_.empty() && residual <= tolerance && std::isfinite(error_);
  return std::isfinite(residual);
}

std::span<const Real> Candidate::addedCompliance() const {
  return regularization_ != nullptr ? regularization_->compliance() : std::span<const Real>();
}

int Candidate::pivot(std::span<const Violator> violators, IndexSets& sets) {
  for (const Violator& violator : violators) {
    sets.set(violator.row, violator.target);
    if (regularization_ != nullptr) regularization_->countPivot(violator.row);
  }
  return static_cast<int>(violators.size());
}

bool Candidate::regularize() { return regularization_ != nullptr && regularization_->endRound(); }

int Candidate::regularizationRounds() const {
  return regularization_ != nullptr ? regularization_->roundsToWait() : 0;
}

void Candidate::findViolators(const IndexSets& sets, const RowBounds& bounds,
                              std::span<const Real> lambda, Real tolerance) {
  violators_.clear();
  error_ = complementarityError(*rows_, bounds, lambda, w_);
  const std::span<const Real> added = addedCompliance();
  for (int row = 0; row < rows_->rowCount(); ++row) {
    const Real lower = bounds.lower[row];
    const Real upper = bounds.upper[row];
    if (lower == upper) continue;
    const Real diagonal = std::abs(rows_->diagonal(row));
    const Real slack = diagonal > 0 ? tolerance / diagonal : tolerance;
    const Real w = w_[row] + (added.empty() ? 0 : added[row] * lambda[row]);
    switch (sets[row]) {
      case RowState::kLower:
        if (w < -tolerance) violators_.push_back({row, RowState::kFree});
        break;
      case RowState::kUpper:
        if (w > tolerance) violators_.push_back({row, RowState::kFree});
        break;
      default:
        if (lambda[row] < lower - slack) {
          violators_.push_back({row, RowState::kLower});
        } else if (lambda[row] > upper + slack) {
          violators_.push_back({row, RowState::kUpper});
        }
    }
  }
}

void BestCandidate::reserve(const ProblemSize& size) {
  sets_.reserve(size.rows);
  lambda_.reserve(size.rows);
}

void BestCandidate::offer(Real error, const IndexSets& sets, std::span<const Real> lambda) {
  if (!(error < error_)) return;
  error_ = error;
  sets_.copyFrom(sets);
  lambda_.assign(lambda.begin(), lambda.end());
}

Real BestCandidate::copyTo(IndexSets& sets, std::span<Real> lambda) const {
  if (!empty()) {
    sets.copyFrom(sets_);
    std::copy(lambda_.begin(), lambda_.end(), lambda.begin());
  }
  return error_;
}

Real BestCandidate::restore(const RowBounds& bounds, IndexSets& sets,
                            std::span<Real> lambda) const {
  if (!empty()) {
    copyTo(sets, lambda);
    sets.placeTight(bounds, lambda);
  }
  return error_;
}

void VisitedSets::reserve() { hashes_.reserve(1024); }

bool VisitedSets::recur(const IndexSets& sets) {
  const std::uint64_t hash = sets.hash();
  if (std::find(hashes_.begin(), hashes_.end(), hash) != hashes_.end()) return true;
  hashes_.push_back(hash);
  return false;
}

bool evaluateRound(Candidate& candidate, const RowBounds& bounds, const PivotSettings& settings,
                   const IndexSets& sets, std::span<Real> lambda, ResidualHistory* history,
                   BestCandidate& best, PivotOutcome& outcome) {
  if (!settings.allowance.take()) {
    outcome.endAtLimit(settings.allowance);
    return false;
  }
  ++outcome.rounds;
  if (!candidate.evaluate(sets, bounds, lambda, settings)) {
    outcome.status = SolveStatus::kNumericalFailure;
    if (settings.allowance.isLate()) outcome.endAtLimit(settings.allowance);
    return false;
  }
  const std::size_t violators = candidate.violators().size();
  if (history != nullptr) history->add(outcome.rounds, static_cast<Real>(violators));
  if (candidate.solved()) {
    outcome.status = SolveStatus::kConverged;
    outcome.error = candidate.error();
    return false;
  }
  best.offer(candidate.error(), sets, lambda);
  if (settings.allowance.isLate()) {
    outcome.endAtLimit(settings.allowance);
    return false;
  }
  if (violators == 0) outcome.status = SolveStatus::kStalled;
  return violators > 0;
}

void BlockPivoting::reserve(const ProblemSize& size) {
  best_.reserve(size);
  leastSets_.reserve(size.rows);
  visited_.reserve();
}

PivotOutcome BlockPivoting::run(Candidate& candidate, const RowBounds& bounds,
                                const PivotSettings& settings, IndexSets& sets,
                                std::span<Real> lambda, ResidualHistory* history) {
  PivotOutcome outcome;
  outcome.status = SolveStatus::kIterationLimit;
  best_.clear();
  visited_.clear();
  visited_.recur(sets);

  constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  std::size_t fewest = kNone;
  Violator firstOfFewest{}, lastOfFewest{};
  bool fromEnd = false;
  // Sets that circle are what regularization waits for.
  const int fullPatience = settings.patience + candidate.regularizationRounds();
  int patience = fullPatience;
  bool single = false;
  int singleRounds = 0;
  while (outcome.rounds < settings.maxRounds) {
    if (candidate.regularize()) {
      fewest = kNone;
      single = false;
      visited_.clear();
    }
    if (!evaluateRound(candidate, bounds, settings, sets, lambda, history, best_, outcome)) break;
    const std::span<const Violator> violators = candidate.violators();
    if (violators.size() < fewest) {
      fewest = violators.size();
      leastSets_.copyFrom(sets);
      firstOfFewest = violators.front();
      lastOfFewest = violators.back();
      fromEnd = false;
      patience = fullPatience;
      single = false;
    } else if (!single) {
      --patience;
    }
    const auto startSingle = [&] {
      single = true;
      singleRounds = 1;
      visited_.clear();
      sets.copyFrom(leastSets_);
      outcome.pivots += candidate.pivot({fromEnd ? &lastOfFewest : &firstOfFewest, 1}, sets);
    };
    if (!single) {
      bool stuck = patience < 0;
      if (!stuck) {
        outcome.pivots += candidate.pivot(violators, sets);
        stuck = visited_.recur(sets) && candidate.regularizationRounds() == 0;
      }
      if (!stuck) continue;
      if (settings.maxSingleRounds == 0) break;
      startSingle();
    } else if (++singleRounds <= settings.maxSingleRounds) {
      outcome.pivots += candidate.pivot(fromEnd ? violators.last(1) : violators.first(1), sets);
    } else if (!fromEnd) {
      // The order of the rows is arbitrary, and the number of single pivots may be exponential in
      // one order and small in the other.
      fromEnd = true;
      startSingle();
    } else {
      break;
    }
    if (visited_.recur(sets)) {
      outcome.status = SolveStatus::kCycled;
      break;
    }
  }
  if (outcome.status != SolveStatus::kConverged) {
    outcome.error = best_.restore(bounds, sets, lambda);
  }
  return outcome;
}

}  // namespace drystone
