// What a wrong answer would have to look like to pass (docs/theory.md). Problems are made from an
// exact pair (λ*, w*), and what is wrong follows from the laws alone, without a word of the judge.
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <string>

#include "tests/support/known_problem.h"

namespace drystone {
namespace {

constexpr int kProblems = 12700;
constexpr int kWrongOfEach = 8;

constexpr std::array kModels = {FrictionModel::kNone,    FrictionModel::kBox,
                                FrictionModel::kPyramid, FrictionModel::kDiamond,
                                FrictionModel::kCone,    FrictionModel::kContensou};

/// Speeds of steps from a nanosecond to a tenth of a second [m/s].
Real randomSpeed(Random& random) { return test::logUniform(random, 1e-8, 1); }

// Half, since the normal counts half (docs/theory.md).
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

}  // namespace
}  // namespace drystone
