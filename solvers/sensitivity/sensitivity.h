#pragma once

#include <span>
#include <vector>

#include "solvers/linear/free_basis.h"
#include "solvers/linear/ranked_factor.h"
#include "solvers/linear/row_system.h"
#include "solvers/problem/judge.h"
#include "solvers/sensitivity/solved_states.h"

namespace drystone {

/// What holds of all derivatives at one solution.
struct SolutionCertificate {
  Real naturalMap = 0;           ///< of λ, by the judge (M.11) [m/s]
  Real leastMargin = kInfinity;  ///< of all blocks [m/s]
  int weakestBlock = -1;         ///< that has it; -1: no state can change
  int unknowns = 0;              ///< of K
  int rank = 0;                  ///< of K
  /// A Newton step from λ: what it leaves of the equations of the states [m/s], and which share of
  /// it keeps all states. The map is small in w; where A is near singular the step tells of λ.
  Real missed = 0;
  StateRadius step;

  /// Whether the end of the Newton step keeps all states. It is then an exact solution, to
  /// round-off; to first order where a contact of the cone slips.
  bool hasCertainStates() const {
    return naturalMap < leastMargin && missed < leastMargin && step.radius > 1;
  }
  /// False: redundant contacts leave λ open, and all derivatives are the shortest.
  bool isUnique() const { return rank == unknowns; }
};

/// How a solution moves along one direction of its data, per unit of t.
struct SolutionDerivative {
  std::vector<Real> lambda;  ///< [rows] dλ/dt [N s]
  std::vector<Real> w;       ///< [rows] dw/dt [m/s]
  /// Largest |Rᵀ dw + E Rᵀ dλ|, by which the equations miss [m/s]. Where K is singular it is large
  /// for directions that no motion of these states follows.
  Real residual = 0;
  StateRadius ahead;   ///< for t > 0
  StateRadius behind;  ///< for t < 0; its radius is |t|
};

/// Derivative of a number by λ and w of the solution; what is empty is 0. [rows]
struct LossGradient {
  std::span<const Real> lambda{}, w{};
};

/// Exact derivatives of a solution λ of a contact problem by its data, from its states (docs/
/// theory/derivatives.md). The matrix K = Rᵀ A C + E is that of the last Newton step; here dense.
/// Both forms of a problem, with the models `none`, `box`, `pyramid`, `diamond` and `cone`.
class Sensitivity {
 public:
  /// Unknowns that a dense matrix is made for: 32 MB, and some seconds.
  static constexpr int kMostUnknowns = 2000;

  /// Reads the states of λ, the answer of any solver, and factors K. The arrays of the problem must
  /// outlive the use; λ is copied. Throws InputError where λ has another length, or is not
  /// finite, where the model is none of those above or there are more unknowns; forgets the
  /// solution before in any case.
  const SolutionCertificate& prepare(const ContactProblem& problem, std::span<const Real> lambda);
  const SolutionCertificate& certificate() const { return certificate_; }
  /// By how much each block keeps its state [m/s], impulses over ρ; ∞: it cannot change. [blocks]
  std::span<const Real> margins() const { return margins_; }

  /// J v: the derivative along a direction of the data. Throws InputError where a length is wrong.
  SolutionDerivative forward(const ProblemChange& change);
  /// vᵀ J: the derivatives of a number by all data, from one transposed solve. Throws as above.
  ProblemGradient adjoint(const LossGradient& loss);

 private:
  void factorDense();
  void takeNewtonStep();
  /// Solves Rᵀ w + E Rᵀ λ = 0 with w = A λ + `given` from the λ of all that moves by itself.
  /// Returns the largest entry that is left [m/s].
  Real solveStates(std::span<const Real> given, std::span<Real> lambda, std::span<Real> w);
  /// y = Aᵀ x.
  void multiplyTransposed(std::span<const Real> x, std::span<Real> y);
  void checkLength(std::span<const Real> values, int length, const char* name) const;

  ContactProblem problem_;
  RowSystem rows_;
  std::vector<Real> lambda_;
  JudgeWorkspace judge_;
  SolvedStates states_;
  FreeBasis basis_;
  RankedFactor factor_;
  SolutionCertificate certificate_;
  std::vector<Real> margins_;
  bool isPrepared_ = false;
};

}  // namespace drystone
