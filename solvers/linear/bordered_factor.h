#pragma once

#include <span>
#include <vector>

#include "core/types.h"

namespace drystone {

/// A dense symmetric quasi-definite matrix that grows and shrinks by a row, with its factor
/// L D Lᵀ, which exists for every order of its rows. A new row borders the factor; the rows after
/// one that is removed are factored anew. Keeps its storage.
class BorderedFactor {
 public:
  void clear() { size_ = factored_ = 0; }
  int size() const { return size_; }
  /// Appends a row, of whose size() + 1 entries the diagonal one is the last.
  void append(std::span<const Real> row);
  void remove(int index);
  /// Completes the factor. False: a pivot vanishes beside its diagonal entry.
  bool factor();
  /// In place; after `factor`.
  void solve(std::span<Real> x) const;

 private:
  static std::size_t rowStart(int row) { return static_cast<std::size_t>(row) * (row + 1) / 2; }

  int size_ = 0, factored_ = 0;
  std::vector<Real> matrix_, factor_;  // lower triangles, row by row
  std::vector<Real> pivot_;
};

}  // namespace drystone
