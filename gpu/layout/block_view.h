#pragma once

#include "core/host_device.h"
#include "gpu/layout/memory_layout.h"

namespace drystone::gpu {

/// How much a problem needs of a BlockView.
struct BlockSizes {
  int rows = 0, places = 0, slices = 0, units = 0;
  std::size_t entries = 0;  ///< of `packedColumn`
  std::size_t values = 0;
};

/// Block rows of A in slices of 32, in the order of execution: a place is a block row, a slice 32
/// of them side by side, so that a warp reads side by side (sliced ELLPACK, Monakov et al. 2010).
/// Within a slice every block row is padded to the longest. λ, w, b and R are by row of the
/// problem.
template <class Scalar>
struct BlockView {
  static constexpr int kLanes = 32;

  BlockSizes sizes;

  // Uploaded once a solve.
  Scalar* values = nullptr;            ///< of a slice: [scalar column][row][lane]
  std::size_t* valueStart = nullptr;   ///< [slices]
  std::size_t* columnStart = nullptr;  ///< [slices]
  int* sliceRows = nullptr;            ///< [slices] most rows of a place
  int* packedColumn =
      nullptr;  ///< of a slice: [stored block][lane]: 8 · first row of the column + rows
  int* firstRow = nullptr;      ///< [places]
  int* placeRows = nullptr;     ///< [places]; negative: joint rows, else a contact
  int* blocks = nullptr;        ///< [places] stored blocks
  int* diagonal = nullptr;      ///< [places] scalar column at which the diagonal block starts
  Scalar* friction = nullptr;   ///< [places]
  Scalar* boxRadius = nullptr;  ///< [places]
  Scalar* b = nullptr;          ///< [rows]
  Scalar* step = nullptr;       ///< [rows] R
  Scalar* lower = nullptr;      ///< [rows]
  Scalar* upper = nullptr;
  int* unitStart = nullptr;  ///< [units + 1] into the places

  // Copied both ways.
  Scalar* lambda = nullptr;  ///< [rows]

  // Results.
  Scalar* w = nullptr;  ///< [rows]

  // On the device only.
  Scalar* next = nullptr;  ///< [rows] λ of a simultaneous phase

  DRYSTONE_HD std::size_t valueAt(int place, int scalarColumn, int row) const {
    const int slice = place / kLanes;
    const std::size_t line = static_cast<std::size_t>(scalarColumn) * sliceRows[slice] + row;
    return valueStart[slice] + line * kLanes + place % kLanes;
  }
  DRYSTONE_HD std::size_t columnAt(int place, int block) const {
    return columnStart[place / kLanes] + static_cast<std::size_t>(block) * kLanes + place % kLanes;
  }
};

template <class Scalar, class OnGap>
Sections bindBlockView(const BlockSizes& sizes, std::byte* base, BlockView<Scalar>& view,
                       OnGap&& onGap) {
  view.sizes = sizes;
  Placement placement(base, onGap);
  Sections sections;
  const std::size_t places = sizes.places, rows = sizes.rows, slices = sizes.slices;
  placement.place(view.values, sizes.values);
  placement.place(view.valueStart, slices);
  placement.place(view.columnStart, slices);
  placement.place(view.sliceRows, slices);
  placement.place(view.packedColumn, sizes.entries);
  for (int** array : {&view.firstRow, &view.placeRows, &view.blocks, &view.diagonal}) {
    placement.place(*array, places);
  }
  for (Scalar** array : {&view.friction, &view.boxRadius}) placement.place(*array, places);
  for (Scalar** array : {&view.b, &view.step, &view.lower, &view.upper}) {
    placement.place(*array, rows);
  }
  placement.place(view.unitStart, sizes.units + std::size_t{1});
  sections.inputEnd = placement.end();
  placement.place(view.lambda, rows);
  sections.impulseEnd = placement.end();
  placement.place(view.w, rows);
  sections.resultEnd = placement.end();
  placement.place(view.next, rows);
  sections.end = placement.end();
  return sections;
}

}  // namespace drystone::gpu
