#pragma once

#include <memory>

#include "gpu/backend.h"
#include "gpu/layout/band_view.h"

namespace drystone::gpu {

/// Factors and solves of band matrices on a device or, by the same code, on the processor. Without
/// CUDA types. Memory is kept from matrix to matrix. Throws DeviceError when the device fails or
/// has no memory left.
class BandBackend {
 public:
  virtual ~BandBackend() = default;

  /// Makes room and returns the host's image: H is to be written before `upload`, right-hand sides
  /// before what takes them.
  virtual const BandView& allocate(const BandSizes& sizes) = 0;
  virtual void upload() = 0;
  /// Returns the row whose pivot vanishes, or −1.
  virtual int factor() = 0;
  /// right := H⁻¹ right of the first `count` right-hand sides, at most kMostRightSides, in the
  /// host's image; what is behind them up to a whole tile must be numbers.
  virtual void solve(int count) = 0;
  /// product := H right, likewise; before `factor` too.
  virtual void multiply(int count) = 0;
};

std::unique_ptr<BandBackend> makeHostBand(bool runsBackwards);
/// Only where a device is available (devices.h).
std::unique_ptr<BandBackend> makeCudaBand();

inline std::unique_ptr<BandBackend> makeBand(Target target) {
  if (target == Target::kCuda) return makeCudaBand();
  return makeHostBand(target == Target::kHostBackwards);
}

}  // namespace drystone::gpu
