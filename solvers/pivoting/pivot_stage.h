#pragma once

#include <vector>

#include "solvers/pivoting/block_method.h"
#include "solvers/pivoting/stage.h"

namespace drystone {

/// Block pivots, and what rescues them where they circle (BlockMethod), as a stage of a cascade:
/// for problems whose bounds are known beforehand, which friction that follows λ_n does not leave.
///
/// It begins at the sets that go with the iterate, not at λ itself. What it leaves is the candidate
/// of least error, with w, sets and natural map of the problem as given.
class PivotStage : public Stage {
 public:
  explicit PivotStage(BlockMethod& method) : method_(method) {}

  void reserve(const ProblemSize& size) override;
  bool readsMeasures() const override { return false; }
  /// Solved is also a problem that adaptive regularization has changed.
  SolveStatus improve(Iterate& iterate, StageContext& context) override;

 private:
  BlockMethod& method_;
  RowBounds bounds_;
  IndexSets sets_;
  std::vector<RowState> state_;  // [rows]
};

}  // namespace drystone
