#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solvers/krylov/preconditioner.h"
#include "solvers/linear/cuthill_mckee.h"

namespace drystone {

/// The matrix that an incomplete factor is made of: S A S in the order of the factor, as diagonal
/// and strict lower triangle in compressed columns. Ordered again only when the pattern changes.
class OrderedMatrix {
 public:
  /// Takes the values of A over; entries of rows that are out become zero, save the diagonal, which
  /// becomes positive. True: the pattern was new.
  bool load(const SymmetricSparse& a, std::span<const std::uint8_t> isOut, RowOrder order,
            Prescaling prescaling);

  int size() const { return static_cast<int>(diagonal_.size()); }
  /// Row of A at a place of the factor. [size]
  std::span<const int> order() const { return order_; }
  std::span<const Real> scale() const { return scale_; }  ///< S by place
  std::span<const Real> diagonal() const { return diagonal_; }

  // Strict lower triangle by columns, rows ascending.
  std::span<const int> columnStart() const { return columnStart_; }
  std::span<const int> row() const { return row_; }
  std::span<const Real> value() const { return value_; }

  // The same pattern by rows, columns ascending: the columns and the places of their entries.
  std::span<const int> rowStart() const { return rowStart_; }
  std::span<const int> column() const { return column_; }
  std::span<const int> entry() const { return entry_; }

  /// Mean |diagonal| of the rows that are in; 1 without any.
  Real meanDiagonal() const { return meanDiagonal_; }

 private:
  bool hasPatternOf(const SymmetricSparse& a) const;
  void findOrder(const SymmetricSparse& a, RowOrder order);
  void findPattern(const SymmetricSparse& a);
  void findScale(const SymmetricSparse& a, Prescaling prescaling);

  std::vector<int> givenStart_, givenRow_;  // pattern of A at the last analysis
  std::vector<int> order_, place_;          // place → row, row → place
  std::vector<int> columnStart_, row_, source_;
  std::vector<int> rowStart_, column_, entry_;
  std::vector<int> graphStart_, neighbour_, cursor_;
  CuthillMckeeWorkspace workspace_;
  std::vector<std::uint8_t> isOut_;  // by place
  std::vector<Real> scale_, diagonal_, value_;
  Real meanDiagonal_ = 1;
};

}  // namespace drystone
