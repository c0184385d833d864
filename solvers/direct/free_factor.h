#pragma once

#include <span>

#include "solvers/direct/free_basis.h"
#include "solvers/direct/row_system.h"

namespace drystone {

/// A way to factor and solve the free system of a candidate,
///   K y = r,  K = Rᵀ A C + E  (see FreeBasis).
/// This is what differs between the direct solvers; sets, pivot rules and friction are shared. The
/// factor may be of a slightly larger diagonal than K where K is singular; `FreeSystem` refines.
class FreeFactor {
 public:
  virtual ~FreeFactor() = default;

  /// Makes room, so that solves within these bounds allocate nothing.
  virtual void reserve(const ProblemSize& size) = 0;
  /// A new problem: symbolic work, reused while the pattern stands.
  virtual void analyze(const RowSystem& system) = 0;
  /// Factors K of the basis. False: a pivot is zero or not finite beyond repair.
  virtual bool factor(const RowSystem& system, const FreeBasis& basis) = 0;
  /// x: r on entry, K⁻¹ r on return. [basis.count()]
  virtual void solve(std::span<Real> x) = 0;
  /// Largest diagonal term that the last `factor` added beyond the problem's own [1/kg].
  Real regularization() const { return regularization_; }

 protected:
  Real regularization_ = 0;
};

}  // namespace drystone
