#pragma once

#include <memory>
#include <span>
#include <vector>

#include "solvers/pivoting/pivot_method.h"

namespace drystone {

/// Keller's primal method, for symmetric positive semi-definite A: descends on ½ λᵀ A λ + bᵀ λ
/// within the bounds. Every λ on the way is feasible, so is the one returned on failure.
///
/// Goes from λ towards the solution of the free rows until a free row meets a bound, and makes that
/// row tight; having arrived, frees a tight row whose w would move it off its bound. Finite, since
/// the objective falls from one arrival to the next; where λ does not move in between, rows are
/// chosen by least index. A slightly unsymmetric A usually works, and ends as kCycled where not.
class KellerMethod final : public PivotMethod {
 public:
  KellerMethod(std::unique_ptr<FreeFactor> factor, PivotSettings given)
      : PivotMethod(std::move(factor), given) {}

  void reserve(const ProblemSize& size) override;
  void attach(RowSystem& rows) override { PivotMethod::attach(rows, BasisKind::kRows); }

 private:
  /// How far λ has come since a row was freed, which says how the next one is chosen.
  struct Progress {
    bool freed = false;       ///< a row, ever
    bool moved = false;       ///< λ, since
    bool leastIndex = false;  ///< rule now in force
    bool forGood = false;     ///< after sets have recurred
  };

  PivotOutcome pivot(const RowBounds& bounds, IndexSets& sets, std::span<Real> lambda,
                     ResidualHistory* history) override;
  SolveStatus descend(const RowBounds& bounds, IndexSets& sets, std::span<Real> lambda,
                      ResidualHistory* history, PivotOutcome& outcome);
  bool findTarget(const IndexSets& sets, std::span<const Real> lambda);
  Real shareUpToBound(int row, const RowBounds& bounds, Real lambda) const;
  bool blocked(const RowBounds& bounds, IndexSets& sets, std::span<Real> lambda, Progress& progress,
               PivotOutcome& outcome, int& crossing);
  bool runsAway(std::span<const Real> lambda) const;
  int rowToFree(const RowBounds& bounds, const IndexSets& sets, bool leastIndex, int& wrong) const;

  std::vector<Real> startW_;      // at λ
  std::vector<Real> target_, w_;  // where the free equations hold, and w there
  Real startResidual_ = 0;        // of the free equations at λ [m/s]
  Real residual_ = 0;             // and at the target
  Real tolerance_ = 0;            // at the target [m/s]
  BestCandidate best_;
  VisitedSets visited_;
};

}  // namespace drystone
