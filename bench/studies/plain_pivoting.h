#pragma once

#include <span>
#include <vector>

#include "solvers/linear/chosen_factor.h"
#include "solvers/pivoting/pivoting.h"

namespace drystone::bench {

/// Block pivoting without any countermeasure against cycles: every violator moves in every round.
class PlainPivoting {
 public:
  static constexpr int kMaxRounds = 500;  ///< most sets recur after a dozen

  SolveStatus solve(const ContactProblem& problem, std::span<const RowState> start,
                    std::span<const Real> warm);
  /// Of the last solve.
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

}  // namespace drystone::bench
