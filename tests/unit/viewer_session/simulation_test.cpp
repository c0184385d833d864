// The commands of a simulation, as its window sends them.
#include "viewer/session/simulation.h"

#include <cmath>
#include <limits>

#include "core/input_error.h"
#include "scenes/scene_builder.h"
#include "scenes/scene_reader.h"
#include "tests/unit/viewer_session/simulation_fixture.h"

namespace drystone::viewer::test {
namespace {

/// The frame of a world that is stepped without a simulation.
WorldSnapshot directly(const std::string& scene, int steps) {
  World world = buildWorld(readScene(scene), registry());
  for (int i = 0; i < steps; ++i) world.step();
  WorldSnapshot snapshot;
  world.observe().snapshot(snapshot);
  return snapshot;
}

/// Bit for bit.
void expectSame(const WorldSnapshot& a, const WorldSnapshot& b) {
  EXPECT_EQ(a.step, b.step);
  EXPECT_EQ(a.time, b.time);
  ASSERT_EQ(a.bodies.size(), b.bodies.size());
  for (std::size_t i = 0; i < a.bodies.size(); ++i) {
    EXPECT_EQ(a.bodies[i].pose.position, b.bodies[i].pose.position);
    EXPECT_EQ(a.bodies[i].pose.rotation.coeffs(), b.bodies[i].pose.rotation.coeffs());
    EXPECT_EQ(a.bodies[i].linearVelocity, b.bodies[i].linearVelocity);
    EXPECT_EQ(a.bodies[i].angularVelocity, b.bodies[i].angularVelocity);
  }
  ASSERT_EQ(a.contacts.size(), b.contacts.size());
  for (std::size_t i = 0; i < a.contacts.size(); ++i) {
    EXPECT_EQ(a.contacts[i].impulse, b.contacts[i].impulse);
  }
}

TEST(Simulation, Opened_IsPausedAtStepZero) {
  Simulated run("bounce");
  EXPECT_EQ(run.step(), 0);
  EXPECT_EQ(run.frame().scene->name, "bounce");
  EXPECT_EQ(run.frame().snapshot.bodies.size(), 2u);
  const SimulationStatus status = run->status();
  EXPECT_TRUE(status.paused);
  EXPECT_FALSE(status.recording);
  EXPECT_EQ(status.solver.name, "auto");
  EXPECT_TRUE(run.logHas("opened scene 'bounce'"));
}

TEST(Simulation, UnknownScene_ThrowsAsTheReaderDoes) {
  EXPECT_THROW(Simulation("no_such_scene", registry()), InputError);
}

TEST(Simulation, SteppedWorld_IsBitForBitTheOneSteppedDirectly) {
  const TestFile heap("heap.json", heapText());
  Simulated run(heap.path);
  run.stepBy(40);
  expectSame(run.frame().snapshot, directly(heap.path, 40));
}

TEST(Simulation, Play_StepsUntilPause) {
  Simulated run("bounce");
  run->send(SetSpeed{std::numeric_limits<double>::infinity()});
  run->send(Play{});
  ASSERT_TRUE(waitUntil([&] { return run.step() > 20; }));
  run.sendAndFinish(Pause{});
  EXPECT_TRUE(run->status().paused);
  EXPECT_EQ(run->status().achievedSpeed, 0);
  const std::int64_t step = run.step();
  EXPECT_EQ(run->status().lastStep, step);
  run.finish();
  EXPECT_EQ(run.step(), step);
}

TEST(Simulation, SlowPlay_ReactsToCommandsBetweenItsSteps) {
  // At this speed the next step is due in minutes.
  Simulated run("bounce");
  run->send(SetSpeed{1e-4});
  run->send(Play{});
  ASSERT_TRUE(waitUntil([&] { return !run->status().paused; }));
  run.stepBy(2);
  EXPECT_EQ(run.step(), 2);
  EXPECT_TRUE(run->status().paused);
}

TEST(Simulation, Restart_BuildsTheWorldAnew) {
  const TestFile heap("heap.json", heapText());
  Simulated run(heap.path);
  run.stepBy(30);
  run.sendAndFinish(Restart{});
  EXPECT_EQ(run.step(), 0);
  run.stepBy(40);
  expectSame(run.frame().snapshot, directly(heap.path, 40));
}

TEST(Simulation, SpeedThatIsNone_IsRefused) {
  Simulated run("bounce");
  for (const double speed : {0.0, -1.0, std::nan("")}) run.sendAndFinish(SetSpeed{speed});
  EXPECT_EQ(run->status().speed, 1);
  EXPECT_TRUE(run.logHas("the speed must be above 0"));
}

TEST(Simulation, Frame_StaysAsItIsUntilTheNextCall) {
  Simulated run("bounce");
  const ViewFrame& frame = run.frame();
  const Real height = frame.snapshot.bodies[1].pose.position.z();
  run.stepBy(50);
  EXPECT_EQ(frame.snapshot.step, 0);
  EXPECT_EQ(frame.snapshot.bodies[1].pose.position.z(), height);
  EXPECT_EQ(run.frame().snapshot.step, 50);
}

TEST(Simulation, SceneThatWasChanged_RunsAndRestartsAsChanged) {
  const TestFile file("changed.json", heapText());
  Scene scene = readScene(file.path);
  scene.settings.timestep = 0.004;
  Simulation simulation(scene, registry());
  for (int run = 0; run < 2; ++run) {
    simulation.send(Restart{});
    simulation.send(StepBy{3});
    ASSERT_TRUE(waitUntil([&] { return simulation.latestFrame().snapshot.step == 3; }));
    EXPECT_NEAR(simulation.latestFrame().snapshot.time, 0.012, 1e-12);
    simulation.send(Restart{});
    ASSERT_TRUE(waitUntil([&] { return simulation.latestFrame().snapshot.step == 0; }));
  }
}

TEST(Simulation, FrameNumber_CountsTheFramesThatWereTaken) {
  const TestFile file("numbered.json", heapText());
  Simulated simulated(file.path);
  simulated->latestFrame();
  const std::uint64_t before = simulated->frameNumber();
  simulated->latestFrame();
  EXPECT_EQ(simulated->frameNumber(), before) << "no other frame came";
  simulated.stepBy(1);
  simulated->latestFrame();
  EXPECT_EQ(simulated->frameNumber(), before + 1);
}

}  // namespace
}  // namespace drystone::viewer::test
