#pragma once

#include <span>
#include <vector>

#include "solvers/pivoting/stage.h"

namespace drystone {

/// Solves a problem with all laws at once, friction bound to the solved normal impulse, by
/// semismooth Newton steps on its natural map: the block pivots of the coupled problem.
///
/// From the sets of the previous step they end at round-off in one or a few factorizations. Far
/// from a solution they may wander, because nothing holds impulses back that the masses hardly see;
/// then ProximalNewton takes over.
class FrictionNewton : public Stage {
 public:
  int maxSteps = 20;  ///< of a run

  void reserve(const ProblemSize& size) override;
  /// Solved means at round-off (reachableError). Leaves the best λ seen.
  SolveStatus improve(Iterate& iterate, StageContext& context) override;

 private:
  SolveStatus takeSteps(Iterate& iterate, StageContext& context);
  /// One step with the sets as they are. False: the factorization failed.
  bool step(Iterate& iterate, StageContext& context);
  void keepBest(const Iterate& iterate);
  void restoreBest(Iterate& iterate) const;
  void leaveNoExcess(Iterate& iterate, const StageContext& context);

  std::vector<Real> bestLambda_, bestW_;
  Real bestError_ = kInfinity;
};

}  // namespace drystone
