#pragma once

#include <span>
#include <vector>

#include "solvers/pivoting/proximal_point.h"
#include "solvers/pivoting/stage.h"

namespace drystone {

/// Proximal points of a problem with all laws at once: the next point solves it with
///   w = A λ + b + δ W (λ − point),  W = 1/ρ of each contact,
/// by semismooth Newton steps. Where a wall of bricks moves, contacts are
/// redundant, and how they share a load decides which of them slip: the problem itself sends Newton
/// steps astray from any start, while with a proximal term they end in a few. δ falls with the
/// natural map, and grows where steps wander. A point that stands solves the problem whatever δ is.
/// Goes on between runs; keeps its storage.
class ProximalNewton : public Stage {
 public:
  int maxSteps = 1000;  ///< Newton steps of a run; a point that they do not reach is begun anew

  void reserve(const ProblemSize& size) override;
  /// Forgets the point.
  void begin() override { bestError_ = kInfinity; }
  /// Goes on from the last point, or from λ where that is much better than all that was seen.
  /// Solved means to the tolerance. Leaves the best λ.
  SolveStatus improve(Iterate& iterate, StageContext& context) override;

 private:
  /// The next point, into the iterate's λ, in at most `steps` Newton steps. False: they wander.
  bool solve(Iterate& iterate, StageContext& context, int steps);
  /// One step on the proximal problem from λ.
  bool step(Iterate& iterate, StageContext& context);
  /// w of the proximal problem at λ.
  void evaluate(const Iterate& iterate, RowSystem& rows);

  std::vector<Real> point_, best_, proximalW_;
  Real pointError_ = 0, bestError_ = kInfinity;
  ProximalWeight weight_;
  Real delta_ = 0;
};

}  // namespace drystone
