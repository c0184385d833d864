#include "solvers/staggered/qp/diamond_qp.h"

#include <algorithm>

namespace drystone {

void toFrames(std::span<const PairFrame> frames, std::span<Real> x) {
  for (std::size_t k = 0; k < frames.size(); ++k) {
    const auto [c, s] = frames[k];
    const Real first = x[2 * k], second = x[2 * k + 1];
    x[2 * k] = c * first + s * second;
    x[2 * k + 1] = c * second - s * first;
  }
}

void fromFrames(std::span<const PairFrame> frames, std::span<Real> x) {
  for (std::size_t k = 0; k < frames.size(); ++k) {
    const auto [c, s] = frames[k];
    const Real first = x[2 * k], second = x[2 * k + 1];
    x[2 * k] = c * first - s * second;
    x[2 * k + 1] = s * first + c * second;
  }
}

void turnPairs(const SymmetricMatrix& hessian, std::span<const PairFrame> frames,
               SymmetricMatrix& turned) {
  turned.clear();
  const auto isPairOf = [&](int entry, int end, int pair) {
    return entry < end && hessian.column[entry] / 2 == pair;
  };
  for (int k = 0; k < static_cast<int>(frames.size()); ++k) {
    // Once for each of the two rows, pair of columns by pair of columns.
    for (int i = 0; i < 2; ++i) {
      const Real u = i == 0 ? frames[k].cosine : -frames[k].sine;
      const Real v = i == 0 ? frames[k].sine : frames[k].cosine;
      int first = hessian.start[2 * k], second = hessian.start[2 * k + 1];
      const int firstEnd = second, secondEnd = hessian.start[2 * k + 2];
      while (first < firstEnd || second < secondEnd) {
        const int other = std::min(first < firstEnd ? hessian.column[first] : hessian.size(),
                                   second < secondEnd ? hessian.column[second] : hessian.size()) /
                          2;
        Real sum[2] = {};
        for (; isPairOf(first, firstEnd, other); ++first) {
          sum[hessian.column[first] % 2] += u * hessian.value[first];
        }
        for (; isPairOf(second, secondEnd, other); ++second) {
          sum[hessian.column[second] % 2] += v * hessian.value[second];
        }
        const auto [c, s] = frames[other];
        turned.add(2 * other, c * sum[0] + s * sum[1]);
        turned.add(2 * other + 1, c * sum[1] - s * sum[0]);
      }
      turned.endRow();
    }
  }
}

void TurnedDiamonds::assign(const DiamondQp& qp) {
  frames_.assign(qp.radius.size(), diamondAxes({}));
  turnPairs(*qp.hessian, frames_, hessian_);
  linear_.assign(qp.linear.begin(), qp.linear.end());
  toFrames(frames_, linear_);
  lower_.clear();
  upper_.clear();
  for (const Real radius : qp.radius) {
    for (int i = 0; i < 2; ++i) {
      lower_.push_back(-kDiamondHalfWidth * radius);
      upper_.push_back(kDiamondHalfWidth * radius);
    }
  }
  box_ = {&hessian_, linear_, lower_, upper_};
}

void TurnedDiamonds::faceMultipliers(std::span<const Real> gradient, int pair, Real* nu) {
  // The first axis is the normal of (1, 1), the second that of (−1, 1).
  const Real first = kDiamondHalfWidth * gradient[2 * pair];
  const Real second = kDiamondHalfWidth * gradient[2 * pair + 1];
  nu[0] = std::max<Real>(-first, 0);
  nu[1] = std::max<Real>(first, 0);
  nu[2] = std::max<Real>(second, 0);
  nu[3] = std::max<Real>(-second, 0);
}

}  // namespace drystone
