// What could hide from the judge: each test has a wrong answer that a natural map alone, with a
// careless step, takes for a right one.
#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "solvers/problem/judge.h"
#include "solvers/problem/residual.h"
#include "tests/support/mlcp.h"
#include "tests/support/problem_builder.h"
#include "tests/support/problems.h"
#include "tests/support/solved.h"

namespace drystone {
namespace {

using test::judged;
using test::oneContact;

// A closing velocity that the shift of a slip hides: w = (−V, V/μ, 0), ŵ_n = 0, F = ρ w_t. The
// normal alone says V, which counts half, in each model and whatever μ. Other maps read V.
TEST(Judge, PenetrationBehindTheShiftOfASlip_IsSeen) {
  for (const FrictionModel model :
       {FrictionModel::kPyramid, FrictionModel::kDiamond, FrictionModel::kCone,
        FrictionModel::kContensou, FrictionModel::kRolling}) {
    const bool isShifted = model == FrictionModel::kCone || model == FrictionModel::kRolling;
    for (const Real mu : {1e3, 1e6, 1e9, 1e12, 1e15}) {
      std::vector<Real> lambda(contactRows(model), 0), w(contactRows(model), 0);
      lambda[0] = 1;
      w[0] = -1e-3;
      w[1] = 1e-3 / mu;
      const JudgeReport report = judged(oneContact(model, mu, 1, lambda, w), lambda);
      EXPECT_NEAR(report.normalError, 1e-3, 1e-12) << mu;
      EXPECT_NEAR(report.naturalMap, isShifted ? 5e-4 : 1e-3, 1e-9) << mu;
    }
  }
}

// A sphere of 2 kg that slides at 0.05 m/s sticks by λ_t = −(2/7)·2·0.05. Where nothing slips, μ
// multiplies round-off alone.
TEST(Judge, SphereThatSticks_IsRightWhateverTheFriction) {
  for (const Real mu : {1.0, 1e6, 1e9, 1e12}) {
    const auto problem = test::sphereOnPlane(FrictionModel::kCone, 2, mu, Vec3(0.05, 0, 0));
    EXPECT_LE(judged(problem, {0.1962, -1.0 / 35, 0}).naturalMap, 1e-17 * (1 + mu)) << mu;
    EXPECT_GE(judged(problem, {0.1962 - 2e-3, -1.0 / 35, 0}).naturalMap, 0.4e-3) << mu;
  }
}

// λ_n = 1e-8 allows friction of 1e-2 with μ = 1e6, which does nothing but push a contact that opens
// at 1 m/s. Of the normal alone 1e-8 would be seen; of all of λ half of 1e-2.
TEST(Judge, FrictionOfAContactThatOpens_IsSeen) {
  for (const FrictionModel model : {FrictionModel::kPyramid, FrictionModel::kDiamond,
                                    FrictionModel::kCone, FrictionModel::kContensou}) {
    std::vector<Real> lambda(contactRows(model), 0), w(contactRows(model), 0);
    lambda[0] = 1e-8;
    lambda[1] = 1e-2;
    w[0] = 1;
    const auto problem = oneContact(model, 1e6, 1, lambda, w);
    EXPECT_NEAR(judged(problem, lambda).naturalMap, 5e-3, 1e-8) << frictionModelName(model);
  }
}

// w_1 = 1e6 λ_2 for λ_2 beside a zero diagonal: its impulse of 1e-7 N s moves row 1 by 0.1 m/s.
TEST(Judge, ZeroDiagonalOfAnUnsymmetricMatrix_TakesItsColumn) {
  MatX a(2, 2);
  a << 0, 1e6, -1e6, 0;
  VecX b(2);
  b << 1, 1;
  EXPECT_NEAR(judged(test::lcp(a, b), {0, 1e-7}).naturalMap, 0.1, 1e-12);
}

// A symmetric part of 1/kg and a skew one of 1e3/kg: friction of 1e-4 N s slips the other tangent
// at 0.1 m/s. Without the skew part λ_t/ρ would read 1e-4.
TEST(Judge, SkewPartOfABlock_CountsInItsStep) {
  const int rowStart[] = {0, 3};
  const int rows[] = {0, 1, 1, 2, 2};
  const int columns[] = {0, 1, 2, 1, 2};
  const Real values[] = {1, 1, -1e3, 1e3, 1};
  auto problem = oneContact(FrictionModel::kCone, 0, 1, {1, 1e-4, 0}, {0, 0, 0});
  problem.assembled = blockSparseFromTriplets(rowStart, rows, columns, values);
  problem.b = {-1, 0, 0};
  EXPECT_NEAR(judged(problem, {1, 1e-4, 0}).naturalMap, 0.1001, 1e-12);
}

// A boom of 1000 kg and a radius of gyration of 20 m: 1e-6 rad/s are 2e-5 m/s there. Small bodies
// count at 1 m.
TEST(Judge, AngularRow_CountsAtTheRadiusOfGyration) {
  for (const auto& [radius, arm] : {std::pair(20.0, 20.0), std::pair(0.1, 1.0)}) {
    test::ProblemBuilder builder(FrictionModel::kCone);
    const Vec3 inertia = Vec3::Constant(1000 * radius * radius);
    const int body = builder.addBody(1000, inertia, Vec3::Zero(), 1e-6 * Vec6::Unit(3));
    builder.addAngularRow(-1, body, Vec3::UnitX(), -kInfinity, kInfinity);
    EXPECT_NEAR(judged(builder.build(), {0}).naturalMap, 1e-6 * arm, 1e-18);
  }
}

TEST(Judge, LargestB_IsWhatTheErrorIsAShareOf) {
  const auto problem = oneContact(FrictionModel::kNone, 0, 1, {0}, {-1e-8});
  const JudgeReport report = judged(problem, {0});
  EXPECT_EQ(report.naturalMap, 1e-8);
  EXPECT_EQ(report.largestB, 1e-8);
}

// A friction coefficient without end lets any friction pass, a bound that is no number any impulse.
TEST(Judge, LawsThatAreNotNumbers_AreNeverMet) {
  for (const Real mu : {kInfinity, std::nan("")}) {
    for (const FrictionModel model : {FrictionModel::kBox, FrictionModel::kPyramid}) {
      const auto problem = oneContact(model, mu, 1, {1, 5, 0}, {0, 0, 0});
      EXPECT_EQ(judged(problem, {1, 5, 0}).naturalMap, kInfinity) << frictionModelName(model);
    }
  }
  auto row = oneContact(FrictionModel::kNone, 0, 1, {7}, {0});
  row.blocks[0].law = BlockLaw::kRows;
  row.upper = {std::nan("")};
  EXPECT_EQ(judged(row, {7}).naturalMap, kInfinity);
}

// Solvers ask with a w of their own: a normal velocity that is no number is no solution.
TEST(NaturalMapSize, NaNInW_IsInfinite) {
  for (int model = 0; model < kFrictionModelCount; ++model) {
    const auto friction = static_cast<FrictionModel>(model);
    const std::vector<Real> zero(contactRows(friction), 0);
    const auto problem = oneContact(friction, 0.5, 1, zero, zero);
    std::vector<Real> w = zero;
    w[0] = std::nan("");
    const Real steps[] = {1};
    EXPECT_EQ(naturalMapSize(problem.view(), steps, zero, w).largest, kInfinity) << model;
  }
}

}  // namespace
}  // namespace drystone
