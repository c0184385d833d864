#include "solvers/automatic/auto_solver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/random.h"
#include "solvers/driver/stopping.h"
#include "tests/support/problem_builder.h"
#include "tests/support/solved.h"

namespace drystone {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> doorsOf(const SolverReport& report) {
  std::vector<std::string> names;
  for (int i = 0; i < report.doorCount; ++i) {
    names.emplace_back(report.doors[static_cast<std::size_t>(i)].name);
  }
  return names;
}

test::Solved solve(const StoredProblem& problem, const Budget& budget = {},
                   std::vector<Real> lambda = {}) {
  AutoSolver solver;
  return test::solveWith(solver, budget, problem, std::move(lambda));
}

/// Balls of 1 kg in a block that stands on the ground, each of which touches its neighbours and is
/// pushed sideways at random by up to `push` [m/s]. Those of the top layer may be heavier.
StoredProblem blockOfBalls(int nx, int ny, int nz, Real push = 0, Real topMass = 1) {
  test::ProblemBuilder builder(FrictionModel::kCone);
  Random random(1);
  const auto index = [&](int x, int y, int z) { return (z * ny + y) * nx + x; };
  for (int z = 0; z < nz; ++z) {
    for (int y = 0; y < ny; ++y) {
      for (int x = 0; x < nx; ++x) {
        const Vec3 centre(x, y, z + 0.5);
        const Vec3 aside(random.uniform(-push, push), random.uniform(-push, push), 0);
        builder.addSphere(z == nz - 1 ? topMass : 1, 0.5, centre,
                          test::ProblemBuilder::fallingFreely() + test::twist(aside, Vec3::Zero()));
        const int ball = index(x, y, z);
        const int below = z > 0 ? index(x, y, z - 1) : -1;
        builder.addContact(below, ball, centre - 0.5 * Vec3::UnitZ(), Vec3::UnitZ(), 0.5);
        if (x > 0) {
          builder.addContact(index(x - 1, y, z), ball, centre - 0.5 * Vec3::UnitX(), Vec3::UnitX(),
                             0.5);
        }
        if (y > 0) {
          builder.addContact(index(x, y - 1, z), ball, centre - 0.5 * Vec3::UnitY(), Vec3::UnitY(),
                             0.5);
        }
      }
    }
  }
  return builder.build();
}

TEST(AutoSolver, StackOfBoxes_IsSolvedBehindTheFirstDoor) {
  const test::Solved solved = solve(test::boxStack(FrictionModel::kCone, {1, 2, 4}, 0.5, 0));
  EXPECT_EQ(solved.report.status, SolveStatus::kConverged);
  EXPECT_LE(solved.judged.naturalMap, 1e-6);
  EXPECT_THAT(doorsOf(solved.report), ElementsAre("pivots"));
}

// A factor of 512 balls that fill space costs as much as some 200 sweeps, and a solve takes
// several.
TEST(AutoSolver, BallsThatFillSpace_AreSolvedByQuickSweepsWithoutAFactor) {
  const test::Solved solved = solve(blockOfBalls(8, 8, 8, 0.001));
  EXPECT_LE(solved.judged.naturalMap, 1e-6);
  EXPECT_THAT(doorsOf(solved.report), ElementsAre("quick sweeps"));
  EXPECT_EQ(solved.report.factorizations, 0);
}

TEST(AutoSolver, WallOfAsManyBalls_HasACheapFactor) {
  const test::Solved solved = solve(blockOfBalls(64, 1, 8));
  EXPECT_LE(solved.judged.naturalMap, 1e-6);
  EXPECT_THAT(doorsOf(solved.report), ElementsAre("pivots"));
}

TEST(AutoSolver, QuickSweepsThatDoNotGetOn_GiveWayToPivots) {
  const test::Solved solved = solve(blockOfBalls(5, 5, 8, 0.1, 1e5));
  EXPECT_LE(solved.judged.naturalMap, 1e-6);
  EXPECT_THAT(doorsOf(solved.report), ElementsAre("quick sweeps", "pivots"));
}

// They jitter at the tolerance, where sweeps get on slowly: a door that does better follows.
TEST(AutoSolver, RestThatQuickSweepsDoNotHold_IsHeldByPivots) {
  const StoredProblem problem = blockOfBalls(7, 7, 10, 0.1, 10);
  const test::Solved first = solve(problem);
  const test::Solved again = solve(problem, {}, first.lambda);
  EXPECT_LE(again.judged.naturalMap, kWarmShare * 1e-6);
  // Where nothing is left for it, the answer of the sweeps is one all the same.
  const test::Solved brief = solve(problem, {.iterations = 40}, first.lambda);
  EXPECT_EQ(brief.report.iterations, 40);
  EXPECT_EQ(brief.report.status, SolveStatus::kConverged);
}

TEST(AutoSolver, FactorThatDoesNotFit_LeavesSweepsForEveryFrictionModel) {
  for (const FrictionModel friction : {FrictionModel::kCone, FrictionModel::kPyramid}) {
    StoredProblem problem = blockOfBalls(6, 6, 6, 0.001);
    problem.friction = friction;
    AutoSolver solver(100);
    const test::Solved solved = test::solveWith(solver, Budget{}, problem);
    EXPECT_LE(solved.judged.naturalMap, 1e-6) << frictionModelName(friction);
    EXPECT_EQ(solved.report.factorizations, 0);
    for (const std::string& door : doorsOf(solved.report)) {
      EXPECT_THAT(door, ::testing::HasSubstr("sweeps"));
    }
  }
}

TEST(AutoSolver, QuickSweepsThatGoOn_KeepTheirHistory) {
  const StoredProblem problem = blockOfBalls(8, 8, 8);
  std::vector<Real> near = solve(problem).lambda;
  Random random(2);
  for (Real& impulse : near) impulse *= 1 + 1e-5 * random.uniform(-1, 1);
  AutoSolver solver;
  const test::Solved solved = test::solveWith(solver, Budget{}, problem, near);
  const auto entries = solver.history().entries();
  ASSERT_GE(entries.size(), 3u);
  EXPECT_EQ(entries.front().iteration, 0);
  EXPECT_EQ(entries.back().iteration, solved.report.iterations);
  EXPECT_TRUE(std::ranges::is_sorted(entries, {}, &ResidualHistory::Entry::iteration));
}

// What rests is held so well that its answer is accepted as it is in the next step.
TEST(AutoSolver, QuickSweepsFromNearTheAnswer_GoOnFarBelowTheTolerance) {
  const StoredProblem problem = blockOfBalls(8, 8, 8);
  std::vector<Real> near = solve(problem).lambda;
  Random random(2);
  for (Real& impulse : near) impulse *= 1 + 1e-5 * random.uniform(-1, 1);
  EXPECT_GT(test::judged(problem, near).naturalMap, 1e-6);
  const test::Solved solved = solve(problem, {}, near);
  EXPECT_THAT(doorsOf(solved.report), ElementsAre("quick sweeps"));
  EXPECT_LE(solved.judged.naturalMap, kWarmShare * 1e-6);
}

TEST(AutoSolver, FrictionThatOnlySweepsTake_IsSolvedBySweeps) {
  const test::Solved solved = solve(test::sphereSpinning(FrictionModel::kContensou, 0.5, 3));
  EXPECT_LE(solved.judged.naturalMap, 1e-6);
  EXPECT_THAT(doorsOf(solved.report), ElementsAre("projected sweeps"));
}

// A tolerance below round-off, which no door can meet, and for which there is no condensed form.
TEST(AutoSolver, WhereNoDoorMeetsTheTolerance_AllAreTriedAndTheBestAnswerIsReturned) {
  const StoredProblem problem = test::pileWithJoints(FrictionModel::kCone, 0.5, 3);
  const std::vector<Real> warm(problem.b.size(), 0.1);
  const test::Solved solved = solve(problem, {.tolerance = 1e-300}, warm);
  EXPECT_THAT(doorsOf(solved.report),
              ElementsAre("pivots", "interior point", "sweeps", "staggered", "cold staggered"));
  Real best = kInfinity;
  int iterations = 0;
  for (int i = 0; i < solved.report.doorCount; ++i) {
    const SolverReport::Door& door = solved.report.doors[static_cast<std::size_t>(i)];
    best = std::min(best, door.naturalMap);
    iterations += door.iterations;
  }
  EXPECT_EQ(solved.judged.naturalMap, best);
  EXPECT_LE(best, 1e-10);
  EXPECT_EQ(solved.report.iterations, iterations);
  EXPECT_NE(solved.report.status, SolveStatus::kConverged);
}

TEST(AutoSolver, LongChainWithFewContacts_GoesThroughTheCondensedDoorFirst) {
  test::ProblemBuilder builder(FrictionModel::kCone);
  for (int i = 0; i < 400; ++i) {
    builder.addSphere(1, 0.4, Vec3(i, 0, 0.4));
    builder.addBallJoint(i - 1, i, {i - 0.5, 0, 0.4});
    if (i % 40 == 20) builder.addContact(-1, i, Vec3(i, 0, 0), Vec3::UnitZ(), 0.5);
  }
  const test::Solved solved = solve(builder.build());
  EXPECT_LE(solved.judged.naturalMap, 1e-6);
  EXPECT_THAT(doorsOf(solved.report), ElementsAre("condensed pivots"));
  EXPECT_EQ(solved.report.eliminatedRows, 1200);
}

// The time is over before anything begins: what remains is the order of the doors.
TEST(AutoSolver, TooLittleTimeForNewtonSteps_LeavesSweepsAlone) {
  const Budget brief{.seconds = 1e-9};
  const test::Solved pile = solve(test::boxStack(FrictionModel::kCone, {1, 2, 4}, 0.5, 0), brief);
  EXPECT_THAT(doorsOf(pile.report), ElementsAre("sweeps"));
  EXPECT_TRUE(pile.report.metTimeLimit);
  test::ProblemBuilder chain(FrictionModel::kCone);
  for (int i = 0; i < 4; ++i) {
    chain.addSphere(1, 0.4, Vec3(i, 0, 0.4));
    chain.addBallJoint(i - 1, i, {i - 0.5, 0, 0.4});
  }
  EXPECT_THAT(doorsOf(solve(chain.build(), brief).report), ElementsAre("pivots"))
      << "few sweeps do nothing for a chain";
}

TEST(AutoSolver, FromNothing_ColdDoorsStayShut) {
  const StoredProblem problem = test::boxStack(FrictionModel::kCone, {1, 2, 4}, 0.5, 0);
  const test::Solved solved = solve(problem, {.tolerance = 1e-300});
  EXPECT_THAT(doorsOf(solved.report),
              ElementsAre("pivots", "interior point", "sweeps", "staggered"));
}

TEST(AutoSolver, WildWarmStart_DoesNoHarm) {
  const StoredProblem problem = test::pileWithJoints(FrictionModel::kCone, 0.5, 3);
  std::vector<Real> warm(problem.b.size());
  for (std::size_t i = 0; i < warm.size(); ++i) warm[i] = i % 2 == 0 ? 1e6 : -1e6;
  EXPECT_LE(solve(problem, {}, warm).judged.naturalMap, 1e-6);
}

TEST(AutoSolver, ProblemWithoutSolution_IsSaidToHaveNone) {
  const test::Solved solved = solve(test::sphereBesideImpossibleRow(FrictionModel::kCone));
  EXPECT_EQ(solved.report.status, SolveStatus::kInfeasible);
  EXPECT_THAT(doorsOf(solved.report), ElementsAre("pivots"));
}

TEST(AutoSolver, IterationsOfTheBudget_AreThoseOfAllDoors) {
  const StoredProblem problem = test::pileWithJoints(FrictionModel::kCone, 0.5, 3);
  for (const int iterations : {1, 2, 5}) {
    const Budget budget{.tolerance = 1e-300, .iterations = iterations};
    const test::Solved solved = solve(problem, budget);
    EXPECT_LE(solved.report.iterations, iterations);
    EXPECT_EQ(solved.report.status, SolveStatus::kIterationLimit);
  }
}

}  // namespace
}  // namespace drystone
