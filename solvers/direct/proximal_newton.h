#pragma once

#include <span>
#include <vector>

#include "solvers/contact_solver.h"
#include "solvers/direct/free_system.h"
#include "solvers/direct/index_sets.h"

namespace drystone {

/// Solves the convex neighbour of a problem, whatever the start: w = A λ + b + shift with λ in
/// boxes, or in boxes and second-order cones, plus a proximal term (D − C)(λ − λ_0). In the variable
/// v = A_0 λ, A_0 = A − C, this is the minimum of a strictly convex function with piecewise smooth
/// gradient; semismooth Newton steps with a line search on it converge from anywhere, which pivoting
/// and the coupled friction steps do not. Repeated with λ_0 := λ it is the proximal point method
/// (multiplier method) and ends at a solution of the problem without the term.
class ProximalNewton {
 public:
  void reserve(const ProblemSize& size);

  struct Outcome {
    bool converged = false;
    int iterations = 0;
  };

  /// From the λ_0 and the start in `lambda`. `cones`: contacts are cones K_μ, `bounds` is then used for
  /// other rows only; the shift of the row system must hold De Saxcé's term. `stiffness` δ gives
  /// D = max(C, δ A_ii). On return λ is feasible, and the row system's shift is as it was.
  Outcome run(RowSystem& rows, FreeSystem& system, const RowBounds& bounds, bool cones,
              Real stiffness, Real tolerance, int maxIterations, std::span<Real> lambda);

 private:
  void setDamping(const RowSystem& rows, Real stiffness);
  /// π = P(−(v + b + shift)/D).
  void project(const RowSystem& rows, const RowBounds& bounds, bool cones,
               std::span<const Real> v, std::span<Real> projected) const;
  void fillBasis(const RowSystem& rows, const RowBounds& bounds, bool cones, FreeBasis& basis) const;
  Real lineSearch(const RowSystem& rows, const RowBounds& bounds, bool cones);
  Real slope(const RowSystem& rows, const RowBounds& bounds, bool cones, Real t);

  std::vector<Real> damping_;               // D [1/kg]
  std::vector<Real> base_;                  // b + shift + proximal part [m/s]
  std::vector<Real> point_, velocity_;      // λ̃ and v = A_0 λ̃
  std::vector<Real> direction_, change_;    // of λ̃ and of v
  std::vector<Real> trial_, trialVelocity_, projected_, savedShift_;
};

}  // namespace drystone
