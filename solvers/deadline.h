#pragma once

#include "engine/core/timer.h"
#include "engine/core/types.h"
#include "solvers/settings.h"

namespace drystone {

/// The end of the time that a solve may take; none by default. With one, results depend on the
/// machine's speed. Its timer must outlive it.
struct Deadline {
  const Timer* timer = nullptr;
  Real limit = kUnlimited;  ///< [s] of the timer

  bool passed() const {
    return timer != nullptr && limit < kUnlimited && timer->milliseconds() > 1e3 * limit;
  }
};

}  // namespace drystone
