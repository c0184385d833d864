#include "solvers/staggered/qp_half.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/check.h"

namespace drystone {
namespace {

/// Band beyond which the space of the bodies is cheaper, where there is one (bench_staggered
/// factors: as quick at 15, twice as quick at 45); and numbers of the largest band that is stored
/// where there is none.
constexpr int kWideBand = 32;
constexpr std::int64_t kMaxStorage = std::int64_t{1} << 24;

/// A_ij of two rows, given the stored block (i's, j's); ½ (A_ij + A_ji) where A is not symmetric.
class MatrixEntries {
 public:
  explicit MatrixEntries(const RowSystem& rows)
      : a_(*rows.matrix()), isSymmetric_(rows.asymmetry() == 0) {}

  const BlockSparseMatrix& matrix() const { return a_; }
  Real entry(int stored, int i, int j, int block) const {
    const int other = a_.blockColumn[stored];
    const Real own = a_.values[a_.valueStart[stored] + i * a_.blockRows(other) + j];
    if (isSymmetric_) return own;
    const auto begin = a_.blockColumn.begin() + a_.blockStart[other];
    const auto end = a_.blockColumn.begin() + a_.blockStart[other + 1];
    const auto mirror = std::lower_bound(begin, end, block);
    if (mirror == end || *mirror != block) return own / 2;
    const auto index = mirror - a_.blockColumn.begin();
    return (own + a_.values[a_.valueStart[index] + j * a_.blockRows(block) + i]) / 2;
  }

 private:
  const BlockSparseMatrix& a_;
  bool isSymmetric_;
};

}  // namespace

void QpTotals::add(const QpReport& report) {
  ++qps;
  unsolved += report.status == SolveStatus::kConverged ? 0 : 1;
  iterations += report.iterations;
  iterationsMost = std::max(iterationsMost, report.iterations);
  descents += report.descents;
  interiorSteps += report.interiorSteps;
  changes += report.changes;
  refinements += report.refinements;
  factorizations += report.factorizations;
  solves += report.solves;
  kktError = std::max(kktError, report.kktError);
}

void QpHalf::reserve(const ProblemSize& size) {
  sparse_.reserve(size);
  for (auto* array : {&x, &lower, &upper, &metric_, &linear_, &change_, &product_}) {
    array->reserve(size.rows);
  }
  sets.reserve(size.rows);
  variables_.reserve(size.rows);
  variableOfRow_.reserve(size.rows);
}

void QpHalf::add(const RowMix& variable, Real metric) {
  variables_.push_back(variable);
  metric_.push_back(metric);
}

void QpHalf::fillHessian(const RowSystem& rows) {
  const MatrixEntries entries(rows);
  const BlockSparseMatrix& a = entries.matrix();
  constexpr int kNone = -1;
  variableOfRow_.assign(rows.rowCount(), kNone);
  for (int i = 0; i < size(); ++i) variableOfRow_[variables_[i].row] = i;
  hessian_.clear();
  isTurned_ = false;
  for (const RowMix& variable : variables_) {
    const int block = variable.block, inBlock = variable.row - a.rowStart[block];
    for (int stored = a.blockStart[block]; stored < a.blockStart[block + 1]; ++stored) {
      const int other = a.blockColumn[stored];
      for (int j = 0; j < a.blockRows(other); ++j) {
        const int column = variableOfRow_[a.rowStart[other] + j];
        if (column != kNone) hessian_.add(column, entries.entry(stored, inBlock, j, block));
      }
    }
    hessian_.endRow();
  }
}

void QpHalf::turn(std::span<const PairFrame> frames) {
  DRYSTONE_ASSERT(static_cast<int>(frames.size()) * 2 == size());
  turnPairs(hessian_, frames, turned_);
  isTurned_ = true;
  for (int i = 0; i < size(); ++i) {
    if (variables_[i].isPlain) variables_[i].row -= 1 + i % 2;
    variables_[i].isPlain = false;
  }
  for (std::size_t k = 0; k < frames.size(); ++k) {
    variables_[2 * k].weights = Vec3(0, frames[k].cosine, frames[k].sine);
    variables_[2 * k + 1].weights = Vec3(0, -frames[k].sine, frames[k].cosine);
  }
}

void QpHalf::attach(RowSystem& rows, StaggeredFactor factor, int threads,
                    const QpSettings& settings) {
  bool isBanded = factor != StaggeredFactor::kSparse;
  if (isBanded) {
    banded_.attach(hessian());
    const std::int64_t storage = std::int64_t{size()} * (banded_.bandwidth() + 1);
    const bool isNarrow = rows.problem().assembled != nullptr ? storage <= kMaxStorage
                                                              : banded_.bandwidth() <= kWideBand;
    isBanded = factor == StaggeredFactor::kBanded || isNarrow;
  }
  timed_.attach(isBanded ? static_cast<K0Solve&>(banded_) : sparse_);
  pdasm_.attach(hessian(), metric_, timed_, settings);
  banded_.setThreads(threads);
  if (!isBanded) sparse_.attach(rows, variables_);
  regularization_ = 0;
  for (const Real extra : pdasm_.extra()) regularization_ = std::max(regularization_, extra);
}

void QpHalf::predictSets(std::span<const Real> w) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Real z = x[i] - w[i] / metric_[i];
    sets[i] = z < lower[i] ? RowState::kLower : z > upper[i] ? RowState::kUpper : RowState::kFree;
  }
}

void QpHalf::solve(std::span<const Real> w) {
  const Timer timer;
  linear_.resize(x.size());
  change_.assign(x.begin(), x.end());
  product_.resize(x.size());
  hessian().multiply(x, product_);
  startNorm_ = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    linear_[i] = product_[i] - w[i];
    startNorm_ += x[i] * product_[i];
  }
  const double factorMs = timed_.factorMs(), solveMs = timed_.solveMs();
  const QpReport report = pdasm_.solve(view(), sets, x);
  totals.add(report);
  totals.factorMs += timed_.factorMs() - factorMs;
  totals.solveMs += timed_.solveMs() - solveMs;
  for (std::size_t i = 0; i < x.size(); ++i) change_[i] = x[i] - change_[i];
  hessian().multiply(change_, product_);
  changeNorm_ = norm_ = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    changeNorm_ += change_[i] * product_[i];
    norm_ += x[i] * (pdasm_.gradient()[i] + linear_[i]);
  }
  totals.timeMs += timer.milliseconds();
}

Real QpHalf::errorAt(std::span<const Real> w) const { return kktError(view(), metric_, x, w); }

}  // namespace drystone
