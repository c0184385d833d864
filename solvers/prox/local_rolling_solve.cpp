#include "solvers/prox/local_rolling_solve.h"

#include <algorithm>

namespace drystone {

LocalRollingSolve::LocalRollingSolve(const Real* w, Real mu, Real rolling)
    : mu_(mu), rolling_(rolling) {
  std::copy_n(w, w_.size(), w_.begin());
  const ContactScales scales = contactScales(w, kRows);
  steps_.normal = stepFor(1, scales.normal);
  steps_.tangent = stepFor(1, scales.tangent);
  steps_.rolling = stepFor(1, scales.rolling);
  for (int i = 1; i < kRows; ++i) steps_.coupling[i - 1] = w[i * kRows];
  for (int i = 0; i < 4; ++i) steps_.rollingCoupling[i] = w[(3 + i / 2) * kRows + 1 + i % 2];
}

void LocalRollingSolve::solve(const Real* q, Real* lambda) const {
  constexpr int kMostSweeps = 200;
  constexpr Real kStill = 1e-15;  // ‖change‖ over ‖λ‖, all in N s: round-off
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    Real w[kRows], change[kRows];
    for (int i = 0; i < kRows; ++i) {
      w[i] = q[i];
      for (int j = 0; j < kRows; ++j) w[i] += w_[i * kRows + j] * lambda[j];
    }
    updateContact<FrictionModel::kRolling, kRows>(steps_, mu_, rolling_, w, lambda, change);
    Real moved = 0, length = 0;
    for (int i = 0; i < kRows; ++i) {
      moved += change[i] * change[i];
      length += lambda[i] * lambda[i];
    }
    if (moved <= kStill * kStill * length) return;
  }
}

}  // namespace drystone
