#pragma once

#include <limits>

#include "core/setting_visitor.h"
#include "core/types.h"

namespace drystone {

/// What a solve may spend and what it must reach: the same fields, units and meaning for every
/// solver. Each has its own values to begin with (ContactSolver::budget).
struct Budget {
  /// Natural map (M.11), as the judge measures it, at which a method stops [m/s]. The driver hands
  /// down half of the tolerance that it judges by. Methods that can end at round-off go on to it.
  Real tolerance = 1e-6;
  /// Of the method's own kind, counted once over all its stages: sweeps, steps, pivots, or rounds
  /// with the QPs and Newton steps in them. 0: the warm start is the answer.
  int iterations = 1000;
  /// From the start; below the default, results depend on the machine. An iteration is not begun
  /// that would not end by then, if it took as long as the one before; the first may take longer.
  double seconds = kUnlimited;
  int threads = 1;  ///< that a solve may use; no bit depends on them. For the trait `parallel`

  /// Those that are settings of a solver. The tolerance is the driver's to hand down, threads are
  /// the caller's to give.
  void visit(SettingVisitor& visitor) {
    visitor.integer({"max_iterations", "", "stop after so many sweeps, steps, rounds or pivots"},
                    iterations, 0, std::numeric_limits<int>::max());
    visitor.real({"time_limit_s", "s", "stop after this time; makes results depend on the machine"},
                 seconds, 0, kUnlimited);
  }
};

}  // namespace drystone
