// The window from its opening to its end, on a display without a screen: scenes, scripts,
// recordings, videos, what it keeps for the next time, and how it closes.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "scenes/scene_library.h"
#include "tests/viewer/window_fixture.h"
#include "viewer/render/child_process.h"

namespace drystone::test {
namespace {

// What a new user sees first: nothing lags, and nothing is said to be missed.
TEST_F(ViewerWindow, SceneWithoutAnArgument_RunsInRealTimeAndMeetsItsTolerance) {
  ViewerProcess viewer(sharedDisplay(), folder(), {"--paused"});
  const std::string scene = viewer.waitFor("scene ");
  ASSERT_NE(scene, "") << viewer.errors();
  const auto run = drystone({"run", scene.substr(6), "--json"}).json();
  EXPECT_EQ(run["steps_missed"], 0);
  // It takes a fiftieth of the time that it simulates, which leaves room for sanitizers.
  EXPECT_LT(run["time_ms"]["step"]["mean"].get<double>(), 1000 * run["dt"].get<double>());
  EXPECT_GT(run["figures"]["max_speed"]["max"].get<double>(), 0.1) << "something moves";
}

TEST_F(ViewerWindow, ClosedWhileItRuns_EndsWithoutWaitingForTheScene) {
  ViewerProcess viewer(sharedDisplay(), folder(), {"pile_1000"});
  ASSERT_NE(viewer.waitFor("running"), "") << viewer.errors();
  viewer.waitFor("never", 1);
  viewer.key("ctrl+q");
  // Within a second on an idle machine; the rest is for other programs on its cores. The scene
  // would go on for ever.
  EXPECT_EQ(viewer.exitCode(15), 0);
  EXPECT_NE(viewer.waitFor("closed", 0), "");
}

/// Seconds from the key to the end of the program.
double closingTime(ViewerProcess& viewer) {
  const auto start = std::chrono::steady_clock::now();
  viewer.key("ctrl+q");
  EXPECT_EQ(viewer.exitCode(30), 0) << viewer.errors();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Beyond what the key and the end of any program take on this machine; of three tries, as others
// use its cores too.
TEST_F(ViewerWindow, StepAndVideoThatDoNotEnd_HoldUpClosingForLessThanASecond) {
  // Takes pictures, and never ends.
  scratch_.write("ffmpeg",
                 "#!/bin/sh\ncase \"$*\" in *-encoders*) exit 0 ;; esac\nexec sleep 1000\n");
  std::filesystem::permissions(folder() + "ffmpeg", std::filesystem::perms::owner_all);
  const std::string path = std::getenv("PATH");
  setenv("PATH", (folder() + ":" + path).c_str(), 1);
  double quick = 60, slow = 60;
  for (int i = 0; i < 3; ++i) {
    {
      ViewerProcess viewer(sharedDisplay(), folder(), {"stack_10", "--paused"});
      ASSERT_NE(viewer.waitFor("scene "), "") << viewer.errors();
      viewer.waitFor("never", 0.5);  // the window before gave its focus back
      quick = std::min(quick, closingTime(viewer));
    }
    ViewerProcess viewer(sharedDisplay(), folder(),
                         {"wall", "--solver", "nsgs", "--set", "tolerance=1e-15", "--set",
                          "max_iterations=2000000000", "--set", "check_every=1000000"});
    ASSERT_NE(viewer.waitFor("running"), "") << viewer.errors();
    viewer.key("v");
    EXPECT_EQ(viewer.waitFor("recording"), "recording on");
    viewer.waitFor("never", 1);
    viewer.key("c");
    EXPECT_EQ(viewer.waitFor("contacts"), "contacts on") << "the window is not held up either";
    slow = std::min(slow, closingTime(viewer));
    EXPECT_NE(viewer.waitFor("closed within a step", 0), "");
  }
  setenv("PATH", path.c_str(), 1);
  EXPECT_LT(slow, quick + 1);
}

TEST_F(ViewerWindow, Paused_DrawsNothing) {
  ViewerProcess viewer(sharedDisplay(), folder(), {"stack_10", "--paused"});
  ASSERT_NE(viewer.waitFor("scene "), "") << viewer.errors();
  viewer.waitFor("never", 8);  // until the lines on the scene are gone
  const double before = viewer.processorTime();
  viewer.waitFor("never", 3);
  // [s] Panels that are drawn ten times a second take several times that.
  EXPECT_LT(viewer.processorTime() - before, 0.06);
  viewer.key("c");
  EXPECT_EQ(viewer.waitFor("contacts"), "contacts on");
}

TEST_F(ViewerWindow, OnAFineScreen_TheSizeIsKeptInPoints) {
  const Resources resources(sharedDisplay(), "Xft.dpi:\t192\n");
  ASSERT_EQ(resources.problem(), "");
  for (const char* size : {"600x400", "640x420"}) {
    ViewerProcess viewer(sharedDisplay(), folder(),
                         {"stack_10", "--paused", "--frames", "3", "--size", size});
    EXPECT_EQ(viewer.exitCode(60), 0) << viewer.errors();
    const std::string layout = readText(folder() + "drystone/layout.ini");
    const std::string expected = std::string("width = ") + std::string(size).substr(0, 3) +
                                 "\nheight = " + std::string(size).substr(4) + "\n";
    EXPECT_NE(layout.find(expected), std::string::npos) << layout;
  }
}

TEST_F(ViewerWindow, ScriptWhoseSceneIsMissing_EndsWithItsError) {
  const std::string script =
      scratch_.write("script", "scene no_such_scene\nscreenshot " + folder() + "a.png\nquit\n");
  ViewerProcess viewer(sharedDisplay(), folder(), {"stack_10", "--paused", "--script", script});
  EXPECT_EQ(viewer.exitCode(60), 3);
  EXPECT_NE(viewer.errors().find("line 1"), std::string::npos) << viewer.errors();
  EXPECT_NE(viewer.errors().find("no_such_scene"), std::string::npos) << viewer.errors();
  EXPECT_FALSE(std::filesystem::exists(folder() + "a.png"));
}

TEST_F(ViewerWindow, ScriptThatFailsWithinAStepThatDoesNotEnd_EndsWithItsError) {
  const std::string script = scratch_.write("script", "frames 60\nselect nobody\n");
  ViewerProcess viewer(
      sharedDisplay(), folder(),
      {"wall", "--solver", "nsgs", "--set", "tolerance=1e-15", "--set", "max_iterations=2000000000",
       "--set", "check_every=1000000", "--script", script});
  EXPECT_EQ(viewer.exitCode(30), 3);
  EXPECT_NE(viewer.errors().find("line 2: no body 'nobody'"), std::string::npos) << viewer.errors();
  EXPECT_EQ(viewer.waitFor("closed", 0), "closed within a step");
}

TEST_F(ViewerWindow, ScriptWhoseScreenshotCannotBeWritten_EndsWithItsError) {
  const std::string script =
      scratch_.write("script", "screenshot a.png\nscreenshot /nonexistent/a.png\nquit\n");
  ViewerProcess viewer(sharedDisplay(), folder(), {"stack_10", "--paused", "--script", script});
  EXPECT_EQ(viewer.exitCode(60), 3);
  EXPECT_NE(viewer.errors().find("line 2"), std::string::npos) << viewer.errors();
  EXPECT_NE(viewer.errors().find("/nonexistent/a.png"), std::string::npos) << viewer.errors();
  EXPECT_TRUE(std::filesystem::exists(folder() + "a.png")) << "the line before was done";
}

TEST_F(ViewerWindow, FrictionThatOnlyTheChosenSolverTakes_IsChangedTo) {
  const std::string script =
      scratch_.write("script", "solver sor-prox\nset world.friction=diamond\nquit\n");
  ViewerProcess viewer(sharedDisplay(), folder(),
                       {"stack_10", "--paused", "--solver", "bpp", "--script", script});
  EXPECT_EQ(viewer.exitCode(60), 0) << viewer.errors();
  EXPECT_EQ(viewer.waitFor("log restarted", 0), "log restarted with world.friction=diamond");
  expectNoGlErrors(viewer);
}

TEST_F(ViewerWindow, ValueChangedInTheWindow_WinsOverTheOptionForIt) {
  const std::string script =
      scratch_.write("script", "set world.timestep=0.002\nset world.friction=diamond\nquit\n");
  ViewerProcess viewer(sharedDisplay(), folder(),
                       {"stack_10", "--paused", "--dt", "0.004", "--friction", "pyramid",
                        "--solver", "bpp", "--script", script});
  EXPECT_EQ(viewer.waitFor("log restarted"), "log restarted with world.timestep=0.002")
      << viewer.errors();
  EXPECT_EQ(viewer.exitCode(60), 3) << "with the option it would be solved";
  EXPECT_NE(viewer.errors().find("does not solve the friction model 'diamond'"), std::string::npos)
      << viewer.errors();
}

TEST_F(ViewerWindow, V_WritesAVideo) {
  if (viewer::findProgram("ffmpeg").empty())
    GTEST_SKIP() << "needs ffmpeg, which scripts/setup installs";
  ViewerProcess viewer(sharedDisplay(), folder(), {"wall"});
  ASSERT_NE(viewer.waitFor("running"), "") << viewer.errors();
  viewer.key("v");
  EXPECT_EQ(viewer.waitFor("recording"), "recording on");
  viewer.waitFor("never", 1);
  viewer.key("v");
  const std::string video = viewer.waitFor("video ");
  ASSERT_NE(video, "");
  // Thirty pictures a second; the keys' own program and a busy machine make it longer or shorter.
  const std::string words = viewer::outputOf(
      {viewer::findProgram("ffprobe"), "-v", "error", "-count_frames", "-show_entries",
       "stream=nb_read_frames,width", "-of", "csv=p=0", folder() + "/" + video.substr(6)});
  int width = 0, pictures = 0;
  ASSERT_EQ(std::sscanf(words.c_str(), "%d,%d", &width, &pictures), 2) << words;
  EXPECT_EQ(width, 1280);
  EXPECT_GT(pictures, 10);
  EXPECT_LT(pictures, 150);
  expectNoGlErrors(viewer);
}

TEST_F(ViewerWindow, Recording_PlaysToItsEnd) {
  const std::string recording = scratch_.path("a.h5");
  ASSERT_EQ(drystone({"run", "stack_10", "--steps", "12", "--record", recording, "-q"}).exitCode,
            0);
  ViewerProcess viewer(sharedDisplay(), folder(), {recording});
  EXPECT_EQ(viewer.waitFor("ended"), "ended") << viewer.errors();
  EXPECT_EQ(viewer.waitFor("step "), "step 12");
  viewer.key("Left");
  EXPECT_EQ(viewer.waitFor("step "), "step 11");
  viewer.key("b");
  EXPECT_NE(viewer.waitFor("error a recording is played"), "") << "nothing can be thrown into it";
  viewer.key("s");
  EXPECT_NE(viewer.waitFor("error a recording is played"), "") << "its solver stays";
}

TEST_F(ViewerWindow, Layout_IsKeptForTheNextTime) {
  {
    ViewerProcess viewer(sharedDisplay(), folder(), {"slope_slip", "--paused"});
    ASSERT_NE(viewer.waitFor("scene "), "") << viewer.errors();
    viewer.key("Tab");
    EXPECT_EQ(viewer.waitFor("panels"), "panels off");
    viewer.key("ctrl+q");
    EXPECT_EQ(viewer.exitCode(10), 0);
  }
  ViewerProcess viewer(sharedDisplay(), folder(), {"slope_slip", "--paused", "--frames", "5"});
  EXPECT_EQ(viewer.waitFor("panels"), "panels off");
  EXPECT_EQ(viewer.exitCode(10), 0);
}

TEST_F(ViewerWindow, ScenesOfTheLibrary_AreDrawnOneAfterTheOther) {
  // Of thousands of bodies a step takes too long here: they are drawn as they begin. Those of tens
  // of thousands take a software renderer half a minute: SceneOfTheLibrary draws them, without a
  // window.
  const std::set<std::string_view> large = {"ball_grid_medium", "pile_4000", "pile_8000"};
  const std::set<std::string_view> leftOut = {"ball_grid_large", "ball_pile_large"};
  std::vector<std::string> scenes;
  std::string script = "key C\nkey F\n";
  for (const LibraryScene& scene : libraryScenes()) {
    if (leftOut.contains(scene.name)) continue;
    scenes.push_back("scene " + std::string(scene.name));
    script += scenes.back() + "\n";
    script += large.contains(scene.name) ? "frames 2\n" : "key Right\nstep 1\nframes 2\n";
  }
  const std::string path = scratch_.write("script", script + "quit\n");
  ViewerProcess viewer(sharedDisplay(), folder(),
                       {"stack_10", "--paused", "--size", "640x360", "--script", path});
  // However busy the machine is, a scene comes now and then; the first that does not ends the test.
  for (const std::string& line : scenes) {
    ASSERT_EQ(viewer.waitFor(line, 240), line) << viewer.errors();
  }
  ASSERT_EQ(viewer.exitCode(240), 0) << viewer.errors();
  expectNoGlErrors(viewer);
}

TEST(ViewerWithoutDisplay, SaysSoAndPointsToRender) {
  const char* before = std::getenv("DISPLAY");
  const std::string kept = before == nullptr ? "" : before;
  unsetenv("DISPLAY");
  unsetenv("WAYLAND_DISPLAY");
  const ProgramResult result = drystone({"view", "stack_10"});
  if (before != nullptr) setenv("DISPLAY", kept.c_str(), 1);
  EXPECT_EQ(result.exitCode, 5);
  EXPECT_TRUE(result.errContains("drystone render stack_10")) << result.err;
}

}  // namespace
}  // namespace drystone::test
