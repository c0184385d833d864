#pragma once

#include <cmath>

#include "gpu/kernels/tiles.h"
#include "solvers/linear/usable_pivot.h"

// Banded Cholesky by tiles, right-looking: of each column of tiles the diagonal one, those below
// it, and then what they change. After a pivot that vanishes all that follows does nothing.

namespace drystone::gpu {

/// L := H, one block of threads a column.
struct CopyBand {
  BandView view;

  using Shared = double;
  struct State {};
  int sharedCount() const { return 0; }
  DRYSTONE_HD int phaseCount() const { return 1; }
  DRYSTONE_HD void phase(int, const Place& place, double*, State&) const {
    const std::size_t first = view.at(place.block, place.block);
    for (std::size_t i = place.thread; i <= view.sizes.stride(); i += place.threads) {
      view.factor[first + i] = view.matrix[first + i];
    }
    if (place.block == 0 && place.thread == 0) *view.info = 0;
  }
};

/// Diagonal tile: L_kk and its inverse, in one block of threads. Phases: load; for each column
/// pivot, division, update of the columns behind it; inversion; store.
struct FactorDiagonalTile {
  BandView view;
  int tile;

  using Shared = double;
  struct State {
    bool isOver = false;
  };
  static constexpr int kPhases = 3;  ///< of a column
  int sharedCount() const { return 2 * kTileNumbers; }
  DRYSTONE_HD int first() const { return tile * kBandTile; }
  DRYSTONE_HD int columns() const {
    const int left = view.sizes.size - first();
    return left < kBandTile ? left : kBandTile;
  }
  DRYSTONE_HD int phaseCount() const { return kPhases * columns() + 3; }

  DRYSTONE_HD void phase(int phase, const Place& place, double* shared, State& state) const {
    if (phase == 0) {
      state.isOver = *view.info != 0;
      loadTile(place.thread, shared, false, [&](int row, int column) {
        return view.entry(view.factor, first() + row, first() + column);
      });
    }
    if (phase == 0 || state.isOver) return;
    const int column = (phase - 1) / kPhases, step = (phase - 1) % kPhases;
    if (column < columns()) {
      if (step == 0) {
        if (place.thread == 0) takeRoot(column, shared);
      } else if (step == 1) {
        state.isOver = shared[inTile(column, column)] == 0;
        divide(column, place.thread, shared);
      } else {
        update(column, place.thread, shared);
      }
    } else if (step == 0) {
      invertColumn(place.thread, shared, shared + kTileNumbers);
    } else {
      store(place.thread, shared, shared + kTileNumbers);
    }
  }

 private:
  /// 0 stands for a pivot that vanishes.
  DRYSTONE_HD void takeRoot(int column, double* l) const {
    double& pivot = l[inTile(column, column)];
    const int row = first() + column;
    if (isUsablePivot(pivot, view.matrix[view.at(row, row)])) {
      pivot = std::sqrt(pivot);
    } else {
      pivot = 0;
      *view.info = 1 + row;
    }
  }
  DRYSTONE_HD void divide(int column, int thread, double* l) const {
    const double root = l[inTile(column, column)];
    if (root == 0 || thread <= column || thread >= columns()) return;
    l[inTile(thread, column)] /= root;
  }
  DRYSTONE_HD void update(int column, int thread, double* l) const {
    const TilePart part(thread);
    for (int k = 0; k < part.kCount; ++k) {
      const int other = part.column(k);
      if (other <= column || part.row < other || part.row >= columns()) continue;
      l[inTile(part.row, other)] -= l[inTile(part.row, column)] * l[inTile(other, column)];
    }
  }
  /// Column `thread` of X = L⁻¹: X_ij = (1_ij − Σ_{j ≤ k < i} L_ik X_kj)/L_ii.
  DRYSTONE_HD void invertColumn(int thread, const double* l, double* x) const {
    if (thread >= columns()) return;
    for (int i = thread; i < columns(); ++i) {
      double sum = i == thread ? 1 : 0;
      for (int k = thread; k < i; ++k) sum -= l[inTile(i, k)] * x[inTile(k, thread)];
      x[inTile(i, thread)] = sum / l[inTile(i, i)];
    }
  }
  DRYSTONE_HD void store(int thread, const double* l, const double* x) const {
    const TilePart part(thread);
    for (int k = 0; k < part.kCount; ++k) {
      const int row = first() + part.row, column = first() + part.column(k);
      const bool isBelow = part.row >= part.column(k) && part.row < columns();
      view.inverses[view.atInverse(row, column)] =
          isBelow ? x[inTile(part.row, part.column(k))] : 0;
      if (view.isStored(row, column)) {
        view.factor[view.at(row, column)] = l[inTile(part.row, part.column(k))];
      }
    }
  }
};

/// Tiles below the diagonal one: L_ik = A_ik L_kk⁻ᵀ, a block of threads each.
struct SolveTilesBelow {
  BandView view;
  int tile;

  using Shared = double;
  using State = TileSum;
  int sharedCount() const { return 2 * kTileNumbers; }
  DRYSTONE_HD int phaseCount() const { return 2; }
  DRYSTONE_HD void phase(int phase, const Place& place, double* shared, State& sum) const {
    if (*view.info != 0) return;
    const int first = tile * kBandTile, firstRow = (tile + 1 + place.block) * kBandTile;
    if (phase == 0) {
      loadTile(place.thread, shared, false, [&](int row, int column) {
        return view.entry(view.factor, firstRow + row, first + column);
      });
      loadTile(place.thread, shared + kTileNumbers, true, [&](int row, int column) {
        return view.inverses[view.atInverse(first + row, first + column)];
      });
      return;
    }
    multiplyTiles(place.thread, shared, shared + kTileNumbers, sum.value);
    const TilePart part(place.thread);
    for (int k = 0; k < part.kCount; ++k) {
      const int row = firstRow + part.row, column = first + part.column(k);
      if (view.isStored(row, column)) view.factor[view.at(row, column)] = sum.value[k];
    }
  }
};

/// A_ij −= L_ik L_jkᵀ of the tiles i ≥ j behind tile k that it reaches, a block of threads each.
struct UpdateTilesBehind {
  BandView view;
  int tile;

  using Shared = double;
  using State = TileSum;
  int sharedCount() const { return 2 * kTileNumbers; }
  DRYSTONE_HD int phaseCount() const { return 2; }
  DRYSTONE_HD void phase(int phase, const Place& place, double* shared, State& sum) const {
    if (*view.info != 0) return;
    // Blocks count through the triangle row by row.
    int i = 0, j = place.block;
    for (; j > i; ++i) j -= i + 1;
    const int first = tile * kBandTile;
    const int rows = first + (1 + i) * kBandTile, columns = first + (1 + j) * kBandTile;
    if (phase == 0) {
      loadTile(place.thread, shared, false, [&](int row, int column) {
        return view.entry(view.factor, rows + row, first + column);
      });
      loadTile(place.thread, shared + kTileNumbers, true, [&](int row, int column) {
        return view.entry(view.factor, columns + row, first + column);
      });
      return;
    }
    multiplyTiles(place.thread, shared, shared + kTileNumbers, sum.value);
    const TilePart part(place.thread);
    for (int k = 0; k < part.kCount; ++k) {
      const int row = rows + part.row, column = columns + part.column(k);
      if (view.isStored(row, column)) view.factor[view.at(row, column)] -= sum.value[k];
    }
  }
};

/// Inverses of the diagonal blocks below their diagonal tiles, X_ic = −X_ii Σ_{c ≤ k < i} L_ik X_kc
/// (Litven 2013, §5.3): a block of threads for each column of tiles. Phases of a tile: loading and
/// product of up to three terms; sum and X_ii to shared memory; product.
struct InvertBlocks {
  BandView view;

  using Shared = double;
  using State = TileSum;
  static constexpr int kMostTerms = kBlockTiles - 1;
  static constexpr int kPhases = 2 * kMostTerms + 2;  ///< of a tile
  int sharedCount() const { return 2 * kTileNumbers; }
  DRYSTONE_HD int phaseCount() const { return kMostTerms * kPhases; }
  DRYSTONE_HD void phase(int phase, const Place& place, double* shared, State& sum) const {
    if (*view.info != 0) return;
    const int c = place.block, i = c + 1 + phase / kPhases, step = phase % kPhases;
    if (i / kBlockTiles != c / kBlockTiles || i >= view.sizes.tiles()) return;
    const int rows = i * kBandTile, columns = c * kBandTile;
    double* left = shared;
    double* right = shared + kTileNumbers;
    const auto inverse = [&](int firstRow, int firstColumn) {
      return [this, firstRow, firstColumn](int row, int column) {
        return view.inverses[view.atInverse(firstRow + row, firstColumn + column)];
      };
    };
    const TilePart part(place.thread);
    if (step < 2 * kMostTerms) {
      const int k = c + step / 2;
      if (k >= i) return;
      if (step % 2 == 1) return multiplyTiles(place.thread, left, right, sum.value);
      loadTile(place.thread, left, false, [&](int row, int column) {
        return view.entry(view.factor, rows + row, k * kBandTile + column);
      });
      loadTile(place.thread, right, false, inverse(k * kBandTile, columns));
    } else if (step == 2 * kMostTerms) {
      loadTile(place.thread, left, false, inverse(rows, rows));
      for (int k = 0; k < part.kCount; ++k) {
        right[inTile(part.row, part.column(k))] = -sum.value[k];
        sum.value[k] = 0;
      }
    } else {
      multiplyTiles(place.thread, left, right, sum.value);
      for (int k = 0; k < part.kCount; ++k) {
        view.inverses[view.atInverse(rows + part.row, columns + part.column(k))] = sum.value[k];
        sum.value[k] = 0;
      }
    }
  }
};

}  // namespace drystone::gpu
