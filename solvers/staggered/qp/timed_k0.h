#pragma once

#include "solvers/staggered/qp/k0_solve.h"

namespace drystone {

/// Another solver, with the time that its factors and solves take by a stopwatch that runs from its
/// construction on (core/timer.h).
template <class Stopwatch>
class TimedK0 final : public K0Solve {
 public:
  /// `timed` must outlive the use.
  void attach(K0Solve& timed) { timed_ = &timed, factorMs_ = solveMs_ = 0; }
  double factorMs() const { return factorMs_; }
  double solveMs() const { return solveMs_; }

  bool factor(std::span<const int> free, std::span<const Real> extra) override {
    const Stopwatch stopwatch;
    const bool isGood = timed_->factor(free, extra);
    factorMs_ += stopwatch.milliseconds();
    return isGood;
  }
  void solve(std::span<Real> columns, int count) override {
    const Stopwatch stopwatch;
    timed_->solve(columns, count);
    solveMs_ += stopwatch.milliseconds();
  }
  int solvesPerFactor() const override { return timed_->solvesPerFactor(); }

 private:
  K0Solve* timed_ = nullptr;
  double factorMs_ = 0, solveMs_ = 0;
};

}  // namespace drystone
