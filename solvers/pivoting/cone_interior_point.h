#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solvers/linear/interior_sides.h"
#include "solvers/pivoting/cone_pair.h"
#include "solvers/pivoting/friction_newton.h"
#include "solvers/pivoting/stage.h"

namespace drystone {

/// Interior point for exact cone friction with all laws at once: follows w = A λ + b with the pairs
/// of the contacts (ConePair) and of the bounds (InteriorSides) from the same product m everywhere
/// to m = 0. Each step takes one factor of A + Θ, which has the pattern of A whatever the sets are,
/// and two solves. Where contacts are redundant the path leads to the middle of the impulses that
/// share a load, so that the sets at its end are those of plain Newton steps, which take over.
///
/// The law of friction is not monotone: the path may turn back before m is 0. Then steps become
/// short, the stage ends as kStalled, and its best answer is where another stage may begin.
class ConeInteriorPoint : public Stage {
 public:
  int maxSteps = 200;     ///< of a run, without the plain ones
  bool handsOver = true;  ///< to plain steps; false: the path alone

  /// `newton` takes the plain steps.
  explicit ConeInteriorPoint(FrictionNewton& newton) : newton_(newton) {}

  void reserve(const ProblemSize& size) override;
  /// From near λ. Leaves the best λ seen.
  SolveStatus improve(Iterate& iterate, StageContext& context) override;

 private:
  void enter(std::span<const Real> lambda, StageContext& context);
  SolveStatus follow(Iterate& iterate, StageContext& context);
  /// Plain steps from the sets of the iterate, where it came near enough for another try.
  void tryPlain(Iterate& iterate, StageContext& context);
  void keepBest(const Iterate& iterate);

  bool factor(StageContext& context);
  /// Predictor, corrector. Returns the share of the second step to go.
  Real findStep(StageContext& context);
  void aim(Real target, bool corrects);
  /// The step of the pulls that are set.
  void solve(StageContext& context);
  /// right − (A + Θ) step, where A step is at hand.
  void measureRemainder();
  void move(Real share);

  Real longestStep() const;
  /// Mean of all products after a share of the step.
  Real meanProduct(Real share) const;
  /// Calls `visit(row, side)` for each plain row in order; side: null without a bound.
  template <class Visit>
  void forEachPlainRow(Visit&& visit) const;

  FrictionNewton& newton_;
  RowBounds bounds_;
  std::vector<ConePair> pairs_;        // contacts with friction that follows the normal
  InteriorSides sides_;                // the other rows that have a bound
  std::vector<std::uint8_t> isPlain_;  // [rows] neither of a pair nor fixed
  std::vector<Real> lambda_, w_, right_, step_, product_, remainder_, correction_, best_;
  Real bestError_ = kInfinity;
  Real plainFrom_ = 0;  // natural map at which plain steps are tried next [m/s]
};

}  // namespace drystone
