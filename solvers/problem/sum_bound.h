#pragma once

#include <span>
#include <vector>

#include "solvers/problem/contact_problem.h"

namespace drystone {

/// Bounds how far weighted sums of the impulses of a contact problem are from those of its exact
/// solutions, by what the natural map leaves. docs/sensors.md derives it: a motion that opens all
/// contacts makes the velocities of the answer possible ones, and the gap between its energy and
/// that of the impulses bounds the error of the velocities. Keeps its capacity.
///
/// "Exact" are the solutions in which contacts that stick in the answer slip no faster than it
/// says, and the others as fast as it says.
class SumBound {
 public:
  /// Measures an answer. False: nothing is known. That is so with rows that are no contacts, under
  /// models other than `none` and `cone`, for assembled problems, and where no motion is found that
  /// opens all contacts at once.
  bool measure(const ContactProblem& problem, std::span<const Real> lambda);

  /// ‖u − u*‖_M of the velocities [√J], as measured; +∞ where nothing is known.
  Real velocityError() const { return velocityError_; }

  /// Least e with |weightsᵀ (λ − λ*)| ≤ e that is known, in the unit of the sum; +∞ where nothing
  /// is. `weights` has one entry a row of the measured problem.
  Real errorOf(std::span<const Real> weights);

  /// Whether the impulses of the last sum follow from what they do to the bodies, so that all
  /// solutions with these velocities have it.
  bool isUnique() const { return isUnique_; }

 private:
  bool openAll();
  /// The motion v_ of least energy among those with J v nearest to `target`.
  void fit(std::span<const Real> target);
  Real energyNorm() const;  ///< ‖v_‖_M [√J]
  bool isIdle(const ProblemBlock& block) const;

  ContactProblem problem_;
  Real velocityError_ = kInfinity;
  Real opening_ = 0;  ///< ‖v₀‖_M of the motion that opens
  Real total_ = 0;    ///< at least Σ ‖λ_c‖ of the answer and of an exact solution [N s]
  bool isUnique_ = false;
  std::vector<Real> w_, f_, hat_, target_, lift_, left_, relative_, step_;  // [rows]
  std::vector<Real> margin_;  // [blocks] by which v₀ opens
  std::vector<Real> shift_;   // [blocks] least μ ‖w_t‖ of exact solutions [m/s]
  std::vector<Vec6> v_, momentum_, lifted_, gradient_, direction_, pushed_;  // [bodies]
};

}  // namespace drystone
