// A step that does not end must not be felt by the window's thread. The tests wait for nothing but
// the step itself: were a function to block, they would hang.
#include "tests/unit/viewer_session/gate_solver.h"
#include "tests/unit/viewer_session/simulation_fixture.h"
#include "viewer/session/simulation.h"

namespace drystone::viewer::test {
namespace {

const std::string& gateScene() {
  static const std::string text = R"({"version": 1, "name": "gate", "solver": {"name": "gate"},
    "bodies": [
      {"name": "ground", "kind": "static", "shape": {"type": "plane"}},
      {"name": "ball", "shape": {"type": "sphere", "radius": 0.5}, "mass": 2,
       "position": [0, 0, 0.5]}]})";
  return text;
}

TEST(SlowStep, NeverBlocksTheWindow) {
  const TestFile scene("gate.json", gateScene());
  Simulated run(scene.path, gateRegistry());
  ClosedGate gate;
  run->send(Play{});
  ASSERT_TRUE(waitUntil([] { return Gate::waiting > 0; }));
  for (int i = 0; i < 1000; ++i) {
    run->send(SetSpeed{2.0 + i});
    EXPECT_EQ(run->latestFrame().snapshot.step, 0);
    EXPECT_FALSE(run->status().recording);
    run->takeLog();
    EXPECT_EQ(run->race(), nullptr);
  }
  EXPECT_EQ(Gate::waiting, 1) << "the step is still under way";
  gate.open();
  run.sendAndFinish(Pause{});
  EXPECT_GE(run.step(), 1);
  EXPECT_EQ(run->status().speed, 1001);
}

TEST(SlowStep, UnderWay_IsToldWithItsNumberAndWhatWaits) {
  const TestFile scene("gate.json", gateScene());
  Simulated run(scene.path, gateRegistry());
  EXPECT_FALSE(run->status().work.has_value());
  ClosedGate gate;
  run->send(Play{});
  ASSERT_TRUE(waitUntil([] { return Gate::waiting > 0; }));
  ASSERT_TRUE(run->status().work.has_value());
  EXPECT_EQ(run->status().work->text, "step 1: solving");
  EXPECT_LE(run->status().work->since, std::chrono::steady_clock::now());
  EXPECT_EQ(run->waiting().text, "");
  run->send(Pause{});
  run->send(Throw{.position = Vec3(0, 0, 5), .velocity = Vec3::Zero()});
  EXPECT_EQ(run->waiting().text, "pause, throw");
  EXPECT_EQ(run->waiting().playing, false);
  EXPECT_FALSE(run->status().paused) << "not yet";
  gate.open();
  run.finish();
  EXPECT_FALSE(run->status().work.has_value());
  EXPECT_EQ(run->waiting().text, "");
  EXPECT_TRUE(run->status().paused);
}

// A step that was asked for while it ran pauses it before that step, and not after.
TEST(SlowStep, AskedFor_PausesWhenItBegins) {
  const TestFile scene("gate.json", gateScene());
  Simulated run(scene.path, gateRegistry());
  run.sendAndFinish(Play{});
  EXPECT_FALSE(run->status().paused);
  ClosedGate gate;
  run->send(StepBy{1});
  ASSERT_TRUE(waitUntil([&] { return Gate::waiting > 0 && run->waiting().text.empty(); }));
  EXPECT_TRUE(waitUntil([&] { return run->status().paused; }));
}

TEST(SlowStep, Closing_WaitsForTheStepUnderWayOnly) {
  const TestFile scene("gate.json", gateScene());
  ClosedGate gate;
  std::jthread opener;
  {
    Simulated run(scene.path, gateRegistry());
    run->send(StepBy{1'000'000});
    ASSERT_TRUE(waitUntil([] { return Gate::waiting > 0; }));
    opener = std::jthread([&] { gate.open(); });
  }
  EXPECT_EQ(Gate::waiting, 0);
}

TEST(SlowStep, EndOfTheSimulation_IsNotWaitedForLonger) {
  const TestFile scene("gate.json", gateScene());
  auto simulation = std::make_unique<Simulation>(scene.path, gateRegistry());
  EXPECT_TRUE(endSimulation(std::move(simulation), std::chrono::seconds(60)));
  ClosedGate gate;
  simulation = std::make_unique<Simulation>(scene.path, gateRegistry());
  simulation->send(StepBy{1});
  ASSERT_TRUE(waitUntil([] { return Gate::waiting > 0; }));
  EXPECT_FALSE(endSimulation(std::move(simulation), std::chrono::milliseconds(20)));
  gate.open();
  EXPECT_TRUE(waitUntil([] { return Gate::waiting == 0; }));
}

TEST(SlowStep, Race_BlocksNeitherTheSimulationNorTheWindow) {
  const TestFile heap("gate_heap.json", heapText());
  Simulated run(heap.path, gateRegistry());
  run.stepBy(10);
  ClosedGate gate;
  run->send(StartRace{{{.name = "gate"}, {.name = "nsgs"}}});
  ASSERT_TRUE(waitUntil([] { return Gate::waiting > 0; }));
  run.stepBy(5);
  EXPECT_EQ(run.step(), 15);
  ASSERT_NE(run->race(), nullptr);
  EXPECT_EQ(run->race()->step, 10);
  EXPECT_FALSE(run->race()->finished);
  run.sendAndFinish(CancelRace{});
  EXPECT_TRUE(run->race()->finished);
  EXPECT_EQ(run->race()->entries[1].note, "cancelled");
  // Another race takes its place once the solver is done.
  run->send(StartRace{{{.name = "nsgs"}}});
  run.finish();
  EXPECT_EQ(run->race()->step, 15);
  gate.open();
  EXPECT_TRUE(waitUntil([&] { return run->race()->finished; }));
  EXPECT_FALSE(run->race()->entries[0].points.empty());
}

}  // namespace
}  // namespace drystone::viewer::test
