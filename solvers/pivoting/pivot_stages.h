#pragma once

#include <vector>

#include "solvers/pivoting/block_method.h"
#include "solvers/pivoting/bound_loop.h"
#include "solvers/pivoting/stage.h"

namespace drystone {

/// Block pivots, for problems whose bounds are known: friction does not follow λ_n.
class PivotStage : public Stage {
 public:
  explicit PivotStage(BlockMethod& method) : method_(method) {}

  void reserve(const ProblemSize& size) override;
  /// Solved is also a problem that adaptive regularization has changed.
  SolveStatus improve(Iterate& iterate, StageContext& context) override;

 private:
  BlockMethod& method_;
  RowBounds bounds_;
  IndexSets sets_;
  std::vector<RowState> state_;  // [rows]
};

/// Rounds of the loop over bounds for friction that follows λ_n. Each of them is a convex problem,
/// which always has its answer: a start for stages that are lost elsewhere.
class BoundRoundsStage : public Stage {
 public:
  BoundRoundsStage(BlockMethod& method, BoundLoopSettings& settings)
      : method_(method), settings_(settings) {}

  void reserve(const ProblemSize& size) override;
  SolveStatus improve(Iterate& iterate, StageContext& context) override;
  /// The loop itself, for solves that are nothing else.
  BoundLoop& loop() { return loop_; }

 private:
  BlockMethod& method_;
  BoundLoopSettings& settings_;
  BoundLoop loop_;
  std::vector<RowState> state_;  // [rows]
};

}  // namespace drystone
