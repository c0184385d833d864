#include "solvers/staggered/qp/box_qp.h"

#include <algorithm>
#include <cmath>

namespace drystone {

Real kktError(const BoxQp& qp, std::span<const Real> metric, std::span<const Real> x,
              std::span<const Real> gradient) {
  Real error = 0;
  for (int i = 0; i < qp.size(); ++i) {
    // The step itself, which a large x would round away.
    const Real step = std::clamp(-gradient[i] / metric[i], qp.lower[i] - x[i], qp.upper[i] - x[i]);
    const Real own = std::abs(step) * metric[i];
    if (!std::isfinite(own)) return kInfinity;
    error = std::max(error, own);
  }
  return error;
}

void admitSets(const BoxQp& qp, std::span<const Real> x, std::span<RowState> sets) {
  for (int i = 0; i < qp.size(); ++i) {
    if (qp.lower[i] == qp.upper[i]) {
      if (sets[i] != RowState::kUpper) sets[i] = RowState::kLower;
      continue;
    }
    if (sets[i] == RowState::kUnknown) {
      const bool isWarm = x[i] != 0;
      sets[i] = isWarm && x[i] <= qp.lower[i]   ? RowState::kLower
                : isWarm && x[i] >= qp.upper[i] ? RowState::kUpper
                                                : RowState::kFree;
    }
    if ((sets[i] == RowState::kLower && qp.lower[i] == -kInfinity) ||
        (sets[i] == RowState::kUpper && qp.upper[i] == kInfinity)) {
      sets[i] = RowState::kFree;
    }
  }
}

}  // namespace drystone
