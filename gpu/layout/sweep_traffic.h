#pragma once

#include "gpu/layout/sweep_view.h"

namespace drystone::gpu {

/// Bytes that a contact of its own unit moves in a sweep of colors, each address once
/// (SweepUnits). A roofline is the sum over the bandwidth of a device.
struct SweepTraffic {
  int read = 0;     ///< of its own figures and indices; starts of units are shared with the next
  int written = 0;  ///< λ
  /// ũ of two bodies, read and written in whole sectors of 32 bytes in float. Caches serve what
  /// contacts of the same body share.
  int bodies = 0;

  int state() const { return read + written; }
  int all() const { return state() + bodies; }
};

template <class Scalar>
constexpr SweepTraffic sweepTraffic(FrictionModel model, bool isCompliant) {
  const int rows = contactRows(model);
  constexpr int kSize = sizeof(Scalar);
  constexpr int kIndices = 4;  // two bodies, and where the contacts and joint rows of a unit begin
  const int jacobian = 12 * rows, b = rows, lambda = rows, couplings = rows - 1;
  const int steps = rows > 1 ? 2 : 1;                        // of the normal, of the tangents
  const int bounds = model == FrictionModel::kNone ? 0 : 1;  // μ, or the box's own
  const int compliance = isCompliant ? rows : 0;
  const int figures = jacobian + b + lambda + steps + couplings + bounds + compliance;
  return {figures * kSize + kIndices * static_cast<int>(sizeof(int)), lambda * kSize,
          4 * static_cast<int>(sizeof(DeviceVelocity<Scalar>))};
}

}  // namespace drystone::gpu
