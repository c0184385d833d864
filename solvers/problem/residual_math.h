#pragma once

#include "solvers/problem/cone_math.h"
#include "solvers/problem/prox_math.h"

// The error of a block by the natural map (M.11), for the processor and for devices: one source, so
// that both give the same bits. Free of Eigen and of the containers of problems.

namespace drystone {

/// F of the natural map of a contact whose normal is bounded apart from its friction, see
/// coneMap(). `radius`: of the friction set. Loops of a fixed length stay in registers.
template <int kRows>
DRYSTONE_HD inline void contactMap(FrictionModel friction, double radius, double rho,
                                   const double* lambda, const double* w, double* f) {
  double step[4], before[4], z[4];
  for (int i = 0; i < kRows; ++i) step[i] = rho * w[i];
  for (int i = 0; i < kRows; ++i) before[i] = z[i] = lambda[i] - step[i];
  z[0] = largerOf(z[0], 0.0);  // in this order a NaN stays one
  projectFriction(friction, radius, z + 1);
  for (int i = 0; i < kRows; ++i) f[i] = z[i] == before[i] ? step[i] : lambda[i] - z[i];
}

/// … of a row on [lower, upper].
DRYSTONE_HD inline double rowMap(double rho, double lower, double upper, double lambda, double w) {
  return clampTo(rho * w, lambda - upper, lambda - lower);
}

/// BlockError::squared of a contact [m²/s²], of all models but `rolling`. `boxRadius`: μ λ̄_n.
template <FrictionModel kModel>
DRYSTONE_HD inline double contactError(double friction, double boxRadius, double rho,
                                       const double* lambda, const double* w) {
  constexpr int kRows = contactRows(kModel);
  double f[kRows];
  if constexpr (kModel == FrictionModel::kCone) {
    coneMap<double>(friction, rho, lambda, w, f);
  } else {
    const double radius =
        kModel == FrictionModel::kBox ? boxRadius : friction * largerOf(0.0, lambda[0]);
    contactMap<kRows>(kModel, radius, rho, lambda, w, f);
  }
  double squared = 0, impulse = 0;
  for (int i = 0; i < kRows; ++i) {
    squared += f[i] * f[i];
    impulse += lambda[i] * lambda[i];
  }
  const double normal = kModel == FrictionModel::kBox
                            ? aloneError<double>(rho, lambda[0], w[0])
                            : partingError<double>(rho, impulse, lambda[0], w[0]);
  return wholeError<double>(squared / (rho * rho), normal);
}

}  // namespace drystone
