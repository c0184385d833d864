// R. T. Rockafellar, "Monotone operators and the proximal point algorithm", SIAM Journal on Control
// and Optimization 14 (1976); here for friction, whose law is not monotone.

#include "solvers/pivoting/proximal_point.h"

#include <algorithm>
#include <cmath>

namespace drystone {
void ProximalPoint::reserve(const ProblemSize& size) {
  point_.reserve(size.rows);
  weight_.reserve(size.rows);
}

void ProximalPoint::start(const RowSystem& rows, std::span<const Real> point, Real error) {
  point_.assign(point.begin(), point.end());
  pointError_ = error;
  scale_ = rows.velocityScale();
  rule_.start();
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
  delta_ = rule_.at(pointError_, scale_);
  patience_ = Patience(kStepPatience, 0.5);
}

void ProximalPoint::endRound(std::span<const Real> lambda, Real errorWithTerm, Real error) {
  ++rounds_;
  const bool goesOn = patience_.goesOn(errorWithTerm);
  if (errorWithTerm <= pointError_ / 2 && std::isfinite(error)) {
    rule_.fall();
    point_.assign(lambda.begin(), lambda.end());
    pointError_ = error;
    begin();
  } else if (!std::isfinite(errorWithTerm) || !std::isfinite(error) || !goesOn) {
    rule_.grow();
    begin();
  }
}

}  // namespace drystone
