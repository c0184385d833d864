#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "solvers/linear/chosen_factor.h"
#include "solvers/linear/free_system.h"
#include "solvers/pivoting/fixed_bound_method.h"
#include "solvers/pivoting/pivoting.h"
#include "solvers/reference/lemke_tableau.h"

namespace drystone {

/// Lemke's complementary pivoting on a dense tableau, for any A: an oracle that has no factor of A
/// and no rule in common with the other methods. Always starts from nothing: warm impulses and sets
/// are ignored. Ends for every A: with a solution or with a secondary ray. A ray is reported as
/// kInfeasible when it proves that there is no solution, as it does for every positive
/// semi-definite A, and as kStalled otherwise.
///
/// Rows without bounds are eliminated beforehand; a row with one bound becomes z ≥ 0, one with two
/// has a slack: M = [A I; −I 0]. The tableau loses accuracy over many pivots, therefore λ is solved
/// for once more on the true A with the index sets that it ends with, and where that answer does
/// not hold, the method restarts from their basis, made anew. Where none holds, rows with two
/// bounds start elsewhere (Start), and of all answers the one with the smallest error is given.
/// O(rows²) a pivot and in memory.
class LemkeMethod : public FixedBoundMethod {
 public:
  void reserve(const ProblemSize& size) override;
  bool needsMatrix(const ContactProblem&) const override { return true; }
  void attach(RowSystem& rows) override;
  PivotOutcome run(const RowBounds& bounds, IndexSets& sets, std::span<Real> lambda,
                   ResidualHistory* history) override;

 private:
  /// What a row is in the LCP.
  enum class Role : std::uint8_t {
    kFixed,      ///< bounds coincide: a constant
    kFree,       ///< no bounds: eliminated
    kLower,      ///< λ = lower + z, no upper bound
    kUpper,      ///< λ = upper − z, no lower bound
    kFromLower,  ///< λ = lower + z, with a slack
    kFromUpper   ///< λ = upper − z, with a slack
  };

  /// Where rows with two bounds start, in this order until an answer holds.
  enum class Start : std::uint8_t {
    kFreed,  ///< as kNearer, but bounds so far off that a λ between them loses its digits are none
    kNearer,  ///< at the bound nearer to 0
    kFarther
  };

  PivotOutcome solve(const RowBounds& bounds, IndexSets& sets, std::span<Real> lambda,
                     ResidualHistory* history);
  /// Bounds are far where λ there changes w by 1e4 times the largest |b|. What starts at them loses
  /// four of 16 digits.
  bool areFar(int row, const RowBounds& bounds) const {
    const Real nearest = std::min(-bounds.lower[row], bounds.upper[row]);
    const Real moved = nearest * std::abs(rows_->diagonal(row));
    return std::isfinite(bounds.lower[row]) && std::isfinite(bounds.upper[row]) &&
           moved > 1e4 * rows_->velocityScale();
  }
  void assignRoles(const RowBounds& bounds);
  void scaleVariables();
  /// These two return false where time is over, or a factor fails.
  bool eliminate();
  bool fillTableau(const RowBounds& bounds);
  bool factorFree();
  void solveFree(std::span<Real> x) const;
  void readTableau(const RowBounds& bounds, IndexSets& sets, std::span<Real> lambda);
  void polish(const RowBounds& bounds, IndexSets& sets, std::span<Real> lambda,
              PivotOutcome& outcome);
  bool rayProvesInfeasible(const RowBounds& bounds);
  Real errorOf(const RowBounds& bounds, std::span<const Real> lambda);
  template <class Visit>
  void forEachEntry(Visit&& visit) const {
    const BlockSparseMatrix& matrix = *rows_->matrix();
    for (int c = 0; c < matrix.blockCount(); ++c) {
      for (int stored = matrix.blockStart[c]; stored < matrix.blockStart[c + 1]; ++stored) {
        const int d = matrix.blockColumn[stored];
        const int width = matrix.blockRows(d);
        const Real* values = matrix.values.data() + matrix.valueStart[stored];
        for (int i = 0; i < matrix.blockRows(c); ++i) {
          for (int j = 0; j < width; ++j) {
            visit(matrix.rowStart[c] + i, matrix.rowStart[d] + j, values[i * width + j]);
          }
        }
      }
    }
  }
  bool startsAtUpper(int row) const {
    return role_[row] == Role::kUpper || role_[row] == Role::kFromUpper;
  }
  bool hasSlack(int row) const {
    return role_[row] == Role::kFromLower || role_[row] == Role::kFromUpper;
  }
  Real sign(int row) const { return startsAtUpper(row) ? -1 : 1; }

  RowSystem* rows_ = nullptr;
  std::vector<Role> role_;
  std::vector<int> index_;  // [rows] among free rows, or among the z
  std::vector<int> boundedRow_, freeRow_;
  std::vector<int> slackRow_;          // rows with two bounds
  std::vector<Real> base_, velocity_;  // λ at z = 0, and w there
  std::vector<Real> scale_;            // [rows] λ of a scaled unit [N s / (scaled unit)]
  std::vector<Real> free_;             // A_ff and its LU, by column
  std::vector<Eigen::Index> swaps_;
  std::vector<Real> eliminated_;  // A_ff⁻¹ (A_fx, c_f), by column
  Real regularization_ = 0;
  bool isLate_ = false;
  Start start_ = Start::kNearer;
  LemkeTableau tableau_;
  std::vector<std::uint8_t> basicZ_;

  PivotSettings polishSettings_;
  RowFactor factor_;
  FreeSystem system_;
  Candidate candidate_;
  BestCandidate best_;
  std::vector<Real> polished_, w_, ray_;
};

}  // namespace drystone
