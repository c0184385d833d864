#include "solvers/problem/judge.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "core/random.h"
#include "solvers/problem/problem_ops.h"
#include "solvers/problem/residual.h"
#include "tests/support/matrices.h"
#include "tests/support/mlcp.h"
#include "tests/support/problem_builder.h"
#include "tests/support/problems.h"
#include "tests/support/solved.h"

namespace drystone {
namespace {

using test::judged;
using test::oneContact;

TEST(Judge, JudgeWithin_SaysTheSameAsJudgeOrNothing) {
  test::ProblemBuilder builder(FrictionModel::kCone);
  for (int i = 0; i < 200; ++i) {  // more than one stretch of blocks
    const int body = builder.addBody(1, Vec3::Ones(), Vec3::Zero(), -Vec6::Unit(2));
    builder.addContact(-1, body, Vec3(0, 0, -0.5), Vec3::UnitZ(), 0.5);
  }
  const StoredProblem problem = builder.build();
  std::vector<Real> lambda(problem.b.size(), 0);
  for (std::size_t i = 0; i < lambda.size(); i += 3) lambda[i] = 1;
  lambda[3 * 150] += 1e-3;  // 1e-3 m/s in the third stretch
  const JudgeReport whole = judged(problem, lambda);
  for (const int threads : {1, 4}) {
    JudgeWorkspace workspace;
    workspace.threads = threads;
    const auto within = judgeWithin(problem.view(), lambda, whole.naturalMap, workspace);
    ASSERT_TRUE(within);
    EXPECT_EQ(within->naturalMapNorm, whole.naturalMapNorm);
    EXPECT_EQ(within->worstBlock, 150);
    EXPECT_FALSE(judgeWithin(problem.view(), lambda, 0.999e-3, workspace));
  }
}

TEST(Judge, JudgeOnce_KnowsImpulsesAndProblemsApart) {
  const auto first = test::sphereOnPlane(FrictionModel::kCone, 2, 0.5, Vec3::Zero());
  auto second = test::sphereOnPlane(FrictionModel::kCone, 2, 0.5, Vec3(1, 0, 0));
  const std::array<Real, 3> falls = {0, 0, 0}, rests = {0.1962, 0, 0};
  JudgeWorkspace workspace;
  const auto once = [&](const StoredProblem& problem, std::span<const Real> lambda) {
    return judgeOnce(problem.view(), lambda, workspace).naturalMap;
  };
  for (int again = 0; again < 2; ++again) {
    EXPECT_NEAR(once(first, falls), 0.0981, 1e-15);
    EXPECT_NEAR(once(first, rests), 0, 1e-15);
    EXPECT_GT(once(second, rests), 0.1);
    EXPECT_NEAR(once(first, rests), 0, 1e-15);
  }
  // A problem that changes in its place is one that it does not know.
  once(second, rests);
  second.b = first.b;
  EXPECT_GT(once(second, rests), 0.1);
  workspace.verdict.b = nullptr;
  EXPECT_NEAR(once(second, rests), 0, 1e-15);
}

// Open contacts without an impulse are left out of the costly part: the sums must be those over all
// blocks, natural maps of the open ones included, which vanish but for the round-off of ρ ‖w_t‖.
TEST(Judge, OpenContacts_AreJudgedAsAllOthers) {
  for (const FrictionModel model :
       {FrictionModel::kNone, FrictionModel::kBox, FrictionModel::kPyramid, FrictionModel::kDiamond,
        FrictionModel::kCone, FrictionModel::kContensou, FrictionModel::kRolling}) {
    Random random(11);
    test::ProblemBuilder builder(model);
    for (int i = 0; i < 40; ++i) {
      // Every other one is on its way up.
      Vec6 velocity;
      for (Real& x : velocity) x = random.uniform(-1, 1);
      velocity[2] = i % 2 == 0 ? 4 : -1;
      const int body = builder.addSphere(1 + i % 3, 0.5, {2.0 * i, 0, 0.5}, velocity);
      builder.addContact(-1, body, {2.0 * i, 0, 0}, Vec3::UnitZ(), 0.5);
    }
    const StoredProblem problem = builder.build();
    const ContactProblem view = problem.view();
    std::vector<Real> lambda(problem.b.size(), 0.0), w(problem.b.size());
    for (int i = 1; i < 40; i += 4) lambda[view.blocks[i].firstRow] = 0.7;
    std::vector<Vec6> bodyVelocity(problem.bodies.size());
    constraintVelocity(view, lambda, bodyVelocity, w);
    BlockSteps steps;
    steps.start(view);
    const NaturalMapSize all = naturalMapSize(view, steps.values(), lambda, w);
    Real energy = 0;
    for (int block = 0; block < view.blockCount(); ++block) {
      const ProblemBlock& info = view.blocks[block];
      std::array<Real, kMaxBlockRows * kMaxBlockRows> diagonal;
      diagonalBlock(view, block, diagonal.data());
      for (int i = 0; i < info.rows; ++i) {
        energy += rowEnergyError(view, block, i, diagonal[i * (info.rows + 1)],
                                 &lambda[info.firstRow], w[info.firstRow + i]);
      }
    }
    const JudgeReport report = judged(problem, lambda);
    EXPECT_GT(all.largest, 0.1);
    EXPECT_NEAR(report.naturalMap, all.largest, 1e-15);
    EXPECT_NEAR(report.naturalMapNorm, all.norm, 1e-14);
    EXPECT_EQ(report.worstBlock, all.worstBlock);
    EXPECT_NEAR(report.energySum, energy, 1e-14);
    EXPECT_NEAR(report.relative, relativeError(view, lambda, w), 1e-15);
  }
}

// Sphere of 2 kg at λ = 0, g h = 0.0981 m/s: A = diag(1/m, 7/2m, 7/2m), ρ = 2m/7 = 4/7 kg.
// z = −ρ w lies on the cone's axis, so F/ρ = g h. (M.12): E = ‖b‖ = ‖w‖, ratio 1.
// (M.13): (g h)²/(2 A_nn) = 0.00962361 J, the kinetic energy of the fall.
TEST(Judge, FallingSphereAtZeroImpulse_MissesByItsFall) {
  const auto problem = test::sphereOnPlane(FrictionModel::kCone, 2, 0.5, Vec3::Zero());
  const JudgeReport report = judged(problem, {0, 0, 0});
  EXPECT_NEAR(report.naturalMap, 0.0981, 1e-15);
  EXPECT_NEAR(report.naturalMapNorm, 0.0981, 1e-15);
  EXPECT_EQ(report.worstBlock, 0);
  EXPECT_NEAR(report.relative, 1, 1e-15);
  EXPECT_NEAR(report.energyMax, 0.00962361, 1e-16);
  EXPECT_NEAR(report.energySum, 0.00962361, 1e-16);
  EXPECT_EQ(report.complementarityGap, 0);
}

// Two contacts that close on a body from opposite sides: A = [1 −1; −1 1], b = (−1, −1). Equal
// impulses of any size leave w = b, and a natural map as large as b.
TEST(Judge, ImpulsesThatGrow_AreNotConfirmedByTheNaturalMap) {
  MatX a(2, 2);
  a << 1, -1, -1, 1;
  const StoredProblem squeezed = test::lcp(a, VecX::Constant(2, -1));
  const JudgeReport report = judged(squeezed, {1e12, 1e12});
  EXPECT_LE(report.relative, 1e-11);
  EXPECT_NEAR(confirmation(squeezed.b, report.naturalMap, 1e-11), std::sqrt(1e-11), 1e-15);
  EXPECT_LE(confirmation(squeezed.b, 3.1e-6, 1e-11), 1e-11);  // √1e-11 = 3.16e-6
  EXPECT_GT(confirmation(squeezed.b, 3.2e-6, 1e-11), 1e-11);
  // From a tolerance of 1e-2 on, a tenth of |b|: 1 of it confirms nothing.
  EXPECT_LE(confirmation(squeezed.b, 0.099, 2), 2);
  EXPECT_GT(confirmation(squeezed.b, 0.101, 2), 2);
}

// Closed form of the same sphere (problems.h). m g h = 0.1962. It sticks under a slide of 0.05:
// λ_t = −(2/7)·2·0.05 = −1/35; |λ_t| < 0.5·0.1962. It slips under (0.6, 0.8) with μ = 0.1:
// λ_t = −0.01962·(0.6, 0.8). Every measure vanishes, energies along each row included.
TEST(Judge, ClosedFormSolutions_ScoreZero) {
  const std::vector<std::pair<StoredProblem, std::vector<Real>>> solved = {
      {test::sphereOnPlane(FrictionModel::kCone, 2, 0.5, Vec3(0.05, 0, 0)), {0.1962, -1.0 / 35, 0}},
      {test::sphereOnPlane(FrictionModel::kCone, 2, 0.1, Vec3(0.6, 0.8, 0)),
       {0.1962, -0.01962 * 0.6, -0.01962 * 0.8}},
      {test::sphereLiftingOff(FrictionModel::kCone), {0, 0, 0}}};
  for (const auto& [problem, lambda] : solved) {
    const JudgeReport report = judged(problem, lambda);
    EXPECT_LE(report.naturalMap, 1e-15);
    EXPECT_LE(report.relative, 1e-15);
    EXPECT_LE(report.energyMax, 1e-18);
    EXPECT_LE(report.coneExcess, 1e-16);
    EXPECT_EQ(report.normalImpulseMin, 0);
    EXPECT_LE(report.complementarityGap, 1e-16);
  }
}

// λ = (1, 0, 0), w = (0, 0.3, 0.4), A = 1, μ = 0.5, ρ = 1. Shift: ŵ_n = 0.5·0.5 = 0.25; z = (0.75,
// −0.3, −0.4), whose foot on the cone is (0.8, −0.24, −0.32) (test_laws). F = (0.2, 0.24, 0.32),
// ‖F‖² = 0.2. (M.12): b = w − λ, ‖b‖² = 1.25, ratio √(0.2/1.25) = 0.4. (M.13): normal 0; tangents
// stay within their slices ±0.5: 0.3²/2 and 0.4²/2.
TEST(Judge, SlipWithoutFriction_HasTheHandComputedMeasures) {
  const auto problem = oneContact(FrictionModel::kCone, 0.5, 1, {1, 0, 0}, {0, 0.3, 0.4});
  const JudgeReport report = judged(problem, {1, 0, 0});
  EXPECT_NEAR(report.naturalMap, std::sqrt(0.2), 1e-15);
  EXPECT_NEAR(report.relative, 0.4, 1e-15);
  EXPECT_NEAR(report.energyMax, 0.08, 1e-16);
  EXPECT_NEAR(report.energySum, 0.125, 1e-16);
}

// A = 2, so ρ = 0.5, `pyramid`, μ = 0.5, λ = (1, 0.8, −0.1), w = (0.2, 0.3, 0). z = (0.9, 0.65,
// −0.1), tangents cut to ±0.5: F = (0.1, 0.3, 0), F/ρ = (0.2, 0.6, 0). Excess 0.8 − 0.5, gap 1·0.2.
// (M.13): normal ½·2·0.1² = 0.01, t1 ½·2·0.3² = 0.09.
TEST(Judge, PyramidBeyondItsBound_HasTheHandComputedMeasures) {
  const std::vector<Real> lambda = {1, 0.8, -0.1};
  const auto problem = oneContact(FrictionModel::kPyramid, 0.5, 2, lambda, {0.2, 0.3, 0});
  const JudgeReport report = judged(problem, lambda);
  EXPECT_NEAR(report.naturalMap, std::sqrt(0.4), 1e-15);
  EXPECT_NEAR(report.coneExcess, 0.3, 1e-15);
  EXPECT_NEAR(report.complementarityGap, 0.2, 1e-15);
  EXPECT_NEAR(report.energyMax, 0.09, 1e-15);
  EXPECT_NEAR(report.energySum, 0.10, 1e-15);
}

// `box` with λ̄_n = 1: |λ_t| = μ λ̄_n = 0.5 against the slip is right even though λ_n = 0.
TEST(Judge, BoxModel_KnowsOnlyTheGivenBound) {
  const std::vector<Real> lambda = {0, -0.5, 0};
  const auto problem = oneContact(FrictionModel::kBox, 0.5, 1, lambda, {0.1, 0.2, 0});
  EXPECT_LE(judged(problem, lambda).naturalMap, 1e-16);
}

TEST(Judge, NegativeNormalImpulse_IsReported) {
  const std::vector<Real> lambda = {-0.25};
  const auto problem = oneContact(FrictionModel::kNone, 0, 1, lambda, {0});
  const JudgeReport report = judged(problem, lambda);
  EXPECT_EQ(report.normalImpulseMin, -0.25);
  EXPECT_NEAR(report.naturalMap, 0.25, 1e-16);
}

// One row with A = 2 in [−1, 1], λ = 1 and w = 0.2: at the upper bound w ≤ 0 is asked.
// ρ = 0.5: F = 1 − 0.9, F/ρ = 0.2 = w. (M.13): ½·2·0.1².
TEST(Judge, BoundedRowPushedOffItsBound_MissesByItsVelocity) {
  auto problem = oneContact(FrictionModel::kNone, 0, 2, {1}, {0.2});
  problem.blocks[0].law = BlockLaw::kRows;
  problem.lower = {-1};
  problem.upper = {1};
  const JudgeReport report = judged(problem, {1});
  EXPECT_NEAR(report.naturalMap, 0.2, 1e-15);
  EXPECT_NEAR(report.energySum, 0.01, 1e-16);
  EXPECT_EQ(report.complementarityGap, 0);
}

// A block that nothing moves still has to obey its law: b_n < 0 cannot be mended and is reported.
TEST(Judge, ImmovableBlock_ReportsItsVelocity) {
  const auto problem = oneContact(FrictionModel::kNone, 0, 0, {0}, {-0.3});
  EXPECT_NEAR(judged(problem, {0}).naturalMap, 0.3, 1e-16);
}

TEST(Judge, NaN_IsNotFiniteAndInfinitelyBad) {
  const auto problem = test::sphereOnPlane(FrictionModel::kCone, 2, 0.5, Vec3::Zero());
  const JudgeReport report = judged(problem, {std::numeric_limits<Real>::quiet_NaN(), 0, 0});
  EXPECT_FALSE(report.finite);
  EXPECT_EQ(report.naturalMap, kInfinity);
  EXPECT_EQ(report.relative, kInfinity);
}

TEST(Judge, EmptyProblem_ScoresZero) {
  const JudgeReport report = judged(test::emptyProblem(), {});
  EXPECT_TRUE(report.finite);
  EXPECT_EQ(report.naturalMap, 0);
  EXPECT_EQ(report.worstBlock, -1);
  EXPECT_EQ(report.relative, 0);
}

// Masses times 1000 leave velocities as they are when impulses grow with them: (M.11) is a
// velocity. (M.12) has no such claim.
TEST(Judge, NaturalMap_DoesNotDependOnTheUnitOfMass) {
  const auto light = test::sphereOnPlane(FrictionModel::kCone, 2, 0.5, Vec3(0.3, 0, 0));
  const auto heavy = test::sphereOnPlane(FrictionModel::kCone, 2000, 0.5, Vec3(0.3, 0, 0));
  const Real expected = judged(light, {0.1, 0.02, -0.03}).naturalMap;
  EXPECT_NEAR(judged(heavy, {100, 20, -30}).naturalMap, expected, 1e-14);
}

/// A pile of more blocks than the judge takes at once, and impulses that solve nothing.
struct WildGuess {
  StoredProblem problem = test::randomPile(FrictionModel::kCone, 6, 6, 4, 0.5, 7);
  std::vector<Real> lambda;

  WildGuess() {
    Random random(3);
    lambda.resize(problem.view().rowCount());
    for (Real& value : lambda) value = random.uniform(-1, 1);
  }
};

// The judge works stretch by stretch; these formulas take the whole problem at once.
TEST(Judge, ManyBlocks_AreJudgedAsOneProblem) {
  const WildGuess guess;
  const ContactProblem problem = guess.problem.view();
  ASSERT_GT(problem.blockCount(), 2 * kBlocksAtOnce);
  std::vector<Real> w(problem.rowCount()), steps;
  std::vector<Vec6> bodyVelocity(problem.bodyCount());
  constraintVelocity(problem, guess.lambda, bodyVelocity, w);
  Real gap = 0, lowest = 0;
  for (int block = 0; block < problem.blockCount(); ++block) {
    const ProblemBlock& info = problem.blocks[block];
    DiagonalBlock diagonal;
    diagonalBlock(problem, block, diagonal.data());
    steps.push_back(blockStep(problem, block, diagonal));
    if (info.law != BlockLaw::kContact) continue;
    gap += std::abs(guess.lambda[info.firstRow] * w[info.firstRow]);
    lowest = std::min(lowest, guess.lambda[info.firstRow]);
  }
  const NaturalMapSize size = naturalMapSize(problem, steps, guess.lambda, w);
  const JudgeReport report = judged(guess.problem, guess.lambda);
  EXPECT_EQ(report.naturalMap, size.largest);
  EXPECT_EQ(report.worstBlock, size.worstBlock);
  EXPECT_NEAR(report.naturalMapNorm, size.norm, 1e-14 * size.norm);
  const Real relative = relativeError(problem, guess.lambda, w);
  EXPECT_NEAR(report.relative, relative, 1e-14 * relative);
  EXPECT_NEAR(report.complementarityGap, gap, 1e-13 * gap);
  EXPECT_EQ(report.normalImpulseMin, lowest);
}

TEST(Judge, Threads_DoNotChangeABit) {
  const WildGuess guess;
  JudgeWorkspace one, four;
  four.threads = 4;
  const JudgeReport expected = judge(guess.problem.view(), guess.lambda, one);
  const JudgeReport report = judge(guess.problem.view(), guess.lambda, four);
  EXPECT_EQ(report.naturalMap, expected.naturalMap);
  EXPECT_EQ(report.naturalMapNorm, expected.naturalMapNorm);
  EXPECT_EQ(report.relative, expected.relative);
  EXPECT_EQ(report.energySum, expected.energySum);
  EXPECT_EQ(report.complementarityGap, expected.complementarityGap);
  EXPECT_EQ(four.w, one.w);
}

TEST(Judge, OneNaNAmongManyBlocks_IsSeen) {
  WildGuess guess;
  guess.lambda[guess.lambda.size() / 2] = std::nan("");
  const JudgeReport report = judged(guess.problem, guess.lambda);
  EXPECT_FALSE(report.finite);
  EXPECT_EQ(report.naturalMap, kInfinity);
}

// A body between two opposed contacts that close on it: w = (−1, −1) m/s for λ_1 = λ_2, however
// large. Round-off of λ − (λ − ρ w) must not make a solution of it.
TEST(Judge, HugeImpulsesThatSolveNothing_DoNotPassForASolution) {
  MatX a(2, 2);
  a << 1, -1, -1, 1;
  const StoredProblem crushed = test::lcp(a, VecX::Constant(2, -1));
  for (const Real size : {1.0, 1e10, 1e17}) {
    EXPECT_EQ(judged(crushed, {size, size}).naturalMap, 1) << size;
  }
}

// The same at a contact, in every model: w = (−1, 0, 0) whatever λ = (x, 0, 0) of both.
TEST(Judge, HugeImpulsesOfContacts_DoNotPassForASolution) {
  for (const FrictionModel model : {FrictionModel::kPyramid, FrictionModel::kCone}) {
    const StoredProblem problem = oneContact(model, 0.5, 0, {0, 0, 0}, {-1, 0, 0});
    EXPECT_NEAR(judged(problem, {1e17, 0, 0}).naturalMap, 1, 1e-12) << frictionModelName(model);
  }
}

// The same w, steps and natural map as the judge's own: equal to the last bit, in stretches of
// kBlocksAtOnce blocks and beyond.
TEST(BlockResiduals, Largest_IsTheJudgesNaturalMapAtItsWorstBlock) {
  Random random(7);
  for (int model = 0; model < kFrictionModelCount; ++model) {
    const auto friction = static_cast<FrictionModel>(model);
    const StoredProblem body = test::randomPile(friction, 3, 3, 5, 0.4, 3);
    for (const StoredProblem& problem : {body, test::assembled(body)}) {
      ASSERT_GT(problem.blocks.size(), static_cast<std::size_t>(kBlocksAtOnce));
      std::vector<Real> lambda(problem.b.size());
      for (Real& value : lambda) value = random.uniform(-0.1, 0.3);
      JudgeWorkspace workspace;
      std::vector<Real> residuals(problem.blocks.size(), -1);
      blockResiduals(problem.view(), lambda, workspace, residuals);
      const JudgeReport report = judged(problem, lambda);
      const auto largest = std::ranges::max_element(residuals);
      EXPECT_EQ(*largest, report.naturalMap) << frictionModelName(friction);
      EXPECT_EQ(largest - residuals.begin(), report.worstBlock);
      Real sum = 0;
      for (const Real residual : residuals) sum += residual * residual;
      EXPECT_NEAR(std::sqrt(sum), report.naturalMapNorm, 1e-12 * report.naturalMapNorm);
    }
  }
}

TEST(RelativeError, SquaresBeyondAllNumbers_AreInfinite) {
  const StoredProblem problem = test::boxOnPlane(FrictionModel::kCone, 1, 0.5);
  std::vector<Real> lambda(problem.b.size(), 0);
  lambda[0] = 1e200;
  EXPECT_EQ(relativeError(problem.view(), lambda, lambda), kInfinity);
}

TEST(BlockResiduals, NotFinite_IsInfinite) {
  const StoredProblem problem = test::boxOnPlane(FrictionModel::kCone, 1, 0.5);
  std::vector<Real> lambda(problem.b.size(), 0);
  lambda[0] = std::nan("");
  JudgeWorkspace workspace;
  std::vector<Real> residuals(problem.blocks.size());
  blockResiduals(problem.view(), lambda, workspace, residuals);
  for (const Real residual : residuals) EXPECT_EQ(residual, kInfinity);
}

// Against Eigen's iterative solver, for every block size; unsymmetric input counts by its symmetric
// part.
TEST(LargestEigenvalue, RandomMatrices_AgreeWithEigen) {
  Random random(2);
  for (int rows = 1; rows <= kMaxBlockRows; ++rows) {
    for (int trial = 0; trial < 200; ++trial) {
      MatX a(rows, rows);
      for (int i = 0; i < rows * rows; ++i) a.data()[i] = random.uniform(-1, 1);
      const MatX symmetric = (a + a.transpose()) / 2;
      const Real expected = test::symmetricEigenvalues(symmetric)[rows - 1];
      EXPECT_NEAR(largestEigenvalue(a.data(), rows), expected, 1e-13);
    }
  }
}

// The angle of the cubic has a root's sensitivity where two eigenvalues meet: √ε ≈ 1.5e-8 relative.
TEST(LargestEigenvalue, MultipleEigenvalues_AreFound) {
  const Real isotropic[9] = {2, 0, 0, 0, 2, 0, 0, 0, 2};
  EXPECT_EQ(largestEigenvalue(isotropic, 3), 2);
  const Real twofold[9] = {5, 0, 0, 0, 5, 0, 0, 0, 1};
  EXPECT_NEAR(largestEigenvalue(twofold, 3), 5, 1e-7);
}

}  // namespace
}  // namespace drystone
