// Colorings of contact graphs, and the plans of sweeps that they make (Poulsen 2010, ch. 4).
#include <gtest/gtest.h>

#include <set>

#include "solvers/prox/coloring.h"
#include "tests/support/problems.h"

namespace drystone {
namespace {

struct Colored {
  StoredProblem problem;
  ContactProblem view;
  SweepPlan plan;

  Colored(StoredProblem stored, const ColoringSettings& settings)
      : problem(std::move(stored)), view(problem.view()) {
    Coloring coloring;
    coloring.reserve({view.bodyCount(), view.blockCount(), view.rowCount()});
    coloring.plan(view, settings, plan);
  }
  int phaseSize(std::size_t phase) const {
    return plan.phases[phase].endUnit - plan.phases[phase].firstUnit;
  }
  bool hasUnsafe() const { return plan.phases.back().isSimultaneous; }
};

/// Contacts between bodies of 1 kg; only the graph matters.
StoredProblem graph(int bodies, const std::vector<std::pair<int, int>>& edges) {
  StoredProblem problem;
  problem.bodies.assign(bodies, {1, Mat3::Identity()});
  for (const auto& [a, b] : edges) {
    const int row = static_cast<int>(problem.b.size());
    problem.blocks.push_back({.firstRow = row, .rows = 3, .bodyA = a, .bodyB = b});
    problem.b.resize(row + 3, 0);
  }
  problem.lower.assign(problem.b.size(), 0);
  problem.upper.assign(problem.b.size(), 0);
  problem.jacobianA.assign(problem.b.size(), Vec6::Ones());
  problem.jacobianB.assign(problem.b.size(), -Vec6::Ones());
  return problem;
}

void expectValid(const Colored& colored) {
  const SweepPlan& plan = colored.plan;
  std::set<int> seen(plan.blocks.begin(), plan.blocks.end());
  EXPECT_EQ(static_cast<int>(seen.size()), colored.view.blockCount());
  ASSERT_EQ(plan.blockCount(), colored.view.blockCount());
  int unit = 0;
  for (std::size_t p = 0; p < plan.phases.size(); ++p) {
    const SweepPlan::Phase& phase = plan.phases[p];
    EXPECT_EQ(phase.firstUnit, unit);
    EXPECT_LT(phase.firstUnit, phase.endUnit);
    unit = phase.endUnit;
    std::vector<int> owner(colored.view.bodyCount(), -1);
    for (int u = phase.firstUnit; u < phase.endUnit; ++u) {
      for (int k = plan.unitStart[u]; k < plan.unitStart[u + 1]; ++k) {
        EXPECT_EQ(plan.phaseOf[plan.blocks[k]], static_cast<int>(p));
        const ProblemBlock& block = colored.view.blocks[plan.blocks[k]];
        for (const int body : {block.bodyA, block.bodyB}) {
          if (body < 0 || phase.isSimultaneous) continue;
          EXPECT_TRUE(owner[body] < 0 || owner[body] == u) << "body " << body << " in two units";
          owner[body] = u;
        }
      }
    }
  }
  EXPECT_EQ(unit + 1, static_cast<int>(plan.unitStart.size()));
  EXPECT_EQ(plan.unitStart.back(), plan.blockCount());
}

TEST(Coloring, PilesWithJoints_HaveNoBodyTwiceInAColor) {
  for (const ColorChoice choice : {ColorChoice::kGreedy, ColorChoice::kBalanced}) {
    for (const ColorUnit unit : {ColorUnit::kContact, ColorUnit::kManifold}) {
      for (const Real least : {0.0, 0.1, 1.0}) {
        const ColoringSettings settings{choice, unit, least};
        expectValid({test::pileWithJoints(FrictionModel::kCone, 0.5, 1), settings});
        expectValid({test::randomPile(FrictionModel::kCone, 6, 6, 6, 0.5, 1), settings});
        expectValid({test::boxStack(FrictionModel::kCone, {1, 1, 1}, 0.5), settings});
      }
    }
  }
}

// A cubic grid of spheres is colored by the directions of its contacts, two colors each; contacts
// with the ground are free of each other and take a color that is already there or one more.
TEST(Coloring, CubicGrid_TakesAColorForEachOfSixNeighboursAndTheGround) {
  const Colored colored(test::randomPile(FrictionModel::kCone, 8, 8, 8, 0.5, 1),
                        {ColorChoice::kGreedy, ColorUnit::kContact, 0});
  EXPECT_GE(colored.plan.phases.size(), 6u);
  EXPECT_LE(colored.plan.phases.size(), 8u);
}

TEST(Coloring, Balanced_SpreadsWhatGreedyHeaps) {
  const StoredProblem pile = test::randomPile(FrictionModel::kCone, 8, 8, 8, 0.5, 1);
  const Colored greedy(pile, {ColorChoice::kGreedy, ColorUnit::kContact, 0});
  const Colored balanced(pile, {ColorChoice::kBalanced, ColorUnit::kContact, 0});
  const auto spread = [](const Colored& colored) {
    int least = colored.phaseSize(0), most = least;
    for (std::size_t p = 1; p < colored.plan.phases.size(); ++p) {
      least = std::min(least, colored.phaseSize(p));
      most = std::max(most, colored.phaseSize(p));
    }
    return static_cast<double>(most) / least;
  };
  EXPECT_LT(spread(balanced), 1.2);
  EXPECT_GT(spread(greedy), 1.5);
  EXPECT_LE(balanced.plan.phases.size(), greedy.plan.phases.size() + 2);
}

TEST(Coloring, ContactsOfAManifold_StayTogetherInTheirOrder) {
  const StoredProblem stack = test::boxStack(FrictionModel::kCone, {1, 1, 1, 1}, 0.5);
  const Colored manifolds(stack, {ColorChoice::kGreedy, ColorUnit::kManifold, 0});
  const Colored contacts(stack, {ColorChoice::kGreedy, ColorUnit::kContact, 0});
  EXPECT_EQ(manifolds.plan.phases.size(), 2u);
  EXPECT_EQ(manifolds.plan.unitStart.size(), 4u + 1);
  EXPECT_EQ(contacts.plan.phases.size(), 8u);
  for (std::size_t u = 0; u + 1 < manifolds.plan.unitStart.size(); ++u) {
    const int first = manifolds.plan.unitStart[u];
    for (int k = first; k < manifolds.plan.unitStart[u + 1]; ++k) {
      EXPECT_EQ(manifolds.plan.blocks[k], manifolds.plan.blocks[first] + k - first);
    }
  }
}

TEST(Coloring, GroundIsNoNode) {
  std::vector<std::pair<int, int>> edges;
  for (int i = 0; i < 20; ++i) edges.push_back({-1, i});
  const Colored colored(graph(20, edges), {ColorChoice::kGreedy, ColorUnit::kContact, 0});
  EXPECT_EQ(colored.plan.phases.size(), 1u);
  EXPECT_FALSE(colored.hasUnsafe());
}

TEST(Coloring, SmallColors_AreMergedIntoTheUnsafeOneAndGoLast) {
  // A path of 30 bodies takes two colors; a star at body 0 many of one unit each.
  std::vector<std::pair<int, int>> edges;
  for (int i = 0; i < 29; ++i) edges.push_back({i, i + 1});
  for (int i = 30; i < 40; ++i) edges.push_back({0, i});
  const Colored colored(graph(40, edges), {ColorChoice::kGreedy, ColorUnit::kContact, 0.1});
  ASSERT_EQ(colored.plan.phases.size(), 3u);
  EXPECT_TRUE(colored.hasUnsafe());
  EXPECT_EQ(colored.phaseSize(2), 9);  // one ray finds the second color free
  expectValid(colored);
}

TEST(Coloring, MoreThan64NeighboursOfABody_GoToTheUnsafeColor) {
  std::vector<std::pair<int, int>> edges;
  for (int i = 1; i <= 100; ++i) edges.push_back({0, i});
  for (const ColorChoice choice : {ColorChoice::kGreedy, ColorChoice::kBalanced}) {
    const Colored colored(graph(101, edges), {choice, ColorUnit::kContact, 0});
    ASSERT_EQ(colored.plan.phases.size(), 65u);
    EXPECT_TRUE(colored.hasUnsafe());
    EXPECT_EQ(colored.phaseSize(64), 36);
    expectValid(colored);
  }
}

// In assembled form the entries of A are the graph: that of the body form, with a unit a block.
TEST(Coloring, AssembledForm_HasTheColorsOfTheBodies) {
  const StoredProblem pile = test::randomPile(FrictionModel::kCone, 4, 4, 4, 0.5, 1);
  for (const ColorChoice choice : {ColorChoice::kGreedy, ColorChoice::kBalanced}) {
    const ColoringSettings settings{choice, ColorUnit::kContact, 0.1};
    const Colored bodies(pile, settings);
    const Colored assembled(test::assembled(pile), settings);
    EXPECT_EQ(assembled.plan.blocks, bodies.plan.blocks);
    EXPECT_EQ(assembled.plan.phases.size(), bodies.plan.phases.size());
  }
}

}  // namespace
}  // namespace drystone
