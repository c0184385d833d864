#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solvers/contact_solver.h"
#include "solvers/direct/free_system.h"
#include "solvers/direct/index_sets.h"

namespace drystone {

/// Settings that every pivoting method shares.
struct PivotSettings {
  Real tolerance = 1e-10;  ///< of the sign of w, relative to the largest |b|; of λ: that over A_ii
  int patience = 3;        ///< block pivots without fewer violators before single pivots
  int maxRounds = 300;     ///< candidates in all
  int maxSingleRounds = 60;  ///< single pivots in a row

  void visit(SettingVisitor& visitor);
};

/// A row that contradicts its set, and the set that it should move to.
struct Violator {
  int row;
  RowState target;
};

/// One candidate of a pivoting method and what is wrong with it.
///
/// For the index sets at hand λ_T lies at the bounds and A_FF λ_F = −b_F − A_FT λ_T. A free row out
/// of its bounds violates, and so does a tight row whose w would move it off its bound.
class Candidate {
 public:
  void reserve(const ProblemSize& size);
  void attach(RowSystem& rows, FreeSystem& system);
  /// Solves for the sets. `lambda` is the start of refinement, and the answer. False: the factor
  /// failed.
  bool evaluate(const IndexSets& sets, const RowBounds& bounds, std::span<Real> lambda,
                const PivotSettings& settings);

  /// No row violates, and the equations of the free rows hold to the tolerance.
  bool solved() const { return solved_; }
  /// By ascending row.
  std::span<const Violator> violators() const { return violators_; }
  std::span<const Real> velocity() const { return w_; }
  /// Largest distance from complementarity over the rows, as a velocity: |λ − Π(λ − w/A_ii)| A_ii.
  Real error() const { return error_; }

 private:
  void findViolators(const IndexSets& sets, const RowBounds& bounds, std::span<const Real> lambda,
                     Real tolerance);

  RowSystem* rows_ = nullptr;
  FreeSystem* system_ = nullptr;
  std::vector<Real> w_;
  std::vector<Violator> violators_;
  Real error_ = 0;
  bool solved_ = false;
};

/// How a run of pivots ended.
struct PivotOutcome {
  SolveStatus status = SolveStatus::kConverged;
  int rounds = 0;  ///< candidates evaluated
  int pivots = 0;  ///< rows moved
  Real error = 0;  ///< of the λ returned, see Candidate::error
};

/// Block principal pivoting (Júdice and Pires): moves every violator at once. When their number has
/// not fallen for `patience` rounds, or sets recur, goes back to the best sets and moves one row at
/// a time, the least index first (Murty, finite for P-matrices; the greatest first when that takes
/// too long), until there are fewer violators than ever, and then moves blocks again. On failure λ
/// and the sets are the best ones seen.
class BlockPivoting {
 public:
  void reserve(const ProblemSize& size);
  PivotOutcome run(Candidate& candidate, const RowBounds& bounds, const PivotSettings& settings,
                   IndexSets& sets, std::span<Real> lambda, ResidualHistory* history);

 private:
  int apply(std::span<const Violator> violators, IndexSets& sets);
  bool recurs(const IndexSets& sets);

  IndexSets bestSets_, leastSets_;
  std::vector<Real> bestLambda_;
  std::vector<std::uint64_t> visited_;
};

}  // namespace drystone
