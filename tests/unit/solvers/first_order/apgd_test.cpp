#include "solvers/first_order/apgd.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "solvers/default_registry.h"
#include "solvers/first_order/nesterov.h"
#include "solvers/problem/judge.h"
#include "solvers/problem/laws.h"
#include "solvers/problem/problem_ops.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/mlcp.h"
#include "tests/support/problems.h"
#include "tests/support/solved.h"

namespace drystone::test {
namespace {

/// `apgd` to the tolerance of the comparisons below.
Solved solveTightly(const StoredProblem& stored, ApgdLaw law = ApgdLaw::kRelaxed) {
  ApgdSolver solver;
  Budget budget;
  solver.settings.law = law;
  budget.tolerance = 1e-11;
  return solveWith(solver, budget, stored);
}

// A sphere slides: A_nn = 1/m, A_tt = 1/m + r²/(2/5 m r²) = 7/2 /m in both tangents, b = (−g h,
// 0.6, 0.8). With λ_n = m (g h + s) for the opening velocity s = μ ‖w_t‖_*, each tangent that
// friction brakes in full slows down by its share of 7/2 μ (g h + s):
//   cone:    ‖w_t‖ = 1 − 7/2 μ (g h + μ ‖w_t‖), along the slip; with torsion likewise
//   pyramid: w_t1 + w_t2 = 1.4 − 7 μ (g h + μ (w_t1 + w_t2)), both tangents
//   diamond: w_t2 = 0.8 − 7/2 μ (g h + μ w_t2), the larger one alone.
struct SlidingSphere {
  FrictionModel model;
  Real slide;    ///< ‖·‖_* of the slide before
  Real braking;  ///< how fast it falls per μ (g h + s)
};

TEST(ApgdRelaxed, SlidingSphere_OpensByFrictionTimesSlip) {
  constexpr Real kMass = 2, kFriction = 0.1;
  for (const SlidingSphere& one : {SlidingSphere{FrictionModel::kCone, 1, 3.5},
                                   SlidingSphere{FrictionModel::kContensou, 1, 3.5},
                                   SlidingSphere{FrictionModel::kPyramid, 1.4, 7},
                                   SlidingSphere{FrictionModel::kDiamond, 0.8, 3.5}}) {
    SCOPED_TRACE(frictionModelName(one.model));
    const Solved answer =
        solveTightly(sphereOnPlane(one.model, kMass, kFriction, Vec3(0.6, 0.8, 0)));
    constexpr Real kFall = kGravity * kTimestep;
    const Real slip =
        (one.slide - one.braking * kFriction * kFall) / (1 + one.braking * kFriction * kFriction);
    EXPECT_EQ(answer.report.status, SolveStatus::kConverged);
    EXPECT_NEAR(answer.w[0], kFriction * slip, 1e-10);
    EXPECT_NEAR(answer.lambda[0], kMass * (kFall + kFriction * slip), 1e-9);
    EXPECT_NEAR(answer.report.relaxationError, kFriction * slip, 1e-10);
    // The judge holds it against the exact law, and finds no more than what the report admits.
    EXPECT_GT(answer.judged.naturalMap, 0.5 * kFriction * slip);
    EXPECT_LE(answer.judged.naturalMap, answer.report.relaxationError + 1e-10);
  }
}

// Nothing slides, or friction does not follow the normal: the relaxation is the law.
TEST(ApgdRelaxed, WhereNothingIsRelaxed_TheJudgeAgrees) {
  for (const StoredProblem& problem :
       {sphereOnPlane(FrictionModel::kCone, 2, 0.5, Vec3(0.05, -0.02, 0)),
        boxStack(FrictionModel::kPyramid, {1, 1, 1}, 0.5),
        randomPile(FrictionModel::kNone, 3, 2, 2, 0.4, 7),
        randomPile(FrictionModel::kBox, 3, 2, 2, 0.4, 7)}) {
    const Solved answer = solveTightly(problem);
    EXPECT_EQ(answer.report.status, SolveStatus::kConverged);
    EXPECT_LE(answer.report.relaxationError, 1e-9);
    EXPECT_LE(answer.judged.naturalMap, 1e-9);
  }
}

// M.15 for each contact: λ ∈ K, w ∈ K* (w_n at least the shift), and λ·w = 0.
TEST(ApgdRelaxed, Piles_MeetTheConditionsOfTheConvexOptimum) {
  for (const FrictionModel model : kFrictionModels) {
    if (model == FrictionModel::kBox) continue;  // K of a fixed bound is no cone
    SCOPED_TRACE(frictionModelName(model));
    const StoredProblem pile = randomPile(model, 3, 3, 2, 0.4, 7);
    const Solved answer = solveTightly(pile);
    ASSERT_EQ(answer.report.status, SolveStatus::kConverged);
    Real largestShift = 0;
    for (const ProblemBlock& block : pile.blocks) {
      const Real* lambda = &answer.lambda[block.firstRow];
      const Real* w = &answer.w[block.firstRow];
      const Real shift = deSaxceShift(model, block, w + 1);
      Real product = 0;
      for (int i = 0; i < block.rows; ++i) product += lambda[i] * w[i];
      EXPECT_LE(frictionExcess(model, block, lambda), 1e-12);
      EXPECT_GE(w[0], shift - 1e-9);
      EXPECT_NEAR(product, 0, 1e-9);
      if (lambda[0] > 0) largestShift = std::max(largestShift, shift);
    }
    EXPECT_NEAR(answer.report.relaxationError, largestShift, 1e-12);
    EXPECT_EQ(largestShift > 1e-3, model != FrictionModel::kNone);
  }
}

TEST(ApgdExact, ConeProblems_HaveTheVelocityOfNsgs) {
  constexpr FrictionModel kCone = FrictionModel::kCone;
  for (const StoredProblem& problem :
       {sphereOnPlane(kCone, 2, 0.1, Vec3(0.6, 0.8, 0)), boxOnPlane(kCone, 3, 0.2, 0.5),
        boxStack(kCone, {1, 10}, 0.5), boxStack(kCone, {1, 1, 1}, 0.5, 1e-2), hangingChain(5)}) {
    const auto nsgs = makeDefaultRegistry().create("nsgs");
    Budget budget;
    budget.tolerance = 1e-11;
    const Solved expected = solveWith(*nsgs, budget, problem);
    const Solved answer = solveTightly(problem, ApgdLaw::kExact);
    EXPECT_EQ(answer.report.status, SolveStatus::kConverged);
    EXPECT_LE(largestDifference(answer.w, expected.w), 1e-8);
    EXPECT_LE(answer.judged.naturalMap, 1.01e-11);
    EXPECT_EQ(answer.report.relaxationError, 0);
  }
}

TEST(Apgd, FixedBounds_HaveTheVelocityOfADirectSolver) {
  for (const FrictionModel model : {FrictionModel::kNone, FrictionModel::kBox}) {
    for (const StoredProblem& problem :
         {randomPile(model, 3, 3, 2, 0.4, 5), boxStack(model, {1, 10, 1}, 0.5),
          pileWithJoints(model, 0.3, 3)}) {
      const auto direct = makeDefaultRegistry().create("bpp");
      const Solved expected = solveWith(*direct, problem);
      EXPECT_LE(largestDifference(solveTightly(problem).w, expected.w), 1e-8);
    }
  }
}

// What the relaxation minimises is less than at any other point of K, the exact law's answer among
// them.
TEST(ApgdRelaxed, Energy_IsBelowThatOfTheExactAnswer) {
  const StoredProblem pile = randomPile(FrictionModel::kCone, 3, 2, 2, 0.4, 7);
  const auto energyOf = [&pile](const std::vector<Real>& lambda) {
    NesterovDescent descent;
    descent.start(pile.view(), lambda);
    return descent.energy();
  };
  const Real relaxed = energyOf(solveTightly(pile).lambda);
  const Real exact = energyOf(solveTightly(pile, ApgdLaw::kExact).lambda);
  EXPECT_LT(relaxed, exact - 1e-4);
}

// Masses times 1024 and lengths times 8 are exact in binary: the same iterates up to those factors.
TEST(Apgd, UnitsAndMasses_DoNotChangeTheIteration) {
  for (const ApgdLaw law : {ApgdLaw::kRelaxed, ApgdLaw::kExact}) {
    ApgdSolver solver;
    Budget budget;
    solver.settings.law = law;
    const StoredProblem pile = pileWithJoints(FrictionModel::kCone, 0.3, 3);
    const Solved expected = solveWith(solver, budget, pile);
    StoredProblem scaled = pile;
    for (InverseInertia& body : scaled.bodies) {
      body.inverseMass /= 1024;
      body.inverseInertia /= 1024;
    }
    for (auto* bounds : {&scaled.lower, &scaled.upper}) {
      for (Real& bound : *bounds) bound *= 1024 * 8;
    }
    for (Real& b : scaled.b) b *= 8;
    budget.tolerance *= 8;
    const Solved answer = solveWith(solver, budget, scaled);
    EXPECT_EQ(answer.report.iterations, expected.report.iterations);
    for (std::size_t row = 0; row < expected.w.size(); ++row) {
      ASSERT_EQ(answer.w[row], 8 * expected.w[row]);
    }
  }
}

TEST(Apgd, SolvedWarmStart_TakesNoStep) {
  for (const ApgdLaw law : {ApgdLaw::kRelaxed, ApgdLaw::kExact}) {
    ApgdSolver solver;
    solver.settings.law = law;
    const StoredProblem pile = randomPile(FrictionModel::kCone, 3, 2, 2, 0.4, 7);
    const Solved first = solveWith(solver, pile);
    const Solved second = solveWith(solver, pile, first.lambda);
    EXPECT_EQ(second.report.iterations, 0);
    EXPECT_EQ(second.lambda, first.lambda);
    EXPECT_EQ(second.report.relaxationError, first.report.relaxationError);
  }
}

TEST(Apgd, EveryCriterion_EndsAtIt) {
  const StoredProblem pile = randomPile(FrictionModel::kCone, 3, 2, 2, 0.4, 7);
  for (const ApgdLaw law : {ApgdLaw::kRelaxed, ApgdLaw::kExact}) {
    for (const StopCriterion criterion :
         {StopCriterion::kNaturalMap, StopCriterion::kRelative, StopCriterion::kImpulseChange}) {
      ApgdSolver solver;
      Budget budget;
      solver.settings.law = law;
      solver.settings.stopping.criterion = criterion;
      budget.tolerance = solver.settings.stopping.relativeTolerance = 1e-9;
      const Solved answer = solveWith(solver, budget, pile);
      EXPECT_EQ(answer.report.status, SolveStatus::kConverged);
      EXPECT_LE(solver.history().entries().back().residual, 1e-9);
      // An impulse that changes by less than 1e-9 of itself is some hundred times further off.
      EXPECT_LE(answer.judged.naturalMap, answer.report.relaxationError + 1e-6);
    }
  }
}

TEST(Apgd, ZeroTolerance_EndsAtRoundOffAndSaysSo) {
  for (const ApgdLaw law : {ApgdLaw::kRelaxed, ApgdLaw::kExact}) {
    ApgdSolver solver;
    Budget budget;
    solver.settings.law = law;
    budget.tolerance = 0;
    const Solved answer = solveWith(solver, budget, boxStack(FrictionModel::kCone, {1, 1, 1}, 0.5));
    EXPECT_EQ(answer.report.status, SolveStatus::kStalled);
    EXPECT_LE(answer.judged.naturalMap, answer.report.relaxationError + 1e-14);
  }
}

TEST(Apgd, Limits_EndTheSolveThere) {
  const StoredProblem stack = boxStack(FrictionModel::kCone, std::vector<Real>(10, 1), 0.5);
  ApgdSolver solver;
  Budget budget;
  budget.seconds = 0;
  const Solved late = solveWith(solver, budget, stack);
  EXPECT_EQ(late.report.status, SolveStatus::kTimeLimit);
  EXPECT_EQ(late.report.iterations, 1);
  EXPECT_TRUE(late.judged.finite);

  budget.seconds = kUnlimited;
  budget.iterations = 23;
  const Solved limited = solveWith(solver, budget, stack);
  EXPECT_EQ(limited.report.status, SolveStatus::kIterationLimit);
  EXPECT_EQ(limited.report.iterations, 23);
  EXPECT_EQ(solver.history().entries().back().iteration, 23);
}

// A body between two opposed contacts that close on it: A = [1 −1; −1 1], b = (−1, −1). q falls
// without end along (1, 1), where w stays (−1, −1).
TEST(Apgd, ProblemWithoutASolution_IsNotCalledSolved) {
  MatX a(2, 2);
  a << 1, -1, -1, 1;
  for (const StopCriterion criterion :
       {StopCriterion::kNaturalMap, StopCriterion::kRelative, StopCriterion::kImpulseChange}) {
    ApgdSolver solver;
    solver.settings.stopping.criterion = criterion;
    const Solved answer = solveWith(solver, lcp(a, VecX::Constant(2, -1)));
    EXPECT_NE(answer.report.status, SolveStatus::kConverged);
    EXPECT_EQ(answer.judged.naturalMap, 1);
  }
}

// λᵀAλ overflows along the first step, (1e10, 1e10): L is infinite, and no step is short enough.
TEST(Apgd, CurvatureBeyondAllNumbers_IsANumericalFailure) {
  MatX a(2, 2);
  a << 0, 1e300, 1e300, 0;
  ApgdSolver solver;
  const Solved answer = solveWith(solver, lcp(a, VecX::Constant(2, -1e10)));
  EXPECT_EQ(answer.report.status, SolveStatus::kNumericalFailure);
  EXPECT_EQ(answer.lambda, (std::vector<Real>{0, 0}));
}

TEST(Apgd, FrictionlessContactThatOpens_CarriesNothing) {
  const Solved answer = solveTightly(sphereLiftingOff(FrictionModel::kCone));
  EXPECT_EQ(answer.report.status, SolveStatus::kConverged);
  EXPECT_EQ(answer.lambda, std::vector<Real>(3, 0));
  EXPECT_LE(answer.judged.naturalMap, 1e-10);
}

// The residual is that of one contact and wavers: a run that ends where it has just risen returns
// what it had before.
TEST(Apgd, BestIterateMeasured_IsReturned) {
  const StoredProblem stack = boxStack(FrictionModel::kCone, std::vector<Real>(10, 1), 0.5);
  ApgdSolver solver;
  Budget budget;
  solver.settings.stopping.checkEvery = 1;
  solveWith(solver, budget, stack);
  const std::vector<ResidualHistory::Entry> history(solver.history().entries().begin(),
                                                    solver.history().entries().end());
  const auto risen = std::adjacent_find(history.begin(), history.end(), [](auto& a, auto& b) {
    return b.residual > 1.1 * a.residual;
  });
  ASSERT_NE(risen, history.end());
  budget.iterations = (risen + 1)->iteration;
  const Solved answer = solveWith(solver, budget, stack);
  budget.iterations = 1;
  solveWith(solver, budget, stack, answer.lambda);
  EXPECT_LE(solver.history().entries()[0].residual, (1 + 1e-9) * risen->residual);
}

// Compared by how far off they are, not by how far the last step moved them.
TEST(Apgd, MoreStepsByImpulseChange_AreNeverWorse) {
  ApgdSolver solver;
  Budget budget;
  solver.settings.law = ApgdLaw::kExact;
  solver.settings.stopping.criterion = StopCriterion::kImpulseChange;
  solver.settings.stopping.relativeTolerance = 0;
  solver.settings.stopping.checkEvery = 1;
  for (const std::uint64_t seed : {1, 2}) {
    const StoredProblem pile = randomPile(FrictionModel::kCone, 3, 3, 3, 0.4, seed);
    for (const int before : {0, 20}) {
      budget.iterations = before;
      const Solved start = solveWith(solver, budget, pile);
      Real best = start.judged.naturalMap;
      for (int steps = 1; steps <= 40; ++steps) {
        budget.iterations = steps;
        const Real now = solveWith(solver, budget, pile, start.lambda).judged.naturalMap;
        EXPECT_LE(now, (1 + 1e-9) * best) << steps << " steps";  // judged in another order
        best = now;
      }
    }
  }
}

TEST(Apgd, NaNInTheProblem_IsANumericalFailureAndLeavesTheStart) {
  StoredProblem box = boxOnPlane(FrictionModel::kCone, 3, 0.4);
  box.b[4] = std::numeric_limits<Real>::quiet_NaN();
  for (const StopCriterion criterion :
       {StopCriterion::kNaturalMap, StopCriterion::kImpulseChange}) {
    ApgdSolver solver;
    solver.settings.stopping.criterion = criterion;
    const std::vector<Real> start(box.b.size(), 0.25);
    const Solved answer = solveWith(solver, box, start);
    EXPECT_EQ(answer.report.status, SolveStatus::kNumericalFailure);
    EXPECT_EQ(answer.lambda, start);
  }
}

TEST(Apgd, ReservedSolve_AllocatesNothing) {
  const StoredProblem stored = pileWithJoints(FrictionModel::kContensou, 0.5, 1);
  const ContactProblem problem = stored.view();
  ApgdSolver solver;
  solver.reserve({problem.bodyCount(), problem.blockCount(), problem.rowCount()});
  std::vector<Real> lambda(problem.b.size(), 0);
  std::vector<RowState> states(problem.b.size());
  const std::int64_t before = allocationCount();
  solver.solve(problem, {}, {lambda, states});
  EXPECT_EQ(allocationCount(), before);
}

}  // namespace
}  // namespace drystone::test
