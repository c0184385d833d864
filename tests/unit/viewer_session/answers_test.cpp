// What the simulation answers to commands that are numbered.
#include <new>

#include "scenes/scene_reader.h"
#include "tests/unit/viewer_session/simulation_fixture.h"
#include "viewer/session/simulation_loop.h"

namespace drystone::viewer::test {
namespace {

TEST(Answer, ToOpen_SaysWhetherTheSceneCame) {
  Simulated run("bounce");
  run.sendAndFinish(Open{.path = "stack_10", .request = 1});
  EXPECT_EQ(run->status().open.request, 1u);
  EXPECT_EQ(run->status().open.problem, "");
  EXPECT_EQ(run->status().opened, 1u);
  EXPECT_EQ(run.frame().scene->name, "stack_10");
  run.sendAndFinish(Open{.path = "no_such_scene", .request = 2});
  EXPECT_EQ(run->status().open.request, 2u);
  EXPECT_THAT(run->status().open.problem, testing::HasSubstr("no_such_scene"));
  EXPECT_EQ(run->status().opened, 1u);
  EXPECT_EQ(run.frame().scene->name, "stack_10");
}

// A status with the one and without the other is short: many are looked at.
TEST(Answer, ToOpen_ComesInOneStatusWithWhatWasOpened) {
  Simulated run("bounce");
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  for (std::uint64_t request = 1; request <= 100; ++request) {
    run->send(Open{.path = "bounce", .request = request});
    SimulationStatus status;
    do {
      ASSERT_LT(std::chrono::steady_clock::now(), end);
      status = run->status();
    } while (status.opened != request);
    ASSERT_EQ(status.open.request, request);
  }
}

TEST(Answer, ToARaceThatCannotBe_SaysWhy) {
  Simulated run("bounce");
  run.sendAndFinish(StartRace{{{.name = "nsgs"}}, 7});
  EXPECT_EQ(run->status().startRace.request, 7u);
  EXPECT_THAT(run->status().startRace.problem, testing::HasSubstr("nothing touches"));
}

TEST(Answer, ToASolver_ComesWithIt) {
  Simulated run("bounce");
  run.sendAndFinish(SetSolver{{.name = "nsgs"}, 3});
  EXPECT_EQ(run->status().setSolver.request, 3u);
  EXPECT_EQ(run->status().setSolver.problem, "");
  EXPECT_EQ(run->status().solver.name, "nsgs");
  run.sendAndFinish(SetSolver{{.name = "nsgz"}, 4});
  EXPECT_EQ(run->status().setSolver.request, 4u);
  EXPECT_THAT(run->status().setSolver.problem, testing::HasSubstr("nsgz"));
  EXPECT_EQ(run->status().solver.name, "nsgs");
}

TEST(Simulation, OpenedByAFunction_IsWhatItGives) {
  Simulated run("bounce");
  const auto slow = [](const std::vector<ParameterOverride>&) {
    Scene scene = readScene("bounce");
    scene.settings.timestep = 0.004;
    return scene;
  };
  run.sendAndFinish(Open{.path = "bounce", .read = slow});
  run.stepBy(3);
  EXPECT_NEAR(run.frame().snapshot.time, 0.012, 1e-12);
}

/// Finds no memory for its frames from the second on.
class HungrySource final : public Source {
 public:
  SourceState state() const override {
    return {.step = step_, .lastStep = step_, .nextStep = 0.01};
  }
  const SolverChoice& solver() const override { return solver_; }
  void frame(ViewFrame&) const override {
    if (step_ > 0) throw std::bad_alloc();
  }
  void advance() override { ++step_; }
  void goBack(std::int64_t) override {}
  void goTo(std::int64_t) override {}
  void restart() override {}

 private:
  SolverChoice solver_;
  std::int64_t step_ = 0;
};

TEST(SimulationLoop, FrameWithoutMemory_PausesAndSaysSo) {
  SharedState shared(registry());
  SimulationLoop loop(std::make_unique<HungrySource>(), registry(), shared);
  std::jthread thread([&](const std::stop_token& stop) { loop.run(stop); });
  shared.commands.push(Play{});
  std::vector<LogLine> log;
  ASSERT_TRUE(waitUntil([&] {
    log = shared.log.take();
    return !log.empty();
  }));
  EXPECT_EQ(log.front().kind, LogLine::Kind::kError);
  EXPECT_TRUE(waitUntil([&] { return shared.status().lastStep == 1 && shared.status().paused; }));
}

}  // namespace
}  // namespace drystone::viewer::test
