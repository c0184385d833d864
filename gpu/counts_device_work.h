#pragma once

#include "core/timer.h"
#include "gpu/device_work.h"

namespace drystone::gpu {

/// A solver that says what its last solve took on a device.
class CountsDeviceWork {
 public:
  const DeviceWork& work() const { return work_; }

 protected:
  ~CountsDeviceWork() = default;
  /// `solve` is all of the solve, `workSoFar` what its systems have taken since they were made.
  template <class WorkSoFar, class Solve>
  void countWork(WorkSoFar&& workSoFar, Solve&& solve) {
    const DeviceWork before = workSoFar();
    const Timer timer;
    solve();
    const double ms = timer.milliseconds();
    work_ = workSoFar();
    work_ -= before;
    work_.hostMs = ms - work_.executor.ms - work_.copyMs;
  }

 private:
  DeviceWork work_;
};

}  // namespace drystone::gpu
