// What the pivoting solvers promise as a family: one answer, whatever the factor and the rule.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "core/random.h"
#include "solvers/default_registry.h"
#include "solvers/pivoting/bpp.h"
#include "solvers/pivoting/mlcp_solver.h"
#include "solvers/problem/judge.h"
#include "solvers/reference/reference_solvers.h"
#include "tests/support/mlcp.h"
#include "tests/support/problems.h"
#include "tests/support/solved.h"

namespace drystone::test {
namespace {

class DirectFamily : public ::testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<ContactSolver> solver_ = makeDefaultRegistry().create(GetParam());
};
std::vector<std::string> directSolvers() {
  std::vector<std::string> names;
  const SolverRegistry registry = makeDefaultRegistry();
  for (const std::string& name : registry.names()) {
    if (registry.traits(name).endsAtRoundOff) names.push_back(name);
  }
  return names;
}
std::string solverTestName(const testing::TestParamInfo<std::string>& test) {
  std::string name = test.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Solvers, DirectFamily, ::testing::ValuesIn(directSolvers()),
                         solverTestName);

/// All but Lemke's, whose first run of pivots is one candidate.
class DirectFamilyOfCandidates : public DirectFamily {};
std::vector<std::string> solversOfCandidates() {
  std::vector<std::string> names = directSolvers();
  std::erase(names, "lemke");
  return names;
}
INSTANTIATE_TEST_SUITE_P(Solvers, DirectFamilyOfCandidates,
                         ::testing::ValuesIn(solversOfCandidates()), solverTestName);

// Without time the first candidate is the last one.
TEST_P(DirectFamilyOfCandidates, TimeLimit_EndsPivotsBetweenCandidates) {
  StoredProblem stored = randomPile(FrictionModel::kBox, 3, 3, 2, 0.4, 2);
  for (ProblemBlock& block : stored.blocks) block.normalBound = 0.1;
  const Solved answer = solveWith(*solver_, {.seconds = 0}, stored);
  EXPECT_EQ(answer.report.status, SolveStatus::kTimeLimit);
  EXPECT_LE(answer.report.iterations, 1);
  EXPECT_TRUE(answer.judged.finite);
}

// Random piles with bounds from one of the largest normal impulses: sticking, slipping and open
// contacts in one problem. One w, since A + C is positive definite.
TEST_P(DirectFamily, BoxFriction_HasTheAnswerOfBpp) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    StoredProblem stored = randomPile(FrictionModel::kBox, 3, 3, 2, 0.4, seed);
    stored.compliance.assign(stored.b.size(), 1e-6);
    for (ProblemBlock& block : stored.blocks) block.normalBound = 0.05 * seed;
    const Solved expected = solveWith(*makeBppSolver(), stored);
    const Solved answer = solveWith(*solver_, stored);
    EXPECT_EQ(answer.report.status, SolveStatus::kConverged) << seed;
    EXPECT_LT(answer.judged.naturalMap, 1e-9) << seed;
    EXPECT_LT(largestDifference(answer.w, expected.w), 1e-8) << seed;
  }
}

// 0 ≤ λ ≤ 1 on random symmetric positive definite matrices, with bilateral and fixed rows between.
TEST_P(DirectFamily, RandomBounds_AreSolvedToRoundOff) {
  Random random(11);
  for (int trial = 0; trial < 30; ++trial) {
    constexpr int kRows = 12;
    const MatX root = MatX::NullaryExpr(kRows, kRows, [&] { return random.uniform(-1, 1); });
    const MatX a = root * root.transpose() + 0.1 * MatX::Identity(kRows, kRows);
    StoredProblem stored;
    std::vector<int> rowStart = {0}, rows, columns;
    std::vector<Real> values;
    for (int i = 0; i < kRows; ++i) {
      rowStart.push_back(i + 1);
      stored.blocks.push_back({.firstRow = i, .rows = 1, .law = BlockLaw::kRows});
      stored.b.push_back(random.uniform(-2, 2));
      const int kind = static_cast<int>(6 * random.uniform());
      stored.lower.push_back(kind == 0 ? -kInfinity : kind == 1 ? 0.3 : 0);
      stored.upper.push_back(kind == 0 ? kInfinity : kind == 1 ? 0.3 : kind == 2 ? kInfinity : 0.5);
      for (int j = 0; j < kRows; ++j) {
        rows.push_back(i);
        columns.push_back(j);
        values.push_back(a(i, j));
      }
    }
    stored.assembled = blockSparseFromTriplets(rowStart, rows, columns, values);
    const Solved answer = solveWith(*solver_, stored);
    EXPECT_EQ(answer.report.status, SolveStatus::kConverged) << trial;
    EXPECT_LT(answer.judged.naturalMap, 1e-9) << trial;
    for (int i = 0; i < kRows; ++i) {
      EXPECT_GE(answer.lambda[i], stored.lower[i]);
      EXPECT_LE(answer.lambda[i], stored.upper[i]);
    }
  }
}

// A slipping sphere has its impulse in closed form (see sphereOnPlane), against a slide that lies
// along no axis: what a fixed pyramid would miss by up to 41 %.
TEST_P(DirectFamily, SlippingSphere_HasTheConeImpulseOfClosedForm) {
  const Vec3 slide(3, 2, 0);
  const StoredProblem stored = sphereOnPlane(FrictionModel::kCone, 2, 0.3, slide);
  const Solved answer = solveWith(*solver_, stored);
  EXPECT_EQ(answer.report.status, SolveStatus::kConverged);
  const Real normal = 2 * kGravity * kTimestep;
  EXPECT_NEAR(answer.lambda[0], normal, 1e-9);
  EXPECT_NEAR(std::hypot(answer.lambda[1], answer.lambda[2]), 0.3 * normal, 1e-9);
  EXPECT_LT(answer.judged.naturalMap, 1e-8);
}

// Piles on the exact cone. Lemke's tableau leaves one of them at 1e-6 m/s and says so; all else is
// solved, and the judge agrees with the status.
TEST_P(DirectFamily, ConePiles_AreSolvedOnTheExactCone) {
  int solved = 0;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const Solved answer = solveWith(*solver_, {.tolerance = 1e-8},
                                    randomPile(FrictionModel::kCone, 3, 3, 3, 0.3, seed));
    EXPECT_LT(answer.judged.naturalMap, 1e-5) << seed;
    if (answer.report.status != SolveStatus::kConverged) continue;
    ++solved;
    EXPECT_LT(answer.judged.naturalMap, 1e-8) << seed;
    EXPECT_LT(answer.judged.coneExcess, 1e-9) << seed;
  }
  EXPECT_GE(solved, GetParam() == "lemke" ? 3 : 4);
}

// Definite A, and A of half the rank, where λ is not unique but w is. 1e-8 is far above round-off,
// and above what the regularization of redundant bilateral rows leaves.
TEST_P(DirectFamily, RandomProblems_HaveTheVelocityOfEnumeration) {
  Random random(21);
  for (int trial = 0; trial < 300; ++trial) {
    const bool isDefinite = trial % 2 == 0;
    const int n = 2 + trial % 7;
    RandomMlcp m = randomMlcp(random, n, isDefinite ? n : 1 + n / 2);
    if (isDefinite) m.a += 0.3 * MatX::Identity(n, n);
    const MlcpAnswer solved = solveMlcp(*solver_, mlcp(m.a, m.b, m.lower, m.upper));
    EXPECT_EQ(solved.report.status, SolveStatus::kConverged) << trial;
    const VecX w = velocityByEnumeration(m.a, m.b, m.lower, m.upper);
    EXPECT_LT((m.a * solved.lambda + m.b - w).cwiseAbs().maxCoeff(), 1e-8) << trial;
  }
}

// A row that no impulse moves, such as one between bodies that cannot turn: its w is its b.
TEST_P(DirectFamily, RowsWithoutEntries_GoToTheBoundThatTheirVelocityAsksFor) {
  Random random(31);
  constexpr int kRows = 8;
  for (int trial = 0; trial < 40; ++trial) {
    RandomMlcp m = randomMlcp(random, kRows, kRows);
    m.a += 0.3 * MatX::Identity(kRows, kRows);
    const int up = trial % kRows, down = (up + 3) % kRows, both = (up + 5) % kRows;
    for (const int row : {up, down, both}) {
      m.a.row(row).setZero();
      m.a.col(row).setZero();
    }
    const auto setRow = [&](int row, Real b, Real lower, Real upper) {
      m.b[row] = b;
      m.lower[row] = lower;
      m.upper[row] = upper;
    };
    setRow(up, 0.7, 0, trial % 2 == 0 ? kInfinity : 2);
    setRow(down, -0.4, trial % 2 == 0 ? -kInfinity : -1, 3);
    setRow(both, 0, -kInfinity, kInfinity);
    const MlcpAnswer solved = solveMlcp(*solver_, mlcp(m.a, m.b, m.lower, m.upper));
    EXPECT_EQ(solved.report.status, SolveStatus::kConverged) << trial;
    EXPECT_EQ(solved.lambda[up], 0) << trial;
    EXPECT_EQ(solved.lambda[down], 3) << trial;
    EXPECT_EQ(solved.lambda[both], 0) << trial;
    const VecX w = velocityByEnumeration(m.a, m.b, m.lower, m.upper);
    EXPECT_LT((m.a * solved.lambda + m.b - w).cwiseAbs().maxCoeff(), 1e-8) << trial;
  }
}

TEST_P(DirectFamily, RowsWithoutEntries_ThatNoBoundHoldsAreInfeasible) {
  MatX a = (MatX(3, 3) << 2, 0, 1, 0, 0, 0, 1, 0, 3).finished();
  const VecX none = VecX::Constant(3, kInfinity);
  for (const Real b : {-1.0, 1.0}) {
    const VecX lower = (VecX(3) << 0, b < 0 ? 0 : -kInfinity, 0).finished();
    const MlcpAnswer solved = solveMlcp(*solver_, mlcp(a, VecX::Constant(3, b), lower, none));
    EXPECT_EQ(solved.report.status, SolveStatus::kInfeasible);
    EXPECT_TRUE(solved.lambda.allFinite());
  }
}

// The pyramid has paths of their own: Newton steps, and the loop over bounds.
TEST_P(DirectFamily, RowsWithoutEntriesBesideContacts_AreNoTrouble) {
  for (const Real b : {0.0, 0.3, -0.3}) {
    StoredProblem stored = randomPile(FrictionModel::kPyramid, 2, 2, 2, 0.4, 5);
    stored.blocks.push_back({.firstRow = static_cast<int>(stored.b.size()),
                             .rows = 1,
                             .law = BlockLaw::kRows,
                             .bodyA = 0,
                             .bodyB = -1});
    stored.b.push_back(b);
    stored.lower.resize(stored.b.size(), 0);
    stored.upper.resize(stored.b.size(), kInfinity);
    stored.compliance.assign(stored.b.size(), 1e-6);
    stored.compliance.back() = 0;
    stored.jacobianA.push_back(Vec6::Zero());
    stored.jacobianB.push_back(Vec6::Zero());
    const Solved answer = solveWith(*solver_, stored);
    if (b < 0) {
      EXPECT_EQ(answer.report.status, SolveStatus::kInfeasible);
    } else {
      EXPECT_EQ(answer.report.status, SolveStatus::kConverged) << b;
      EXPECT_LT(answer.judged.naturalMap, 1e-8) << b;
      EXPECT_EQ(answer.lambda.back(), 0) << b;
    }
  }
}

// A number that is not finite, or that overflows on the way, is no solution.
TEST_P(DirectFamily, NonFiniteProblems_AreNotCalledSolved) {
  const MatX a = (MatX(2, 2) << 2, 1, 1, 3).finished();
  const VecX zero = VecX::Zero(2), none = VecX::Constant(2, kInfinity);
  constexpr Real kNan = std::numeric_limits<Real>::quiet_NaN();
  const auto check = [&](const MatX& matrix, const VecX& b, const std::string& what) {
    for (const VecX& lower : {zero, VecX(-none)}) {
      const MlcpAnswer answer = solveMlcp(*solver_, mlcp(matrix, b, lower, none));
      EXPECT_NE(answer.report.status, SolveStatus::kConverged) << what;
    }
  };
  check(a, (VecX(2) << kNan, 1).finished(), "NaN in b");
  check(a, (VecX(2) << -kInfinity, 1).finished(), "infinite b");
  check(1e-200 * a, VecX::Constant(2, -1e200), "overflow");
  MatX broken = a;
  broken(0, 0) = kNan;
  check(broken, VecX::Constant(2, -1), "NaN in A");
}

// Body form goes to the space of the bodies, a chain of rows to their envelope, and what all rows
// couple is dense.
TEST(ReportedFactor, IsTheOneThatTheProblemGot) {
  const auto factorOf = [](const char* solver, const StoredProblem& stored) {
    return solveWith(*makeDefaultRegistry().create(solver), stored).report.factor;
  };
  constexpr int kRows = 20;
  const MatX full = MatX::Identity(kRows, kRows) + MatX::Ones(kRows, kRows);
  const VecX falling = VecX::Constant(kRows, -1);
  EXPECT_EQ(factorOf("bpp-auto", lcp(full, falling)), "dense");
  StoredProblem chain = lcp(full, falling);
  std::vector<int> rowStart = {0}, rows, columns;
  std::vector<Real> values;
  for (int row = 0; row < kRows; ++row) {
    rowStart.push_back(row + 1);
    for (int column = std::max(row - 1, 0); column < std::min(row + 2, kRows); ++column) {
      rows.push_back(row);
      columns.push_back(column);
      values.push_back(row == column ? 2.5 : -1);
    }
  }
  chain.assembled = blockSparseFromTriplets(rowStart, rows, columns, values);
  EXPECT_EQ(factorOf("bpp-auto", chain), "envelope");
  for (const FrictionModel model : {FrictionModel::kBox, FrictionModel::kCone}) {
    const StoredProblem pile = randomPile(model, 3, 3, 2, 0.4, 2);
    EXPECT_EQ(factorOf("bpp-auto", pile), "bodies");
    EXPECT_EQ(factorOf("bpp", pile), "dense");
    EXPECT_EQ(factorOf("bpp-pcg", pile), "pcg");
    EXPECT_EQ(factorOf("nsgs", pile), "");
  }
}

}  // namespace
}  // namespace drystone::test
