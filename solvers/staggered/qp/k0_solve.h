#pragma once

#include <span>

#include "core/types.h"

namespace drystone {

/// The part of solving with the saddle-point matrix K_0 of a working set that takes work: with the
/// fixed variables known what is left is H_FF x_F = r (Litven 2013, Eq. 5.4 to 5.6 and 5.17), where
/// H is the Hessian with `extra` on its diagonal. What K_0 is made of, and how it is factored, is
/// the implementation's business.
class K0Solve {
 public:
  virtual ~K0Solve() = default;
  /// Factors H_FF of the free variables, given by ascending index. `extra`: of all variables.
  /// False: a pivot vanishes.
  virtual bool factor(std::span<const int> free, std::span<const Real> extra) = 0;
  /// In place: `count` right-hand sides in the order of `free`, one after the other.
  virtual void solve(std::span<Real> columns, int count) = 0;
  /// Right-hand sides that take about as long as a factor: what it is worth to go without one.
  virtual int solvesPerFactor() const = 0;
};

}  // namespace drystone
