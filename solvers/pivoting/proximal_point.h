#pragma once

#include <span>
#include <vector>

#include "core/patience.h"
#include "solvers/linear/row_system.h"
#include "solvers/problem/contact_problem.h"

namespace drystone {

/// The proximal term of a loop whose rounds wander: with
///   w = A λ + b + δ W (λ − point),  W = 1/ρ in a contact, |A_ii| elsewhere,
/// no direction is softer than δ. Where contacts are redundant, masses do not oppose how they share
/// a load, and what a round leaves there, divided by next to nothing, moves the bounds of the next
/// one. Rounds solve the problem with the term; then their answer is the next point. δ falls the
/// more the fewer rounds that takes, and grows where they wander even so. A point that stands
/// solves the problem whatever δ is.
class ProximalPoint {
 public:
  void reserve(const ProblemSize& size);
  /// No term, until a point is set.
  void clear() {
    delta_ = 0;
    isSpent_ = false;
  }
  bool isOn() const { return delta_ > 0; }

  /// The first point; `error` is its natural map [m/s].
  void start(const RowSystem& rows, std::span<const Real> point, Real error);
  /// What a round left, by its natural maps [m/s] with the term and without. Where point or δ are
  /// new then, the next round begins at the point.
  void endRound(std::span<const Real> lambda, Real errorWithTerm, Real error);
  /// Nothing helps: the largest δ neither, or the least one, which changes nothing.
  bool isHopeless() const;

  std::span<const Real> point() const { return point_; }
  bool isNew() const { return rounds_ == 0; }  ///< no round has ended since the point or δ changed
  /// δ W of a row [1/kg]; 0 without a term.
  Real weight(int row) const { return delta_ > 0 ? delta_ * weight_[row] : 0; }

 private:
  void begin();

  std::vector<Real> point_, weight_;  // [rows]
  Real delta_ = 0;
  Real pointError_ = 0;
  int rounds_ = 0;              // since the point or δ changed
  Patience patience_ = {0, 1};  // with the natural map with the term, since then
  bool isSpent_ = false;        // the last point was hardly better, with the least δ
};

}  // namespace drystone
