#include "solvers/pivoting/index_sets.h"

#include <algorithm>
#include <cmath>

#include "core/check.h"
#include "core/hash.h"

namespace drystone {

void IndexSets::start(const RowBounds& bounds, std::span<const RowState> states,
                      std::span<const Real> lambda) {
  state_.assign(states.begin(), states.end());
  for (int row = 0; row < size(); ++row) {
    if (state_[row] != RowState::kUnknown) continue;
    const bool warm = lambda[row] != 0;
    state_[row] = warm && lambda[row] <= bounds.lower[row]   ? RowState::kLower
                  : warm && lambda[row] >= bounds.upper[row] ? RowState::kUpper
                                                             : RowState::kFree;
  }
  admit(bounds);
}

void IndexSets::admit(const RowBounds& bounds) {
  for (int row = 0; row < size(); ++row) {
    if (bounds.lower[row] == bounds.upper[row]) {
      if (free(row)) state_[row] = RowState::kLower;
    } else if ((state_[row] == RowState::kLower && !std::isfinite(bounds.lower[row])) ||
               (state_[row] == RowState::kUpper && !std::isfinite(bounds.upper[row]))) {
      state_[row] = RowState::kFree;
    }
  }
}

std::uint64_t IndexSets::hash() const {
  Hasher hasher;
  hasher.bytes(state_.data(), state_.size());
  return hasher.value();
}

void IndexSets::placeTight(const RowBounds& bounds, std::span<Real> lambda) const {
  for (int row = 0; row < size(); ++row) {
    if (!free(row)) {
      lambda[row] = state_[row] == RowState::kLower ? bounds.lower[row] : bounds.upper[row];
    }
  }
}

void IndexSets::fillBasis(const ContactProblem& problem, std::span<const Real> extra,
                          FreeBasis& basis) const {
  basis.begin(problem);
  for (const ProblemBlock& block : problem.blocks) {
    basis.beginBlock();
    for (int row = block.firstRow; row < block.firstRow + block.rows; ++row) {
      if (free(row)) basis.addRow(row, extra.empty() ? 0 : extra[row]);
    }
  }
  basis.end();
}

}  // namespace drystone
