#pragma once

#include <limits>

#include "core/setting_visitor.h"
#include "core/types.h"

namespace drystone {

/// What a solve may spend and what it must reach: the same fields, units and meaning for every
/// solver. Each has its own values to begin with (ContactSolver::budget).
struct Budget {
  /// Natural map (M.11), as the judge measures it, that counts as solved [m/s]. Methods that end at
  /// round-off take 0: what their `relative_tolerance` says, which is never finer than this.
  Real tolerance = 1e-6;
  /// Of the method's own kind: sweeps, steps, rounds, or pivots on one set of bounds.
  int iterations = 1000;
  double seconds =
      kUnlimited;   ///< from the start; below the default, results depend on the machine
  int threads = 1;  ///< that a solve may use; no bit depends on them. For the trait `parallel`

  /// Those that users set; threads are the caller's to give.
  void visit(SettingVisitor& visitor) {
    visitor.real({"tolerance", "m/s", "natural map that counts as solved"}, tolerance, 0,
                 kUnlimited);
    visitor.integer({"max_iterations", "", "stop after so many sweeps, steps or rounds"},
                    iterations, 0, std::numeric_limits<int>::max());
    visitor.real({"time_limit_s", "s", "stop after this time; makes results depend on the machine"},
                 seconds, 0, kUnlimited);
  }
};

}  // namespace drystone
