#include "solvers/staggered/row_mix_k0.h"

namespace drystone {

void RowMixK0::reserve(const ProblemSize& size) {
  factor_.reserve(size);
  basis_.reserve(size);
}

void RowMixK0::attach(RowSystem& rows, std::span<const RowMix> variables) {
  rows_ = &rows;
  variables_ = variables;
  factor_.analyze(rows, BasisKind::kGeneral);
}

bool RowMixK0::factor(std::span<const int> free, std::span<const Real> extra) {
  basis_.begin(rows_->problem());
  std::size_t next = 0;
  for (int block = 0; block < rows_->problem().blockCount(); ++block) {
    basis_.beginBlock();
    for (; next < free.size() && variables_[free[next]].block == block; ++next) {
      const RowMix& mix = variables_[free[next]];
      if (mix.isPlain) {
        basis_.addRow(mix.row, extra[free[next]]);
      } else {
        basis_.add(mix.row, mix.weights, mix.weights, extra[free[next]]);
      }
    }
  }
  basis_.end();
  return factor_.factor(*rows_, basis_);
}

void RowMixK0::solve(std::span<Real> columns, int count) {
  const auto size = static_cast<std::size_t>(basis_.count());
  for (int k = 0; k < count; ++k) factor_.solve(columns.subspan(k * size, size));
}

}  // namespace drystone
