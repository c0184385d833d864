#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solvers/linear/interior_sides.h"
#include "solvers/pivoting/pivoting.h"

namespace drystone {

/// Primal-dual interior point for positive semi-definite A: follows
///   w = A λ + b = z_l − z_u,  z_l (λ − l) = z_u (u − λ) = μ,  z ≥ 0,
/// to μ = 0 by predictor and corrector steps, each with one factor of A + D, where D has
/// z_l/(λ − l) + z_u/(u − λ) on its diagonal (solvers/linear/interior_sides.h). Takes some thirty
/// factors however A is conditioned and however many rows change, hence where pivots are lost; the
/// answer is inside the bounds by what the tolerance leaves.
class InteriorPoint {
 public:
  void reserve(const ProblemSize& size);
  /// Binds to the problem of one solve.
  void attach(RowSystem& rows, FreeSystem& system);
  /// From near λ. On failure λ is the best that was seen, and the sets are the last.
  PivotOutcome run(const RowBounds& bounds, const PivotSettings& settings, IndexSets& sets,
                   std::span<Real> lambda, ResidualHistory* history);

 private:
  void enter(const RowBounds& bounds, std::span<Real> lambda);
  void fillBasis();
  /// Step of λ for the pulls that are set [N s].
  std::span<const Real> solveStep(int refinements);
  /// Returns how many rows changed their set.
  int classify(const RowBounds& bounds, IndexSets& sets);

  RowSystem* rows_ = nullptr;
  FreeSystem* system_ = nullptr;
  InteriorSides sides_;                        // x is λ [N s], g is w [m/s]
  std::vector<std::uint8_t> isUnknown_;        // [rows]
  std::vector<RowState> state_;                // [rows]
  std::vector<Real> w_, right_, step_, best_;  // [rows]
};

}  // namespace drystone
