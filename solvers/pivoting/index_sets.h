#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solvers/linear/free_basis.h"
#include "solvers/linear/row_system.h"
#include "solvers/problem/contact_problem.h"

namespace drystone {

/// The index sets F (free), T_l and T_u (tight at a bound) of a pivoting method. Always complete: a
/// row without bounds is free, a row whose bounds coincide is tight.
class IndexSets {
 public:
  void reserve(int rows) { state_.reserve(rows); }
  /// Sets of the previous step where they are known and still possible. A row without a state takes
  /// the one its warm impulse suggests: tight at a bound that the impulse has reached, else free.
  void start(const RowBounds& bounds, std::span<const RowState> states,
             std::span<const Real> lambda);
  /// Puts every row back into a state that its bounds allow, after the bounds have changed.
  void admit(const RowBounds& bounds);

  int size() const { return static_cast<int>(state_.size()); }
  RowState operator[](int row) const { return state_[row]; }
  bool free(int row) const { return state_[row] == RowState::kFree; }
  void set(int row, RowState state) { state_[row] = state; }
  std::span<const RowState> states() const { return state_; }
  void copyFrom(const IndexSets& other) { state_.assign(other.state_.begin(), other.state_.end()); }
  /// Equal sets have equal hashes; used to notice that sets recur.
  std::uint64_t hash() const;

  /// λ of the tight rows := their bounds.
  void placeTight(const RowBounds& bounds, std::span<Real> lambda) const;
  /// The free rows as unknowns. `extra`: compliance of every row on top of the problem's [1/kg], or
  /// empty.
  void fillBasis(const ContactProblem& problem, std::span<const Real> extra,
                 FreeBasis& basis) const;

 private:
  std::vector<RowState> state_;
};

}  // namespace drystone
