#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "core/patience.h"
#include "solvers/linear/row_system.h"
#include "solvers/problem/contact_problem.h"

namespace drystone {

/// More steps than these in a row that do not halve the natural map wander.
constexpr int kStepPatience = 3;

/// δ of proximal points: a factor times the natural map of the point over the largest |b|, which
/// makes the last points as quick as the method without a term.
class ProximalWeight {
 public:
  void start() { factor_ = 1 / kGrowth; }
  /// δ for a point of this natural map [m/s]; `scale`: the largest |b| [m/s].
  Real at(Real error, Real scale) const { return factor_ * error / std::max(scale, error); }
  void grow() { factor_ *= kGrowth; }  ///< where the way to the next point wanders
  void fall() { factor_ *= kDecay; }   ///< at the next point

 private:
  static constexpr Real kGrowth = 10, kDecay = 0.6;
  Real factor_ = 1 / kGrowth;
};

/// The proximal term of a loop whose rounds wander: with
///   w = A λ + b + δ W (λ − point),  W = 1/ρ in a contact, |A_ii| elsewhere,
/// no direction is softer than δ. Where contacts are redundant, masses do not oppose how they share
/// a load, and what a round leaves there, divided by next to nothing, moves the bounds of the next
/// one. Rounds solve the problem with the term; then their answer is the next point. A point that
/// stands solves the problem whatever δ is.
class ProximalPoint {
 public:
  void reserve(const ProblemSize& size);
  /// No term, until a point is set.
  void clear() { delta_ = 0; }
  bool isOn() const { return delta_ > 0; }

  /// The first point; `error` is its natural map [m/s].
  void start(const RowSystem& rows, std::span<const Real> point, Real error);
  /// What a round left, by its natural maps [m/s] with the term and without. Where point or δ are
  /// new then, the next round begins at the point.
  void endRound(std::span<const Real> lambda, Real errorWithTerm, Real error);

  std::span<const Real> point() const { return point_; }
  bool isNew() const { return rounds_ == 0; }  ///< no round has ended since the point or δ changed
  /// δ W of a row [1/kg]; 0 without a term.
  Real weight(int row) const { return delta_ > 0 ? delta_ * weight_[row] : 0; }

 private:
  void begin();

  ProximalWeight rule_;
  std::vector<Real> point_, weight_;  // [rows]
  Real delta_ = 0;
  Real pointError_ = 0, scale_ = 0;
  int rounds_ = 0;              // since the point or δ changed
  Patience patience_ = {0, 1};  // with the natural map with the term, since then
};

}  // namespace drystone
