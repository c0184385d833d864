// A scene that begins again with other values.
#include <filesystem>

#include "tests/unit/viewer_session/heap_recorder.h"

namespace drystone::viewer::test {
namespace {

Open restart(const std::string& path, std::vector<ParameterOverride> changes) {
  return {.path = path, .changes = std::move(changes), .restart = true};
}

TEST(RestartWith, AnotherParameter_IsTheSceneOfThatParameterAndTheSolverThereWas) {
  Simulated run("heavy_on_light");
  const std::vector<SceneParameter>& before = run.frame().scene->parameters;
  ASSERT_EQ(before.size(), 1u);
  ASSERT_EQ(before[0].name, "ratio");
  const auto massRatio = [&] {
    Real least = kInfinity, most = 0;
    for (const ViewBody& body : run.frame().scene->bodies) {
      if (body.kind != BodyKind::kDynamic) continue;
      least = std::min(least, body.mass);
      most = std::max(most, body.mass);
    }
    return most / least;
  };
  EXPECT_NEAR(massRatio(), before[0].value, 1e-9 * before[0].value);
  run.sendAndFinish(SetSolver{{.name = "nsgs"}});
  run.stepBy(2);
  run.sendAndFinish(restart("heavy_on_light", {{"scene.ratio", "7"}}));
  EXPECT_EQ(run.step(), 0);
  EXPECT_EQ(run.frame().scene->parameters[0].value, 7);
  EXPECT_NEAR(massRatio(), 7, 1e-9);
  EXPECT_EQ(run->status().solver.name, "nsgs");
  EXPECT_TRUE(run.logHas("restarted with scene.ratio=7")) << run.log();
  run.sendAndFinish(Restart{});
  EXPECT_NEAR(massRatio(), 7, 1e-9) << "back to the start is back to this one's";
}

TEST(RestartWith, ValueOutOfRange_LeavesTheSceneAndNamesTheRange) {
  Simulated run("heavy_on_light");
  run.stepBy(3);
  run.sendAndFinish(restart("heavy_on_light", {{"scene.ratio", "-1"}}));
  EXPECT_EQ(run.step(), 3);
  EXPECT_TRUE(run.logHas("ratio")) << run.log();
  run.sendAndFinish(SetSolver{{.name = "nsgs"}});
  run.sendAndFinish(restart("heavy_on_light", {{"world.friction", "diamond"}}));
  EXPECT_EQ(run.step(), 3) << "its solver does not take that model";
  EXPECT_TRUE(run.logHas("does not solve the friction model 'diamond'")) << run.log();
}

TEST(RestartWith, OfARecording_IsRefused) {
  const TestFile file("restarted.h5", "");
  HeapRecorder recorder(file.path, 1);
  recorder.step(5);
  recorder.finish();
  Simulated run(file.path);
  run.stepBy(2);
  run.sendAndFinish(restart(file.path, {{"world.timestep", "0.001"}}));
  EXPECT_EQ(run.step(), 2);
  EXPECT_TRUE(run.logHas("its scene cannot be changed")) << run.log();
}

// At 20 steps of 60 a second, as fast as it goes.
TEST(Loop, AtTheEndOfASceneOrARecording_ItBeginsAgain) {
  std::string text = heapText();
  const std::string from = R"({"duration": 2})";
  text.replace(text.find(from), from.size(), R"({"duration": 0.3})");
  const TestFile scene("looped.json", text);
  const TestFile file("looped.h5", "");
  HeapRecorder recorder(file.path, 1);
  recorder.step(20);
  recorder.finish();
  for (const std::string& path : {scene.path, file.path}) {
    Simulated run(path);
    run.sendAndFinish(SetLoop{true});
    EXPECT_TRUE(run->status().loops);
    run.sendAndFinish(SetSpeed{kInfinity});
    run.simulation.send(Play{});
    std::int64_t most = 0, last = 0;
    int begun = 0;
    ASSERT_TRUE(waitUntil([&] {
      const std::int64_t now = run.step();
      begun += now < last ? 1 : 0;
      last = now;
      most = std::max(most, now);
      return begun == 3;
    })) << path;
    EXPECT_LE(most, 20);
    EXPECT_FALSE(run->status().paused);
  }
}

TEST(Loop, Without_ASceneGoesOnAndSaysThatItsTimeIsOver) {
  std::string text = heapText();
  const std::string from = R"({"duration": 2})";
  text.replace(text.find(from), from.size(), R"({"duration": 0.1})");
  const TestFile scene("over.json", text);
  Simulated run(scene.path);
  run.sendAndFinish(SetSpeed{kInfinity});
  run.simulation.send(Play{});
  ASSERT_TRUE(waitUntil([&] { return run.step() > 12; }));
  EXPECT_TRUE(run.logHas("meant for is over")) << run.log();
}

}  // namespace
}  // namespace drystone::viewer::test
