#pragma once

#include "gpu/kernels/place.h"
#include "gpu/layout/band_view.h"

// Products of tiles of 32 × 32 numbers in shared memory: what the band kernels are made of. A block
// has 256 threads; a thread has one row of a tile and every eighth column.

namespace drystone::gpu {

constexpr int kTileThreads = 256;
/// From column to column of a tile in shared memory: rows and columns are both read without two
/// threads of a warp meeting in a bank.
constexpr int kTilePitch = kBandTile + 1;
constexpr int kTileNumbers = kBandTile * kTilePitch;

/// The numbers of a tile that are a thread's.
struct TilePart {
  static constexpr int kColumns = kTileThreads / kBandTile;  ///< that threads have at a time
  static constexpr int kCount = kBandTile / kColumns;
  int row, firstColumn;

  DRYSTONE_HD explicit TilePart(int thread)
      : row(thread % kBandTile), firstColumn(thread / kBandTile) {}
  DRYSTONE_HD int column(int k) const { return firstColumn + k * kColumns; }
};

/// Where a number of a tile lies in shared memory.
DRYSTONE_HD inline int inTile(int row, int column) { return row + column * kTilePitch; }

/// Fills a tile: (row, column) → `value(row, column)`, or with rows and columns exchanged.
template <class Value>
DRYSTONE_HD inline void loadTile(int thread, double* tile, bool isTransposed, const Value& value) {
  const TilePart part(thread);
  for (int k = 0; k < part.kCount; ++k) {
    const int column = part.column(k);
    tile[isTransposed ? inTile(column, part.row) : inTile(part.row, column)] =
        value(part.row, column);
  }
}

/// sum += left right, of a thread's numbers.
DRYSTONE_HD inline void multiplyTiles(int thread, const double* left, const double* right,
                                      double* sum) {
  const TilePart part(thread);
  for (int inner = 0; inner < kBandTile; ++inner) {
    const double own = left[inTile(part.row, inner)];
    for (int k = 0; k < part.kCount; ++k) sum[k] += own * right[inTile(inner, part.column(k))];
  }
}

/// What a thread keeps of a sum of products of tiles.
struct TileSum {
  double value[TilePart::kCount] = {};
};

}  // namespace drystone::gpu
