#pragma once

#include <span>
#include <vector>

#include "engine/step/rows.h"
#include "engine/step/step_report.h"

namespace drystone {

/// Answers of the islands of an inner step that is solved again with more contacts, for the islands
/// that get none of them.
class SolvedIslands {
 public:
  /// Before the contacts are added.
  void keep(const Islands& islands, const ConstraintRows& rows,
            std::span<const IslandReport> reports);

  /// After the rows were made anew: gives the islands without one of `added` their answers and
  /// reports back, and adds the work of the others to the report.
  void restore(const BodyStore& bodies, std::span<const StepContact> added, const Islands& islands,
               ConstraintRows& rows, StepReport& report);

  /// Nothing is solved.
  void clear() { isSolved_.clear(); }
  /// [islands] whether it has its answer; empty: none has.
  std::span<const char> isSolved() const { return isSolved_; }

 private:
  std::vector<int> ofBody_, rowStart_;  ///< of the islands of before
  std::vector<Real> lambda_, warmLambda_, b_, stabilization_;
  std::vector<RowState> state_, warmState_;
  std::vector<IslandReport> reports_;
  std::vector<char> isSolved_;
};

}  // namespace drystone
