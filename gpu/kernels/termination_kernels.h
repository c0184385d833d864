#pragma once

#include <cmath>

#include "gpu/layout/dense_view.h"

// The termination criterion on the device (Nützi 2011, listing 5.2): the host reads one number.

namespace drystone::gpu {

/// What an element may change by in a sweep: relative |λ| + absolute (Nützi 2011, Eq. 4.49).
struct SweepTolerance {
  double relative = 0;
  double absolute = 0;  ///< [N s]
};

/// Before a sweep: keeps λ, one thread a row.
template <class Scalar>
struct KeepSweep {
  DenseView<Scalar> view;

  DRYSTONE_HD void operator()(int row) const {
    view.previous[row] = view.lambda[row];
    if (row == 0) *view.hasMoved = 0;
  }
};

/// cancelCriterionGPU, after it: one thread a row. All that write write the same.
template <class Scalar>
struct CompareSweep {
  DenseView<Scalar> view;
  SweepTolerance tolerance;

  DRYSTONE_HD void operator()(int row) const {
    const double before = view.previous[row];
    const double change = std::abs(view.lambda[row] - before);
    const double allowed = tolerance.relative * std::abs(before) + tolerance.absolute;
    // Written so that a NaN has moved.
    if (!(change <= allowed)) *view.hasMoved = 1;
  }
};

}  // namespace drystone::gpu
