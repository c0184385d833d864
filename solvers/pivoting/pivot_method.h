#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "solvers/linear/free_system.h"
#include "solvers/pivoting/fixed_bound_method.h"
#include "solvers/pivoting/interior_point.h"
#include "solvers/pivoting/keller.h"
#include "solvers/pivoting/pivoting.h"

namespace drystone {

/// Which violators a principal pivoting method moves.
enum class PivotRule : std::uint8_t {
  kBlock,   ///< all of them, single ones when that leads nowhere (BlockPivoting)
  kSingle,  ///< the one of least index (SinglePivoting)
  kPrimal,  ///< those that descent within the bounds meets (PrimalPivoting)
};

/// Principal pivoting with a direct factor of the free system. Members of the family differ in the
/// factor and in the rule.
class PivotMethod : public FixedBoundMethod {
 public:
  PivotMethod(std::unique_ptr<FreeFactor> factor, PivotRule rule, PivotSettings settings);

  void reserve(const ProblemSize& size) override;
  bool needsMatrix(const ContactProblem& problem) const override;
  void attach(RowSystem& rows) override { attach(rows, rowsKind()); }
  AdaptiveRegularization* regularization() override { return &regularization_; }
  PivotOutcome run(const RowBounds& bounds, IndexSets& sets, std::span<Real> lambda,
                   ResidualHistory* history) override;

  /// For bases of the kind, such as friction that follows λ_n makes.
  void attach(RowSystem& rows, BasisKind kind);
  FreeSystem& system() { return system_; }

  PivotSettings settings;  ///< but for what each run sets: its rounds and its deadline

 protected:
  /// Where blocks circle, from the best of them: an interior point, which does not depend on
  /// pivots, and blocks again from the sets that it ends in.
  virtual PivotOutcome rescue(const RowBounds& bounds, IndexSets& sets, std::span<Real> lambda,
                              ResidualHistory* history);

  RowSystem& rows() { return *rows_; }

 private:
  /// Settings of block pivots on this problem.
  PivotSettings blockSettings() const;
  PivotOutcome runBlocks(const RowBounds& bounds, IndexSets& sets, std::span<Real> lambda,
                         ResidualHistory* history);
  PivotOutcome runSingles(const RowBounds& bounds, IndexSets& sets, std::span<Real> lambda,
                          ResidualHistory* history);
  PivotOutcome runRule(const RowBounds& bounds, IndexSets& sets, std::span<Real> lambda,
                       ResidualHistory* history);

  /// Of the bases that plain pivots make.
  BasisKind rowsKind() const {
    return regularization_.settings.enabled ? BasisKind::kDiagonal : BasisKind::kRows;
  }

  std::unique_ptr<FreeFactor> factor_;
  PivotRule rule_;
  AdaptiveRegularization regularization_;
  FreeSystem system_;
  Candidate candidate_;
  BlockPivoting blocks_;
  SinglePivoting singles_;
  PrimalPivoting primal_;
  InteriorPoint interior_;
  BestCandidate best_;  // of blocks and their rescue
  RowSystem* rows_ = nullptr;
};

}  // namespace drystone
