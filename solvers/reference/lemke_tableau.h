#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "solvers/driver/allowance.h"
#include "solvers/problem/contact_problem.h"

namespace drystone {

/// The tableau of Lemke's method for the LCP z ≥ 0, v = M z + q ≥ 0, zᵀ v = 0, with the artificial
/// variable z_0 in every row:
///   x_B + T x_N = q̄,  at first x_B = v, x_N = (z, z_0), T = (−M, −1), q̄ = q.
/// Only the columns of nonbasic variables are stored. Ratio tests are lexicographic, so that
/// degenerate problems do not cycle. Variables: v_k is k, z_k is size + k, z_0 is 2 size.
class LemkeTableau {
 public:
  /// kCycled: a basis has come back, which no exact arithmetic allows; round-off is at work.
  enum class Ending : std::uint8_t { kSolved, kRay, kPivotLimit, kCycled, kNotFinite };

  /// Makes room for problems up to this size.
  void reserve(int size);
  /// Starts a problem of this size; `column(k)` is then to be filled with −M_·k, `right()` with q.
  void reset(int size);
  std::span<Real> column(int k) { return {values_.data() + start(k), rows()}; }
  std::span<Real> right() { return column(size_ + 1); }
  /// Goes to the basis with these z_k, from where `run` starts anew, after any rounding errors of
  /// an earlier one. False: the basis is singular, or time is over.
  bool enter(std::span<const std::uint8_t> basicZ, const Allowance& allowance);
  /// A pivot takes one iteration.
  Ending run(int maxPivots, const Allowance& allowance);

  /// Pivots of the last run.
  int pivots() const { return pivots_; }
  bool zBasic(int k) const { return place_[size_ + k] >= 0; }
  /// z_k of the last basis.
  Real z(int k) const;
  /// Direction of z_k along the ray that a run has ended with.
  Real ray(int k) const;

 private:
  std::size_t rows() const { return static_cast<std::size_t>(size_); }
  std::size_t start(int column) const { return rows() * column; }
  const Real* at(int column) const { return values_.data() + start(column); }
  int complement(int variable) const {
    return variable < size_ ? variable + size_ : variable - size_;
  }
  int firstRow() const;
  int leavingRow(int column);
  void pivot(int row, int column);

  int size_ = 0;
  int pivots_ = 0;
  int rayColumn_ = 0;
  std::vector<Real> values_;   // size x (size + 2), by column; the last one is q̄
  std::vector<int> basic_;     // [size] variable of each row
  std::vector<int> nonbasic_;  // [size + 1] variable of each column
  std::vector<int> place_;  // [2 size + 1] row of a basic variable, −1 − column of a nonbasic one
  std::vector<int> reference_;  // [size] variable of each row at the start of the run
  std::vector<int> ties_;
};

}  // namespace drystone
