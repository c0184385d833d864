// The factor in the space of the bodies: which pairs are edges of its graph, and what it keeps from
// one set to the next.

#include "solvers/linear/body_factor.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "core/random.h"
#include "solvers/linear/free_system.h"
#include "tests/support/problems.h"

namespace drystone::test {
namespace {

/// Contacts of pairs of bodies whose numbers differ by one of `steps` stick, the others are open.
void fillPairs(const ContactProblem& problem, const std::set<int>& steps, FreeBasis& basis) {
  basis.begin(problem);
  for (const ProblemBlock& block : problem.blocks) {
    basis.beginBlock();
    if (!steps.contains(block.bodyB - block.bodyA)) continue;
    for (int i = 0; i < 3; ++i) basis.addRow(block.firstRow + i);
  }
  basis.end();
}

/// 4 × 4 × 2 balls, and what factors them in the space of the bodies. Neighbours differ by 1, 4 and
/// 16, some of another layer by 17.
struct FactoredPile {
  FactoredPile() { rows.prepare(problem, false); }
  /// The largest residual of the equations that is left [m/s].
  Real solve(const std::set<int>& steps) {
    fillPairs(problem, steps, system.basis());
    EXPECT_TRUE(system.factor());
    lambda.assign(problem.rowCount(), 0);
    std::vector<Real> w(problem.rowCount());
    rows.velocity(lambda, w);
    return system.correct(lambda, w, 0);
  }

  static constexpr int kBalls = 32, kNumbers = 36;  // of a block
  StoredProblem stored = randomPile(FrictionModel::kCone, 4, 4, 2, 0.4, 3);
  ContactProblem problem = stored.view();
  RowSystem rows;
  BodyFactor factor;
  FreeSystem system;
  std::vector<Real> lambda;
};

// Balls that lie on each other alone are 16 pairs: their factor has no fill. Sets that grow take
// their pairs in, and from the third graph on it is that of all pairs. 1e-14 is round-off of 0.2
// m/s.
TEST(BodyFactor, OpenPairs_AreNoEdgesUntilTheyCarry) {
  FactoredPile pile, all;
  pile.system.attach(pile.rows, pile.factor, BasisKind::kGeneral);
  all.system.attach(all.rows, all.factor, BasisKind::kGeneral);
  EXPECT_EQ(pile.factor.storage(), 0);
  EXPECT_LT(all.solve({1, 4, 16, 17}), 1e-14);
  EXPECT_LT(pile.solve({16}), 1e-14);
  EXPECT_EQ(pile.factor.storage(), FactoredPile::kNumbers * (FactoredPile::kBalls + 16));
  EXPECT_LT(pile.solve({1}), 1e-14);
  EXPECT_LT(pile.factor.storage(), all.factor.storage());
  EXPECT_LT(pile.solve({1, 17}), 1e-14);
  EXPECT_EQ(pile.factor.storage(), all.factor.storage());
}

// The order decides the last bits, and a restored world has no earlier ones.
TEST(BodyFactor, EarlierGraphs_ChangeNoBit) {
  FactoredPile used, fresh;
  used.system.attach(used.rows, used.factor, BasisKind::kGeneral);
  used.solve({1, 4, 16, 17});
  used.system.attach(used.rows, used.factor, BasisKind::kGeneral);
  fresh.system.attach(fresh.rows, fresh.factor, BasisKind::kGeneral);
  for (const std::set<int>& steps : {std::set<int>{1, 4}, {1, 16}, {4, 17}}) {
    used.solve(steps);
    fresh.solve(steps);
    EXPECT_EQ(used.lambda, fresh.lambda);
  }
}

// Bodies that a pivot does not reach keep their columns: the factor is the same to the bit.
TEST(BodyFactor, FactorOfChangedSets_EqualsAFreshOne) {
  const StoredProblem stored = randomPile(FrictionModel::kCone, 4, 4, 2, 0.4, 3);
  const ContactProblem problem = stored.view();
  RowSystem rows;
  rows.prepare(problem, false);
  Random random(8);
  BodyFactor kept;
  FreeSystem keptSystem;
  keptSystem.attach(rows, kept, BasisKind::kGeneral);
  std::vector<int> state(problem.blockCount(), 0);  // 0: sticks, 1: open, 2, 3: slips
  const auto fill = [&](const std::vector<int>& states, FreeBasis& basis) {
    basis.begin(problem);
    for (int c = 0; c < problem.blockCount(); ++c) {
      basis.beginBlock();
      const int first = problem.blocks[c].firstRow;
      if (states[c] == 0) {
        for (int i = 0; i < 3; ++i) basis.addRow(first + i);
      } else if (states[c] != 1) {
        basis.add(first, Vec3::UnitX(), Vec3(1, states[c] == 2 ? 0.4 : -0.4, 0), 0);
      }
    }
    basis.end();
  };
  int moved[2] = {};
  for (int trial = 0; trial < 12; ++trial) {
    for (int& c : moved) {
      // What slips turns: as many unknowns as before, and other columns.
      if (trial % 4 != 3) c = static_cast<int>(random.uniform() * problem.blockCount());
      state[c] = trial % 4;
    }
    BodyFactor fresh;
    FreeSystem freshSystem;
    freshSystem.attach(rows, fresh, BasisKind::kGeneral);
    fill(state, keptSystem.basis());
    ASSERT_TRUE(keptSystem.factor());
    // The order of all pairs, and nothing else to keep: an unsymmetric factor shares no column with
    // a symmetric one.
    const int other = keptSystem.basis().symmetric() ? 2 : 0;
    fill(std::vector<int>(problem.blockCount(), other), freshSystem.basis());
    ASSERT_TRUE(freshSystem.factor());
    fill(state, freshSystem.basis());
    ASSERT_TRUE(freshSystem.factor());
    std::vector<Real> x(keptSystem.basis().count(), 1.0), y = x;
    kept.solve(x);
    fresh.solve(y);
    EXPECT_EQ(x, y) << trial;
  }
}

}  // namespace
}  // namespace drystone::test
