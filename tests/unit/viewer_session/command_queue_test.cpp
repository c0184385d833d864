// Steps that wait, and what overtakes them.
#include "viewer/session/command_queue.h"

#include "tests/unit/viewer_session/gate_solver.h"
#include "tests/unit/viewer_session/simulation_fixture.h"

namespace drystone::viewer::test {
namespace {

/// Indices into Command of all that waits, oldest first.
std::vector<std::size_t> kinds(CommandQueue& queue) {
  std::vector<std::size_t> all;
  while (const auto command = queue.take()) all.push_back(command->index());
  return all;
}

template <class Kind>
std::size_t kind() {
  return Command(Kind{}).index();
}

TEST(CommandQueue, StepsByAHeldKey_DoNotPileUp) {
  CommandQueue queue;
  for (int i = 0; i < 50; ++i) queue.push(StepBy{1, true});
  EXPECT_EQ(kinds(queue).size(), 1u);
  // Each press of a key counts, and a repetition waits for it.
  for (int i = 0; i < 3; ++i) queue.push(StepBy{1});
  queue.push(StepBy{1, true});
  EXPECT_EQ(kinds(queue).size(), 3u);
}

TEST(CommandQueue, PlayAndPause_LeaveOutStepsThatWait) {
  for (const Command& command : {Command(Play{}), Command(Pause{})}) {
    CommandQueue queue;
    queue.push(GoToStep{3});
    queue.push(StepBy{1});
    queue.push(SetSpeed{2});
    queue.push(StepBy{-1});
    queue.push(command);
    const std::vector<std::size_t> left = {kind<GoToStep>(), kind<SetSpeed>(), command.index()};
    EXPECT_EQ(kinds(queue), left);
  }
}

TEST(CommandQueue, WhatLeadsToAnotherStep_LeavesOutAllThatWaitButThePause) {
  for (const Command& command : {Command(GoToStep{7}), Command(Restart{}), Command(Open{"wall"})}) {
    CommandQueue queue;
    queue.push(StepBy{1});
    queue.push(StepBy{1});
    queue.push(GoToStep{3});
    queue.push(SetSpeed{2});
    queue.push(command);
    EXPECT_EQ(queue.waiting().playing, false);
    const std::vector<std::size_t> left = {kind<Pause>(), kind<SetSpeed>(), command.index()};
    EXPECT_EQ(kinds(queue), left);
  }
  CommandQueue queue;
  queue.push(GoToStep{3});
  queue.push(Restart{});
  EXPECT_EQ(kinds(queue), std::vector<std::size_t>{kind<Restart>()}) << "nothing was to pause";
}

constexpr const char* kGate = R"({"version": 1, "name": "gate", "solver": {"name": "gate"},
  "bodies": [
    {"name": "ground", "kind": "static", "shape": {"type": "plane"}},
    {"name": "ball", "shape": {"type": "sphere", "radius": 0.5}, "mass": 2,
     "position": [0, 0, 0.5]}]})";

TEST(CommandQueue, PauseWithinASlowStep_EndsItsBacklog) {
  const TestFile scene("queue.json", kGate);
  Simulated run(scene.path, gateRegistry());
  ClosedGate gate;
  for (int i = 0; i < 100; ++i) run->send(StepBy{1});
  ASSERT_TRUE(waitUntil([] { return Gate::waiting > 0; }));
  run->send(Pause{});
  gate.open();
  run.finish();
  EXPECT_EQ(run.step(), 1) << "the one that was under way";
}

TEST(CommandQueue, StepThatIsOvertakenWithinASlowStep_StillPauses) {
  const TestFile scene("overtaken.json", kGate);
  Simulated run(scene.path, gateRegistry());
  ClosedGate gate;
  run->send(Play{});
  ASSERT_TRUE(waitUntil([] { return Gate::waiting > 0; }));
  run->send(StepBy{1});
  run->send(GoToStep{0});
  gate.open();
  run.finish();
  EXPECT_TRUE(run->status().paused);
  EXPECT_EQ(run.step(), 0);
}

// A picture within the command must not show what was before it.
TEST(CommandQueue, CommandThatWasTaken_WaitsUntilTheNextIsTaken) {
  CommandQueue queue;
  queue.push(Play{});
  queue.push(SetSpeed{4});
  queue.take();
  EXPECT_EQ(queue.waiting().playing, true);
  EXPECT_EQ(queue.waiting().text, "speed") << "what is under way is said elsewhere";
  queue.take();
  EXPECT_EQ(queue.waiting().playing, std::nullopt);
  EXPECT_EQ(queue.waiting().speed, 4);
  queue.push(Pause{});
  EXPECT_EQ(queue.waiting().playing, false);
  queue.take();
  queue.take();
  EXPECT_EQ(queue.waiting().speed, std::nullopt);
  EXPECT_EQ(queue.waiting().playing, std::nullopt);
}

}  // namespace
}  // namespace drystone::viewer::test
