#pragma once

#include <vector>

#include "solvers/krylov/factored_preconditioner.h"

namespace drystone {

/// The incomplete factor with fill, of which small entries are dropped (Ho 2022, alg. 5). A pivot
/// that is not positive raises the whole diagonal, and all columns are made again.
class ThresholdCholesky : public FactoredPreconditioner {
 public:
  using FactoredPreconditioner::FactoredPreconditioner;

 private:
  void factorize() override;
  LowerColumns lower() const override { return {start_, row_, value_}; }

  void findLimits();
  void clear();
  /// Makes all columns. False: a pivot was not positive; with `replace` it is replaced instead.
  bool makeColumns(Real shift, bool replace);
  bool findPivot(int column, Real shift, bool replace);
  /// The column before entries are dropped, in `work_` at the rows of `touched_`.
  void accumulateColumn(int column);
  void storeColumn(int column);
  /// Puts a column into the list of the row of its entry `first_[column]`.
  void link(int column);

  std::vector<int> start_, row_;
  std::vector<Real> value_;
  std::vector<Real> least_;       // [rows] entries of a column below it are dropped
  std::vector<int> most_;         // [rows] entries that a column may keep
  std::vector<int> first_;        // [rows] next entry of a finished column that a column will need
  std::vector<int> head_, next_;  // [rows] finished columns by the row of that entry; -1: none
  std::vector<Real> work_;        // [rows]
  std::vector<int> touched_;
  std::vector<int> mark_;  // [rows] last column that touched a row
};

}  // namespace drystone
