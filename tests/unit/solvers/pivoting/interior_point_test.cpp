#include <gtest/gtest.h>

#include "solvers/linear/chosen_factor.h"
#include "solvers/pivoting/interior_point.h"
#include "tests/support/mlcp.h"

namespace drystone::test {
namespace {

/// One run of the method from λ, without the pivots that a solver has around it.
struct InteriorRun {
  RowSystem rows;
  RowBounds bounds;
  IndexSets sets;
  VecX lambda;
  PivotOutcome outcome;

  InteriorRun(const StoredProblem& stored, FreeFactor& factor, const VecX& start,
              int maxRounds = 100)
      : lambda(start) {
    const ContactProblem problem = stored.view();
    rows.prepare(problem, factor.needsMatrix(problem));
    bounds.assign(problem);
    for (const ProblemBlock& block : problem.blocks) {
      if (block.law == BlockLaw::kContact) {
        bounds.setFriction(block, block.friction * block.normalBound);
      }
    }
    FreeSystem system;
    system.attach(rows, factor, BasisKind::kGeneral);
    const std::span<Real> view(lambda.data(), static_cast<std::size_t>(lambda.size()));
    const std::vector<RowState> unknown(view.size(), RowState::kUnknown);
    sets.start(bounds, unknown, view);
    InteriorPoint method;
    method.attach(rows, system);
    outcome = method.run(bounds, {.maxRounds = maxRounds}, sets, view, nullptr);
  }

  Real error() {
    std::vector<Real> w(static_cast<std::size_t>(lambda.size()));
    const std::span<const Real> view(lambda.data(), w.size());
    rows.velocity(view, w);
    return complementarityError(rows, bounds, view, w);
  }
};

// Well-conditioned A with boxes, half-lines, fixed and bilateral rows, from λ = 0: 1e-7 is far
// above what 1e-10 of the sign tolerance leaves. The sets are those of the solution wherever it
// tells them apart.
TEST(InteriorPoint, RandomDefiniteProblems_MatchEnumeration) {
  Random random(21);
  for (int trial = 0; trial < 60; ++trial) {
    RandomMlcp m = randomMlcp(random, 6, 6);
    m.a += 0.5 * MatX::Identity(6, 6);
    const StoredProblem stored = mlcp(m.a, m.b, m.lower, m.upper);
    RowFactor factor;
    const InteriorRun run(stored, factor, VecX::Zero(6));
    EXPECT_EQ(run.outcome.status, SolveStatus::kConverged) << trial;
    EXPECT_LT(run.outcome.rounds, 27) << trial;
    const VecX expected = velocityByEnumeration(m.a, m.b, m.lower, m.upper);
    const VecX w = velocityOf(stored, run.lambda);
    EXPECT_LT((w - expected).cwiseAbs().maxCoeff(), 1e-7) << trial;
    for (int row = 0; row < 6; ++row) {
      if (m.lower[row] == m.upper[row]) continue;
      if (std::abs(w[row]) < 1e-3) continue;
      EXPECT_EQ(run.sets[row], w[row] > 0 ? RowState::kLower : RowState::kUpper) << trial;
    }
  }
}

/// Sixty rows of which twenty are independent, as of many contacts between few bodies, with a
/// compliance of 1e-9 that makes A definite.
StoredProblem redundantRows(Random& random) {
  RandomMlcp m = randomMlcp(random, 60, 20);
  m.a += 1e-9 * MatX::Identity(60, 60);
  return mlcp(m.a, m.b, m.lower, m.upper);
}

// Pivots have 3⁶⁰ sets to get lost in; the method takes 21 factors at most (36 without the right
// corrector), and what it returns holds to the sign tolerance of 1e-10 of the largest |b|, or to
// 1e-8 where round-off is larger.
TEST(InteriorPoint, RedundantRows_AreSolvedToTheSignToleranceInFewFactors) {
  Random random(5);
  for (int trial = 0; trial < 10; ++trial) {
    const StoredProblem stored = redundantRows(random);
    RowFactor factor;
    InteriorRun run(stored, factor, VecX::Zero(60));
    EXPECT_EQ(run.outcome.status, SolveStatus::kConverged) << trial;
    EXPECT_LT(run.outcome.rounds, 27) << trial;
    EXPECT_LE(run.error(), 1e-8 * run.rows.velocityScale()) << trial;
    EXPECT_EQ(run.error(), run.outcome.error) << trial;
  }
}

// One step without bounds, and w = 0 exactly as the factor has it.
TEST(InteriorPoint, BilateralRows_TakeOneStep) {
  const MatX a = (MatX(2, 2) << 2, 1, 1, 3).finished();
  const VecX b = VecX::Ones(2), none = VecX::Constant(2, kInfinity);
  const StoredProblem stored = mlcp(a, b, -none, none);
  RowFactor factor;
  const InteriorRun run(stored, factor, VecX::Zero(2));
  EXPECT_EQ(run.outcome.status, SolveStatus::kConverged);
  EXPECT_EQ(run.outcome.rounds, 1);
  EXPECT_LT((a * run.lambda + b).cwiseAbs().maxCoeff(), 1e-15);
}

// Bounds that nearly coincide, as of friction under a contact that hardly pressed, leave the other
// rows as they are without them; also where no number lies between the bounds.
TEST(InteriorPoint, NearlyFixedRows_LeaveTheOthersAlone) {
  const MatX a = (MatX(2, 2) << 2, 1, 1, 3).finished();
  const VecX b = (VecX(2) << -3, 5).finished();
  for (const Real width : {1e-8, 1e-12, 2.3e-16, 0.0}) {
    const VecX lower = (VecX(2) << 0, 1).finished();
    const VecX upper = (VecX(2) << kInfinity, 1 + width).finished();
    const StoredProblem stored = mlcp(a, b, lower, upper);
    RowFactor factor;
    const InteriorRun run(stored, factor, VecX::Zero(2));
    EXPECT_EQ(run.outcome.status, SolveStatus::kConverged) << width;
    EXPECT_NEAR(run.lambda[0], 1, 1e-9) << width;
    EXPECT_NEAR(run.lambda[1], 1, 1e-9) << width;
    EXPECT_EQ(run.sets[1], RowState::kLower) << width;
  }
}

// Bounds that are large beside b: at λ = lower w is 2e4 to 2e12 of |b|, and the gaps of the start
// are below an ulp of λ. The solution is λ_1 = lower, λ_2 = (lower − b)/3.
TEST(InteriorPoint, BoundsFarFromWhatBAsksFor_AreNoObstacle) {
  const MatX a = (MatX(2, 2) << 2, -1, -1, 3).finished();
  for (const Real low : {1.0, 1e4, 1e6}) {
    for (const Real size : {1e-4, 1e-6, 0.0}) {
      const VecX b = VecX::Constant(2, size);
      const VecX lower = (VecX(2) << low, 0).finished(), upper = VecX::Constant(2, kInfinity);
      const StoredProblem stored = mlcp(a, b, lower, upper);
      RowFactor factor;
      InteriorRun run(stored, factor, VecX::Zero(2));
      EXPECT_LE(run.error(), 1e-9 * low) << low << " " << size;
      EXPECT_NEAR(run.lambda[1], (low - size) / 3, 1e-9 * low) << low << " " << size;
    }
  }
}

// w = −1 whatever λ: no solution. The impulses run away, what comes back is finite and admissible.
TEST(InteriorPoint, WithoutSolution_ReturnsFiniteImpulsesAndAStatus) {
  const MatX a = (MatX(2, 2) << 1, -1, -1, 1).finished();
  const VecX b = (VecX(2) << -1, -1).finished();
  const StoredProblem stored = mlcp(a, b, VecX::Zero(2), VecX::Constant(2, kInfinity));
  RowFactor factor;
  InteriorRun run(stored, factor, VecX::Zero(2));
  EXPECT_NE(run.outcome.status, SolveStatus::kConverged);
  EXPECT_TRUE(run.lambda.allFinite());
  EXPECT_GE(run.lambda.minCoeff(), 0);
  EXPECT_EQ(run.error(), run.outcome.error);
}

// What comes back is never worse than what went in, though the path leads far from it at first.
TEST(InteriorPoint, TooFewRounds_ReturnABetterStart) {
  Random random(6);
  const StoredProblem stored = redundantRows(random);
  RowFactor factor;
  const InteriorRun solved(stored, factor, VecX::Zero(60));
  ASSERT_EQ(solved.outcome.status, SolveStatus::kConverged);
  InteriorRun start(stored, factor, 1.0001 * solved.lambda, 0);
  const InteriorRun run(stored, factor, start.lambda, 2);
  EXPECT_EQ(run.outcome.status, SolveStatus::kIterationLimit);
  EXPECT_EQ(run.lambda, start.lambda);
  EXPECT_EQ(run.outcome.error, start.error());
}

}  // namespace
}  // namespace drystone::test
