#include "solvers/banded/banded_cholesky.h"

#include <algorithm>
#include <cmath>

#include "engine/core/check.h"
#include "engine/core/parallel.h"
#include "solvers/direct/pivot_limits.h"

// LAPACK's Fortran routine; the last argument is the length of `uplo`.
extern "C" void dpbtrf_(const char* uplo, const int* n, const int* bandwidth, double* band,
                        const int* leading, int* info, std::size_t uploLength);

namespace drystone {
namespace {

constexpr int kWidth = BandedCholesky::kPanel;

/// target −= row · source for one row of `count` numbers and as many rows of a panel.
inline void subtractProduct(const Real* row, const Real* source, int count, Real* target) {
  Real sum[kWidth] = {};
  for (int j = 0; j < count; ++j) {
    for (int k = 0; k < kWidth; ++k) sum[k] += row[j] * source[j * kWidth + k];
  }
  for (int k = 0; k < kWidth; ++k) target[k] -= sum[k];
}

/// targets −= rowᵀ · source, the transpose of the above: `count` rows of a panel from one.
inline void subtractTransposed(const Real* row, const Real* source, int count, Real* targets) {
  for (int j = 0; j < count; ++j) {
    for (int k = 0; k < kWidth; ++k) targets[j * kWidth + k] -= row[j] * source[k];
  }
}

}  // namespace

void BandedCholesky::begin(int size, int bandwidth) {
  size_ = size;
  bandwidth_ = std::clamp(bandwidth, 0, std::max(size - 1, 0));
  band_.assign(static_cast<std::size_t>(size) * (bandwidth_ + 1), 0);
  isPacked_ = false;
}

bool BandedCholesky::factor() {
  diagonal_.resize(size_);
  for (int i = 0; i < size_; ++i) diagonal_[i] = band_[index(i, i)];
  isPacked_ = false;
  if (size_ == 0) return true;
  const int leading = bandwidth_ + 1;
  int info = 0;
  dpbtrf_("L", &size_, &bandwidth_, band_.data(), &leading, &info, 1);
  if (info != 0) return false;
  for (int i = 0; i < size_; ++i) {
    const Real root = band_[index(i, i)];
    if (!isUsablePivot(root * root, diagonal_[i])) return false;
  }
  return true;
}

void BandedCholesky::solve(std::span<Real> x) const {
  DRYSTONE_ASSERT(static_cast<int>(x.size()) == size_);
  for (int j = 0; j < size_; ++j) {
    const Real* column = &band_[index(j, j)];
    const int below = std::min(bandwidth_, size_ - 1 - j);
    x[j] /= column[0];
    for (int i = 1; i <= below; ++i) x[j + i] -= column[i] * x[j];
  }
  for (int j = size_ - 1; j >= 0; --j) {
    const Real* column = &band_[index(j, j)];
    const int below = std::min(bandwidth_, size_ - 1 - j);
    Real sum = 0;
    for (int i = 1; i <= below; ++i) sum += column[i] * x[j + i];
    x[j] = (x[j] - sum) / column[0];
  }
}

void BandedCholesky::packBlock(int block) {
  const int begin = blockBegin(block), end = blockEnd(block);
  Real* packed = &blocks_[blockStart_[block]];
  std::fill(packed, &blocks_[0] + blockStart_[block + 1], 0);
  // Inverse of the triangle, row by row: X_ij = −(Σ_{j ≤ k < i} L_ik X_kj) / L_ii, X_ii = 1/L_ii.
  for (int i = begin; i < end; ++i) {
    Real* row = packed + (i - begin) * kBlock;
    const Real pivot = band_[index(i, i)];
    for (int k = std::max(begin, i - bandwidth_); k < i; ++k) {
      const Real* other = packed + (k - begin) * kBlock;
      const Real value = band_[index(i, k)] / pivot;
      for (int j = 0; j <= k - begin; ++j) row[j] -= value * other[j];
    }
    row[i - begin] = 1 / pivot;
  }
  for (int i = end; i < reachEnd(block); ++i) {
    Real* row = packed + (i - begin) * kBlock;
    for (int j = std::max(begin, i - bandwidth_); j < end; ++j) row[j - begin] = band_[index(i, j)];
  }
}

void BandedCholesky::packBlocks(int threads) {
  const int blocks = (size_ + kBlock - 1) / kBlock;
  blockStart_.assign(1, 0);
  for (int block = 0; block < blocks; ++block) {
    const int rows = reachEnd(block) - blockBegin(block);
    blockStart_.push_back(blockStart_.back() + static_cast<std::size_t>(rows) * kBlock);
  }
  blocks_.resize(blockStart_.back());
  parallelFor(blocks, threads, [&](int block, int) { packBlock(block); });
  isPacked_ = true;
}

void BandedCholesky::solvePanel(Real* panel) const {
  const int blocks = static_cast<int>(blockStart_.size()) - 1;
  Real solved[kBlock * kWidth];
  for (int block = 0; block < blocks; ++block) {
    const int begin = blockBegin(block), width = blockEnd(block) - begin;
    const Real* packed = &blocks_[blockStart_[block]];
    Real* top = panel + begin * kWidth;
    // Y_i = −(−D⁻¹ B_i): the products subtract.
    std::fill(solved, solved + width * kWidth, 0);
    for (int i = 0; i < width; ++i) {
      subtractProduct(packed + i * kBlock, top, i + 1, solved + i * kWidth);
    }
    for (int i = 0; i < width * kWidth; ++i) top[i] = -solved[i];
    for (int i = blockEnd(block); i < reachEnd(block); ++i) {
      // The band of row i starts at column i − bandwidth.
      const int skip = std::max(0, i - bandwidth_ - begin);
      subtractProduct(packed + (i - begin) * kBlock + skip, top + skip * kWidth, width - skip,
                      panel + i * kWidth);
    }
  }
  for (int block = blocks - 1; block >= 0; --block) {
    const int begin = blockBegin(block), width = blockEnd(block) - begin;
    const Real* packed = &blocks_[blockStart_[block]];
    Real* top = panel + begin * kWidth;
    for (int i = blockEnd(block); i < reachEnd(block); ++i) {
      const int skip = std::max(0, i - bandwidth_ - begin);
      subtractTransposed(packed + (i - begin) * kBlock + skip, panel + i * kWidth, width - skip,
                         top + skip * kWidth);
    }
    std::fill(solved, solved + width * kWidth, 0);
    for (int i = 0; i < width; ++i) {
      subtractTransposed(packed + i * kBlock, top + i * kWidth, i + 1, solved);
    }
    for (int i = 0; i < width * kWidth; ++i) top[i] = -solved[i];
  }
}

void BandedCholesky::solveMany(std::span<Real> columns, int count, int threads) {
  DRYSTONE_ASSERT(columns.size() == static_cast<std::size_t>(size_) * count);
  if (count == 0 || size_ == 0) return;
  if (count == 1) return solve(columns);
  if (!isPacked_) packBlocks(threads);
  const int panels = (count + kPanel - 1) / kPanel;
  const std::size_t stride = static_cast<std::size_t>(size_) * kPanel;
  panels_.resize(stride * panels);
  parallelFor(panels, threads, [&](int p, int) {
    Real* panel = &panels_[stride * p];
    Real* first = columns.data() + static_cast<std::size_t>(p) * kPanel * size_;
    const int used = std::min(kPanel, count - p * kPanel);
    for (int i = 0; i < size_; ++i) {
      for (int k = 0; k < kPanel; ++k) {
        panel[i * kPanel + k] = k < used ? first[static_cast<std::size_t>(k) * size_ + i] : 0;
      }
    }
    solvePanel(panel);
    for (int k = 0; k < used; ++k) {
      for (int i = 0; i < size_; ++i) {
        first[static_cast<std::size_t>(k) * size_ + i] = panel[i * kPanel + k];
      }
    }
  });
}

}  // namespace drystone
