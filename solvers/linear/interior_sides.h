#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "solvers/problem/contact_problem.h"

namespace drystone {

/// The bounds of an interior point: for each unknown x with a bound, the gaps to l and u and what
/// the bounds take, z_l and z_u, of
///   g(x) = z_l − z_u,  z_l (x − l) = z_u (u − x) = μ,  z ≥ 0,
/// and the step that Mehrotra's predictor and corrector give them. The caller owns g and solves
/// with its derivative. Gaps are stored, not differences of x: large bounds would round those
/// away. S. Mehrotra, "On the implementation of a primal-dual interior point method", SIAM Journal
/// on Optimization 2 (1992); S. J. Wright, "Primal-dual interior-point methods" (1997).
class InteriorSides {
 public:
  /// Share of the way to the nearest bound that a step goes.
  static constexpr Real kStepShare = 0.99;

  /// ∞ and 0 without bound.
  struct Side {
    Real gap = kInfinity;  ///< [x]
    Real take = 0;         ///< z [g]
    Real takeStep = 0;
    Real pull = 0;  ///< product aimed at, over the gap [g]
  };
  struct Unknown {
    int index;  ///< into x
    Side lower, upper;
    Real step = 0;  ///< of x
  };

  void reserve(int unknowns) { unknowns_.reserve(unknowns); }
  void clear() { unknowns_.clear(); }
  /// Adds an unknown with one bound at least, each `gap` or more away: returns x moved there.
  Real add(int index, Real lower, Real upper, Real gap, Real x);
  /// Starts with the same product of gap and take everywhere, whose sum is `product`: near the
  /// path of the method, though far from g = z_l − z_u.
  void start(Real product);

  std::span<const Unknown> unknowns() const { return unknowns_; }
  /// What the bounds of an unknown add to the diagonal: z_l/(x − l) + z_u/(u − x).
  static Real stiffness(const Unknown& unknown) {
    return unknown.lower.take / unknown.lower.gap + unknown.upper.take / unknown.upper.gap;
  }
  /// Adds the pulls of the bounds to the right side −g of the step's system.
  void addPulls(std::span<Real> right) const;

  /// Predictor, corrector: `solve(corrects)` returns the step of all of x for the pulls that are
  /// set when it is called. Returns the share of the second step to go: 1, or nearly to the
  /// nearest bound.
  template <class Solve>
  Real findStep(Solve&& solve) {
    aim(0, false);
    follow(solve(false));
    const Real mean = meanProduct();
    const Real ahead = mean > 0 ? meanProduct(std::min(longestStep(), 1.0)) / mean : 0;
    aim(mean * ahead * ahead * ahead, true);
    follow(solve(true));
    return std::min(kStepShare * longestStep(), 1.0);
  }
  /// Mean product of gap and take after a share of the step; 0 without a bound.
  Real meanProduct(Real share = 0) const { return products(share).mean(); }
  /// Moves gaps and takes by a share of the step.
  void move(Real share);

  // What `findStep` is made of, for a method with more than bounds.

  struct Products {
    Real sum = 0;
    int count = 0;
    Real mean() const { return count > 0 ? sum / count : 0; }
  };
  /// Of gap and take after a share of the step.
  Products products(Real share) const;
  /// Sets the pulls towards products of `target`; `corrects`: with the second-order term of the
  /// last step.
  void aim(Real target, bool corrects);
  /// Takes over the step of x.
  void follow(std::span<const Real> step);
  /// Share of the step at which a gap or a take vanishes.
  Real longestStep() const;

 private:
  std::vector<Unknown> unknowns_;
};

}  // namespace drystone
