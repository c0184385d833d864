// Staggered projections: closed forms, agreement with the exact solvers where the laws coincide,
// and what the two QPs cost.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "solvers/file/problem_file.h"
#include "solvers/reference/reference_solvers.h"
#include "solvers/staggered/staggered.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/solved.h"

namespace drystone::test {
namespace {

constexpr Budget kTight{.tolerance = 1e-9, .iterations = 5000};

Solved solveStaggered(const StoredProblem& stored, const Budget& budget = {.iterations = 200},
                      const StaggeredSettings& settings = {}) {
  StaggeredSolver solver;
  solver.settings = settings;
  return solveWith(solver, budget, stored);
}

Real largestOf(const std::vector<Real>& values) {
  Real largest = 0;
  for (const Real value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

// λ_n = m g h and, where (2/7) m ‖slide‖ exceeds μ λ_n, λ_t = μ λ_n against the slide; along an
// axis the diamond has the disc's radius.
TEST(Staggered, SphereThatSlidesAlongAnAxis_HasTheClosedForm) {
  const Real weight = 2 * kGravity * kTimestep;
  const StoredProblem slides = sphereOnPlane(FrictionModel::kDiamond, 2, 0.1, Vec3(1, 0, 0));
  const Solved answer = solveStaggered(slides, kTight);
  EXPECT_EQ(answer.report.status, SolveStatus::kConverged);
  EXPECT_NEAR(answer.lambda[0], weight, 1e-12);
  EXPECT_NEAR(answer.lambda[1], -0.1 * weight, 1e-12);
  EXPECT_NEAR(answer.lambda[2], 0, 1e-12);
  const StoredProblem sticks = sphereOnPlane(FrictionModel::kDiamond, 2, 0.5, Vec3(0, 0.05, 0));
  const Solved stuck = solveStaggered(sticks, kTight);
  EXPECT_NEAR(stuck.lambda[2], -2.0 / 7 * 2 * 0.05, 1e-12);
}

// At 45° to the axes the diamond yields 1/√2 of what the disc does: |λ_t1| + |λ_t2| = μ λ_n.
TEST(Staggered, SphereThatSlidesBetweenTheAxes_IsHeldByTheFaceOfTheDiamond) {
  const Real weight = 2 * kGravity * kTimestep;
  const StoredProblem slides = sphereOnPlane(FrictionModel::kDiamond, 2, 0.1, Vec3(1, 1, 0));
  const Solved answer = solveStaggered(slides, kTight);
  EXPECT_NEAR(answer.lambda[1], -0.05 * weight, 1e-12);
  EXPECT_NEAR(answer.lambda[2], -0.05 * weight, 1e-12);
}

TEST(Staggered, RedundantContacts_CarryTheWeightInSum) {
  const Solved answer = solveStaggered(boxOnPlane(FrictionModel::kDiamond, 3, 0.5), kTight);
  EXPECT_EQ(answer.report.status, SolveStatus::kConverged);
  Real sum = 0;
  for (int c = 0; c < 4; ++c) sum += answer.lambda[3 * c];
  // 1e-10 is what the KKT tolerance allows.
  EXPECT_NEAR(sum, 3 * kGravity * kTimestep, 1e-10);
}

// A contact that lifts off, or that has no friction, carries no friction; its law holds exactly.
TEST(Staggered, ContactsWithoutNormalImpulseOrFriction_HaveNoFriction) {
  for (const Real friction : {0.0, 0.4}) {
    const Solved answer = solveStaggered(boxTilting(FrictionModel::kDiamond, friction), kTight);
    EXPECT_EQ(answer.report.status, SolveStatus::kConverged);
    int open = 0;
    for (int c = 0; c < 4; ++c) {
      if (answer.lambda[3 * c] > 0 && friction > 0) continue;
      open += answer.lambda[3 * c] == 0 ? 1 : 0;
      EXPECT_EQ(answer.lambda[3 * c + 1], 0);
      EXPECT_EQ(answer.lambda[3 * c + 2], 0);
    }
    EXPECT_EQ(open, 2);
  }
}

/// The problems with one velocity, for which two solvers can be compared.
bool hasOneVelocity(FrictionModel model, const std::string& name) {
  return model == FrictionModel::kNone || model == FrictionModel::kBox ||
         name.find("pile") == std::string::npos;
}

class StaggeredModels : public ::testing::TestWithParam<FrictionModel> {};
INSTANTIATE_TEST_SUITE_P(Models, StaggeredModels,
                         ::testing::Values(FrictionModel::kNone, FrictionModel::kBox,
                                           FrictionModel::kPyramid, FrictionModel::kCone));

TEST_P(StaggeredModels, VelocityOfTheProblemSet_IsThatOfBlockPivoting) {
  const auto bpp = makeBppSolver();
  int compared = 0;
  for (const NamedProblem& named : problemSet(GetParam())) {
    if (!hasOneVelocity(GetParam(), named.name) || named.problem.b.empty()) continue;
    const Solved answer = solveStaggered(named.problem, kTight);
    const Solved exact = solveWith(*bpp, named.problem);
    ASSERT_EQ(exact.report.status, SolveStatus::kConverged) << named.name;
    EXPECT_EQ(answer.report.status, SolveStatus::kConverged) << named.name;
    EXPECT_LE(largestDifference(answer.w, exact.w), 1e-6) << named.name;
    ++compared;
  }
  EXPECT_GE(compared, 14);
}

// With little friction the diamond and the pyramid differ by little: by the corners of one set that
// stick out of the other, in proportion to μ.
TEST(Staggered, DiamondWithLittleFriction_HasTheVelocityOfThePyramidOfBlockPivoting) {
  const auto bpp = makeBppSolver();
  const StoredProblem diamond = boxTilting(FrictionModel::kDiamond, 1e-6);
  const StoredProblem pyramid = boxTilting(FrictionModel::kPyramid, 1e-6);
  const Solved answer = solveStaggered(diamond, kTight), exact = solveWith(*bpp, pyramid);
  EXPECT_LE(largestDifference(answer.w, exact.w), 1e-6);
}

/// Ways of working that give the same velocity.
struct Way {
  std::string name;
  StaggeredSettings settings;
};
std::vector<Way> ways() {
  std::vector<Way> all(6);
  all[0].name = "schurpa, banded";
  all[0].settings.factor = StaggeredFactor::kBanded;
  all[1].name = "direct, banded";
  all[1].settings.factor = StaggeredFactor::kBanded;
  all[1].settings.engine = QpEngine::kDirect;
  all[2].name = "schurpa, sparse";
  all[2].settings.factor = StaggeredFactor::kSparse;
  all[3].name = "direct, sparse";
  all[3].settings.factor = StaggeredFactor::kSparse;
  all[3].settings.engine = QpEngine::kDirect;
  all[4].name = "without acceleration";
  all[4].settings.acceleration = StaggeredAcceleration::kNone;
  all[5].name = "without Newton steps";
  all[5].settings.acceleration = StaggeredAcceleration::kAnderson;
  return all;
}

TEST(Staggered, EngineFactorAndAcceleration_DoNotChangeTheVelocity) {
  for (const NamedProblem& named : problemSet(FrictionModel::kDiamond)) {
    if (!hasOneVelocity(FrictionModel::kDiamond, named.name)) continue;
    std::vector<Real> first;
    for (const Way& way : ways()) {
      const Solved answer = solveStaggered(named.problem, kTight, way.settings);
      EXPECT_EQ(answer.report.status, SolveStatus::kConverged) << named.name << ", " << way.name;
      if (first.empty()) first = answer.w;
      EXPECT_LE(largestDifference(answer.w, first), 1e-7) << named.name << ", " << way.name;
    }
  }
}

// Each QP of each round, in each way, to 1e-9 of the largest |b|.
TEST(Staggered, EveryQp_IsSolvedToItsTolerance) {
  for (const NamedProblem& named : problemSet(FrictionModel::kDiamond)) {
    for (const Way& way : ways()) {
      StaggeredSolver solver;
      solver.settings = way.settings;
      solveWith(solver, kTight, named.problem);
      for (const QpTotals* totals : {&solver.contactTotals(), &solver.frictionTotals()}) {
        EXPECT_EQ(totals->unsolved, 0) << named.name << ", " << way.name;
        EXPECT_LE(totals->kktError, 1e-9 * std::max(largestOf(named.problem.b), 1e-3))
            << named.name << ", " << way.name;
      }
    }
  }
}

// Alg. 4.2: one factor of K_0 of each QP, however many rounds and working sets there are, while
// fewer variables change than a factor is worth: here those of one contact plane.
TEST(Staggered, WholeLoop_TakesOneFactorOfEachQp) {
  StoredProblem pushed = boxStack(FrictionModel::kDiamond, {1, 2, 1, 3, 1}, 0.4, 1e-6);
  for (int c = 0; c < 4; ++c) pushed.b[pushed.blocks[c].firstRow + 1] += 0.3;
  StaggeredSolver solver;
  solver.settings.acceleration = StaggeredAcceleration::kAnderson;
  const Solved schurpa = solveWith(solver, pushed);
  EXPECT_EQ(schurpa.report.status, SolveStatus::kConverged);
  EXPECT_GT(schurpa.report.iterations, 2);
  EXPECT_EQ(solver.contactTotals().factorizations, 1);
  EXPECT_EQ(solver.frictionTotals().factorizations, 1);
  EXPECT_GT(solver.contactTotals().iterations, schurpa.report.iterations);
  solver.settings.engine = QpEngine::kDirect;
  solveWith(solver, pushed);
  EXPECT_GT(solver.contactTotals().factorizations, 1);
  EXPECT_GT(solver.frictionTotals().factorizations, 1);
}

// Where rounds creep, a Newton step on both QPs at once ends them: in the same velocity, and with
// every set of the next warm start right.
TEST(Staggered, NewtonSteps_EndTheRoundsAndLeaveTheSetsOfTheSolution) {
  StoredProblem pushed = boxStack(FrictionModel::kDiamond, {1, 2, 1, 3, 1}, 0.4, 1e-6);
  for (const ProblemBlock& block : pushed.blocks) pushed.b[block.firstRow + 1] += 0.3;
  StaggeredSolver solver;
  solver.settings.acceleration = StaggeredAcceleration::kAnderson;
  const Solved rounds = solveWith(solver, kTight, pushed);
  solver.settings.acceleration = StaggeredAcceleration::kNewton;
  const Solved answer = solveWith(solver, kTight, pushed);
  EXPECT_EQ(answer.report.status, SolveStatus::kConverged);
  EXPECT_LE(answer.judged.naturalMap, 1e-9);
  EXPECT_GT(answer.report.innerIterations, 0);
  EXPECT_LT(4 * answer.report.iterations, rounds.report.iterations);
  EXPECT_LE(largestDifference(answer.w, rounds.w), 1e-7);
  // Rounds alone, from there and a little off, move almost no variable.
  StoredProblem next = pushed;
  for (Real& b : next.b) b *= 1 + 1e-6;
  solver.settings.acceleration = StaggeredAcceleration::kNone;
  Solved forgotten = answer;
  std::fill(forgotten.state.begin(), forgotten.state.end(), RowState::kUnknown);
  EXPECT_LT(4 * solveWith(solver, kTight, next, answer).report.pivots,
            solveWith(solver, kTight, next, forgotten).report.pivots);
}

// The sets and impulses of one step are those of the next but for a little.
TEST(Staggered, WarmStart_TakesFewerRoundsAndFewerChangesThanNone) {
  const StoredProblem pile = randomPile(FrictionModel::kDiamond, 4, 3, 3, 0.4, 5);
  StaggeredSolver solver;
  solver.settings.acceleration = StaggeredAcceleration::kAnderson;
  const Solved first = solveWith(solver, pile);
  ASSERT_EQ(first.report.status, SolveStatus::kConverged);
  StoredProblem next = pile;
  for (Real& b : next.b) b *= 1.001;
  const Solved cold = solveWith(solver, next), warm = solveWith(solver, next, first);
  EXPECT_EQ(warm.report.status, SolveStatus::kConverged);
  EXPECT_LT(warm.report.iterations, cold.report.iterations);
  EXPECT_LT(2 * warm.report.pivots, cold.report.pivots);
}

// The sets alone, without the impulses that go with them.
TEST(Staggered, RowStates_AreTheFirstWorkingSets) {
  const StoredProblem tilting = boxTilting(FrictionModel::kNone, 0);
  StaggeredSolver solver;
  Solved warm = solveWith(solver, tilting);
  ASSERT_EQ(warm.report.status, SolveStatus::kConverged);
  EXPECT_GT(warm.report.pivots, 0);
  std::fill(warm.lambda.begin(), warm.lambda.end(), 0);
  const Solved again = solveWith(solver, tilting, warm);
  EXPECT_EQ(again.report.status, SolveStatus::kConverged);
  EXPECT_EQ(again.report.pivots, 0);
}

TEST(Staggered, WarmStartOfAContactThatHasLostItsFriction_IsForgotten) {
  const StoredProblem box = boxOnPlane(FrictionModel::kDiamond, 3, 0);
  Solved warm;
  warm.lambda.assign(box.b.size(), 0.1);
  StaggeredSolver solver;
  const Solved answer = solveWith(solver, box, warm);
  EXPECT_EQ(answer.report.status, SolveStatus::kConverged);
  for (int c = 0; c < 4; ++c) {
    EXPECT_EQ(answer.lambda[3 * c + 1], 0);
    EXPECT_EQ(answer.lambda[3 * c + 2], 0);
  }
}

// With max_turns = 0 the diamonds stand as the thesis has them, and the answer is judged by the
// cone; each turn of their corners towards the slip brings it nearer.
TEST(Staggered, ErrorOfTheCone_FallsAsTheDiamondsTurn) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const StoredProblem pile = randomPile(FrictionModel::kCone, 3, 2, 2, 0.3, seed);
    StaggeredSettings settings;
    settings.acceleration = StaggeredAcceleration::kAnderson;
    Real before = kInfinity;
    for (const int turns : {0, 1, 3, 10, 100}) {
      settings.maxTurns = turns;
      const Solved answer = solveStaggered(pile, {.tolerance = 1e-9, .iterations = 3000}, settings);
      EXPECT_LT(answer.judged.naturalMap, before) << turns << " turns, seed " << seed;
      before = answer.judged.naturalMap;
      if (turns == 0) {
        EXPECT_GT(before, 1e-3);
        EXPECT_NE(answer.report.status, SolveStatus::kConverged);
      }
    }
    EXPECT_LE(before, 1e-8) << seed;
  }
}

// (4.19): with a natural map that any answer meets, the rounds end when the friction's energy
// changes by no more than that share.
TEST(Staggered, MetricTolerance_EndsTheLoopWhenFrictionStandsStill) {
  StoredProblem pile = randomPile(FrictionModel::kDiamond, 3, 3, 3, 0.4, 4);
  // λ = 0 is off by 2 m/s.
  for (const ProblemBlock& block : pile.blocks) pile.b[block.firstRow] -= 2;
  StaggeredSettings settings;
  settings.acceleration = StaggeredAcceleration::kNone;
  Real lastError = kInfinity;
  int lastRounds = 0;
  for (const Real tolerance : {1e-1, 1e-5, 1e-9}) {
    settings.metricTolerance = tolerance;
    const Solved answer = solveStaggered(pile, {.tolerance = 1, .iterations = 200}, settings);
    EXPECT_EQ(answer.report.status, SolveStatus::kConverged);
    EXPECT_GT(answer.report.iterations, lastRounds);
    EXPECT_LT(answer.judged.naturalMap, lastError);
    lastRounds = answer.report.iterations;
    lastError = answer.judged.naturalMap;
  }
}

TEST(Staggered, AnyNumberOfThreads_GivesTheSameBits) {
  const StoredProblem pile = randomPile(FrictionModel::kDiamond, 5, 5, 3, 0.4, 9);
  std::vector<Real> first;
  for (const int threads : {1, 2, 4}) {
    StaggeredSolver solver;
    Budget budget;
    solver.settings.factor = StaggeredFactor::kBanded;
    budget.threads = threads;
    const Solved answer = solveWith(solver, budget, pile);
    EXPECT_GT(solver.frictionTotals().solves, 2 * solver.frictionTotals().qps);
    if (first.empty()) first = answer.lambda;
    EXPECT_EQ(answer.lambda, first) << threads;
  }
}

TEST(Staggered, SecondSolveOfALargerPile_AllocatesNothing) {
  const StoredProblem pile = randomPile(FrictionModel::kDiamond, 4, 4, 3, 0.4, 2);
  for (const Way& way : ways()) {
    StaggeredSolver solver;
    Budget budget;
    solver.settings = way.settings;
    budget.iterations = 30;
    const ContactProblem problem = pile.view();
    std::vector<Real> lambda(problem.rowCount());
    std::vector<RowState> state(problem.rowCount());
    solver.solve(problem, budget, {lambda, state});
    std::fill(lambda.begin(), lambda.end(), 0);
    std::fill(state.begin(), state.end(), RowState::kUnknown);
    const auto before = allocationCount();
    solver.solve(problem, budget, {lambda, state});
    EXPECT_EQ(allocationCount(), before) << way.name;
  }
}

// A tower that sticks throughout: nothing presses most of the bounds that its friction touches, and
// two thirds of the friction is redundant.
TEST(StoredProblem, QpsOfATowerThatSticks_AreSolvedToABillionthOfItsVelocities) {
  const char* folder = std::getenv("DRYSTONE_PROBLEM_DIR");
  const std::string file =
      std::string(folder == nullptr ? "" : folder) + "/KaplasTower-i1061-4.hdf5";
  if (!std::filesystem::exists(file))
    GTEST_SKIP() << "needs DRYSTONE_PROBLEM_DIR, a folder with KaplasTower-i1061-4.hdf5 of FCLIB";
  StoredProblem tower = readProblemFile(file).problem;
  tower.friction = FrictionModel::kDiamond;
  StaggeredSolver solver;
  Budget budget;
  solver.settings.acceleration = StaggeredAcceleration::kAnderson;
  budget.iterations = 4;
  solveWith(solver, budget, tower);
  for (const QpTotals* totals : {&solver.contactTotals(), &solver.frictionTotals()}) {
    EXPECT_EQ(totals->qps, 4);
    EXPECT_LE(totals->kktError, 1e-9 * largestOf(tower.b));
  }
}

}  // namespace
}  // namespace drystone::test
