#pragma once

#include "gpu/kernels/tiles.h"

// What multiplies by tiles of a band matrix: the symmetric product, and the steps of the block
// substitution with inverted diagonal blocks (Litven 2013, alg. 5.3 and listing 6.5).

namespace drystone::gpu {

/// Sums of products of tiles, one row of tiles and 32 right-hand sides a block of threads. `Terms`
/// says which:
///
///   int rowTiles() const;                     // with the launch: blocks = rowTiles · column tiles
///   int mostTerms() const;
///   bool has(int rowTile, int term) const;    // the others are left out
///   bool isTransposed(int rowTile, int term) const;  // how the left tile lies in memory
///   double left(int rowTile, int term, int row, int column) const;  // as it lies
///   double right(int rowTile, int term, int row, int side) const;
///   void store(int rowTile, int row, int side, double sum) const;   // row of the tile
///   bool isOff() const;                       // all of it is left out
template <class Terms>
struct SumOfTiles {
  Terms terms;

  using Shared = double;
  using State = TileSum;
  int sharedCount() const { return 2 * kTileNumbers; }
  DRYSTONE_HD int phaseCount() const { return 2 * terms.mostTerms(); }
  DRYSTONE_HD void phase(int phase, const Place& place, double* shared, State& sum) const {
    if (terms.isOff()) return;
    const int rowTile = place.block % terms.rowTiles(), term = phase / 2;
    const int firstSide = place.block / terms.rowTiles() * kBandTile;
    if (terms.has(rowTile, term)) {
      if (phase % 2 == 0) {
        loadTile(place.thread, shared, terms.isTransposed(rowTile, term),
                 [&](int row, int column) { return terms.left(rowTile, term, row, column); });
        loadTile(place.thread, shared + kTileNumbers, false, [&](int row, int side) {
          return terms.right(rowTile, term, row, firstSide + side);
        });
      } else {
        multiplyTiles(place.thread, shared, shared + kTileNumbers, sum.value);
      }
    }
    if (phase + 1 < phaseCount()) return;
    const TilePart part(place.thread);
    for (int k = 0; k < part.kCount; ++k) {
      terms.store(rowTile, part.row, firstSide + part.column(k), sum.value[k]);
    }
  }
};

/// A row of right-hand sides where there is one, else 0.
DRYSTONE_HD inline double rightEntry(const BandView& view, const double* right, int row, int side) {
  return row < view.sizes.size ? right[view.atRight(row, side)] : 0;
}

/// symbgmm: product = H right. Terms are the tiles of a row of H from left to right; those above
/// the diagonal lie in memory below it.
struct ProductTerms {
  BandView view;

  DRYSTONE_HD bool isOff() const { return false; }
  DRYSTONE_HD int rowTiles() const { return view.sizes.tiles(); }
  DRYSTONE_HD int mostTerms() const { return 2 * view.sizes.reach() + 1; }
  DRYSTONE_HD int column(int rowTile, int term) const {
    return rowTile - view.sizes.reach() + term;
  }
  DRYSTONE_HD bool has(int rowTile, int term) const {
    return column(rowTile, term) >= 0 && column(rowTile, term) < view.sizes.tiles();
  }
  DRYSTONE_HD bool isTransposed(int rowTile, int term) const {
    return column(rowTile, term) > rowTile;
  }
  DRYSTONE_HD double left(int rowTile, int term, int row, int other) const {
    const bool isAbove = isTransposed(rowTile, term);
    const int i = (isAbove ? column(rowTile, term) : rowTile) * kBandTile + row;
    const int j = (isAbove ? rowTile : column(rowTile, term)) * kBandTile + other;
    return i < j ? view.entry(view.matrix, j, i) : view.entry(view.matrix, i, j);
  }
  DRYSTONE_HD double right(int rowTile, int term, int row, int side) const {
    return rightEntry(view, view.right, column(rowTile, term) * kBandTile + row, side);
  }
  DRYSTONE_HD void store(int rowTile, int row, int side, double sum) const {
    const int own = rowTile * kBandTile + row;
    if (own < view.sizes.size) view.product[view.atRight(own, side)] = sum;
  }
};

/// Y_b = X_bb B_b of one block with the inverse X of its diagonal block; with X_bbᵀ on the way
/// back. From `right` to `work`, and back.
struct SolveBlockTerms {
  BandView view;
  int block;
  bool isBack;

  DRYSTONE_HD bool isOff() const { return *view.info != 0; }
  DRYSTONE_HD int rowTiles() const {
    const int left = view.sizes.tiles() - block * kBlockTiles;
    return left < kBlockTiles ? left : kBlockTiles;
  }
  DRYSTONE_HD int mostTerms() const { return rowTiles(); }
  DRYSTONE_HD bool has(int rowTile, int term) const {
    return isBack ? term >= rowTile : term <= rowTile;
  }
  DRYSTONE_HD bool isTransposed(int, int) const { return isBack; }
  DRYSTONE_HD int first(int tile) const { return (block * kBlockTiles + tile) * kBandTile; }
  DRYSTONE_HD double left(int rowTile, int term, int row, int column) const {
    return isBack ? view.inverses[view.atInverse(first(term) + row, first(rowTile) + column)]
                  : view.inverses[view.atInverse(first(rowTile) + row, first(term) + column)];
  }
  DRYSTONE_HD double right(int, int term, int row, int side) const {
    return rightEntry(view, isBack ? view.work : view.right, first(term) + row, side);
  }
  DRYSTONE_HD void store(int rowTile, int row, int side, double sum) const {
    const int own = first(rowTile) + row;
    if (own >= view.sizes.size) return;
    (isBack ? view.right : view.work)[view.atRight(own, side)] = sum;
  }
};

/// B_i −= L_ib Y_b of the tiles below a block that it reaches; B_j −= L_bjᵀ X_b of those above it
/// on the way back.
struct UpdateRowsTerms {
  BandView view;
  int block;
  bool isBack;

  DRYSTONE_HD bool isOff() const { return *view.info != 0; }
  DRYSTONE_HD int firstTile() const { return block * kBlockTiles; }
  DRYSTONE_HD int endTile() const {
    const int end = firstTile() + kBlockTiles;
    return end < view.sizes.tiles() ? end : view.sizes.tiles();
  }
  DRYSTONE_HD int rowTiles() const {
    const int reach = view.sizes.reach();
    const int left = isBack ? firstTile() : view.sizes.tiles() - endTile();
    return left < reach ? left : reach;
  }
  DRYSTONE_HD int mostTerms() const { return endTile() - firstTile(); }
  /// Tile of the rows.
  DRYSTONE_HD int target(int rowTile) const {
    return isBack ? firstTile() - 1 - rowTile : endTile() + rowTile;
  }
  DRYSTONE_HD bool has(int rowTile, int term) const {
    const int between = target(rowTile) - (firstTile() + term);
    return (between < 0 ? -between : between) <= view.sizes.reach();
  }
  DRYSTONE_HD bool isTransposed(int, int) const { return isBack; }
  DRYSTONE_HD double left(int rowTile, int term, int row, int column) const {
    const int own = target(rowTile) * kBandTile, other = (firstTile() + term) * kBandTile;
    return isBack ? view.entry(view.factor, other + row, own + column)
                  : view.entry(view.factor, own + row, other + column);
  }
  DRYSTONE_HD double right(int, int term, int row, int side) const {
    return rightEntry(view, isBack ? view.right : view.work, (firstTile() + term) * kBandTile + row,
                      side);
  }
  DRYSTONE_HD void store(int rowTile, int row, int side, double sum) const {
    const int own = target(rowTile) * kBandTile + row;
    if (own >= view.sizes.size) return;
    (isBack ? view.work : view.right)[view.atRight(own, side)] -= sum;
  }
};

}  // namespace drystone::gpu
