#include "viewer/window/journal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

#include "core/input_error.h"
#include "tests/unit/viewer_window/headless.h"

namespace drystone::viewer {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Journal, NothingChanged_TellsNothing) { EXPECT_THAT(changesBetween({}, {}), IsEmpty()); }

TEST(Journal, StepsAreToldWhilePausedOnly) {
  Watched before, now;
  now.step = 12;
  EXPECT_THAT(changesBetween(before, now), ElementsAre("step 12"));
  before.paused = now.paused = false;
  EXPECT_THAT(changesBetween(before, now), IsEmpty());
}

TEST(Journal, EachChangeHasItsLine) {
  Watched now;
  now.scene = "wall";
  now.solver = "bpp";
  now.paused = false;
  now.contacts = now.forces = now.islands = now.wireframe = now.help = true;
  now.panels = false;
  now.selected = "lid";
  EXPECT_THAT(changesBetween({}, now),
              ElementsAre("scene wall", "solver bpp", "running", "selected lid", "panels off",
                          "help on", "contacts on", "forces on", "islands on", "wireframe on"));
}

TEST(Journal, LoopFoldsAndSections_AreToldAsTheKeysChangeThem) {
  test::Headless window("bounce");
  AppState& app = window.app;
  // What a press tells, and what a second one does.
  const auto tells = [&](const std::string& key) {
    const Watched before = watchedOf(app);
    window.press(key);
    const bool isOfSimulation = key == "O";
    EXPECT_TRUE(
        window.updateUntil([&] { return !isOfSimulation || app.status.loops != before.loops; }));
    return changesBetween(before, watchedOf(app));
  };
  for (const char* word : {"on", "off"}) {
    const std::string end = word;
    EXPECT_THAT(tells("O"), ElementsAre("loop " + end));
    EXPECT_THAT(tells("1"), ElementsAre("fold left " + end));
    EXPECT_THAT(tells("2"), ElementsAre("fold right " + end));
  }
  EXPECT_THAT(tells("M"), ElementsAre("section profiler closed", "profiler off"));
  EXPECT_THAT(tells("M"), ElementsAre("section profiler open", "profiler on"));
  // A layout that is kept is told at the first picture, but for what is as it would be without it.
  app.layout = parseLayout("fold_left = yes\nopen.energy = yes\nopen.scene = yes\n");
  const std::vector<std::string> first = changesBetween({}, watchedOf(app));
  EXPECT_THAT(first, testing::IsSupersetOf({"fold left on", "section energy open"}));
  EXPECT_THAT(first, testing::Not(testing::Contains(testing::StartsWith("section scene"))));
}

TEST(Journal, MoreBodiesOfTheSameScene_AreTold) {
  Watched before, now;
  before.scene = now.scene = "wall";
  before.bodies = 3;
  now.bodies = 4;
  EXPECT_THAT(changesBetween(before, now), ElementsAre("bodies 4"));
}

TEST(Journal, LinesAreThereAtOnce) {
  const std::string path = testing::TempDir() + "drystone_journal_test";
  Journal journal(path);
  journal.say("paused");
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  std::remove(path.c_str());
  EXPECT_EQ(line, "paused");
  EXPECT_THROW(Journal("/proc/none/journal"), InputError);
}

}  // namespace
}  // namespace drystone::viewer
