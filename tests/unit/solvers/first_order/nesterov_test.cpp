#include "solvers/first_order/nesterov.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/support/constants.h"
#include "tests/support/problems.h"

namespace drystone::test {
namespace {

// One normal row, A = 1/m, b = −g h: with σ the optimum is λ = m (g h − σ), q = −½ m (g h − σ)²,
// and a σ that changes under way changes it to that of the last one.
TEST(NesterovDescent, ShiftOfANormal_MovesTheOptimumAsDerived) {
  constexpr Real kMass = 3, kSigma = 0.03, kFall = kGravity * kTimestep;
  const StoredProblem sphere = sphereOnPlane(FrictionModel::kNone, kMass, 0, Vec3::Zero());
  NesterovDescent descent;
  descent.start(sphere.view(), std::vector<Real>{0.5});
  for (const Real sigma : {0.07, kSigma}) {
    descent.setShift(std::vector<Real>{sigma});
    for (int i = 0; i < 100; ++i) descent.step();
  }
  EXPECT_NEAR(descent.lambda()[0], kMass * (kFall - kSigma), 1e-12);
  EXPECT_NEAR(descent.gradient()[0], 0, 1e-12);
  EXPECT_NEAR(descent.energy(), -kMass / 2 * (kFall - kSigma) * (kFall - kSigma), 1e-12);
}

TEST(NesterovDescent, EnergyAtRestarts_FallsEveryTime) {
  const StoredProblem stack = boxStack(FrictionModel::kCone, {1, 1, 1, 1, 1, 1}, 0.5);
  NesterovDescent descent;
  descent.start(stack.view(), std::vector<Real>(stack.b.size(), 0));
  Real atRestart = descent.energy();
  int restarts = 0;
  for (int i = 0; i < 150; ++i) {
    descent.step();
    if (descent.restarts() == restarts) continue;
    restarts = descent.restarts();
    EXPECT_LT(descent.energy(), atRestart) << "step " << i;
    atRestart = descent.energy();
  }
  EXPECT_GE(restarts, 4);
}

/// Steps until the energy is within 1e-10 of its lowest, relative.
int stepsToTheOptimum(const StoredProblem& stored, bool adaptiveRestart) {
  NesterovDescent reference, descent;
  const std::vector<Real> zero(stored.b.size(), 0);
  reference.start(stored.view(), zero);
  for (int i = 0; i < 20000; ++i) reference.step();
  const Real lowest = reference.energy();
  descent.adaptiveRestart = adaptiveRestart;
  descent.start(stored.view(), zero);
  int steps = 0;
  while (steps < 20000 && descent.energy() > lowest - 1e-10 * lowest) {
    descent.step();
    ++steps;
  }
  return steps;
}

// Without restarts the momentum carries past the optimum and back; the ripples die out slowly.
TEST(NesterovDescent, AdaptiveRestart_SavesStepsOnStacksAndChains) {
  for (const StoredProblem& problem :
       {boxStack(FrictionModel::kCone, std::vector<Real>(10, 1), 0.5), hangingChain(20)}) {
    const int with = stepsToTheOptimum(problem, true);
    const int without = stepsToTheOptimum(problem, false);
    EXPECT_LT(2 * with, without) << with << " against " << without;
  }
}

// The first trial knows nothing of the coupling of the contacts. Then one trial in some ten fails
// at most: a product with A each.
TEST(NesterovDescent, TooLongSteps_AreFewAfterTheFirst) {
  const StoredProblem stack = boxStack(FrictionModel::kCone, std::vector<Real>(10, 1), 0.5);
  NesterovDescent descent;
  descent.start(stack.view(), std::vector<Real>(stack.b.size(), 0));
  for (int i = 0; i < 200; ++i) descent.step();
  EXPECT_GE(descent.stepReductions(), 1);
  EXPECT_LE(descent.stepReductions(), 20);
}

}  // namespace
}  // namespace drystone::test
