#pragma once

#include <span>
#include <vector>

#include "solvers/problem/contact_problem.h"

namespace drystone {

/// The unknowns y of one candidate and the equations that fix them. A plain free row is its own
/// unknown and its own equation w_i = 0. A slipping contact moves λ along a column that differs
/// from the row of its equation (λ_t = μ λ_n d while w_n = 0), so in general
///   λ = λ_fixed + C y,   Rᵀ (A λ + b) + E Rᵀ λ = 0,
/// with small columns that live in one block. Symmetric when R = C throughout. For a contact
/// with rows (n, t1, t2), one line for each unknown:
///
///            column C          equation R
///   sticks   (1, 0, 0)         (1, 0, 0)        w_n = 0
///            (0, 1, 0)         (0, 1, 0)        w_t1 = 0
///            (0, 0, 1)         (0, 0, 1)        w_t2 = 0
///   slips    (1, μ d1, μ d2)   (1, 0, 0)        w_n = 0 while λ_t = μ λ_n d
///            (0, −d2, d1)      (0, −d2, d1)     across d, with the compliance E (cone only)
class FreeBasis {
 public:
  void reserve(const ProblemSize& size);
  /// Starts an empty basis; unknowns are then added block by block, in order.
  void begin(const ContactProblem& problem);
  void beginBlock() { blockStart_.push_back(count()); }
  /// A plain unknown; `extra` is its E, a compliance on top of the problem's [1/kg].
  void addRow(int row, Real extra = 0);
  /// An unknown in a block of three rows that starts at `firstRow`.
  void add(int firstRow, const Vec3& equation, const Vec3& column, Real extra);
  void end() { blockStart_.push_back(count()); }

  int count() const { return static_cast<int>(row_.size()); }
  bool symmetric() const { return symmetric_; }
  int blockBegin(int block) const { return blockStart_[block]; }
  int blockEnd(int block) const { return blockStart_[block + 1]; }
  /// The row of a plain unknown, or the first row of the block of a general one.
  int row(int k) const { return row_[k]; }
  bool plain(int k) const { return general_[k] < 0; }
  const Vec3& equation(int k) const { return vectors_[general_[k]].equation; }
  const Vec3& column(int k) const { return vectors_[general_[k]].column; }
  Real extra(int k) const { return extra_[k]; }

  /// r_k = −(R_kᵀ w + E_k R_kᵀ λ); returns the largest |r_k| [m/s], ∞ where one is
  /// not finite.
  Real residual(std::span<const Real> lambda, std::span<const Real> w, std::span<Real> r) const;
  /// y = Rᵀ r.
  void restrict(std::span<const Real> r, std::span<Real> y) const;
  /// λ += C y.
  void expand(std::span<const Real> y, std::span<Real> lambda) const;

 private:
  struct Vectors {
    Vec3 equation, column;
  };
  std::vector<int> blockStart_, row_, general_;
  std::vector<Vectors> vectors_;
  std::vector<Real> extra_;
  bool symmetric_ = true;
};

}  // namespace drystone
