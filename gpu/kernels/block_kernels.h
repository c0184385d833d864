#pragma once

#include "gpu/layout/block_view.h"
#include "solvers/problem/prox_math.h"

// Thread functions of the sweeps over the block rows of A: each index is one thread. The sums are
// those of NaiveSystem.

namespace drystone::gpu {

constexpr int kMostRows = 6;  // of a block

/// (A λ)_i of one place, `rows` of them.
template <class Scalar>
DRYSTONE_HD inline void multiplyPlace(const BlockView<Scalar>& view, int place, int rows,
                                      Scalar* y) {
  for (int i = 0; i < rows; ++i) y[i] = 0;
  int scalarColumn = 0;
  const int blocks = view.blocks[place];
  for (int block = 0; block < blocks; ++block) {
    const int packed = view.packedColumn[view.columnAt(place, block)];
    const int first = packed >> 3, columns = packed & 7;
    for (int j = 0; j < columns; ++j, ++scalarColumn) {
      const Scalar x = view.lambda[first + j];
      for (int i = 0; i < rows; ++i) y[i] += view.values[view.valueAt(place, scalarColumn, i)] * x;
    }
  }
}

template <FrictionModel kModel, class Scalar>
DRYSTONE_HD inline void sweepContact(const BlockView<Scalar>& view, int place, bool isCoupled,
                                     Scalar* out) {
  constexpr int kRows = contactRows(kModel);
  const int first = view.firstRow[place];
  Scalar w[kRows], lambda[kRows], change[kRows];
  multiplyPlace(view, place, kRows, w);
  for (int i = 0; i < kRows; ++i) {
    w[i] += view.b[first + i];
    lambda[i] = view.lambda[first + i];
  }
  ContactSteps<kRows, Scalar> steps;
  steps.normal = view.step[first];
  if constexpr (kRows > 1) {
    steps.tangent = view.step[first + 1];
    const int diagonal = view.diagonal[place];
    for (int i = 1; i < kRows; ++i) {
      steps.coupling[i - 1] = isCoupled ? view.values[view.valueAt(place, diagonal, i)] : Scalar(0);
    }
  }
  updateContact<kModel, kRows>(steps, view.friction[place], view.boxRadius[place], w, lambda,
                               change);
  for (int i = 0; i < kRows; ++i) out[first + i] = lambda[i];
}

template <class Scalar>
DRYSTONE_HD inline void sweepRows(const BlockView<Scalar>& view, int place, int rows,
                                  bool isCoupled, Scalar* out) {
  const int first = view.firstRow[place], diagonal = view.diagonal[place];
  Scalar w[kMostRows];
  multiplyPlace(view, place, rows, w);
  for (int i = 0; i < rows; ++i) {
    const int row = first + i;
    Scalar lambda = view.lambda[row];
    const Scalar change =
        updateRow(view.step[row], view.lower[row], view.upper[row], w[i] + view.b[row], &lambda);
    out[row] = lambda;
    if (!isCoupled) continue;
    // The rows below see this one's change.
    for (int j = i + 1; j < rows; ++j) {
      w[j] += view.values[view.valueAt(place, diagonal + i, j)] * change;
    }
  }
}

/// One thread a unit. A safe phase writes λ; a simultaneous one writes `next`, and `CopyNext` ends
/// it.
template <class Scalar, FrictionModel kModel>
struct SweepBlockUnits {
  BlockView<Scalar> view;
  int firstUnit;
  bool isSimultaneous;
  bool couplesTangents;

  DRYSTONE_HD void operator()(int index) const {
    const int unit = firstUnit + index;
    Scalar* out = isSimultaneous ? view.next : view.lambda;
    for (int place = view.unitStart[unit]; place < view.unitStart[unit + 1]; ++place) {
      const int rows = view.placeRows[place];
      if (rows < 0) {
        sweepRows(view, place, -rows, !isSimultaneous, out);
      } else {
        sweepContact<kModel>(view, place, couplesTangents, out);
      }
    }
  }
};

template <class Scalar>
struct CopyNext {
  BlockView<Scalar> view;
  int firstUnit;

  DRYSTONE_HD void operator()(int index) const {
    const int unit = firstUnit + index;
    for (int place = view.unitStart[unit]; place < view.unitStart[unit + 1]; ++place) {
      const int rows = view.placeRows[place];
      const int first = view.firstRow[place];
      for (int i = 0; i < (rows < 0 ? -rows : rows); ++i)
        view.lambda[first + i] = view.next[first + i];
    }
  }
};

/// w = A λ + b, one thread a place.
template <class Scalar>
struct WriteBlockVelocity {
  BlockView<Scalar> view;

  DRYSTONE_HD void operator()(int place) const {
    const int rows = view.placeRows[place] < 0 ? -view.placeRows[place] : view.placeRows[place];
    const int first = view.firstRow[place];
    Scalar w[kMostRows];
    multiplyPlace(view, place, rows, w);
    for (int i = 0; i < rows; ++i) view.w[first + i] = w[i] + view.b[first + i];
  }
};

/// R ← factor R, one thread a row.
template <class Scalar>
struct ScaleRowSteps {
  BlockView<Scalar> view;
  Scalar factor;

  DRYSTONE_HD void operator()(int row) const { view.step[row] *= factor; }
};

}  // namespace drystone::gpu
