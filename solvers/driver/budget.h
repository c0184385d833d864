#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "core/timer.h"
#include "core/types.h"

namespace drystone {

class ResidualHistory;
struct JudgeWorkspace;

/// What an answer must reach and what a solve may spend on it: the same fields, units and meaning
/// for every solver. A world has one, for the solves of all its islands.
struct Budget {
  /// Natural map (M.11) that counts as solved, as the judge measures it [m/s].
  Real tolerance = 1e-6;
  /// Most sweeps, steps, pivots or rounds, as the method counts them, once over all its stages. 0:
  /// the warm start is the answer. None: as many as the method's traits say.
  std::optional<int> iterations{};
  /// From the start of the solve; below the default, results depend on the machine. An iteration is
  /// not begun that would not end by then, if it took as long as the one before; the first may take
  /// longer.
  Real seconds = kUnlimited;
  /// The end of a larger work that the solve is part of, such as a step. A solver that would begin
  /// after it leaves the warm start.
  Deadline until{};
  int threads = 1;  ///< that a solve may use; no bit depends on them. For the trait `parallel`

  /// Share of the tolerance that a method aims at. The driver's is less than 1: the judge sums in
  /// another order than a method and may see a little more.
  Real aim = 1;

  /// Natural map at which a method stops [m/s].
  Real aimedTolerance() const { return aim * tolerance; }
  /// Most time of a solve that begins now [s].
  Real secondsLeft() const { return std::min(seconds, until.secondsLeft()); }
};

/// Whether a solver gets a problem without its bilateral rows.
enum class Condensation : std::uint8_t {
  kAuto,    ///< where that was measured to pay, by the solver and by the rows
  kNever,   ///< as it is, as the papers of the solvers have it
  kAlways,  ///< where the solver takes assembled problems and there are such rows
};

/// What a method gets beside the problem: the budget with its gaps filled, and where to tell how it
/// gets on.
struct SolveContext {
  Real tolerance =
      0;              ///< natural map (M.11) at which to stop [m/s]; methods may go on to round-off
  Real accepted = 0;  ///< natural map that answers the problem, as the judge measures it [m/s]
  int iterations = 1;  ///< at least 1
  int threads = 1;
  Deadline deadline;
  ResidualHistory& history;
  /// Where the caller will judge the answer, if it will: a method that judges its answers too does
  /// it there (judgeOnce), and the last one is not judged twice.
  JudgeWorkspace* judge = nullptr;

  /// For a solver that works within the method.
  Budget left() const {
    return {.tolerance = tolerance,
            .iterations = iterations,
            .seconds = deadline.secondsLeft(),
            .threads = threads};
  }
};

}  // namespace drystone
