#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solvers/direct/pivoting.h"

namespace drystone {

/// Primal-dual interior point for positive semi-definite A: follows
///   w = A λ + b = z_l − z_u,  z_l (λ − l) = z_u (u − λ) = μ,  z ≥ 0,
/// to μ = 0 by predictor and corrector steps, each with one factor of A + D, where D has
/// z_l/(λ − l) + z_u/(u − λ) on its diagonal. Takes some thirty factors however A is conditioned
/// and however many rows change, hence where pivots are lost; the answer is inside the bounds by
/// what the tolerance leaves. S. Mehrotra, "On the implementation of a primal-dual interior point
/// method", SIAM Journal on Optimization 2 (1992); S. J. Wright, "Primal-dual interior-point
/// methods" (1997).
class InteriorPoint {
 public:
  void reserve(const ProblemSize& size);
  /// Binds to the problem of one solve.
  void attach(RowSystem& rows, FreeSystem& system);
  /// From near λ. On failure λ is the best that was seen, and the sets are the last.
  PivotOutcome run(const RowBounds& bounds, const PivotSettings& settings, IndexSets& sets,
                   std::span<Real> lambda, ResidualHistory* history);

 private:
  /// Distance of a row to one bound and the velocity that the bound takes. ∞ and 0 without bound.
  struct Side {
    Real gap = kInfinity;  // [N s]
    Real velocity = 0, velocityStep = 0;
    Real pull = 0;  // product aimed at, over the gap [m/s]
  };
  struct BoundedRow {
    int row;
    Side lower, upper;
    Real step = 0;  // of λ [N s]
  };

  void enter(const RowBounds& bounds, std::span<Real> lambda);
  void fillBasis();
  /// Step towards products of `target` [J]; `corrects`: with the second-order term of the last
  /// step.
  void findStep(Real target, bool corrects);
  /// Share of the step at which a gap or a velocity vanishes.
  Real longestStep() const;
  /// Mean product after a share of the step [J].
  Real complementarity(Real share) const;
  void move(Real share, std::span<Real> lambda);
  /// Returns how many rows changed their set.
  int classify(const RowBounds& bounds, IndexSets& sets);

  RowSystem* rows_ = nullptr;
  FreeSystem* system_ = nullptr;
  std::vector<BoundedRow> bounded_;
  std::vector<std::uint8_t> isUnknown_;        // [rows]
  std::vector<RowState> state_;                // [rows]
  std::vector<Real> w_, right_, step_, best_;  // [rows]
};

}  // namespace drystone
