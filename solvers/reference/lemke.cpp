// Lemke's method. C. E. Lemke, "Bimatrix equilibrium points and mathematical programming",
// Management Science 11 (1965); R. W. Cottle, J.-S. Pang and R. E. Stone, "The Linear
// Complementarity Problem" (1992), §4.4, and §4.9 for the lexicographic ratio test.

#include "solvers/reference/lemke.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/check.h"
#include "solvers/linear/usable_pivot.h"

namespace drystone {
namespace {

/// The answer holds when the natural map is below this share of the largest |b|, whatever the pivot
/// tolerance: what polishing attains for ill-conditioned sets.
constexpr Real kGoodEnough = 1e-9;
/// Round-off that a proof of infeasibility allows, in scaled units and relative to the ray.
constexpr Real kProof = 1e-8;
/// Restarts from the basis of an answer that does not hold.
constexpr int kMaxRestarts = 4;
/// Largest LCP: a tableau of 128 MiB.
constexpr int kMaxSize = 4096;

}  // namespace

void LemkeMethod::reserve(const ProblemSize& size) {
  for (auto* array : {&ray_, &base_, &velocity_, &scale_, &polished_, &w_}) {
    array->reserve(size.rows);
  }
  for (auto* array : {&index_, &boundedRow_, &freeRow_, &slackRow_}) array->reserve(size.rows);
  // Every row may have a slack.
  const int lcpRows = std::min(2 * size.rows, kMaxSize);
  tableau_.reserve(lcpRows);
  basicZ_.reserve(2 * size.rows);
  const auto freeRows = static_cast<std::size_t>(std::min(size.rows, kMaxSize));
  free_.reserve(freeRows * freeRows);
  eliminated_.reserve(freeRows * (freeRows + 2) / 2);  // at most: half of the rows free
  role_.reserve(size.rows);
  swaps_.reserve(size.rows);
  factor_.reserve(size);
  system_.reserve(size);
  candidate_.reserve(size);
  best_.reserve(size);
}

void LemkeMethod::attach(RowSystem& rows) {
  rows_ = &rows;
  DRYSTONE_ASSERT(rows.matrix() != nullptr);
  system_.attach(rows, factor_, BasisKind::kRows);
  candidate_.attach(rows, system_);
}

PivotOutcome LemkeMethod::run(const RowBounds& bounds, IndexSets& sets, std::span<Real> lambda,
                              ResidualHistory* history) {
  bool hasFar = false;
  for (int row = 0; row < rows_->rowCount(); ++row) hasFar |= areFar(row, bounds);
  best_.clear();
  PivotOutcome outcome;
  for (const Start start : {Start::kFreed, Start::kNearer, Start::kFarther}) {
    const bool isTried = start != Start::kFreed || hasFar;
    if (!isTried || (start == Start::kFarther && slackRow_.empty())) continue;
    start_ = start;
    const PivotOutcome before = outcome;
    outcome = solve(bounds, sets, lambda, history);
    outcome.rounds += before.rounds;
    outcome.pivots += before.pivots;
    outcome.factorizations += before.factorizations;
    outcome.regularization = std::max(outcome.regularization, before.regularization);
    const bool isKnown =
        outcome.status == SolveStatus::kInfeasible || outcome.status == SolveStatus::kUnsupported;
    if (outcome.isOver() || (start != Start::kFreed && isKnown)) break;
  }
  return outcome;
}

PivotOutcome LemkeMethod::solve(const RowBounds& bounds, IndexSets& sets, std::span<Real> lambda,
                                ResidualHistory* history) {
  const int before = system_.factorizations();
  PivotOutcome outcome;
  isLate_ = false;
  assignRoles(bounds);
  const int size = static_cast<int>(boundedRow_.size() + slackRow_.size());
  basicZ_.resize(size);
  regularization_ = 0;
  scaleVariables();
  // z = 0, in case that nothing better comes.
  for (const int row : boundedRow_) {
    sets.set(row, startsAtUpper(row) ? RowState::kUpper : RowState::kLower);
  }
  std::copy(base_.begin(), base_.end(), lambda.begin());
  best_.offer(errorOf(bounds, lambda), sets, lambda);
  if (size > kMaxSize || !eliminate()) {
    outcome.status = size > kMaxSize ? SolveStatus::kUnsupported : SolveStatus::kNumericalFailure;
    if (isLate_) outcome.endAtLimit(allowance);
    best_.restore(bounds, sets, lambda);
    outcome.error = errorOf(bounds, lambda);
    return outcome;
  }
  for (int restart = 0; restart <= kMaxRestarts; ++restart) {
    if (!fillTableau(bounds)) {
      outcome.endAtLimit(allowance);
      break;
    }
    if (restart > 0 && !tableau_.enter(basicZ_, allowance)) {
      if (allowance.isLate()) outcome.endAtLimit(allowance);
      break;
    }
    const LemkeTableau::Ending ending = tableau_.run(kManyPivots - outcome.pivots, allowance);
    outcome.pivots += tableau_.pivots();
    readTableau(bounds, sets, lambda);
    if (allowance.isLate()) {
      outcome.error = errorOf(bounds, lambda);
      best_.offer(outcome.error, sets, lambda);
      outcome.endAtLimit(allowance);
      break;
    }
    polish(bounds, sets, lambda, outcome);
    if (history != nullptr) {
      history->add(outcome.rounds, static_cast<Real>(candidate_.violators().size()));
    }
    if (outcome.status == SolveStatus::kConverged) break;
    if (ending == LemkeTableau::Ending::kCycled) outcome.status = SolveStatus::kCycled;
    if (ending == LemkeTableau::Ending::kRay) {
      const bool proven = rayProvesInfeasible(bounds);
      outcome.status = proven ? SolveStatus::kInfeasible : SolveStatus::kStalled;
    }
    best_.offer(outcome.error, sets, lambda);
    if (outcome.status == SolveStatus::kInfeasible) break;
    if (allowance.isSpent()) {
      outcome.endAtLimit(allowance);
      break;
    }
    if (outcome.pivots >= kManyPivots) {
      outcome.status = SolveStatus::kIterationLimit;
      break;
    }
    if (restart > 0 && tableau_.pivots() == 0) break;
    for (int k = 0; k < size; ++k) basicZ_[k] = tableau_.zBasic(k);
  }
  if (outcome.status != SolveStatus::kConverged) {
    best_.restore(bounds, sets, lambda);
    outcome.error = errorOf(bounds, lambda);
  }
  outcome.factorizations = system_.factorizations() - before;
  outcome.factor = system_.factorName();
  outcome.regularization = std::max(regularization_, system_.regularization());
  return outcome;
}

void LemkeMethod::assignRoles(const RowBounds& bounds) {
  const int count = rows_->rowCount();
  role_.resize(count);
  index_.resize(count);
  base_.assign(count, 0);
  boundedRow_.clear();
  freeRow_.clear();
  slackRow_.clear();
  for (int row = 0; row < count; ++row) {
    const Real lower = bounds.lower[row], upper = bounds.upper[row];
    const bool below = std::isfinite(lower), above = std::isfinite(upper);
    const bool isLowerNearer = std::abs(lower) <= std::abs(upper);
    const Role ofTwoSided =
        isLowerNearer == (start_ != Start::kFarther) ? Role::kFromLower : Role::kFromUpper;
    role_[row] = lower == upper                                   ? Role::kFixed
                 : start_ == Start::kFreed && areFar(row, bounds) ? Role::kFree
                 : below ? (above ? ofTwoSided : Role::kLower)
                 : above ? Role::kUpper
                         : Role::kFree;
    if (role_[row] != Role::kFree) base_[row] = startsAtUpper(row) ? upper : lower;
    if (role_[row] == Role::kFixed) continue;
    std::vector<int>& rows = role_[row] == Role::kFree ? freeRow_ : boundedRow_;
    index_[row] = static_cast<int>(rows.size());
    rows.push_back(row);
    if (hasSlack(row)) slackRow_.push_back(row);
  }
  velocity_.resize(count);
  rows_->velocity(base_, velocity_);
}

/// λ in units of 1/√A_ii; where A_ii = 0, such that the largest entry that couples to a row with
/// A_ii ≠ 0 is 1.
void LemkeMethod::scaleVariables() {
  const int count = rows_->rowCount();
  scale_.resize(count);
  w_.assign(count, 0);
  for (int row = 0; row < count; ++row) {
    const Real diagonal = std::abs(rows_->diagonal(row));
    scale_[row] = diagonal > 0 ? 1 / std::sqrt(diagonal) : 0;
  }
  forEachEntry([&](int i, int j, Real value) {
    w_[i] = std::max(w_[i], std::abs(value) * scale_[j]);
    w_[j] = std::max(w_[j], std::abs(value) * scale_[i]);
  });
  for (int row = 0; row < count; ++row) {
    if (rows_->diagonal(row) == 0) scale_[row] = w_[row] > 0 ? 1 / w_[row] : 1;
  }
}

/// Solves for the rows without bounds in terms of the others.
bool LemkeMethod::eliminate() {
  const std::size_t count = freeRow_.size(), bounded = boundedRow_.size();
  if (count == 0) return true;
  const auto n = static_cast<Real>(count);
  isLate_ = denseSeconds(2 * n * n * n / 3) > allowance.deadline().secondsLeft();
  if (isLate_ || !factorFree()) return false;
  eliminated_.assign(count * (bounded + 1), 0);
  forEachEntry([&](int i, int j, Real value) {
    if (role_[i] != Role::kFree || role_[j] == Role::kFree || role_[j] == Role::kFixed) return;
    eliminated_[index_[j] * count + index_[i]] += scale_[i] * value * scale_[j];
  });
  for (std::size_t k = 0; k < count; ++k) {
    eliminated_[bounded * count + k] = scale_[freeRow_[k]] * velocity_[freeRow_[k]];
  }
  for (std::size_t k = 0; k <= bounded && !isLate_; ++k) {
    solveFree({eliminated_.data() + k * count, count});
    isLate_ = allowance.isLate();
  }
  return !isLate_;
}

bool LemkeMethod::factorFree() {
  const auto count = static_cast<Eigen::Index>(freeRow_.size());
  for (int attempt = 0; attempt < 2; ++attempt) {
    free_.assign(freeRow_.size() * freeRow_.size(), 0);
    Eigen::Map<MatX> a(free_.data(), count, count);
    forEachEntry([&](int i, int j, Real value) {
      if (role_[i] == Role::kFree && role_[j] == Role::kFree) {
        a(index_[i], index_[j]) += scale_[i] * value * scale_[j];
      }
    });
    if (attempt > 0) {
      for (Eigen::Index k = 0; k < count; ++k) {
        a(k, k) += kRegularization;
        const Real unit = scale_[freeRow_[k]];
        regularization_ = std::max(regularization_, kRegularization / (unit * unit));
      }
    }
    swaps_.resize(freeRow_.size());
    Eigen::Map<Eigen::Matrix<Eigen::Index, Eigen::Dynamic, 1>> swaps(swaps_.data(), count);
    Eigen::Index exchanges = 0;
    Eigen::internal::partial_lu_inplace(a, swaps, exchanges);
    const auto pivots = a.diagonal().cwiseAbs();
    const Real least = attempt == 0 ? kTinyPivot * pivots.maxCoeff() : 0;
    if (pivots.allFinite() && pivots.minCoeff() > least) return true;
  }
  return false;
}

void LemkeMethod::solveFree(std::span<Real> x) const {
  const auto count = static_cast<Eigen::Index>(freeRow_.size());
  const Eigen::Map<const MatX> lu(free_.data(), count, count);
  Eigen::Map<VecX> y(x.data(), count);
  for (Eigen::Index k = 0; k < count; ++k) std::swap(y[k], y[swaps_[k]]);
  lu.triangularView<Eigen::UnitLower>().solveInPlace(y);
  lu.triangularView<Eigen::Upper>().solveInPlace(y);
}

/// M and q in scaled units, with the signs of rows that have only an upper bound turned, the rows
/// of slacks below.
bool LemkeMethod::fillTableau(const RowBounds& bounds) {
  const int bounded = static_cast<int>(boundedRow_.size());
  const int slacks = static_cast<int>(slackRow_.size());
  const std::size_t free = freeRow_.size();
  tableau_.reset(bounded + slacks);
  std::span<Real> q = tableau_.right();
  for (int k = 0; k < bounded; ++k) {
    const int row = boundedRow_[k];
    q[k] = sign(row) * scale_[row] * velocity_[row];
  }
  forEachEntry([&](int i, int j, Real value) {
    if (role_[i] == Role::kFixed || role_[i] == Role::kFree) return;
    const Real entry = sign(i) * scale_[i] * value * scale_[j];
    if (role_[j] == Role::kFree) {
      isLate_ = isLate_ || allowance.isLate();
      if (isLate_) return;
      const Real* column = eliminated_.data() + index_[j];
      for (int k = 0; k < bounded; ++k) {
        tableau_.column(k)[index_[i]] += entry * column[k * free] * sign(boundedRow_[k]);
      }
      q[index_[i]] -= entry * column[bounded * free];
    } else if (role_[j] != Role::kFixed) {
      tableau_.column(index_[j])[index_[i]] -= entry * sign(j);
    }
  });
  for (int s = 0; s < slacks; ++s) {
    const int row = slackRow_[s];
    tableau_.column(bounded + s)[index_[row]] = -1;
    tableau_.column(index_[row])[bounded + s] = 1;
    q[bounded + s] = (bounds.upper[row] - bounds.lower[row]) / scale_[row];
  }
  return !isLate_;
}

void LemkeMethod::readTableau(const RowBounds& bounds, IndexSets& sets, std::span<Real> lambda) {
  std::copy(base_.begin(), base_.end(), lambda.begin());
  const std::size_t free = freeRow_.size(), bounded = boundedRow_.size();
  for (std::size_t k = 0; k < bounded; ++k) {
    const int row = boundedRow_[k];
    const Real value = tableau_.z(static_cast<int>(k));
    const Real z = std::isfinite(value) ? value : 0;
    lambda[row] =
        std::clamp(base_[row] + sign(row) * scale_[row] * z, bounds.lower[row], bounds.upper[row]);
    const bool basic = tableau_.zBasic(static_cast<int>(k));
    sets.set(row, basic                ? RowState::kFree
                  : startsAtUpper(row) ? RowState::kUpper
                                       : RowState::kLower);
    for (std::size_t f = 0; f < free; ++f) {
      lambda[freeRow_[f]] -= scale_[freeRow_[f]] * eliminated_[k * free + f] * sign(row) * z;
    }
  }
  for (std::size_t f = 0; f < free; ++f) {
    const int row = freeRow_[f];
    lambda[row] -= scale_[row] * eliminated_[bounded * free + f];
    lambda[row] = std::clamp(lambda[row], bounds.lower[row], bounds.upper[row]);  // far ones
    sets.set(row, RowState::kFree);
  }
  for (std::size_t s = 0; s < slackRow_.size(); ++s) {
    if (!tableau_.zBasic(static_cast<int>(bounded + s))) continue;
    const int row = slackRow_[s];
    sets.set(row, startsAtUpper(row) ? RowState::kLower : RowState::kUpper);
  }
}

/// Solves for the sets on the true A, keeps the better λ, and judges it.
void LemkeMethod::polish(const RowBounds& bounds, IndexSets& sets, std::span<Real> lambda,
                         PivotOutcome& outcome) {
  ++outcome.rounds;
  outcome.error = errorOf(bounds, lambda);
  polished_.assign(lambda.begin(), lambda.end());
  polishSettings_.tolerance = relativeTolerance(PivotSettings{}.tolerance, *rows_);
  bool solved =
      candidate_.evaluate(sets, bounds, polished_, polishSettings_) && candidate_.solved();
  for (std::size_t row = 0; row < lambda.size(); ++row) {
    polished_[row] = std::clamp(polished_[row], bounds.lower[row], bounds.upper[row]);
  }
  const Real error = errorOf(bounds, polished_);
  if (error < outcome.error) {
    std::copy(polished_.begin(), polished_.end(), lambda.begin());
    outcome.error = error;
  } else if (outcome.error < error) {
    solved = false;
  }
  const Real good = std::max(signTolerance(*rows_, polishSettings_.tolerance, lambda),
                             relativeTolerance(kGoodEnough, *rows_) * rows_->velocityScale());
  const bool isGood = std::isfinite(outcome.error) && (solved || outcome.error <= good);
  outcome.status = isGood ? SolveStatus::kConverged : SolveStatus::kNumericalFailure;
}

/// Farkas' lemma on the true A, with u the ray: uᵀ w ≥ 0 for every w that the bounds allow, and yet
/// uᵀ (A λ + b) < 0 for every λ within them.
bool LemkeMethod::rayProvesInfeasible(const RowBounds& bounds) {
  const std::size_t free = freeRow_.size();
  ray_.assign(role_.size(), 0);
  for (std::size_t k = 0; k < boundedRow_.size(); ++k) {
    const int row = boundedRow_[k];
    if (hasSlack(row)) continue;
    const Real u = sign(row) * std::max(tableau_.ray(static_cast<int>(k)), 0.0);
    ray_[row] = scale_[row] * u;
    for (std::size_t f = 0; f < free; ++f) {
      ray_[freeRow_[f]] -= scale_[freeRow_[f]] * eliminated_[k * free + f] * u;
    }
  }
  Real size = 0, value = 0, terms = 0;
  for (int row = 0; row < rows_->rowCount(); ++row) {
    size = std::max(size, std::abs(ray_[row]) / scale_[row]);
    value += ray_[row] * velocity_[row];
    terms += std::abs(ray_[row] * velocity_[row]);
  }
  w_.assign(role_.size(), 0);
  forEachEntry([&](int i, int j, Real entry) { w_[j] += entry * ray_[i]; });
  for (int row = 0; row < rows_->rowCount(); ++row) {
    const Real gain = sign(row) * w_[row];
    const Real slack = kProof * size / scale_[row];
    if (hasSlack(row)) {
      value += std::max(gain, 0.0) * (bounds.upper[row] - bounds.lower[row]);
    } else if (role_[row] != Role::kFixed) {
      const bool gains = gain > slack || (role_[row] == Role::kFree && gain < -slack);
      if (gains) return false;
    }
  }
  return value < -kProof * terms;
}

/// Largest |λ − Π(λ − w/A_ii)| A_ii [m/s].
Real LemkeMethod::errorOf(const RowBounds& bounds, std::span<const Real> lambda) {
  w_.resize(lambda.size());
  rows_->velocity(lambda, w_);
  return complementarityError(*rows_, bounds, lambda, w_);
}

}  // namespace drystone
