// Switching the solver of a running world, and what the log says of solves.
#include <sstream>

#include "tests/unit/viewer_session/gate_solver.h"
#include "tests/unit/viewer_session/simulation_fixture.h"

namespace drystone::viewer::test {
namespace {

SetSolver solver(const std::string& name, std::vector<SolverSetting> settings = {}) {
  SetSolver command;
  command.choice.name = name;
  command.choice.settings = std::move(settings);
  return command;
}

/// One sweep from far away misses every tolerance.
std::string oneSweepText(const std::string& policy) {
  std::string text = heapText();
  const std::string from = R"("solver": {"name": "nsgs", "max_iterations": 40})";
  return text.replace(text.find(from), from.size(),
                      R"("solver": {"name": "nsgs", "max_iterations": 1,
                          "tolerance": 1e-9, )" +
                          policy + "}");
}

TEST(SolverSwitch, TakesEffectWithoutARestart) {
  const TestFile heap("switch.json", heapText());
  Simulated run(heap.path);
  run.stepBy(10);
  run.sendAndFinish(solver("sor-prox", {{"relaxation", 0.9}}));
  EXPECT_EQ(run->status().solver.name, "sor-prox");
  EXPECT_EQ(run.step(), 10);
  EXPECT_EQ(run.frame().solver, "nsgs") << "this frame was solved before";
  run.stepBy(1);
  EXPECT_EQ(run.frame().solver, "sor-prox");
  EXPECT_GT(run.frame().report.iterations, 0);
  EXPECT_FALSE(run.frame().convergence.empty());
  run.sendAndFinish(Restart{});
  EXPECT_EQ(run->status().solver.name, "sor-prox");
}

TEST(SolverSwitch, UnknownSetting_LeavesTheOldSolver) {
  Simulated run("bounce");
  run.sendAndFinish(solver("nsgs", {{"relaxatoin", 0.9}}));
  EXPECT_EQ(run->status().solver.name, "auto");
  EXPECT_TRUE(run.logHas("relaxatoin")) << run.log();
  run.stepBy(1);
  EXPECT_EQ(run.frame().solver, "auto");
}

TEST(SolverSwitch, SolverWithoutTheFrictionModel_LeavesTheOldSolver) {
  std::string text = heapText();
  const std::string from = R"({"duration": 2}, "solver": {"name": "nsgs", "max_iterations": 40})";
  text.replace(text.find(from), from.size(),
               R"({"duration": 2, "friction": "diamond"}, "solver": {"name": "sor-prox"})");
  const TestFile heap("diamond.json", text);
  Simulated run(heap.path);
  run.sendAndFinish(solver("bpp-auto"));
  EXPECT_EQ(run->status().solver.name, "sor-prox");
  EXPECT_TRUE(run.logHas("does not solve the friction model 'diamond'")) << run.log();
}

TEST(SolverSwitch, ContactsOnly_IsRefusedWhereThereAreJoints) {
  Simulated run("newtons_cradle", gateRegistry());
  run.sendAndFinish(solver("gate"));
  EXPECT_NE(run->status().solver.name, "gate");
  EXPECT_TRUE(run.logHas("solver 'gate' takes contacts only")) << run.log();
}

TEST(StepMessages, MissedTolerance_IsSaidOnceAndNotForEveryStep) {
  const TestFile heap("missed.json", oneSweepText(R"("policy": "keep_best")"));
  Simulated run(heap.path);
  run.stepBy(20);
  EXPECT_FALSE(run.frame().report.withinTolerance);
  EXPECT_TRUE(run.logHas("is above the tolerance 1e-09 m/s")) << run.log();
  int lines = 0;
  std::istringstream log(run.log());
  for (std::string line; std::getline(log, line);) {
    lines += line.find("above the tolerance") != std::string::npos ? 1 : 0;
  }
  EXPECT_LT(lines, 20);
}

TEST(StepMessages, Fallback_IsSaid) {
  const TestFile heap("fallback.json",
                      oneSweepText(R"("policy": "fallback", "fallback": "bpp-auto")"));
  Simulated run(heap.path);
  run.stepBy(20);
  EXPECT_GT(run.frame().report.fallbacks, 0);
  EXPECT_TRUE(run.logHas("not solved by the solver asked for")) << run.log();
}

// 1e15 N on 1e-3 kg are 1.7e16 m/s after a step.
TEST(StepMessages, Divergence_PausesAndNamesTheBody) {
  const TestFile scene("diverges.json", R"({"version": 1, "name": "diverges", "bodies": [
    {"name": "speck", "shape": {"type": "sphere", "radius": 0.1}, "mass": 0.001,
     "forces": [{"time": 0.05, "force": [0, 0, 0]}, {"time": 0.06, "force": [1e15, 0, 0]}]}]})");
  Simulated run(scene.path);
  run.stepBy(20);
  EXPECT_LT(run.step(), 20);
  EXPECT_TRUE(run->status().ended);
  EXPECT_TRUE(run.logHas("diverged")) << run.log();
  EXPECT_TRUE(run.logHas("'speck'")) << run.log();
}

TEST(StepMessages, PolicyStop_EndsTheRunUntilAnotherSolverIsThere) {
  const TestFile heap("stop.json", oneSweepText(R"("policy": "stop")"));
  Simulated run(heap.path);
  run.stepBy(50);
  const std::int64_t end = run.step();
  ASSERT_LT(end, 50);
  EXPECT_TRUE(run.frame().report.failed);
  EXPECT_TRUE(run->status().ended);
  EXPECT_TRUE(run.logHas("the policy is `stop`")) << run.log();
  run.sendAndFinish(Play{});
  EXPECT_TRUE(run->status().paused);
  EXPECT_EQ(run.step(), end);
  run.stepBy(-1);
  EXPECT_FALSE(run->status().ended) << "the step before went on";
  run.stepBy(5);
  EXPECT_EQ(run.step(), end);
  EXPECT_TRUE(run->status().ended);
  run.sendAndFinish(solver("bpp-auto"));
  EXPECT_FALSE(run->status().ended);
  run.stepBy(1);
  EXPECT_EQ(run.step(), end + 1);
}

TEST(StepMessages, BrokenJoint_IsNamed) {
  // 10 kg hang on a joint that bears 1 N s a step; the weight makes 10 · 9.81 / 60 = 1.6 of it.
  const TestFile scene("breaks.json", R"({"version": 1, "name": "breaks",
    "bodies": [
      {"name": "hook", "kind": "static", "shape": {"type": "sphere", "radius": 0.1},
       "position": [0, 0, 5]},
      {"name": "load", "shape": {"type": "sphere", "radius": 0.5}, "mass": 10,
       "position": [0, 0, 3]}],
    "joints": [{"type": "ball", "name": "shackle", "body_a": "hook", "body_b": "load",
                "anchor": [0, 0, 5], "breaking_impulse": 1}]})");
  Simulated run(scene.path);
  run.stepBy(5);
  EXPECT_TRUE(run.logHas("joint 'shackle' broke")) << run.log();
}

}  // namespace
}  // namespace drystone::viewer::test
