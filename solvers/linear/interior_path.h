#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solvers/linear/interior_sides.h"

namespace drystone {

/// Primal-dual interior point for x with bounds and a gradient g(x) = H x + c, H symmetric positive
/// semi-definite: follows
///   g = z_l − z_u,  z_l (x − l) = z_u (u − x) = μ,  z ≥ 0,
/// to μ = 0 by predictor and corrector steps with one factor of H + D each, where D has
/// z_l/(x − l) + z_u/(u − x) on its diagonal (InteriorSides). Takes some thirty factors however H
/// is conditioned, however many bounds change and however redundant they are. Who derives from it
/// knows H, and how to factor it.
class InteriorPath {
 public:
  virtual ~InteriorPath() = default;
  void reserve(int unknowns);

 protected:
  enum class End : std::uint8_t { kSolved, kStalled, kStepLimit, kSpent, kFactorFailed };
  struct Outcome {
    End end = End::kStepLimit;
    Real error = kInfinity;  ///< of the x returned, as `errorOf` has it
    int steps = 0;           ///< each with a factor of its own
  };
  struct Box {
    std::span<const Real> lower, upper;
    std::span<const Real> metric;  ///< > 0 of the size of the diagonal of H
    Real scale = 0;                ///< largest |c|
  };

  /// From near x, which is the best one seen on return, within its bounds.
  Outcome follow(const Box& box, int maxSteps, std::span<Real> x);
  /// After `follow`: the bound that holds each unknown, or none.
  std::span<const RowState> classify();

  const InteriorSides& sides() const { return sides_; }
  bool isFree(int index) const { return isFree_[index] != 0; }

 private:
  virtual void evaluateGradient(std::span<const Real> x, std::span<Real> gradient) = 0;
  /// Distance from a solution, in the unit of g; ∞ where a number is not finite.
  virtual Real errorOf(std::span<const Real> x, std::span<const Real> gradient) = 0;
  /// The error that will do at x.
  virtual Real toleranceAt(std::span<const Real> x) = 0;
  /// Asked before each step; false ends the path as kSpent.
  virtual bool mayStep() const { return true; }
  virtual void record(int /*step*/, Real /*error*/) {}
  /// Factors H + D of the unknowns that are free. False: a pivot vanishes.
  virtual bool factor() = 0;
  /// Solves (H + D) step = right for them; 0 in the others. A predictor's step only chooses μ,
  /// what `corrects` is gone.
  virtual std::span<const Real> solveStep(std::span<const Real> right, bool corrects) = 0;

  void enter(std::span<Real> x);
  End iterate(int maxSteps, std::span<Real> x, Outcome& outcome);

  Box box_;
  InteriorSides sides_;
  std::vector<std::uint8_t> isFree_;  // the others are fixed
  std::vector<RowState> state_;
  std::vector<Real> gradient_, right_, best_;
};

}  // namespace drystone
