// What a wrong answer would have to look like to pass (docs/theory/judge.md). Problems are made
// from an exact pair (λ*, w*), and what is wrong follows from the laws alone, without a word of the
// judge.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>

#include "core/random.h"
#include "solvers/problem/problem_ops.h"
#include "tests/support/known_problem.h"
#include "tests/support/problems.h"
#include "tests/support/solved.h"

namespace drystone {
namespace {

constexpr int kProblems = 12700;
constexpr int kWrongOfEach = 8;

constexpr std::array kModels = {FrictionModel::kNone,    FrictionModel::kBox,
                                FrictionModel::kPyramid, FrictionModel::kDiamond,
                                FrictionModel::kCone,    FrictionModel::kContensou};

/// Speeds of steps from a nanosecond to a tenth of a second [m/s].
Real randomSpeed(Random& random) { return test::logUniform(random, 1e-8, 1); }

// Half, since the normal counts half (docs/theory/judge.md).
TEST(WrongAnswers, LawsBrokenByAVelocity_ReadHalfOfItAtLeast) {
  Random random(1);
  int wrong = 0;
  std::map<std::string, int> ways;
  for (int i = 0; i < kProblems; ++i) {
    const Real speed = randomSpeed(random);
    test::KnownProblem known(random, kModels[i % kModels.size()], speed);
    for (int k = 0; k < kWrongOfEach;) {
      test::Pair pair = known.exact();
      const Real v = speed * test::logUniform(random, 1e-3, 1);
      const std::string way = known.breakLaw(v, pair);
      if (way.empty()) continue;  // a way that this block does not have
      ++k;
      const JudgeReport report = known.judged(pair);
      if (known.roundOff() > 0.01 * v) continue;
      ++wrong;
      ++ways[way];
      ASSERT_GE(report.naturalMap, 0.49 * v) << way;
    }
  }
  EXPECT_GE(wrong, 100000);
  EXPECT_EQ(ways.size(), 11U);
  for (const auto& [way, count] : ways) EXPECT_GT(count, 1000) << way;
}

// The least share found is 0.058: an impulse moves the far end of a body more than its own point.
TEST(WrongAnswers, ImpulsesChangedByAVelocity_ReadAFiftiethOfItAtLeast) {
  Random random(3);
  int wrong = 0;
  for (int i = 0; i < kProblems; ++i) {
    const Real speed = randomSpeed(random);
    test::KnownProblem known(random, kModels[i % kModels.size()], speed);
    known.judged(known.exact());
    for (int k = 0; k < kWrongOfEach; ++k) {
      const Real v = speed * test::logUniform(random, 1e-3, 1);
      const JudgeReport report = known.changed(v);
      if (known.roundOff() > 0.01 * v) continue;
      ++wrong;
      ASSERT_GE(report.naturalMap, 0.02 * v);
    }
  }
  EXPECT_GE(wrong, 100000);
}

// De Saxcé's shift multiplies the round-off of a slip by μ.
TEST(WrongAnswers, ExactPairs_ReadRoundOff) {
  Random random(2);
  for (int i = 0; i < kProblems; ++i) {
    const Real speed = randomSpeed(random);
    test::KnownProblem known(random, kModels[i % kModels.size()], speed);
    const JudgeReport report = known.judged(known.exact());
    const Real bound = (1 + known.largestFriction()) * (known.roundOff() + 1e-15 * speed);
    ASSERT_LE(report.naturalMap, bound);
  }
}

/// A random problem under `rolling` with impulses that solve it, by b = w − A λ.
struct KnownRolling {
  StoredProblem problem;
  std::vector<Real> lambda;
};

KnownRolling knownRolling(std::uint64_t seed) {
  Random random(seed);
  KnownRolling known{
      test::withRolling(test::randomPile(FrictionModel::kRolling, 3, 2, 2, 0.4, seed),
                        random.uniform(0.05, 0.5)),
      {}};
  StoredProblem& problem = known.problem;
  std::vector<Real> w(problem.b.size(), 0);
  known.lambda.assign(problem.b.size(), 0);
  for (const ProblemBlock& block : problem.blocks) {
    Real* impulse = &known.lambda[block.firstRow];
    Real* velocity = &w[block.firstRow];
    if (random.uniform() < 0.2) {  // open
      for (int i = 0; i < 5; ++i) velocity[i] = random.uniform(-1, 1);
      velocity[0] = random.uniform(0.1, 1);
      continue;
    }
    impulse[0] = random.uniform(0.1, 1);
    for (const int part : {1, 3}) {
      const Real radius = (part == 1 ? block.friction : block.rolling) * impulse[0];
      const Real angle = random.uniform(0, 7);
      const bool moves = random.uniform() < 0.5;
      const Real size = moves ? radius : radius * random.uniform();
      const Real speed = moves ? random.uniform(0.1, 1) : 0;
      impulse[part] = size * std::cos(angle);
      impulse[part + 1] = size * std::sin(angle);
      velocity[part] = -speed * std::cos(angle);
      velocity[part + 1] = -speed * std::sin(angle);
    }
  }
  std::vector<Vec6> bodyVelocity(problem.bodies.size());
  std::vector<Real> product(problem.b.size());
  applyDelassus(problem.view(), known.lambda, bodyVelocity, product);
  for (std::size_t row = 0; row < w.size(); ++row) problem.b[row] = w[row] - product[row];
  return known;
}

TEST(JudgeRolling, KnownAnswers_AreSolutionsAndWhatBreaksOneLawIsNone) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const KnownRolling known = knownRolling(seed);
    const JudgeReport exact = test::judged(known.problem, known.lambda);
    EXPECT_LE(exact.naturalMap, 1e-13);
    EXPECT_LE(exact.coneExcess, 1e-15);
    EXPECT_LE(exact.energySum, 1e-13);
    for (int row = 0; row < 5; ++row) {
      std::vector<Real> broken = known.lambda;
      broken[known.problem.blocks[seed % 7].firstRow + row] += 1e-3;
      EXPECT_GE(test::judged(known.problem, broken).naturalMap, 1e-5) << row;
    }
    // A roll that is not braked, and one that is braked aside.
    StoredProblem turned = known.problem;
    for (const ProblemBlock& block : turned.blocks) {
      if (std::hypot(known.lambda[block.firstRow + 3], known.lambda[block.firstRow + 4]) > 0) {
        turned.b[block.firstRow + 3] += 1e-3;
        break;
      }
    }
    EXPECT_GE(test::judged(turned, known.lambda).naturalMap, 1e-5);
  }
}

}  // namespace
}  // namespace drystone
