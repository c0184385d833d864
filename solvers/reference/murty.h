#pragma once

#include <memory>
#include <span>

#include "solvers/pivoting/pivot_method.h"

namespace drystone {

/// Single principal pivoting of K. G. Murty, "Note on a Bard-type scheme for solving the
/// complementarity problem", Opsearch 11 (1974): moves the violator of least index. Ends for every
/// P-matrix, after up to 2ⁿ pivots. On failure λ and the sets are the best ones seen.
class MurtyMethod final : public PivotMethod {
 public:
  MurtyMethod(std::unique_ptr<FreeFactor> factor, PivotSettings given)
      : PivotMethod(std::move(factor), given) {}

  void reserve(const ProblemSize& size) override;
  void attach(RowSystem& rows) override;

 private:
  PivotOutcome pivot(const RowBounds& bounds, IndexSets& sets, std::span<Real> lambda,
                     ResidualHistory* history) override;
  PivotOutcome pivotFrom(const RowBounds& bounds, IndexSets& sets, std::span<Real> lambda,
                         ResidualHistory* history);

  Candidate candidate_;
  BestCandidate best_;
  VisitedSets visited_;
};

}  // namespace drystone
