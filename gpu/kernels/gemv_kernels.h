#pragma once

#include "gpu/kernels/dense_kernels.h"

// What JOR variants 1 and 2 of Nützi 2011, table 6.1 do after a library's product, next = T λ.

namespace drystone::gpu {

/// next += d, one thread a row.
template <class Scalar>
struct AddConstant {
  DenseView<Scalar> view;

  DRYSTONE_HD void operator()(int row) const { view.next[row] += view.d[row]; }
};

/// λ = prox(next + d), one thread a contact.
template <class Scalar, FrictionModel kModel>
struct AddAndProject {
  DenseView<Scalar> view;
  bool isCoupled;

  DRYSTONE_HD void operator()(int contact) const {
    constexpr int kRows = contactRows(kModel);
    const int first = contact * kRows;
    Scalar z[kRows];
    for (int i = 0; i < kRows; ++i) z[i] = view.next[first + i] + view.d[first + i];
    projectDense<kModel>(view, contact, isCoupled, z);
    for (int i = 0; i < kRows; ++i) view.lambda[first + i] = z[i];
  }
};

}  // namespace drystone::gpu
