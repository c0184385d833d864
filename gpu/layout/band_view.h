#pragma once

#include "core/host_device.h"
#include "gpu/layout/memory_layout.h"

namespace drystone::gpu {

/// Rows and columns of a tile: what a block of threads works on at a time.
constexpr int kBandTile = 32;
/// Tiles of a block of the substitution: the longer, the fewer blocks wait for each other, and the
/// more it costs to invert them.
constexpr int kBlockTiles = 4;
/// Right-hand sides that are solved in one go; a multiple of a tile.
constexpr int kMostRightSides = 128;

struct BandSizes {
  int size = 0;
  int bandwidth = 0;  ///< diagonals below the main one, at most size − 1

  DRYSTONE_HD int tiles() const { return (size + kBandTile - 1) / kBandTile; }
  DRYSTONE_HD int blocks() const { return (tiles() + kBlockTiles - 1) / kBlockTiles; }
  /// Tiles below the diagonal one in which a column of tiles has numbers.
  DRYSTONE_HD int reach() const { return (bandwidth + kBandTile - 1) / kBandTile; }
  /// From column to column: so that the tiles of the band are those of a dense matrix.
  DRYSTONE_HD std::size_t stride() const { return paddedCount(bandwidth); }
};

/// A symmetric positive definite band matrix H = L Lᵀ, and right-hand sides. Of both matrices the
/// lower triangle: (i, j) lies at i + j · stride, which is LAPACK's band with padded columns.
struct BandView {
  BandSizes sizes;
  std::size_t rightStride = 0;  ///< from right-hand side to right-hand side

  // Uploaded before a factor.
  double* matrix = nullptr;  ///< [size × (stride + 1)] H; 0 beyond the band

  // Copied both ways.
  double* right = nullptr;  ///< [kMostRightSides × rightStride] B, then X

  // Results.
  double* product = nullptr;  ///< as `right`: H B
  int* info = nullptr;        ///< [1] as LAPACK's: 0, or 1 + the row whose pivot vanishes

  // On the device only.
  double* factor = nullptr;    ///< as `matrix`: L
  double* inverses = nullptr;  ///< [blocks][column][row]: of the diagonal blocks of L, lower tiles
  double* work = nullptr;      ///< as `right`

  static constexpr int kBlockRows = kBlockTiles * kBandTile;

  DRYSTONE_HD bool isStored(int row, int column) const {
    return row < sizes.size && row >= column && row - column <= sizes.bandwidth;
  }
  DRYSTONE_HD std::size_t at(int row, int column) const { return row + column * sizes.stride(); }
  DRYSTONE_HD std::size_t atRight(int row, int side) const { return row + side * rightStride; }
  /// The place in the inverse of the diagonal block in which `row` and `column` are.
  DRYSTONE_HD std::size_t atInverse(int row, int column) const {
    return static_cast<std::size_t>(column) * kBlockRows + row % kBlockRows;
  }
  /// Entry of a matrix where it is stored, else 0.
  DRYSTONE_HD double entry(const double* values, int row, int column) const {
    return isStored(row, column) ? values[at(row, column)] : 0;
  }
};

/// What of a BandView's memory goes which way.
struct BandSections {
  std::size_t matrixEnd = 0;   ///< uploaded: [0, matrixEnd)
  std::size_t rightEnd = 0;    ///< right-hand sides: [matrixEnd, rightEnd)
  std::size_t productEnd = 0;  ///< H B: [rightEnd, productEnd)
  std::size_t resultEnd = 0;   ///< `info`; the host needs no more
  std::size_t end = 0;
};

template <class OnGap>
BandSections bindBandView(const BandSizes& sizes, std::byte* base, BandView& view, OnGap&& onGap) {
  view.sizes = sizes;
  view.rightStride = paddedCount(sizes.size);
  const std::size_t numbers = sizes.size * (sizes.stride() + 1);
  const std::size_t rightNumbers = view.rightStride * kMostRightSides;
  Placement placement(base, onGap);
  BandSections sections;
  placement.place(view.matrix, numbers);
  sections.matrixEnd = placement.end();
  placement.place(view.right, rightNumbers);
  sections.rightEnd = placement.end();
  placement.place(view.product, rightNumbers);
  sections.productEnd = placement.end();
  placement.place(view.info, 1);
  sections.resultEnd = placement.end();
  placement.place(view.factor, numbers);
  placement.place(view.inverses,
                  static_cast<std::size_t>(sizes.blocks()) * view.kBlockRows * view.kBlockRows);
  placement.place(view.work, rightNumbers);
  sections.end = placement.end();
  return sections;
}

}  // namespace drystone::gpu
