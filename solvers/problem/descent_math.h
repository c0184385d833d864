#pragma once

#include <cmath>

#include "core/host_device.h"

// What an accelerated step decides from its sums, for the processor and for devices: one source, so
// that both decide alike. Nesterov 1983 in the form of Beck & Teboulle 2009 with backtracking, and
// the restart of O'Donoghue & Candès 2015. Inner products are those of 1/ρ.

namespace drystone {

/// State of a descent beside its iterates; plain, for the memory of a device.
struct DescentFigures {
  double curvature;  ///< L, an estimate of the largest eigenvalue of ρ A
  double theta;      ///< t_k of the momentum; 1: none yet
  double momentum;   ///< β of the last step
  int steps;
  int reductions;  ///< trials that were too long
  int restarts;
  int isTaken;     ///< 1: the last trial became a step
  int stoodStill;  ///< 1: the last step had no momentum and moved nothing: round-off is reached
};
DRYSTONE_HD constexpr DescentFigures descentStart() { return {1, 1, 0, 0, 0, 0, 0, 0}; }

/// Whether q bends more along the trial than L says, so that it may lead uphill; L is then what was
/// measured. `bend`: sᵀ A s of the step s from y; `length`: ‖s‖².
DRYSTONE_HD inline bool isTooLong(DescentFigures& figures, double bend, double length) {
  // The measured bend is a lower bound of the true L; what it lacks would be the next failure.
  constexpr double kMargin = 1.1;
  figures.isTaken = 0;
  if (!(bend > figures.curvature * length)) return false;
  figures.curvature = kMargin * bend / length;
  ++figures.reductions;
  return true;
}

/// Takes the trial as a step, with the momentum that follows it. Momentum that points against the
/// step from y to x_{k+1} is dropped: the gradient scheme of O'Donoghue & Candès, for projected
/// steps. `uphill`: (y − x_{k+1}) · (x_{k+1} − x_k).
DRYSTONE_HD inline void takeStep(DescentFigures& figures, double uphill, bool stoodStill,
                                 bool restarts = true) {
  // L shrinks slowly: where contacts have opened since, longer steps are possible. Faster, and the
  // failing trials cost more than longer steps gain.
  constexpr double kDecay = 0.995;
  // ρ A has units on its diagonal, so that L is about 1 and more; it falls far below only along
  // directions that no impulse moves, where steps without bound would grow into round-off.
  constexpr double kLeast = 1e-2;
  figures.isTaken = 1;
  figures.stoodStill = stoodStill ? 1 : 0;
  ++figures.steps;
  const double shorter = kDecay * figures.curvature;
  figures.curvature = kLeast < shorter ? shorter : kLeast;
  if (restarts && uphill > 0) {
    figures.theta = 1;
    figures.momentum = 0;
    ++figures.restarts;
    return;
  }
  const double following = (1 + std::sqrt(1 + 4 * figures.theta * figures.theta)) / 2;
  figures.momentum = (figures.theta - 1) / following;
  figures.theta = following;
}

}  // namespace drystone
