#include "solvers/linear/banded_cholesky.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "core/check.h"
#include "core/parallel.h"
#include "solvers/linear/usable_pivot.h"

// LAPACK's Fortran routine; the last argument is the length of `uplo`.
extern "C" void dpbtrf_(const char* uplo, const int* n, const int* bandwidth, double* band,
                        const int* leading, int* info, std::size_t uploLength);

namespace drystone {
namespace {

/// Rows of a panel that stay in the first cache while the columns of a block pass over them.
constexpr int kTile = 192;

/// A row of a panel.
template <int Width>
using Lane = Eigen::Array<Real, Width, 1>;

template <int Width>
Eigen::Map<Lane<Width>> laneOf(Real* panel, int row) {
  return Eigen::Map<Lane<Width>>(panel + static_cast<std::ptrdiff_t>(row) * Width);
}

}  // namespace

BandEntries BandedCholesky::begin(int size, int bandwidth) {
  size_ = size;
  bandwidth_ = std::clamp(bandwidth, 0, std::max(size - 1, 0));
  band_.assign(static_cast<std::size_t>(size) * (bandwidth_ + 1), 0);
  hasInverses_ = false;
  return {band_.data(), static_cast<std::size_t>(bandwidth_)};
}

bool BandedCholesky::factor() {
  diagonal_.resize(size_);
  for (int i = 0; i < size_; ++i) diagonal_[i] = band_[index(i, i)];
  hasInverses_ = false;
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

void BandedCholesky::invertBlock(int block) {
  const int begin = blockBegin(block), end = blockEnd(block);
  Real* inverse = inverseOf(block);
  std::fill(inverse, inverse + block_ * block_, 0);
  // Row by row: X_ij = −(Σ_{j ≤ k < i} L_ik X_kj) / L_ii, X_ii = 1/L_ii.
  for (int i = begin; i < end; ++i) {
    Real* row = inverse + (i - begin) * block_;
    const Real pivot = band_[index(i, i)];
    for (int k = std::max(begin, i - bandwidth_); k < i; ++k) {
      const Real* other = inverse + (k - begin) * block_;
      const Real value = band_[index(i, k)] / pivot;
      for (int j = 0; j <= k - begin; ++j) row[j] -= value * other[j];
    }
    row[i - begin] = 1 / pivot;
  }
}

void BandedCholesky::invertBlocks(int threads) {
  // Products of blocks cost half a block a row, and a block is what a panel's tile is read for.
  block_ = std::clamp(bandwidth_ / 4, kLeastBlock, kMostBlock);
  const int blocks = (size_ + block_ - 1) / block_;
  inverses_.resize(inverseStart(blocks));
  parallelFor(blocks, threads, [&](int block, int) { invertBlock(block); });
  hasInverses_ = true;
}

template <int Width>
void BandedCholesky::eliminate(int block, Real* panel) const {
  const int begin = blockBegin(block), end = blockEnd(block);
  const Real* inverse = inverseOf(block);
  Lane<Width> solved[kMostBlock];
  for (int i = 0; i < end - begin; ++i) {
    solved[i].setZero();
    for (int j = 0; j <= i; ++j) {
      solved[i] += inverse[i * block_ + j] * laneOf<Width>(panel, begin + j);
    }
  }
  for (int i = begin; i < end; ++i) laneOf<Width>(panel, i) = solved[i - begin];
  for (int tile = end; tile < reachEnd(block); tile += kTile) {
    const int tileEnd = tile + kTile;
    for (int j = begin; j < end; j += 2) {
      const Lane<Width> left = solved[j - begin];
      const Real* column = &band_[index(j, j)];
      const int leftEnd = std::min(tileEnd, columnEnd(j));
      int i = tile;
      if (j + 1 == end) {
        for (; i < leftEnd; ++i) laneOf<Width>(panel, i) -= column[i - j] * left;
        break;
      }
      const Lane<Width> right = solved[j + 1 - begin];
      const Real* next = &band_[index(j + 1, j + 1)] - 1;
      for (; i < leftEnd; ++i) {
        laneOf<Width>(panel, i) -= column[i - j] * left + next[i - j] * right;
      }
      const int rightEnd = std::min(tileEnd, columnEnd(j + 1));
      for (; i < rightEnd; ++i) laneOf<Width>(panel, i) -= next[i - j] * right;
    }
  }
}

template <int Width>
void BandedCholesky::substituteBack(int block, Real* panel) const {
  const int begin = blockBegin(block), end = blockEnd(block);
  for (int tile = end; tile < reachEnd(block); tile += kTile) {
    const int tileEnd = tile + kTile;
    for (int j = begin; j < end; j += 2) {
      const Real* column = &band_[index(j, j)];
      const int leftEnd = std::min(tileEnd, columnEnd(j));
      Lane<Width> left = Lane<Width>::Zero(), right = Lane<Width>::Zero();
      int i = tile;
      if (j + 1 == end) {
        for (; i < leftEnd; ++i) left += column[i - j] * laneOf<Width>(panel, i);
        laneOf<Width>(panel, j) -= left;
        break;
      }
      const Real* next = &band_[index(j + 1, j + 1)] - 1;
      for (; i < leftEnd; ++i) {
        const Lane<Width> row = laneOf<Width>(panel, i);
        left += column[i - j] * row;
        right += next[i - j] * row;
      }
      const int rightEnd = std::min(tileEnd, columnEnd(j + 1));
      for (; i < rightEnd; ++i) right += next[i - j] * laneOf<Width>(panel, i);
      laneOf<Width>(panel, j) -= left;
      laneOf<Width>(panel, j + 1) -= right;
    }
  }
  const Real* inverse = inverseOf(block);
  Lane<Width> solved[kMostBlock];
  for (int i = 0; i < end - begin; ++i) solved[i].setZero();
  for (int i = 0; i < end - begin; ++i) {
    const Lane<Width> row = laneOf<Width>(panel, begin + i);
    for (int j = 0; j <= i; ++j) solved[j] += inverse[i * block_ + j] * row;
  }
  for (int i = begin; i < end; ++i) laneOf<Width>(panel, i) = solved[i - begin];
}

template <int Width>
void BandedCholesky::solvePanel(std::span<Real> columns, Real* panel) const {
  const int used = static_cast<int>(columns.size()) / size_;
  for (int i = 0; i < size_; ++i) {
    for (int k = 0; k < Width; ++k) {
      panel[i * Width + k] = k < used ? columns[static_cast<std::size_t>(k) * size_ + i] : 0;
    }
  }
  const int blocks = (size_ + block_ - 1) / block_;
  for (int block = 0; block < blocks; ++block) eliminate<Width>(block, panel);
  for (int block = blocks - 1; block >= 0; --block) substituteBack<Width>(block, panel);
  for (int k = 0; k < used; ++k) {
    for (int i = 0; i < size_; ++i) {
      columns[static_cast<std::size_t>(k) * size_ + i] = panel[i * Width + k];
    }
  }
}

void BandedCholesky::solveMany(std::span<Real> columns, int count, int threads) {
  DRYSTONE_ASSERT(columns.size() == static_cast<std::size_t>(size_) * count);
  if (count == 0 || size_ == 0) return;
  if (count == 1) return solve(columns);
  if (!hasInverses_) invertBlocks(threads);
  const int panels = (count + kPanel - 1) / kPanel;
  const std::size_t stride = static_cast<std::size_t>(size_) * kPanel;
  panels_.resize(stride * panels);
  parallelFor(panels, threads, [&](int p, int) {
    Real* panel = &panels_[stride * p];
    const int used = std::min(kPanel, count - p * kPanel);
    const std::span<Real> part =
        columns.subspan(stride * p, static_cast<std::size_t>(size_) * used);
    // No wider than it must be: what is padded takes as long as what is used.
    if (used <= 2) {
      solvePanel<2>(part, panel);
    } else if (used <= 4) {
      solvePanel<4>(part, panel);
    } else {
      solvePanel<kPanel>(part, panel);
    }
  });
}

}  // namespace drystone
