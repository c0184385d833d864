#include "solvers/problem/tied_problem.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/check.h"
#include "solvers/problem/residual.h"

namespace drystone {

template <class Visit>
void TiedProblem::forEachWeight(int block, int row, Visit&& visit) const {
  if (side_[block] == 0) return visit(row, Real{1});
  visit(0, Real{0.5});
  visit(1, side_[block]);
}

void TiedProblem::listUnits(const ContactProblem& full, std::span<const BlockTie> ties) {
  const int blocks = full.blockCount();
  unitOf_.assign(blocks, -1);
  side_.assign(blocks, 0);
  firstRow_.resize(blocks);
  rows_.resize(blocks);
  leadOf_.clear();
  isCable_.clear();
  problem_.blocks.clear();
  int row = 0;
  for (int k = 0; k < blocks; ++k) {
    const ProblemBlock& block = full.blocks[k];
    firstRow_[k] = block.firstRow;
    rows_[k] = block.rows;
    const int lead = ties[k].lead < 0 ? k : ties[k].lead;
    const bool rubs = ties[lead].friction > 0;
    if (rubs) side_[k] = ties[k].isBeyond ? 0.5 : -0.5;
    if (unitOf_[lead] < 0) {
      unitOf_[lead] = static_cast<int>(leadOf_.size());
      leadOf_.push_back(lead);
      isCable_.push_back(rubs ? 1 : 0);
      ProblemBlock unit = full.blocks[lead];
      unit.firstRow = row;
      unit.bodyA = unit.bodyB = -1;
      if (rubs) {
        DRYSTONE_ASSERT(unit.rows == 1 && contactRows(full.friction) > 1);
        unit.law = BlockLaw::kContact;
        unit.friction = ties[lead].friction;
        unit.rows = contactRows(full.friction);
      }
      row += unit.rows;
      problem_.blocks.push_back(unit);
    }
    unitOf_[k] = unitOf_[lead];
    DRYSTONE_ASSERT(rubs ? block.rows == 1 : block.rows == problem_.blocks[unitOf_[k]].rows);
  }
  const int units = static_cast<int>(leadOf_.size());
  memberStart_.assign(units + 1, 0);
  for (const int unit : unitOf_) ++memberStart_[unit + 1];
  std::partial_sum(memberStart_.begin(), memberStart_.end(), memberStart_.begin());
  members_.resize(blocks);
  seen_.assign(memberStart_.begin(), memberStart_.end());
  for (int k = 0; k < blocks; ++k) members_[seen_[unitOf_[k]]++] = k;
  for (auto* array :
       {&problem_.b, &problem_.lower, &problem_.upper, &arms_, &lambda_, &startLambda_}) {
    array->assign(row, 0);
  }
  for (auto* array : {&state_, &startState_}) array->assign(row, RowState::kUnknown);
}

/// Adds W_kᵀ A_kl W_l of a stored block (k, l) to a block of the tied matrix.
void TiedProblem::addProduct(const BlockSparseMatrix& full, int stored, int block, int column,
                             Real* out, int columns) const {
  const Real* value = &full.values[full.valueStart[stored]];
  for (int i = 0; i < rows_[block]; ++i) {
    for (int j = 0; j < rows_[column]; ++j, ++value) {
      forEachWeight(block, i, [&](int r, Real left) {
        forEachWeight(column, j,
                      [&](int c, Real right) { out[r * columns + c] += left * *value * right; });
      });
    }
  }
}

/// Makes the stored block (u, v) the transpose of (v, u), v ≤ u: sums of another order would differ
/// from it by round-off.
void TiedProblem::mirror(int v, int u, int stored, BlockSparseMatrix& out) const {
  const int rows = problem_.blocks[u].rows, columns = problem_.blocks[v].rows;
  const auto begin = out.blockColumn.begin() + out.blockStart[v];
  const auto end = out.blockColumn.begin() + out.blockStart[v + 1];
  const auto source = std::lower_bound(begin, end, u) - out.blockColumn.begin();
  const Real* from = &out.values[out.valueStart[source]];
  Real* to = &out.values[out.valueStart[stored]];
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < (u == v ? r : columns); ++c) to[r * columns + c] = from[c * rows + r];
  }
}

void TiedProblem::assemble(const ContactProblem& full) {
  assembleDelassus(full, assembly_, full_);
  if (!problem_.assembled) problem_.assembled.emplace();
  BlockSparseMatrix& out = *problem_.assembled;
  out.clear();
  const int units = static_cast<int>(leadOf_.size());
  out.rowStart.push_back(0);
  out.blockStart.push_back(0);
  out.valueStart.push_back(0);
  seen_.assign(units, -1);  // where the block of a column is stored, while a row is filled
  for (int u = 0; u < units; ++u) {
    columns_.clear();
    const auto forEachStored = [&](auto&& visit) {
      for (int m = memberStart_[u]; m < memberStart_[u + 1]; ++m) {
        const int k = members_[m];
        for (int s = full_.blockStart[k]; s < full_.blockStart[k + 1]; ++s) {
          visit(k, s, full_.blockColumn[s]);
        }
      }
    };
    forEachStored([&](int, int, int column) {
      const int v = unitOf_[column];
      if (seen_[v] == -1) columns_.push_back(v);
      seen_[v] = 0;
    });
    std::ranges::sort(columns_);
    const int rows = problem_.blocks[u].rows;
    for (const int v : columns_) {
      seen_[v] = static_cast<int>(out.blockColumn.size());
      if (v == u) out.diagonal.push_back(seen_[v]);
      out.blockColumn.push_back(v);
      out.valueStart.push_back(out.valueStart.back() + rows * problem_.blocks[v].rows);
    }
    out.rowStart.push_back(out.rowStart.back() + rows);
    out.blockStart.push_back(static_cast<int>(out.blockColumn.size()));
    out.values.resize(out.valueStart.back(), 0);
    forEachStored([&](int k, int s, int column) {
      const int v = unitOf_[column];
      if (v < u) return;  // mirrored
      addProduct(full_, s, k, column, &out.values[out.valueStart[seen_[v]]],
                 problem_.blocks[v].rows);
    });
    for (const int v : columns_) {
      if (v <= u) mirror(v, u, seen_[v], out);
    }
    // Tangents that no cable has are rows of their own: of the size of the first, and at rest.
    if (isCable_[u] != 0) {
      Real* own = &out.values[out.valueStart[seen_[u]]];
      for (int r = 2; r < rows; ++r) own[r * rows + r] = own[rows + 1];
    }
    for (const int v : columns_) seen_[v] = -1;
  }
}

void TiedProblem::make(const ContactProblem& full, std::span<const BlockTie> ties) {
  DRYSTONE_ASSERT(full.assembled == nullptr);
  problem_.friction = full.friction;
  problem_.timestep = full.timestep;
  listUnits(full, ties);
  assemble(full);
  for (int k = 0; k < full.blockCount(); ++k) {
    const ProblemBlock& unit = problem_.blocks[unitOf_[k]];
    const bool isLead = leadOf_[unitOf_[k]] == k;
    for (int i = 0; i < rows_[k]; ++i) {
      const int from = firstRow_[k] + i;
      forEachWeight(k, i, [&](int r, Real weight) {
        const int to = unit.firstRow + r;
        problem_.b[to] += weight * full.b[from];
      });
      if (!isLead) continue;
      const int to = unit.firstRow + i;
      if (!full.lower.empty()) problem_.lower[to] = full.lower[from];
      if (!full.upper.empty()) problem_.upper[to] = full.upper[from];
    }
    if (isLead) {
      for (int i = 0; i < unit.rows; ++i) {
        arms_[unit.firstRow + i] =
            i < rows_[k] ? armOf(full, full.blocks[k], firstRow_[k] + i) : Real{1};
      }
    }
  }
}

ContactProblem TiedProblem::problem() const {
  ContactProblem problem = problem_.view();
  problem.arms = arms_;
  return problem;
}

void TiedProblem::take(ImpulseView full, ImpulseView out) const {
  for (std::size_t u = 0; u < leadOf_.size(); ++u) {
    const ProblemBlock& unit = problem_.blocks[u];
    const auto at = [&](int block, int row) { return full.lambda[firstRow_[block] + row]; };
    if (isCable_[u] == 0) {
      for (int i = 0; i < unit.rows; ++i) {
        out.lambda[unit.firstRow + i] = at(leadOf_[u], i);
        out.state[unit.firstRow + i] =
            full.state.empty() ? RowState::kUnknown : full.state[firstRow_[leadOf_[u]] + i];
      }
      continue;
    }
    Real before = 0, beyond = 0;
    for (int m = memberStart_[u]; m < memberStart_[u + 1]; ++m) {
      (side_[members_[m]] > 0 ? beyond : before) = at(members_[m], 0);
    }
    std::fill_n(out.lambda.begin() + unit.firstRow, unit.rows, 0);
    std::fill_n(out.state.begin() + unit.firstRow, unit.rows, RowState::kUnknown);
    out.lambda[unit.firstRow] = before + beyond;
    out.lambda[unit.firstRow + 1] = beyond - before;
  }
}

void TiedProblem::expand(ImpulseView full) const {
  for (std::size_t k = 0; k < unitOf_.size(); ++k) {
    const ProblemBlock& unit = problem_.blocks[unitOf_[k]];
    for (int i = 0; i < rows_[k]; ++i) {
      Real sum = 0;
      forEachWeight(static_cast<int>(k), i,
                    [&](int r, Real weight) { sum += weight * lambda_[unit.firstRow + r]; });
      full.lambda[firstRow_[k] + i] = sum;
      if (!full.state.empty()) full.state[firstRow_[k] + i] = state_[unit.firstRow + i];
    }
  }
}

}  // namespace drystone
