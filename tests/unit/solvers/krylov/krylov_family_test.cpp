// What bpp-pcg and pgcg both promise, with every preconditioner.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <tuple>

#include "core/random.h"
#include "solvers/default_registry.h"
#include "solvers/krylov/krylov_solvers.h"
#include "solvers/pivoting/mlcp_solver.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/mlcp.h"
#include "tests/support/solved.h"

namespace drystone::test {
namespace {

class KrylovFamily : public ::testing::TestWithParam<std::tuple<std::string, std::string>> {
 protected:
  KrylovFamily() { applySetting(*solver_, "preconditioner", std::get<1>(GetParam())); }
  std::unique_ptr<ContactSolver> solver_ = makeDefaultRegistry().create(std::get<0>(GetParam()));
};
INSTANTIATE_TEST_SUITE_P(Solvers, KrylovFamily,
                         ::testing::Combine(::testing::Values("bpp-pcg", "pgcg"),
                                            ::testing::Values("none", "jacobi", "ic0", "ic0-shift",
                                                              "ic0-partial-shift", "ict",
                                                              "ic0-imaginary")),
                         [](const auto& test) {
                           std::string name =
                               std::get<0>(test.param) + "_" + std::get<1>(test.param);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// 1e-8 m/s: both meet the signs to 1e-10 of |b| ≈ 0.1 m/s, the rest is conditioning.
TEST_P(KrylovFamily, BoxPile_HasTheVelocityOfBppAuto) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const StoredProblem stored = boxPile(seed);
    const Solved expected = solveWith(*makeBppAutoSolver(), stored);
    const Solved solved = solveWith(*solver_, stored);
    EXPECT_EQ(solved.report.status, SolveStatus::kConverged) << seed;
    EXPECT_LT(solved.judged.naturalMap, 1e-9) << seed;
    EXPECT_LT(largestDifference(solved.w, expected.w), 1e-8) << seed;
  }
}

// The normals of four redundant contacts sum to m g h; A has rank 6 of 12.
TEST_P(KrylovFamily, RedundantContacts_CarryTheWeightInSum) {
  for (const FrictionModel model :
       {FrictionModel::kNone, FrictionModel::kBox, FrictionModel::kPyramid, FrictionModel::kCone}) {
    const Solved solved = solveWith(*solver_, boxOnPlane(model, 3, 0.5));
    EXPECT_EQ(solved.report.status, SolveStatus::kConverged) << frictionModelName(model);
    Real sum = 0;
    for (int c = 0; c < 4; ++c) sum += solved.lambda[c * contactRows(model)];
    EXPECT_NEAR(sum, 3 * kGravity * kTimestep, 1e-9) << frictionModelName(model);
  }
}

// λ_t = μ m g h against the slide, as the cone has it.
TEST_P(KrylovFamily, SlippingSphere_HasClosedFormImpulse) {
  const Real angle = M_PI / 6;
  const Vec3 slide(4 * std::cos(angle), 4 * std::sin(angle), 0);
  const StoredProblem stored = sphereOnPlane(FrictionModel::kCone, 2, 0.3, slide);
  const Solved solved = solveWith(*solver_, stored);
  const Real normal = 2 * kGravity * kTimestep;
  EXPECT_NEAR(solved.lambda[0], normal, 1e-9);
  EXPECT_NEAR(std::hypot(solved.lambda[1], solved.lambda[2]), 0.3 * normal, 1e-8);
  const ContactProblem problem = stored.view();
  EXPECT_NEAR(solved.lambda[1] * problem.b[2] - solved.lambda[2] * problem.b[1], 0, 1e-8);
}

// Joint k of n carries the (n − k) links below it. Without bounds there is nothing to pivot.
TEST_P(KrylovFamily, HangingChain_CarriesWhatHangsBelow) {
  constexpr int kLinks = 8;
  const Solved solved = solveWith(*solver_, hangingChain(kLinks));
  EXPECT_EQ(solved.report.status, SolveStatus::kConverged);
  EXPECT_EQ(solved.report.pivots, 0);
  EXPECT_GT(solved.report.innerIterations, 0);
  for (int k = 0; k < kLinks; ++k) {
    EXPECT_NEAR(solved.lambda[3 * k + 2], (kLinks - k) * kGravity * kTimestep, 1e-8) << k;
  }
}

// Boxes, half-lines of both kinds, fixed and bilateral rows; rank 4 of 7, so that A_FF is singular
// for many sets.
TEST_P(KrylovFamily, RandomSingularProblems_MatchEnumeration) {
  Random random(31);
  for (int trial = 0; trial < 40; ++trial) {
    const RandomMlcp m = randomMlcp(random, 7, 4);
    const StoredProblem stored = mlcp(m.a, m.b, m.lower, m.upper);
    const MlcpAnswer answer = solveMlcp(*solver_, stored);
    EXPECT_EQ(answer.report.status, SolveStatus::kConverged) << trial;
    const VecX expected = velocityByEnumeration(m.a, m.b, m.lower, m.upper);
    EXPECT_LT((velocityOf(stored, answer.lambda) - expected).cwiseAbs().maxCoeff(), 1e-6) << trial;
  }
}

TEST_P(KrylovFamily, OwnSets_TakeOneRoundAndNoPivot) {
  const StoredProblem stored = boxPile(3);
  const Solved first = solveWith(*solver_, stored);
  ASSERT_GT(first.report.pivots, 0);
  const Solved second = solveWith(*solver_, stored, first);
  EXPECT_EQ(second.report.iterations, 1);
  EXPECT_EQ(second.report.pivots, 0);
}

// No time: one outer iteration without a step, and no worse than the start.
TEST_P(KrylovFamily, TimeLimit_EndsTheSolve) {
  for (const FrictionModel model : {FrictionModel::kBox, FrictionModel::kCone}) {
    StoredProblem stored = boxPile(2);
    stored.friction = model;
    const Solved solved = solveWith(*solver_, {.seconds = 0}, stored);
    EXPECT_EQ(solved.report.status, SolveStatus::kTimeLimit) << frictionModelName(model);
    EXPECT_EQ(solved.report.iterations, 0) << frictionModelName(model);
    EXPECT_EQ(solved.report.innerIterations, 0) << frictionModelName(model);
    JudgeWorkspace workspace;
    const std::vector<Real> zero(solved.lambda.size(), 0.0);
    EXPECT_LE(solved.judged.naturalMap, judge(stored.view(), zero, workspace).naturalMap)
        << frictionModelName(model);
  }
}

// 1e-2 of |b| ends what a final answer does not hang on, and the answer is as exact as ever.
TEST_P(KrylovFamily, LooseInnerTolerance_LeavesTheAnswerExact) {
  std::int64_t steps = 0, loose = 0;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    applySetting(*solver_, "inner_tolerance", 1e-10);
    steps += solveWith(*solver_, boxPile(seed)).report.innerIterations;
    applySetting(*solver_, "inner_tolerance", 1e-2);
    const Solved solved = solveWith(*solver_, boxPile(seed));
    loose += solved.report.innerIterations;
    EXPECT_EQ(solved.report.status, SolveStatus::kConverged) << seed;
    EXPECT_LT(solved.judged.naturalMap, 1e-9) << seed;
  }
  EXPECT_NE(loose, steps);
}

// One step in each inner solve, of which a round of bpp-pcg has up to eight: not solved, and said.
TEST_P(KrylovFamily, OneInnerIteration_IsTooFewAndSaidToBe) {
  applySetting(*solver_, "max_inner_iterations", std::int64_t{1});
  const Solved solved = solveWith(*solver_, {.iterations = 5}, boxPile(2));
  EXPECT_EQ(solved.report.status, SolveStatus::kIterationLimit);
  EXPECT_GT(solved.report.innerIterations, 0);
  EXPECT_LE(solved.report.innerIterations, 8 * solved.report.iterations);
  EXPECT_TRUE(solved.judged.finite);
}

TEST_P(KrylovFamily, NaNInTheMatrix_IsANumericalFailureWithFiniteImpulses) {
  for (const FrictionModel model : {FrictionModel::kBox, FrictionModel::kCone}) {
    StoredProblem stored = assembled(randomPile(model, 2, 2, 2, 0.4, 1));
    stored.assembled->values[1] = std::numeric_limits<Real>::quiet_NaN();
    const Solved solved = solveWith(*solver_, stored);
    EXPECT_EQ(solved.report.status, SolveStatus::kNumericalFailure) << frictionModelName(model);
    for (const Real impulse : solved.lambda) EXPECT_TRUE(std::isfinite(impulse));
  }
}

// A solver that has solved something already takes another preconditioner when told.
TEST_P(KrylovFamily, SettingsChangedAfterASolve_AreThoseOfTheNext) {
  const auto [name, kind] = GetParam();
  const std::string other = kind == "jacobi" ? "ict" : "jacobi";
  solveWith(*solver_, boxPile(2));
  applySetting(*solver_, "preconditioner", other);
  const auto fresh = makeDefaultRegistry().create(name);
  applySetting(*fresh, "preconditioner", other);
  EXPECT_EQ(solveWith(*solver_, boxPile(2)).lambda, solveWith(*fresh, boxPile(2)).lambda);
  EXPECT_EQ(dynamic_cast<const KrylovSolver&>(*solver_).statistics().fill,
            dynamic_cast<const KrylovSolver&>(*fresh).statistics().fill);
}

TEST_P(KrylovFamily, SecondSolveOfAPile_AllocatesNothing) {
  const StoredProblem stored = randomPile(FrictionModel::kCone, 3, 3, 3, 0.5, 5);
  const ContactProblem problem = stored.view();
  std::vector<Real> lambda(problem.rowCount());
  std::vector<RowState> state(problem.rowCount());
  solver_->solve(problem, {}, {lambda, state});
  std::fill(lambda.begin(), lambda.end(), 0.0);
  std::fill(state.begin(), state.end(), RowState::kUnknown);
  const std::int64_t before = allocationCount();
  solver_->solve(problem, {}, {lambda, state});
  EXPECT_EQ(allocationCount(), before);
}

// What a study reads of a solve.
TEST_P(KrylovFamily, Statistics_AreThoseOfTheLastSolve) {
  const auto& krylov = dynamic_cast<const KrylovSolver&>(*solver_);
  const Solved pile = solveWith(*solver_, boxPile(2));
  EXPECT_EQ(krylov.statistics().factorizations, pile.report.factorizations);
  EXPECT_GE(krylov.statistics().factorizations, 1);
  EXPECT_GT(krylov.statistics().fill, 0);
  EXPECT_GE(krylov.statistics().rows, krylov.statistics().factorizations);
  const Solved other = solveWith(*solver_, boxPile(3));
  EXPECT_EQ(krylov.statistics().factorizations, other.report.factorizations);
}

}  // namespace
}  // namespace drystone::test
