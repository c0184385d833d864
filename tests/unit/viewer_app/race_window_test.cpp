// The solver race, with the mouse.
#include "tests/unit/viewer_app/headless.h"
#include "viewer/app/panels/windows.h"

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
  strict.options = {.policy = FailurePolicy::kFallback, .tolerance = 3e-7};
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
  EXPECT_EQ(app.race->entries[0].solver.settings.size(), 1u) << "the present one as it is set";
  EXPECT_TRUE(app.race->entries[1].solver.settings.empty()) << "settings of another solver";
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
  EXPECT_EQ(now.options.tolerance, 3e-7);
  EXPECT_EQ(now.options.policy, FailurePolicy::kFallback);
  EXPECT_EQ(now.fallback, "bpp-auto");
}

}  // namespace
}  // namespace drystone::viewer::test
