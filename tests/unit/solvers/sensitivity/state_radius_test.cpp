// The radius t* within which the states of a solution stand, against solves within and beyond.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "core/random.h"
#include "solvers/sensitivity/sensitivity.h"
#include "tests/support/problems.h"
#include "tests/unit/solvers/sensitivity/solved_problems.h"

namespace drystone::test {
namespace {

/// What each contact does, and each row of a joint, by λ and w alone. Axes of a square slip apart.
std::string wordOf(const StoredProblem& problem, const Solved& solved) {
  constexpr Real kZero = 1e-10;  // [m/s], and of impulses of a kilogram [N s]
  const auto sign = [](Real x) { return x > kZero ? '+' : x < -kZero ? '-' : '0'; };
  std::string word;
  for (const ProblemBlock& block : problem.blocks) {
    const Real* lambda = &solved.lambda[block.firstRow];
    const Real* w = &solved.w[block.firstRow];
    if (block.law == BlockLaw::kRows) {
      for (int i = 0; i < block.rows; ++i) word += sign(w[i]);
    } else if (lambda[0] <= kZero) {
      word += 'o';
    } else if (problem.friction == FrictionModel::kCone) {
      word += sign(std::hypot(w[1], w[2]));
    } else {
      word += {sign(w[1]), sign(w[2])};
    }
  }
  return word;
}

/// How many directions of random piles keep their states at 0.9 t* and lose them at 1.1 t*.
struct RadiusCount {
  int asked = 0, stand = 0;
  int askedOfSlips = 0, changeOfSlips = 0;  // where a contact that slips is the first to change
  int askedOfOthers = 0, changeOfOthers = 0;

  void count(const StoredProblem& problem, std::uint64_t seed) {
    const Solved at = solveToRoundOff(problem);
    Sensitivity sensitivity;
    if (!sensitivity.prepare(problem.view(), at.lambda).hasCertainStates()) return;
    Random random(seed);
    std::vector<Real> b(problem.b.size());
    for (Real& x : b) x = random.uniform(-1, 1);
    const SolutionDerivative derivative = sensitivity.forward({.b = b});
    const std::string word = wordOf(problem, at);
    for (const auto& [found, sense] :
         {std::pair(derivative.ahead, 1.0), std::pair(derivative.behind, -1.0)}) {
      const Real radius = found.radius;
      if (radius > 0.1 || radius < 1e-6) continue;  // of velocities of 1 m/s
      const auto wordAt = [&, turn = sense](Real t) {
        StoredProblem moved = problem;
        for (std::size_t i = 0; i < b.size(); ++i) moved.b[i] += turn * t * b[i];
        return wordOf(moved, solveToRoundOff(moved, at));
      };
      const Real* w = &at.w[problem.blocks[found.block].firstRow];
      const bool slips = w[0] < 1e-10 && std::hypot(w[1], w[2]) > 1e-10;
      ++asked;
      ++(slips ? askedOfSlips : askedOfOthers);
      stand += wordAt(0.9 * radius) == word ? 1 : 0;
      (slips ? changeOfSlips : changeOfOthers) += wordAt(1.1 * radius) != word ? 1 : 0;
    }
  }
};

/// Of random piles of four spheres.
RadiusCount countRadii(FrictionModel model) {
  RadiusCount count;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    count.count(withCompliance(randomPile(model, 2, 2, 1, 0.4, seed)), seed);
  }
  return count;
}

// λ and w are linear until a state changes.
TEST(StateRadius, StatesOfThePyramid_StandWithinTheRadiusAndChangeBeyond) {
  const RadiusCount count = countRadii(FrictionModel::kPyramid);
  EXPECT_GE(count.asked, 100);
  EXPECT_EQ(count.stand, count.asked);
  EXPECT_EQ(count.changeOfSlips + count.changeOfOthers, count.asked);
}

// What slips turns on the way, so that t* is of first order: early where a slip that turns ends.
TEST(StateRadius, StatesOfTheCone_StandWithinTheRadiusAndChangeBeyond) {
  const RadiusCount count = countRadii(FrictionModel::kCone);
  EXPECT_GE(count.askedOfSlips, 40);
  EXPECT_GE(count.askedOfOthers, 40);
  EXPECT_GE(count.stand, 0.95 * count.asked) << "of " << count.asked;
  EXPECT_GE(count.changeOfOthers, 0.95 * count.askedOfOthers) << "of " << count.askedOfOthers;
  EXPECT_GE(count.changeOfSlips, 0.8 * count.askedOfSlips) << "of " << count.askedOfSlips;
}

}  // namespace
}  // namespace drystone::test
