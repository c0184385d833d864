// V. Acary, P. Armand, H. M. Nguyen and M. Shpakovych, "Second order cone programming for
// frictional contact mechanics using interior point algorithm" (2022); predictor and corrector as
// S. Mehrotra, SIAM Journal on Optimization 2 (1992).

#include "solvers/pivoting/cone_interior_point.h"

#include <algorithm>
#include <cmath>

namespace drystone {
namespace {

/// A step shorter than this, twice in a row, stands before a turn of the path.
constexpr Real kTurn = 0.05;
/// Plain steps are tried at this natural map over the largest |b|, and then whenever it has fallen
/// to this share.
constexpr Real kPlainShare = 0.1;

}  // namespace

void ConeInteriorPoint::reserve(const ProblemSize& size) {
  bounds_.reserve(size);
  pairs_.reserve(size.blocks);
  sides_.reserve(size.rows);
  isPlain_.reserve(size.rows);
  for (auto* array :
       {&lambda_, &w_, &right_, &step_, &product_, &remainder_, &correction_, &best_}) {
    array->reserve(size.rows);
  }
}

template <class Visit>
void ConeInteriorPoint::forEachPlainRow(Visit&& visit) const {
  auto next = sides_.unknowns().begin();
  for (int row = 0; row < static_cast<int>(isPlain_.size()); ++row) {
    if (isPlain_[row] == 0) continue;
    const bool isBounded = next != sides_.unknowns().end() && next->index == row;
    visit(row, isBounded ? &*next++ : nullptr);
  }
}

void ConeInteriorPoint::enter(std::span<const Real> lambda, StageContext& context) {
  RowSystem& rows = context.rows;
  const ContactProblem& problem = rows.problem();
  lambda_.assign(lambda.begin(), lambda.end());
  for (auto* array : {&w_, &right_, &step_, &product_, &remainder_, &correction_}) {
    array->resize(lambda.size());
  }
  rows.velocity(lambda_, w_);
  Real scale = rows.velocityScale();
  for (const Real w : w_) scale = std::max(scale, std::abs(w));
  bounds_.assignKnown(problem);
  bounds_.fixIdleRows(rows);
  pairs_.clear();
  sides_.clear();
  isPlain_.assign(lambda.size(), 0);
  // What a body alone would get of the largest velocity, in the mean, is where the path begins.
  const auto isPair = [&](const ProblemBlock& block) {
    return problem.followsNormal(block) && !rows.isIdle(block.firstRow);
  };
  Real product = 0;
  int pairs = 0;
  for (int c = 0; c < problem.blockCount(); ++c) {
    const ProblemBlock& block = problem.blocks[c];
    if (isPair(block)) {
      product += scale * scale * rows.step(c);
      ++pairs;
      continue;
    }
    for (int row = block.firstRow; row < block.firstRow + block.rows; ++row) {
      const Real lower = bounds_.lower[row], upper = bounds_.upper[row];
      // A row without a diagonal, as of a saddle problem, is measured by 1 kg.
      const Real metric = rows.diagonal(row) > 0 ? rows.diagonal(row) : 1;
      // Fixed where the bounds are closer than round-off of what the largest velocity makes of it.
      if (!(metric * (upper - lower) > kRoundOff * scale)) {
        if (!rows.isIdle(row)) lambda_[row] = std::clamp(lambda_[row], lower, upper);
        continue;
      }
      isPlain_[row] = 1;
      if (lower == -kInfinity && upper == kInfinity) continue;
      const Real gap = std::min(scale / metric, (upper - lower) / 2);
      lambda_[row] = sides_.add(row, lower, upper, gap, lambda_[row]);
      product += scale * scale / metric;
    }
  }
  const auto bounded = sides_.unknowns().size();
  product /= std::max<Real>(static_cast<Real>(pairs + bounded), 1);
  sides_.start(product * static_cast<Real>(bounded));
  for (int c = 0; c < problem.blockCount(); ++c) {
    const ProblemBlock& block = problem.blocks[c];
    if (!isPair(block)) continue;
    const int row = block.firstRow;
    const ConePair& pair =
        pairs_.emplace_back(row, block.friction, rows.step(c), product,
                            Vec3(lambda_[row], lambda_[row + 1], lambda_[row + 2]),
                            Vec3(w_[row], w_[row + 1], w_[row + 2]));
    for (int i = 0; i < 3; ++i) lambda_[row + i] = pair.impulse()[i];
  }
  rows.velocity(lambda_, w_);
}

Real ConeInteriorPoint::meanProduct(Real share) const {
  const InteriorSides::Products sides = sides_.products(share);
  Real sum = sides.sum;
  for (const ConePair& pair : pairs_) sum += pair.productAfter(share);
  const std::size_t count = sides.count + pairs_.size();
  return count > 0 ? sum / static_cast<Real>(count) : 0;
}

Real ConeInteriorPoint::longestStep() const {
  Real share = sides_.longestStep();
  for (const ConePair& pair : pairs_) share = std::min(share, pair.longestStep());
  return share;
}

bool ConeInteriorPoint::factor(StageContext& context) {
  const ContactProblem& problem = context.rows.problem();
  FreeBasis& basis = context.system.basis();
  basis.begin(problem);
  auto pair = pairs_.begin();
  auto side = sides_.unknowns().begin();
  for (const ProblemBlock& block : problem.blocks) {
    basis.beginBlock();
    if (pair != pairs_.end() && pair->firstRow() == block.firstRow) {
      pair->scale();
      for (int i = 0; i < 3; ++i) {
        const ConePair::Unknown one = pair->unknown(i);
        basis.add(block.firstRow, one.equation, one.column, one.weight);
      }
      ++pair;
      continue;
    }
    for (int row = block.firstRow; row < block.firstRow + block.rows; ++row) {
      Real stiffness = 0;
      if (side != sides_.unknowns().end() && side->index == row) {
        stiffness = InteriorSides::stiffness(*side++);
      }
      if (isPlain_[row]) basis.addRow(row, stiffness);
    }
  }
  basis.end();
  return context.system.factor();
}

void ConeInteriorPoint::aim(Real target, bool corrects) {
  sides_.aim(target, corrects);
  for (ConePair& pair : pairs_) pair.aim(target, corrects);
}

void ConeInteriorPoint::measureRemainder() {
  std::fill(remainder_.begin(), remainder_.end(), 0.0);
  forEachPlainRow([&](int row, const InteriorSides::Unknown* side) {
    const Real stiffness = side != nullptr ? InteriorSides::stiffness(*side) : 0;
    remainder_[row] = right_[row] - product_[row] - stiffness * step_[row];
  });
  for (const ConePair& pair : pairs_) {
    const int row = pair.firstRow();
    const Vec3 theta = pair.applyTheta({step_[row], step_[row + 1], step_[row + 2]});
    for (int i = 0; i < 3; ++i) {
      remainder_[row + i] = right_[row + i] - product_[row + i] - theta[i];
    }
  }
}

void ConeInteriorPoint::solve(StageContext& context) {
  for (std::size_t row = 0; row < w_.size(); ++row) right_[row] = -w_[row];
  sides_.addPulls(right_);
  for (const ConePair& pair : pairs_) {
    for (int i = 0; i < 3; ++i) right_[pair.firstRow() + i] += pair.pull()[i];
  }
  // One refinement: a factor in the space of the bodies leaves some 1e-7.
  context.system.solve(right_, step_, 0);
  context.rows.multiply(step_, product_);
  measureRemainder();
  context.system.solve(remainder_, correction_, 0);
  for (std::size_t row = 0; row < step_.size(); ++row) step_[row] += correction_[row];
  context.rows.multiply(step_, product_);
  sides_.follow(step_);
  for (ConePair& pair : pairs_) {
    const int row = pair.firstRow();
    Vec3 next;  // u after the whole step is A λ + b
    for (int i = 0; i < 3; ++i) next[i] = w_[row + i] + product_[row + i];
    pair.follow({step_[row], step_[row + 1], step_[row + 2]}, next - pair.velocity());
  }
}

Real ConeInteriorPoint::findStep(StageContext& context) {
  const Real mean = meanProduct(0);
  aim(0, false);
  solve(context);
  const Real affine = std::min(longestStep(), 1.0);
  const Real ahead = mean > 0 ? std::clamp<Real>(meanProduct(affine) / mean, 0, 1) : 0;
  aim(ahead * ahead * ahead * mean, true);
  solve(context);
  return std::min(InteriorSides::kStepShare * longestStep(), 1.0);
}

void ConeInteriorPoint::move(Real share) {
  for (std::size_t row = 0; row < lambda_.size(); ++row) lambda_[row] += share * step_[row];
  sides_.move(share);
  for (ConePair& pair : pairs_) pair.move(share);
}

void ConeInteriorPoint::keepBest(const Iterate& iterate) {
  if (!(iterate.error < bestError_)) return;
  bestError_ = iterate.error;
  best_.assign(iterate.lambda.begin(), iterate.lambda.end());
}

void ConeInteriorPoint::tryPlain(Iterate& iterate, StageContext& context) {
  if (!handsOver || !(iterate.error <= plainFrom_)) return;
  plainFrom_ = kPlainShare * iterate.error;
  newton_.improve(iterate, context);
  keepBest(iterate);
}

SolveStatus ConeInteriorPoint::follow(Iterate& iterate, StageContext& context) {
  RowSystem& rows = context.rows;
  bool wasTurn = false;
  for (int steps = 0; steps < maxSteps; ++steps) {
    if (!context.allowance.take()) return limitStatus(context.allowance);
    if (!factor(context)) return SolveStatus::kNumericalFailure;
    const Real share = findStep(context);
    ++context.report.outerIterations;
    move(share);
    rows.velocity(lambda_, w_);
    std::copy(lambda_.begin(), lambda_.end(), iterate.lambda.begin());
    iterate.measure(rows);
    if (!std::isfinite(iterate.error)) return SolveStatus::kStalled;
    context.history.add(context.report.outerIterations, iterate.error);
    keepBest(iterate);
    if (bestError_ <= context.tolerance) return SolveStatus::kConverged;
    tryPlain(iterate, context);
    if (bestError_ <= context.tolerance) return SolveStatus::kConverged;
    const bool isTurn = share < kTurn;
    if (isTurn && wasTurn) return SolveStatus::kStalled;
    wasTurn = isTurn;
  }
  return SolveStatus::kIterationLimit;
}

SolveStatus ConeInteriorPoint::improve(Iterate& iterate, StageContext& context) {
  const StageFactors factors(context, BasisKind::kGeneral);
  bestError_ = kInfinity;
  best_.assign(iterate.lambda.begin(), iterate.lambda.end());
  keepBest(iterate);
  plainFrom_ = kPlainShare * context.rows.velocityScale();
  SolveStatus status = SolveStatus::kConverged;
  if (bestError_ > context.tolerance) tryPlain(iterate, context);
  if (bestError_ > context.tolerance) {
    enter(best_, context);
    status = follow(iterate, context);
  }
  std::copy(best_.begin(), best_.end(), iterate.lambda.begin());
  iterate.measure(context.rows);
  return iterate.error <= context.tolerance ? SolveStatus::kConverged : status;
}

}  // namespace drystone
