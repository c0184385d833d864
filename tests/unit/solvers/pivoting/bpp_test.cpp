#include <gtest/gtest.h>

#include <cmath>

#include "solvers/pivoting/mlcp_solver.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/solved.h"

namespace drystone::test {
namespace {

Solved solveByBpp(const StoredProblem& stored) { return solveWith(*makeBppSparseSolver(), stored); }

class BppByModel : public ::testing::TestWithParam<FrictionModel> {};
INSTANTIATE_TEST_SUITE_P(Models, BppByModel,
                         ::testing::Values(FrictionModel::kNone, FrictionModel::kBox,
                                           FrictionModel::kPyramid, FrictionModel::kCone));

// Four contacts under a box are redundant (rank 6 of 12); their normals sum to m g h = 3 · 0.0981.
TEST_P(BppByModel, RedundantContacts_CarryTheWeightInSum) {
  const Solved solved = solveByBpp(boxOnPlane(GetParam(), 3, 0.5));
  EXPECT_EQ(solved.report.status, SolveStatus::kConverged);
  const int rows = contactRows(GetParam());
  Real sum = 0;
  for (int c = 0; c < 4; ++c) sum += solved.lambda[c * rows];
  EXPECT_NEAR(sum, 3 * kGravity * kTimestep, 1e-12);
  EXPECT_LT(solved.judged.naturalMap, 1e-12);
}

// Masses 1:10⁶ with λ of 10⁴ N s: A λ is 2·10⁴ m/s, of which double leaves about 1e-11.
TEST_P(BppByModel, MillionOnOne_IsSolvedToRoundOff) {
  const Solved solved = solveByBpp(boxStack(GetParam(), {1, 1, 1e6}, 0.5, 1e-9));
  EXPECT_EQ(solved.report.status, SolveStatus::kConverged);
  EXPECT_LT(solved.judged.naturalMap, 1e-9);
}

TEST_P(BppByModel, SphereThatLeaves_GetsNoImpulse) {
  const Solved solved = solveByBpp(sphereLiftingOff(GetParam()));
  EXPECT_EQ(solved.report.status, SolveStatus::kConverged);
  for (const Real value : solved.lambda) EXPECT_EQ(value, 0);
}

TEST_P(BppByModel, OwnSets_EndInOneFactorization) {
  const StoredProblem stored = boxStack(GetParam(), {1, 1, 1, 1, 1}, 0.5, 1e-9);
  const auto solver = makeBppSparseSolver();
  const Solved first = solveWith(*solver, stored);
  const Solved second = solveWith(*solver, stored, first);
  EXPECT_EQ(second.report.factorizations, 1);
  EXPECT_EQ(second.report.pivots, 0);
}

TEST_P(BppByModel, SecondSolve_AllocatesNothing) {
  const StoredProblem stored = boxStack(GetParam(), {1, 1, 1, 1, 1}, 0.5, 1e-9);
  const ContactProblem problem = stored.view();
  const auto solver = makeBppSparseSolver();
  std::vector<Real> lambda(problem.rowCount());
  std::vector<RowState> state(problem.rowCount());
  solver->solve(problem, {}, {lambda, state});
  // From nothing again: the second solve does all that the first did.
  std::fill(lambda.begin(), lambda.end(), 0.0);
  std::fill(state.begin(), state.end(), RowState::kUnknown);
  const std::int64_t before = allocationCount();
  solver->solve(problem, {}, {lambda, state});
  EXPECT_EQ(allocationCount(), before);
}

// A sphere that slips along (cos 30°, sin 30°) gets λ_t = μ λ_n against its slide (see
// sphereOnPlane): the direction is exact, not that of a pyramid.
TEST(Bpp, SlippingSphere_HasClosedFormImpulse) {
  const Real angle = M_PI / 6;
  const Vec3 slide(4 * std::cos(angle), 4 * std::sin(angle), 0);
  const StoredProblem stored = sphereOnPlane(FrictionModel::kCone, 2, 0.3, slide);
  const Solved solved = solveByBpp(stored);
  const Real normal = 2 * kGravity * kTimestep;
  EXPECT_NEAR(solved.lambda[0], normal, 1e-12);
  EXPECT_NEAR(std::hypot(solved.lambda[1], solved.lambda[2]), 0.3 * normal, 1e-12);
  const ContactProblem problem = stored.view();
  const Real slip1 = problem.b[1], slip2 = problem.b[2];
  // Opposite to the slip of the free motion, which friction only slows down.
  EXPECT_NEAR(solved.lambda[1] * slip2 - solved.lambda[2] * slip1, 0, 1e-11);
  EXPECT_LT(solved.lambda[1] * slip1 + solved.lambda[2] * slip2, 0);
}

// Sliding along the diagonal of the tangents the pyramid allows μ λ_n on each axis, √2 times what
// the cone allows.
TEST(Bpp, PyramidOnTheDiagonal_BrakesMoreThanTheConeBySqrtTwo) {
  StoredProblem cone = sphereOnPlane(FrictionModel::kCone, 1, 0.3, Vec3(1, 0, 0));
  cone.b[1] = 3;
  cone.b[2] = 3;
  StoredProblem pyramid = cone;
  pyramid.friction = FrictionModel::kPyramid;
  const Solved byCone = solveByBpp(cone), byPyramid = solveByBpp(pyramid);
  const Real coneImpulse = std::hypot(byCone.lambda[1], byCone.lambda[2]);
  const Real pyramidImpulse = std::hypot(byPyramid.lambda[1], byPyramid.lambda[2]);
  EXPECT_NEAR(pyramidImpulse, std::sqrt(2.0) * coneImpulse, 1e-12);
}

// A sticking impulse inside the pyramid's corner but outside the disc: the cone must slip where the
// pyramid sticks. With b_t = (1, 1) s and A_tt of 7/2 per kg, sticking needs 2/7 s on each axis.
TEST(Bpp, CornerOfTheBox_IsOutsideTheCone) {
  const Real normal = kGravity * kTimestep;
  StoredProblem stored = sphereOnPlane(FrictionModel::kPyramid, 1, 0.5, Vec3::Zero());
  stored.b[1] = stored.b[2] = 0.9 * 0.5 * normal * 3.5;
  const Solved pyramid = solveByBpp(stored);
  EXPECT_NEAR(std::abs(pyramid.lambda[1]), 0.9 * 0.5 * normal, 1e-12);
  stored.friction = FrictionModel::kCone;
  const Solved cone = solveByBpp(stored);
  EXPECT_NEAR(std::hypot(cone.lambda[1], cone.lambda[2]), 0.5 * normal, 1e-12);
  EXPECT_LT(cone.judged.naturalMap, 1e-12);
}

TEST(Bpp, FrictionlessContact_HasNoTangentialImpulse) {
  const Solved solved = solveByBpp(sphereOnPlane(FrictionModel::kCone, 1, 0, Vec3(2, 1, 0)));
  EXPECT_EQ(solved.report.status, SolveStatus::kConverged);
  EXPECT_NEAR(solved.lambda[0], kGravity * kTimestep, 1e-12);
  EXPECT_EQ(solved.lambda[1], 0);
  EXPECT_EQ(solved.lambda[2], 0);
}

// A pile with random normals and velocities is far from its start λ = 0; plain steps wander there.
TEST(Bpp, RandomPile_IsSolvedFromNothing) {
  for (const FrictionModel model :
       {FrictionModel::kBox, FrictionModel::kPyramid, FrictionModel::kCone}) {
    const Solved solved =
        solveWith(*makeBppSparseSolver(), {.tolerance = 1e-8}, randomPile(model, 3, 3, 3, 0.5, 5));
    EXPECT_LT(solved.judged.naturalMap, 1e-8) << frictionModelName(model);
  }
}

// An impulse of 1 N s against a box with λ̄_n = 0: no bound to slip at, no friction.
TEST(Bpp, BoxModelWithoutGivenNormal_HasNoFriction) {
  StoredProblem stored = sphereOnPlane(FrictionModel::kBox, 1, 0.5, Vec3(1, 0, 0));
  stored.blocks[0].normalBound = 0;
  const Solved solved = solveByBpp(stored);
  EXPECT_EQ(solved.report.status, SolveStatus::kConverged);
  EXPECT_EQ(solved.lambda[1], 0);
  EXPECT_EQ(solved.lambda[2], 0);
}

// With three iterations allowed, an unsolved problem comes back as such, and no worse than its
// start.
TEST(Bpp, IterationLimit_ReturnsTheBestIterate) {
  const StoredProblem stored = randomPile(FrictionModel::kCone, 3, 3, 3, 0.5, 5);
  const auto solver = makeBppSparseSolver();
  const Solved solved = solveWith(*solver, {.iterations = 3}, stored);
  EXPECT_EQ(solved.report.status, SolveStatus::kIterationLimit);
  JudgeWorkspace workspace;
  const std::vector<Real> zero(solved.lambda.size(), 0.0);
  EXPECT_LE(solved.judged.naturalMap, judge(stored.view(), zero, workspace).naturalMap);
}

TEST(Bpp, DiamondFriction_IsRefused) {
  const Solved solved = solveByBpp(sphereOnPlane(FrictionModel::kDiamond, 1, 0.5, Vec3(1, 0, 0)));
  EXPECT_EQ(solved.report.status, SolveStatus::kUnsupported);
}

}  // namespace
}  // namespace drystone::test
