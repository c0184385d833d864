#pragma once

#include <algorithm>

#include "gpu/kernels/band_factor_kernels.h"
#include "gpu/kernels/band_product_kernels.h"

namespace drystone::gpu {

/// Launches for band matrices.
struct BandForm {
  /// L, and the inverses of its diagonal blocks.
  template <class Executor>
  static void factor(Executor& executor, const BandView& view) {
    const BandSizes& sizes = view.sizes;
    executor.launch(sizes.size, kTileThreads, CopyBand{view});
    for (int tile = 0; tile < sizes.tiles(); ++tile) {
      const int below = std::min(sizes.reach(), sizes.tiles() - 1 - tile);
      executor.launch(1, kTileThreads, FactorDiagonalTile{view, tile});
      executor.launch(below, kTileThreads, SolveTilesBelow{view, tile});
      executor.launch(below * (below + 1) / 2, kTileThreads, UpdateTilesBehind{view, tile});
    }
    executor.launch(sizes.tiles(), kTileThreads, InvertBlocks{view});
  }

  /// right := H⁻¹ right of so many tiles of right-hand sides, after `factor`.
  template <class Executor>
  static void solve(Executor& executor, const BandView& view, int sideTiles) {
    const int blocks = view.sizes.blocks();
    for (int block = 0; block < blocks; ++block) {
      sum(executor, SolveBlockTerms{view, block, false}, sideTiles);
      sum(executor, UpdateRowsTerms{view, block, false}, sideTiles);
    }
    for (int block = blocks - 1; block >= 0; --block) {
      sum(executor, SolveBlockTerms{view, block, true}, sideTiles);
      sum(executor, UpdateRowsTerms{view, block, true}, sideTiles);
    }
  }

  /// product := H right.
  template <class Executor>
  static void multiply(Executor& executor, const BandView& view, int sideTiles) {
    sum(executor, ProductTerms{view}, sideTiles);
  }

 private:
  template <class Executor, class Terms>
  static void sum(Executor& executor, const Terms& terms, int sideTiles) {
    executor.launch(terms.rowTiles() * sideTiles, kTileThreads, SumOfTiles<Terms>{terms});
  }
};

}  // namespace drystone::gpu
