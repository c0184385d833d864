// The solver race, with the mouse.
#include "tests/unit/viewer_window/headless.h"
#include "viewer/window/panels/windows.h"

namespace drystone::viewer::test {
namespace {

/// Clicks with the race window on the screen.
void click(Headless& window, RaceWindow& race, const ImVec2& at) {
  ImGuiIO& io = ImGui::GetIO();
  io.MousePos = at;
  for (const bool isDown : {false, true, false}) {
    io.MouseDown[0] = isDown;
    window.picture([&] { race.draw(window.app); });
  }
}

TEST(Race, ContinueWith_KeepsToleranceAndPolicy) {
  const TestFile heap("race_window.json", heapText());
  Headless window(heap.path);
  AppState& app = window.app;
  SolverChoice strict = app.solver;
  strict.policy = FailurePolicy::kFallback;
  strict.budget.tolerance = 3e-7;
  strict.fallback = "bpp-auto";
  app.setSolver(strict);
  app.send(StepBy{12});
  ASSERT_TRUE(window.updateUntil([&] { return app.frame->snapshot.step == 12; }));
  RaceWindow race;
  app.raceOpen = true;
  race.start(app, {"nsgs", "sor-prox"});
  ASSERT_TRUE(
      window.updateUntil([&] { return !app.startingRace() && app.race && app.race->finished; }));
  ASSERT_EQ(app.race->entries.size(), 2u);
  EXPECT_EQ(app.race->entries[0].solver.budget.iterations, 40) << "the present one as it is set";
  EXPECT_FALSE(app.race->entries[1].solver.budget.iterations) << "sweeps of another solver";
  // Its button is somewhere on the right of the window, which is in the middle of the screen.
  for (float y = 180; y < 575 && app.solver.name != "sor-prox"; y += 6) {
    for (float x = 900; x < 1040 && app.solver.name != "sor-prox"; x += 20) {
      click(window, race, {x, y});
    }
  }
  ASSERT_EQ(app.solver.name, "sor-prox");
  ASSERT_TRUE(window.updateUntil([&] { return !app.settingSolver(); }));
  const SolverChoice& now = app.status.solver;
  EXPECT_EQ(now.name, "sor-prox");
  EXPECT_EQ(now.budget.tolerance, 3e-7);
  EXPECT_EQ(now.policy, FailurePolicy::kFallback);
  EXPECT_EQ(now.fallback, "bpp-auto");
}

std::string pickerText(Headless& window, RaceWindow& race) {
  window.app.raceOpen = true;
  return window.textOf([&] { race.draw(window.app); });
}

TEST(Race, WithoutAProblem_SaysWhyItCannotStart) {
  const TestFile heap("race_reason.json", heapText());
  Headless window(heap.path);
  RaceWindow race;
  pickerText(window, race);  // the first picture only measures
  EXPECT_NE(pickerText(window, race).find("No step was done yet"), std::string::npos)
      << pickerText(window, race);
  ASSERT_TRUE(window.brings("Right", [&] { return window.step() == 1; }));
  const std::string ready = pickerText(window, race);
  EXPECT_EQ(ready.find("No step"), std::string::npos) << ready;
  EXPECT_NE(ready.find("from zero"), std::string::npos) << ready;
  window.app.status.recording = true;
  EXPECT_NE(pickerText(window, race).find("A recording has no problems"), std::string::npos);
}

TEST(Race, ThatEndsAtItsStart_SaysWhyItsPlotsAreEmpty) {
  const TestFile heap("race_rest.json", heapText());
  Headless window(heap.path);
  AppState& app = window.app;
  app.raceOpen = true;
  RaceWindow race;
  auto result = std::make_shared<RaceResult>();
  RaceEntry entry;
  entry.solver.name = "nsgs";
  entry.points = {{.iterations = 0, .timeMs = 0.01, .naturalMap = 1e-9}};
  entry.finished = true;
  result->entries = {entry};
  result->finished = true;
  app.race = result;
  const auto says = [&] {
    window.picture([&] { race.draw(app); });
    return window.textOf([&] { race.draw(app); }).find("is the answer already") !=
           std::string::npos;
  };
  EXPECT_TRUE(says());
  result->entries[0].points.push_back({.iterations = 3, .timeMs = 0.1, .naturalMap = 1e-12});
  EXPECT_FALSE(says()) << "a way to show";
  result->entries[0].points = {{.iterations = 0, .timeMs = 0.01, .naturalMap = 1e-3}};
  EXPECT_FALSE(says()) << "it is not the answer";
}

// A scene at rest: the warm start is the answer.
TEST(Race, FromZero_LeavesTheWarmStartAside) {
  Headless window("stack_10");
  AppState& app = window.app;
  app.send(StepBy{30});
  ASSERT_TRUE(window.updateUntil([&] { return window.step() == 30; }));
  const auto racedFrom = [&](bool zero) {
    app.startRace({{.name = "nsgs"}}, zero);
    EXPECT_TRUE(
        window.updateUntil([&] { return !app.startingRace() && app.race && app.race->finished; }));
    EXPECT_EQ(app.race->fromZero, zero);
    return app.race->entries[0].points.front();
  };
  EXPECT_LT(racedFrom(false).naturalMap, 1e-5);
  // After one sweep the lowest box does not bear the nine above it yet.
  EXPECT_GT(racedFrom(true).naturalMap, 1e-3);
}

}  // namespace
}  // namespace drystone::viewer::test
