#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>

#include "solvers/default_registry.h"
#include "solvers/prox/prox_solver.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

TEST(Islands, TwoStacksOnOneGround_AreTwoIslands) {
  World world(test::settingsFor("sor-prox"), test::registry());
  test::addGround(world);
  for (const Real x : {0.0, 10.0}) {
    for (int i = 0; i < 3; ++i) test::addUnitBox(world, {x, 0, 0.5 + i});
  }
  const StepReport& report = world.step();
  ASSERT_EQ(report.islands.size(), 2u);
  for (const IslandReport& island : report.islands) {
    EXPECT_EQ(island.bodies, 3);
    EXPECT_EQ(island.contacts, 12);
    EXPECT_EQ(island.rows, 36);
  }
}

TEST(Islands, AJoint_ConnectsIslands) {
  World world(test::settingsFor("sor-prox"), test::registry());
  test::addGround(world);
  const BodyId a = test::addUnitBox(world, {0, 0, 0.5});
  const BodyId b = test::addUnitBox(world, {5, 0, 0.5});
  world.addJoint(ballJoint(a, b, {2.5, 0, 0}, {-2.5, 0, 0}));
  const StepReport& report = world.step();
  ASSERT_EQ(report.islands.size(), 1u);
  EXPECT_EQ(report.islands[0].rows, 3 + 8 * 3);
}

TEST(Islands, FreeBodies_AreInNone) {
  World world(test::settingsFor("sor-prox"), test::registry());
  test::addUnitBox(world, {0, 0, 5});
  EXPECT_TRUE(world.step().islands.empty());
}

TEST(Islands, AreNumberedByTheirLowestBody) {
  World world(test::settingsFor("sor-prox"), test::registry());
  test::addGround(world);
  test::addUnitBox(world, {20, 0, 0.5});  // alone: island 0
  test::addUnitBox(world, {0, 0, 0.5});   // island 1, with the one on it
  test::addUnitBox(world, {10, 0, 0.5});  // island 2
  test::addUnitBox(world, {0, 0, 1.5});
  world.step();
  WorldSnapshot snapshot;
  world.observe().snapshot(snapshot);
  std::vector<int> islands;
  for (const BodySnapshot& body : snapshot.bodies) islands.push_back(body.island);
  EXPECT_EQ(islands, (std::vector<int>{-1, 0, 1, 2, 1}));
}

/// Sweeps by colors, none of which is merged: that would depend on the number of all contacts.
class UnmergedSolver : public ContactSolver {
 public:
  UnmergedSolver() : traits_(inner_.traits()) {
    traits_.name = "apart";
    inner_.coloringSettings.leastShare = 0;
  }
  const SolverTraits& traits() const override { return traits_; }

 private:
  void visitSettings(SettingVisitor& visitor) override { inner_.settings.visit(visitor); }
  void reserveOwn(const ProblemSize& size) override { inner_.reserve(size); }

 protected:
  void run(const ContactProblem& problem, const SolveContext& context, ImpulseView impulses,
           SolverReport& report) override {
    report = inner_.solve(problem, context.left(), impulses);
  }

  SorProxColoredSolver inner_;
  SolverTraits traits_;
};

/// That ask for all islands at once, and count how often they are called.
class TogetherSolver final : public UnmergedSolver {
 public:
  static inline int solves = 0;

  TogetherSolver() {
    traits_.name = "together";
    traits_.batchesIslands = true;
  }

 private:
  void run(const ContactProblem& problem, const SolveContext& context, ImpulseView impulses,
           SolverReport& report) override {
    ++solves;
    UnmergedSolver::run(problem, context, impulses, report);
  }
};

/// Fails at islands of two bodies, as a device may.
class FailingSolver final : public UnmergedSolver {
  void run(const ContactProblem& problem, const SolveContext& context, ImpulseView impulses,
           SolverReport& report) override {
    if (problem.bodyCount() == 2) throw std::runtime_error("the device failed");
    UnmergedSolver::run(problem, context, impulses, report);
  }
};

TEST(Islands, SolverThatThrowsInOne_IsHeardByTheCallerOfTheStep) {
  SolverRegistry registry = makeDefaultRegistry();
  registry.add(
      []() -> std::unique_ptr<ContactSolver> { return std::make_unique<FailingSolver>(); });
  for (const int threads : {1, 4}) {
    WorldSettings settings = test::settingsFor("sor-prox");
    settings.threads = threads;
    settings.solver.name = "apart";
    World world(settings, registry);
    test::addGround(world);
    for (int island = 0; island < 40; ++island) {
      const Real x = 2.0 * (island - 20);
      test::addUnitBox(world, {x, 0, 0.5});
      if (island == 20) test::addUnitBox(world, {x, 0, 1.5});
    }
    EXPECT_THROW(world.step(), std::runtime_error) << threads;
  }
}

/// Three stacks, the last of two bodies with a joint, after ten steps.
World threeStacks(const std::string& solver, const SolverRegistry& registry, int threads) {
  WorldSettings settings = test::settingsFor("sor-prox");
  settings.threads = threads;
  settings.solver.name = solver;
  // Sweeps only, and those of all islands: none rests so well.
  settings.solver.budget.tolerance = 1e-15;
  settings.solver.condensation = Condensation::kNever;  // as solvers for devices have it
  settings.solver.budget.iterations = 40;
  settings.solver.settings = {{"check_every", std::int64_t{41}}};
  World world(settings, registry);
  test::addGround(world);
  for (const Real x : {0.0, 10.0}) {
    for (int i = 0; i < 3; ++i) test::addUnitBox(world, {x, 0, 0.5 + i});
  }
  const BodyId a = test::addUnitBox(world, {20, 0, 0.5});
  const BodyId b = test::addUnitBox(world, {25, 0, 0.5});
  world.addJoint(ballJoint(a, b, {2.5, 0, 0}, {-2.5, 0, 0}));
  for (int step = 0; step < 10; ++step) world.step();
  return world;
}

// As one problem, islands are swept as each would be by itself: the same bits.
TEST(Islands, SolvedTogether_MoveAsEachAlone) {
  SolverRegistry registry = makeDefaultRegistry();
  registry.add(
      []() -> std::unique_ptr<ContactSolver> { return std::make_unique<UnmergedSolver>(); });
  registry.add(
      []() -> std::unique_ptr<ContactSolver> { return std::make_unique<TogetherSolver>(); });
  const World apart = threeStacks("apart", registry, 1);
  for (const int threads : {1, 2}) {
    TogetherSolver::solves = 0;
    const World together = threeStacks("together", registry, threads);
    EXPECT_EQ(TogetherSolver::solves, 10);
    EXPECT_EQ(together.observe().hash(), apart.observe().hash());
    const StepReport& report = together.lastReport();
    const StepReport& expected = apart.lastReport();
    ASSERT_EQ(report.islands.size(), 3u);
    double rows = 0, time = 0;
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(report.islands[i].rows, expected.islands[i].rows);
      EXPECT_EQ(report.islands[i].contacts, expected.islands[i].contacts);
      EXPECT_EQ(report.islands[i].worstContact, expected.islands[i].worstContact);
      EXPECT_EQ(report.islands[i].result.judge.naturalMap,
                expected.islands[i].result.judge.naturalMap);
      rows += report.islands[i].rows;
      time += report.islands[i].result.solver.timeMs;
    }
    // Of the time of the one solve each has its share.
    EXPECT_NEAR(report.islands[0].result.solver.timeMs / time, report.islands[0].rows / rows, 1e-9);
  }
}

}  // namespace
}  // namespace drystone
