#pragma once

#include <memory>

#include "solvers/pivoting/interior_point.h"
#include "solvers/pivoting/pivot_method.h"

namespace drystone {

/// Block principal pivoting with the rescue of what circles, and adaptive regularization where that
/// is on.
class BlockMethod : public PivotMethod {
 public:
  explicit BlockMethod(std::unique_ptr<FreeFactor> factor, PivotSettings given = {});

  void reserve(const ProblemSize& size) override;
  void attach(RowSystem& rows) override { attach(rows, rowsKind()); }
  /// For bases of the kind, such as friction that follows λ_n makes.
  void attach(RowSystem& rows, BasisKind kind);
  /// The factor for the bases of pivots, after others have used it.
  void prepareForPivots() { system().change(rowsKind()); }
  AdaptiveRegularization* regularization() override { return &regularization_; }
  const AdaptiveRegularization& addedRegularization() const { return regularization_; }

 protected:
  /// Where blocks circle, from the best of them: an interior point, which does not depend on
  /// pivots, and blocks again from the sets that it ends in.
  virtual PivotOutcome rescue(const RowBounds& bounds, IndexSets& sets, std::span<Real> lambda,
                              ResidualHistory* history);

 private:
  PivotOutcome pivot(const RowBounds& bounds, IndexSets& sets, std::span<Real> lambda,
                     ResidualHistory* history) override;
  /// Goes on from an answer of the interior point, which lies inside its bounds by what the
  /// tolerance leaves: the candidate of its sets lies on them. Kept where that is no solution.
  void placeOnBounds(const RowBounds& bounds, IndexSets& sets, std::span<Real> lambda,
                     PivotOutcome& outcome);
  /// Settings of block pivots on this problem.
  PivotSettings blockSettings() const;
  /// The kind of the bases that plain pivots make.
  BasisKind rowsKind() const {
    return regularization_.settings.enabled ? BasisKind::kDiagonal : BasisKind::kRows;
  }

  AdaptiveRegularization regularization_;
  Candidate candidate_;
  BlockPivoting blocks_;
  InteriorPoint interior_;
  BestCandidate best_;  // of blocks and their rescue
};

}  // namespace drystone
