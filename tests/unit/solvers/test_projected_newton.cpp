#include <gtest/gtest.h>

#include "solvers/direct/chosen_factor.h"
#include "solvers/direct/projected_newton.h"
#include "tests/support/mlcp.h"

namespace drystone::test {
namespace {

// Well-conditioned A with boxes, half-lines, fixed and bilateral rows, from λ = 0: 1e-7 is far
// above round-off.
TEST(ProjectedNewton, RandomDefiniteProblems_MatchEnumerationWithFewSteps) {
  Random random(21);
  for (int trial = 0; trial < 40; ++trial) {
    RandomMlcp m = randomMlcp(random, 6, 6);
    m.a += 0.5 * MatX::Identity(6, 6);
    const StoredProblem stored = mlcp(m.a, m.b, m.lower, m.upper);
    const ContactProblem problem = stored.view();
    RowSystem rows;
    rows.prepare(problem, true);
    RowFactor factor;
    FreeSystem system;
    system.attach(rows, factor, BasisKind::kRows);
    RowBounds bounds;
    bounds.assign(problem);
    VecX lambda = VecX::Zero(6);
    const std::span<Real> view(lambda.data(), 6);
    const std::vector<RowState> unknown(6, RowState::kUnknown);
    IndexSets sets;
    sets.start(bounds, unknown, view);
    ProjectedNewton method;
    method.attach(rows, system);
    const PivotOutcome outcome = method.run(bounds, {.maxRounds = 50}, sets, view, nullptr);
    EXPECT_EQ(outcome.status, SolveStatus::kConverged) << trial;
    EXPECT_LT(outcome.rounds, 20) << trial;
    const VecX expected = velocityByEnumeration(m.a, m.b, m.lower, m.upper);
    EXPECT_LT((velocityOf(stored, lambda) - expected).cwiseAbs().maxCoeff(), 1e-7) << trial;
    for (int row = 0; row < 6; ++row) {
      const Real bound = sets[row] == RowState::kUpper   ? m.upper[row]
                         : sets[row] == RowState::kLower ? m.lower[row]
                                                         : lambda[row];
      EXPECT_EQ(lambda[row], bound) << trial;
    }
  }
}

}  // namespace
}  // namespace drystone::test
