#pragma once

#include <span>
#include <vector>

#include "solvers/linear/body_factor.h"
#include "solvers/linear/chosen_factor.h"
#include "solvers/pivoting/pivoting.h"

namespace drystone::bench {

/// Block pivoting without any countermeasure against cycles: every violator moves in every round.
class PlainPivoting {
 public:
  static constexpr int kMaxRounds = 500;  ///< most sets recur after a dozen

  SolveStatus solve(const ContactProblem& problem, std::span<const RowState> start,
                    std::span<const Real> warm);
  /// Rounds of the last solve.
  int rounds() const { return rounds_; }

 private:
  RowBounds bounds_;
  std::vector<Real> lambda_;
  RowSystem rows_;
  BodyFactor factor_;
  FreeSystem system_;
  Candidate candidate_;
  IndexSets sets_;
  VisitedSets visited_;
  PivotSettings settings_;
  int rounds_ = 0;
};

/// Block pivoting as A. Ho's thesis (2022, §2.5.3, §5.4) has it: blocks, single pivots where these
/// circle until there are fewer violators than ever, then blocks again, up to the limit; adaptive
/// regularization on request. Without the interior point by which this library's solvers end it.
class ThesisPivoting {
 public:
  int maxRounds = 2000;
  AdaptiveRegularization regularization;

  PivotOutcome solve(const ContactProblem& problem, std::span<const RowState> start,
                     std::span<const Real> warm);
  /// Rows that the last solve regularized, and the slip that this allows [m/s].
  const SolverReport& report() const { return report_; }

 private:
  RowBounds bounds_;
  std::vector<Real> lambda_;
  RowSystem rows_;
  BodyFactor factor_;
  FreeSystem system_;
  Candidate candidate_;
  IndexSets sets_;
  BlockPivoting blocks_;
  SolverReport report_;
};

}  // namespace drystone::bench
