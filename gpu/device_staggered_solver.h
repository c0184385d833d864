#pragma once

#include <memory>

#include "gpu/band_backend.h"
#include "solvers/linear/band_factor.h"
#include "solvers/staggered/staggered.h"

namespace drystone::gpu {

/// Cholesky factor of a band matrix on a device, in double, with block substitution for many
/// right-hand sides (Litven 2013, §5.3 and ch. 6). The same bits every run.
class DeviceBand final : public BandFactor {
 public:
  explicit DeviceBand(Target target = Target::kCuda) : target_(target) {}

  BandEntries begin(int size, int bandwidth) override;
  bool factor() override;
  /// Row whose pivot vanished in the last `factor`, or −1.
  int failedRow() const { return failedRow_; }
  void solveMany(std::span<Real> columns, int count, int threads) override;
  /// product = H columns, of the matrix as it was filled; both [count × size].
  void multiply(std::span<const Real> columns, std::span<Real> product, int count);

 private:
  int size() const { return view_->sizes.size; }
  void upload();
  /// Right-hand sides to the host's image, zeros behind them up to a whole tile.
  void writeRight(const Real* columns, int count);

  Target target_;
  std::unique_ptr<BandBackend> backend_;  ///< made when it is first needed
  const BandView* view_ = nullptr;
  int failedRow_ = -1;
  bool isUploaded_ = false;
};

/// `gpu-staggered`: `staggered` with its band matrices, of any width, factored and solved on a
/// device (Litven 2013, §5.3 and ch. 6). What else a round does stays on the processor.
class DeviceStaggeredSolver final : public StaggeredSolver {
 public:
  explicit DeviceStaggeredSolver(Target target = Target::kCuda);

 private:
  void visitSettings(SettingVisitor& visitor) override { settings.visitRounds(visitor); }
};

}  // namespace drystone::gpu
