// R. T. Rockafellar, "Monotone operators and the proximal point algorithm", SIAM Journal on Control
// and Optimization 14 (1976); here for friction, whose law is not monotone.

#include "solvers/pivoting/proximal_point.h"

#include <algorithm>
#include <cmath>

namespace drystone {
namespace {

constexpr Real kFirstDelta = 1e-2;
/// δ beyond which it helps nothing, and below which it changes nothing.
constexpr Real kLargestDelta = 1e3, kLeastDelta = 1e-12;
/// Of δ where rounds wander.
constexpr Real kGrowth = 3;
/// Of δ at a new point: times the rounds that it took, at most the second. The third where the
/// point is hardly better than the last one, kDrift: it travels far along a direction that nothing
/// but the term opposes.
constexpr Real kDecayOfRound = 0.15, kDecay = 0.5, kDriftDecay = 0.1;
constexpr Real kDrift = 0.8;
/// With the term the natural map falls to this share of the point's, or the rounds wander: so many
/// in all, or more than so many in a row without a clearly smaller one.
constexpr Real kPointShare = 0.1, kTermProgress = 0.9;
constexpr int kMaxRounds = 20, kTermPatience = 3;
/// A point whose own natural map is so many times as large as the last one's is refused.
constexpr Real kLargestRise = 2;

}  // namespace

void ProximalPoint::reserve(const ProblemSize& size) {
  point_.reserve(size.rows);
  weight_.reserve(size.rows);
}

void ProximalPoint::start(const RowSystem& rows, std::span<const Real> point, Real error) {
  point_.assign(point.begin(), point.end());
  pointError_ = error;
  delta_ = kFirstDelta;
  isSpent_ = false;
  const ContactProblem& problem = rows.problem();
  weight_.resize(rows.rowCount());
  for (int c = 0; c < problem.blockCount(); ++c) {
    const ProblemBlock& block = problem.blocks[c];
    for (int row = block.firstRow; row < block.firstRow + block.rows; ++row) {
      weight_[row] =
          block.law == BlockLaw::kContact ? 1 / rows.step(c) : std::abs(rows.diagonal(row));
    }
  }
  begin();
}

void ProximalPoint::begin() {
  rounds_ = 0;
  patience_ = Patience(kTermPatience, kTermProgress);
}

void ProximalPoint::endRound(std::span<const Real> lambda, Real errorWithTerm, Real error) {
  ++rounds_;
  const bool goesOn = patience_.goesOn(errorWithTerm);
  const bool isSolved = errorWithTerm <= kPointShare * pointError_;
  if (isSolved && error <= kLargestRise * pointError_) {
    const bool drifts = error > kDrift * pointError_;
    isSpent_ = drifts && delta_ <= kLeastDelta;
    const Real decay = std::min(kDecayOfRound * rounds_, kDecay);
    delta_ = std::max((drifts ? kDriftDecay : decay) * delta_, kLeastDelta);
    point_.assign(lambda.begin(), lambda.end());
    pointError_ = error;
    begin();
  } else if (isSolved || rounds_ >= kMaxRounds || !goesOn) {
    delta_ *= kGrowth;
    begin();
  }
}

bool ProximalPoint::isHopeless() const { return delta_ > kLargestDelta || isSpent_; }

}  // namespace drystone
