#pragma once

#include "gpu/backend.h"
#include "solvers/staggered/staggered.h"

namespace drystone::gpu {

/// `gpu-staggered`: `staggered` with its band matrices, of any width, factored and solved on a
/// device (Litven 2013, §5.3 and ch. 6). What else a round does stays on the processor.
class DeviceStaggeredSolver final : public StaggeredSolver {
 public:
  explicit DeviceStaggeredSolver(Target target = Target::kCuda);

 private:
  void visitOwnSettings(SettingVisitor& visitor) override { settings.visitRounds(visitor); }
};

}  // namespace drystone::gpu
