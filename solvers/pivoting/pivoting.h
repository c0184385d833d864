#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solvers/driver/contact_solver.h"
#include "solvers/linear/free_system.h"
#include "solvers/pivoting/fixed_bound_method.h"
#include "solvers/pivoting/index_sets.h"

namespace drystone {

/// Settings that every pivoting method shares.
struct PivotSettings {
  Real tolerance = 1e-10;  ///< of the sign of w, relative to the largest |b|; of λ: that over A_ii
  /// Residual of the free rows, relative to the largest |b|, that will do to choose pivots.
  Real trialTolerance = 1e-7;
  int maxRounds = 300;  ///< candidates of a run, as far as the allowance goes
  int patience = 3;     ///< block pivots without fewer violators before single pivots
  int maxSingleRounds =
      60;  ///< single pivots in a row; BlockMethod has better where A is symmetric
  Allowance allowance = {};
};

/// Velocity below which the sign of w says nothing at λ [m/s]: `relative` times the largest |b|,
/// and somewhat more where round-off of the terms of w is.
Real signTolerance(const RowSystem& rows, Real relative, std::span<const Real> lambda);

/// Largest distance from complementarity over the rows, as a velocity: |λ − Π(λ − w/A_ii)| A_ii
/// [m/s]. ∞ where one is not finite.
Real complementarityError(const RowSystem& rows, const RowBounds& bounds,
                          std::span<const Real> lambda, std::span<const Real> w);

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
  /// `regularization`: what pivots add to the problem; null: nothing.
  void attach(RowSystem& rows, FreeSystem& system,
              AdaptiveRegularization* regularization = nullptr);
  /// Solves for the sets. `lambda` is the start of refinement, and the answer. False: the factor
  /// failed.
  bool evaluate(const IndexSets& sets, const RowBounds& bounds, std::span<Real> lambda,
                const PivotSettings& settings);

  /// No row violates, and the equations of the free rows hold to the tolerance.
  bool solved() const { return solved_; }
  /// By ascending row.
  std::span<const Violator> violators() const { return violators_; }
  /// Moves some of them. Returns how many.
  int pivot(std::span<const Violator> violators, IndexSets& sets);
  /// After a round. True: its pivots have changed the problem.
  bool regularize();
  /// AdaptiveRegularization::roundsToWait, or 0.
  int regularizationRounds() const;
  std::span<const Real> velocity() const { return w_; }
  /// Its complementarityError, in the problem as it was given [m/s].
  Real error() const { return error_; }

 private:
  std::span<const Real> addedCompliance() const;
  void findViolators(const IndexSets& sets, const RowBounds& bounds, std::span<const Real> lambda,
                     Real tolerance);

  RowSystem* rows_ = nullptr;
  FreeSystem* system_ = nullptr;
  AdaptiveRegularization* regularization_ = nullptr;
  std::vector<Real> w_;
  std::vector<Violator> violators_;
  Real error_ = 0;
  bool solved_ = false;
};

/// The candidate of least error of a run.
class BestCandidate {
 public:
  void reserve(const ProblemSize& size);
  void clear() { error_ = kInfinity; }
  bool empty() const { return !(error_ < kInfinity); }
  void offer(Real error, const IndexSets& sets, std::span<const Real> lambda);
  /// Puts it back, if there is one. Returns its error.
  Real copyTo(IndexSets& sets, std::span<Real> lambda) const;
  /// The same with its tight rows at their bounds.
  Real restore(const RowBounds& bounds, IndexSets& sets, std::span<Real> lambda) const;

 private:
  Real error_ = kInfinity;
  IndexSets sets_;
  std::vector<Real> lambda_;
};

/// Index sets seen in a run, by their hash.
class VisitedSets {
 public:
  void reserve();
  void clear() { hashes_.clear(); }
  /// True when they were seen before; else they now are.
  bool recur(const IndexSets& sets);

 private:
  std::vector<std::uint64_t> hashes_;
};

/// One candidate of a run: counts the round, evaluates, offers it to `best`. False: the run is
/// over, and `outcome` says how.
bool evaluateRound(Candidate& candidate, const RowBounds& bounds, const PivotSettings& settings,
                   const IndexSets& sets, std::span<Real> lambda, ResidualHistory* history,
                   BestCandidate& best, PivotOutcome& outcome);

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
  BestCandidate best_;
  IndexSets leastSets_;
  VisitedSets visited_;
};

}  // namespace drystone
