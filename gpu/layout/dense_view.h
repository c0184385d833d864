#pragma once

#include "core/host_device.h"
#include "gpu/layout/memory_layout.h"

namespace drystone::gpu {

/// How much a problem needs of a DenseView.
struct DenseSizes {
  int contactRows = 3;  ///< 1, 3 or 4 of each contact
  int contacts = 0;
  bool isAligned = true;  ///< each column of T starts where a warp reads at once

  DRYSTONE_HD int rows() const { return contactRows * contacts; }
};

/// λ ← prox(T λ + d) with T = 1 − R A and d = −R b, T dense and column by column, so that threads
/// side by side read side by side (Nützi 2011, §5.2.1).
template <class Scalar>
struct DenseView {
  DenseSizes sizes;
  std::size_t stride = 0;  ///< from column to column of T

  // Uploaded once a solve.
  Scalar* t = nullptr;          ///< [stride × rows] T
  Scalar* d = nullptr;          ///< [rows]
  Scalar* friction = nullptr;   ///< [contacts]
  Scalar* boxRadius = nullptr;  ///< [contacts]

  // Copied both ways.
  Scalar* lambda = nullptr;  ///< [rows]

  // Results of the termination kernel.
  int* hasMoved = nullptr;     ///< [1] 1: some element has changed by more than it may
  Scalar* previous = nullptr;  ///< [rows] λ before the last sweep

  // On the device only.
  Scalar* next = nullptr;  ///< [rows] T λ + d of simultaneous sweeps
  Scalar* sum = nullptr;   ///< [rows] of T λ, as far as it has come (Nützi 2011, Eq. 5.13)

  DRYSTONE_HD Scalar entry(int row, int column) const { return t[column * stride + row]; }
};

template <class Scalar, class OnGap>
Sections bindDenseView(const DenseSizes& sizes, std::byte* base, DenseView<Scalar>& view,
                       OnGap&& onGap) {
  const std::size_t rows = sizes.rows(), contacts = sizes.contacts;
  view.sizes = sizes;
  view.stride = sizes.isAligned ? paddedCount(rows) : rows;
  Placement placement(base, onGap);
  Sections sections;
  placement.place(view.t, view.stride * rows);
  placement.place(view.d, rows);
  placement.place(view.friction, contacts);
  placement.place(view.boxRadius, contacts);
  sections.inputEnd = placement.end();
  placement.place(view.lambda, rows);
  sections.impulseEnd = placement.end();
  placement.place(view.hasMoved, 1);
  placement.place(view.previous, rows);
  sections.resultEnd = placement.end();
  placement.place(view.next, rows);
  placement.place(view.sum, rows);
  sections.end = placement.end();
  return sections;
}

}  // namespace drystone::gpu
