// The time that a step's solves may take. No test waits for a clock: a nanosecond is over before
// anything begins, and a million seconds never are.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

#include "core/input_error.h"
#include "engine/model/solver_presets.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

constexpr Real kNothing = 1e-9;  // [s]

/// Notes the time that it may take as its regularization, which no other figure uses, and leaves
/// the warm start.
class TimeKeeper : public ContactSolver {
 public:
  TimeKeeper() {
    traits_.name = "time_keeper";
    traits_.frictionModels = {FrictionModel::kCone};
  }
  const SolverTraits& traits() const override { return traits_; }

 private:
  void visitSettings(SettingVisitor&) override {}
  void reserveOwn(const ProblemSize&) override {}
  void run(const ContactProblem&, const SolveContext& context, ImpulseView,
           SolverReport& report) override {
    report.regularization = context.deadline.secondsLeft();
  }

  SolverTraits traits_;
};

/// Two stacks of two boxes that rest, and then are pushed.
World pushedStacks(WorldSettings settings, Real stepSeconds) {
  World world(settings, test::registry());
  test::addGround(world);
  std::vector<BodyId> tops;
  for (const Real x : {0.0, 10.0}) {
    test::addUnitBox(world, {x, 0, 0.5});
    tops.push_back(test::addUnitBox(world, {x, 0, 1.5}));
  }
  for (int i = 0; i < 3; ++i) world.step();
  SolverChoice choice = settings.solver;
  choice.stepSeconds = stepSeconds;
  world.setSolver(choice);
  for (const BodyId top : tops) world.body(top).applyForce({3, 0, -5});
  return world;
}

TEST(StepTime, IslandsBeyondItsEnd_KeepTheirWarmStartAndMiss) {
  for (const int threads : {1, 2}) {
    WorldSettings settings = test::settingsFor("auto");
    settings.threads = threads;
    World world = pushedStacks(settings, kNothing);
    const StepReport& report = world.step();
    ASSERT_EQ(report.islands.size(), 2u);
    for (int island = 0; island < 2; ++island) {
      const SolveResult& result = report.islands[static_cast<std::size_t>(island)].result;
      EXPECT_EQ(result.solver.status, SolveStatus::kTimeLimit);
      EXPECT_FALSE(result.withinTolerance);
      EXPECT_GT(result.judge.naturalMap, 1e-3) << "3 N push 1 kg by 0.05 m/s in a step";
      const auto answer = world.observe().islandImpulses(island);
      EXPECT_TRUE(std::ranges::equal(answer, world.observe().islandWarmStart(island)));
      EXPECT_GT(*std::ranges::max_element(answer), 0.01) << "the weight is still carried";
    }
    EXPECT_EQ(report.timeLimited, 2);
    EXPECT_FALSE(report.withinTolerance);
  }
}

TEST(StepTime, Fallback_EndsWithIt) {
  WorldSettings settings = test::settingsFor("nsgs");
  settings.solver.policy = FailurePolicy::kFallback;
  settings.solver.fallback = "bpp";
  World world = pushedStacks(settings, kNothing);
  const StepReport& report = world.step();
  EXPECT_EQ(report.timeLimited, 2);
  EXPECT_EQ(report.fallbacks, 0);
  EXPECT_EQ(report.pivots, 0);
}

TEST(StepTime, EveryInnerStep_HasItsPartOfIt) {
  WorldSettings settings = test::settingsFor("auto");
  settings.substeps = 3;
  World world = pushedStacks(settings, kNothing);
  EXPECT_EQ(world.step().timeLimited, 6);
}

TEST(StepTime, Islands_HaveTheShareOfWhatIsLeftThatTheyHaveOfTheRows) {
  constexpr Real kSeconds = 1e6;
  SolverRegistry registry;
  registry.add([]() -> std::unique_ptr<ContactSolver> { return std::make_unique<TimeKeeper>(); });
  for (const int threads : {1, 2}) {
    WorldSettings settings;
    settings.threads = threads;
    settings.solver.name = "time_keeper";
    settings.solver.stepSeconds = kSeconds;
    World world(settings, registry);
    test::addGround(world);
    test::addUnitBox(world, {0, 0, 0.5});
    for (const Real z : {0.5, 1.5, 2.5}) test::addUnitBox(world, {10, 0, z});
    for (const Real z : {0.5, 1.5}) test::addUnitBox(world, {20, 0, z});
    std::vector<IslandReport> islands = world.step().islands;
    ASSERT_EQ(islands.size(), 3u);
    std::ranges::sort(islands, std::greater(), &IslandReport::rows);
    int left = world.lastReport().rows;
    EXPECT_LT(islands.back().rows, left / 4);
    for (const IslandReport& one : islands) {
      const Real share = std::min(1.0, static_cast<Real>(threads * one.rows) / left);
      EXPECT_NEAR(one.result.solver.regularization, share * kSeconds, 1e-3 * kSeconds) << one.rows;
      left -= one.rows;
    }
  }
}

TEST(StepTime, EnoughOfIt_ChangesNoBit) {
  WorldSettings settings = test::settingsFor("auto");
  settings.substeps = 2;
  World limited = pushedStacks(settings, 1e6), free = pushedStacks(settings, kUnlimited);
  EXPECT_EQ(limited.step().timeLimited, 0);
  free.step();
  EXPECT_EQ(limited.observe().hash(), free.observe().hash());
}

// A link that turns by 0.5 rad a step is held by more solves than the first.
TEST(StepTime, JointsThatTurnFar_AreHeldOnlyWhileThereIsSome) {
  const auto reportOf = [](Real stepSeconds) {
    WorldSettings settings = test::settingsFor("auto");
    settings.solver.stepSeconds = stepSeconds;
    World world(settings, test::registry());
    const BodyId holder = world.addBody({.kind = BodyKind::kStatic});
    const BodyId link = test::addBody(world, Sphere{0.1}, 1, {{1, 0, 0}, Quat::Identity()},
                                      {0, 0, 30}, {0, -30, 0});
    world.addJoint(ballJoint(holder, link, {0, 0, 0}, {-1, 0, 0}));
    return world.step();
  };
  EXPECT_EQ(reportOf(kUnlimited).timeLimited, 0);
  EXPECT_GT(reportOf(kUnlimited).factorizations, 1);
  EXPECT_EQ(reportOf(kNothing).timeLimited, 1);
  EXPECT_EQ(reportOf(kNothing).factorizations, 0);
}

TEST(StepTime, RepeatedSolves_AreCountedAndTheirRestIsNamed) {
  const auto reportOf = [](Real stepSeconds, Real turn) {
    WorldSettings settings = test::settingsFor("auto");
    settings.solver.stepSeconds = stepSeconds;
    World world(settings, test::registry());
    const BodyId holder = world.addBody({.kind = BodyKind::kStatic});
    const BodyId link = test::addBody(world, Sphere{0.1}, 1, {{1, 0, 0}, Quat::Identity()},
                                      {0, 0, 60 * turn}, {0, -60 * turn, 0});
    world.addJoint(ballJoint(holder, link, {0, 0, 0}, {-1, 0, 0}));
    return world.step();
  };
  const StepReport held = reportOf(kUnlimited, 0.5);
  EXPECT_GE(held.repeatedSolves, 2);
  EXPECT_LE(held.repeatedSolves, 12);
  EXPECT_EQ(held.unsettled, 0);
  const StepReport still = reportOf(kUnlimited, 0.001);
  EXPECT_EQ(still.repeatedSolves, 0);
  EXPECT_EQ(still.unsettled, 0);
  const StepReport cut = reportOf(kNothing, 0.5);
  EXPECT_EQ(cut.repeatedSolves, 0);
  // Without an impulse the link flies on: its arm turns by 0.5 rad, and is off by nearly half of
  // its square.
  EXPECT_NEAR(cut.unsettled, 0.125, 0.01);
  EXPECT_EQ(held.halvings + cut.halvings, 0);
  // Faster than a whole step can hold it.
  const StepReport halved = reportOf(kUnlimited, 3);
  EXPECT_GT(halved.repeatedSolves, held.repeatedSolves);
  EXPECT_GE(halved.halvings, 1);
  EXPECT_LE(halved.unsettled, halved.jointTolerance / 2);
  // Faster than an eighth of it can.
  const StepReport lost = reportOf(kUnlimited, 30);
  EXPECT_GE(lost.halvings, 3);
  EXPECT_GT(lost.unsettled, 1e-3);
}

TEST(StepTime, Projection_IsCutOnlyWhereThereWasSomethingToDo) {
  const auto reportOf = [](Real stepSeconds, Real gap) {
    WorldSettings settings = test::settingsFor("auto");
    settings.gravity.setZero();
    settings.projection.iterations = 3;
    settings.solver.stepSeconds = stepSeconds;
    World world(settings, test::registry());
    const BodyId a = test::addUnitBox(world, {0, 0, 0});
    const BodyId b = test::addUnitBox(world, {2 + gap, 0, 0});
    world.addJoint(ballJoint(a, b, {1, 0, 0}, {-1, 0, 0}));
    return world.step();
  };
  EXPECT_EQ(reportOf(kUnlimited, 0.1).cutProjections, 0);
  EXPECT_EQ(reportOf(1e6, 0.1).cutProjections, 0);
  EXPECT_EQ(reportOf(kNothing, 0.1).cutProjections, 1);
  EXPECT_EQ(reportOf(kNothing, 0.1).timeLimited, 1) << "zero impulses solve the velocities";
  EXPECT_EQ(reportOf(kNothing, 0).timeLimited, 0) << "nothing to solve, nothing to take back";
}

TEST(StepTime, OfNone_IsRefused) {
  WorldSettings settings;
  settings.solver.stepSeconds = 0;
  EXPECT_THAT([&] { World(settings, test::registry()); },
              testing::ThrowsMessage<InputError>(testing::HasSubstr("solver.budget_ms must be")));
}

TEST(SolverPresets, AreBudgetsAndNothingElse) {
  WorldSettings settings{.timestep = 0.01};
  settings.solver = {.name = "nsgs", .settings = {{"check_every", std::int64_t{7}}}};
  settings.solver.budget = {.iterations = 12, .seconds = 3};
  applyPreset("realtime", settings);
  EXPECT_EQ(settings.solver.budget.tolerance, 1e-6);
  EXPECT_EQ(settings.solver.stepSeconds, 0.005) << "half of the timestep";
  EXPECT_EQ(settings.solver.budget.seconds, kUnlimited);
  EXPECT_EQ(settings.solver.name, "nsgs");
  EXPECT_EQ(settings.solver.settings.size(), 1u);
  EXPECT_FALSE(settings.solver.budget.iterations) << "its own number";
  applyPreset("exact", settings);
  EXPECT_EQ(settings.solver.budget.tolerance, 1e-9);
  EXPECT_EQ(settings.solver.stepSeconds, kUnlimited);
}

TEST(SolverPresets, Robust_IsTheDefault) {
  EXPECT_EQ(presetOf(SolverChoice{}, 1.0 / 60), &solverPreset("robust"));
  SolverChoice own;
  own.budget.tolerance = 1e-5;
  EXPECT_EQ(presetOf(own, 1.0 / 60), nullptr);
  SolverChoice sweeps;
  sweeps.budget.iterations = 50;
  EXPECT_EQ(presetOf(sweeps, 1.0 / 60), nullptr) << "none of them bounds the iterations";
}

TEST(SolverPresets, UnknownName_IsAnsweredWithTheNearOnes) {
  WorldSettings settings;
  EXPECT_THAT([&] { applyPreset("real-time", settings); },
              testing::ThrowsMessage<InputError>(testing::HasSubstr("did you mean \"realtime\"?")));
}

}  // namespace
}  // namespace drystone
