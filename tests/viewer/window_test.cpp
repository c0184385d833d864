// The window itself, on a display without a screen: keys and mouse go in as a user's would, and the
// message log and pictures say what came of them.
#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "core/types.h"
#include "scenes/scene_library.h"
#include "tests/viewer/window_fixture.h"
#include "viewer/render/child_process.h"
#include "viewer/render/image.h"

namespace drystone::test {
namespace {

int colorCount(const viewer::Image& image) {
  std::set<int> colors;
  for (std::size_t i = 0; i + 2 < image.pixels.size(); i += 3) {
    colors.insert(image.pixels[i] << 16 | image.pixels[i + 1] << 8 | image.pixels[i + 2]);
  }
  return static_cast<int>(colors.size());
}

TEST_F(ViewerWindow, EveryKeyHasItsEffect) {
  ViewerProcess viewer(sharedDisplay(), folder(), {"stack_10", "--paused"});
  ASSERT_EQ(viewer.waitFor("scene "), "scene stack_10") << viewer.errors();
  viewer.key("space");
  EXPECT_EQ(viewer.waitFor("running"), "running");
  viewer.key("space");
  EXPECT_EQ(viewer.waitFor("paused"), "paused");
  const std::string stopped = viewer.waitFor("step ", 2);  // none, if it stopped within a step
  viewer.key("r");
  EXPECT_EQ(viewer.waitFor("step 0"), "step 0");
  for (const auto& [key, line] : std::vector<std::pair<std::string, std::string>>{
           {"plus", "speed 2"}, {"equal", "speed 4"}, {"minus", "speed 2"}}) {
    viewer.key(key);
    EXPECT_EQ(viewer.waitFor("speed "), line) << key;
  }
  viewer.key("Right");
  EXPECT_EQ(viewer.waitFor("step "), "step 1");
  viewer.key("period");
  EXPECT_EQ(viewer.waitFor("step "), "step 2");
  viewer.key("Left");
  EXPECT_EQ(viewer.waitFor("step "), "step 1");
  for (const auto& [key, line] :
       std::vector<std::pair<std::string, std::string>>{{"c", "contacts on"},
                                                        {"f", "forces on"},
                                                        {"i", "islands on"},
                                                        {"w", "wireframe on"},
                                                        {"w", "wireframe off"},
                                                        {"t", "transparent on"},
                                                        {"Tab", "panels off"},
                                                        {"Tab", "panels on"},
                                                        {"F1", "help on"},
                                                        {"Escape", "help off"},
                                                        {"n", "race window on"},
                                                        {"n", "race window off"},
                                                        {"m", "profiler off"},
                                                        {"F3", "profiler on"},
                                                        {"l", "log select a body"},
                                                        {"b", "bodies 12"}}) {
    viewer.key(key);
    EXPECT_EQ(viewer.waitFor(line).substr(0, line.size()), line) << key;
  }
  viewer.key("s");
  const std::string solver = viewer.waitFor("solver ");
  EXPECT_NE(solver, "");
  viewer.key("shift+s");
  EXPECT_NE(viewer.waitFor("solver "), "");
  viewer.key("bracketright");
  EXPECT_EQ(viewer.waitFor("scene "), "scene stack_20");
  viewer.key("bracketleft");
  EXPECT_EQ(viewer.waitFor("scene "), "scene stack_10");
  viewer.key("F12");
  const std::string screenshot = viewer.waitFor("screenshot ");
  ASSERT_NE(screenshot, "");
  const viewer::Image image = viewer::readPng(folder() + "/" + screenshot.substr(11));
  EXPECT_EQ(image.width, 1280);
  EXPECT_EQ(image.height, 720);
  EXPECT_GT(colorCount(image), 200);
  expectNoGlErrors(viewer);
  viewer.key("ctrl+q");
  EXPECT_EQ(viewer.exitCode(10), 0) << viewer.errors();
}

/// All numbers of a line.
std::vector<double> figuresOf(const std::string& text) {
  std::vector<double> figures;
  for (std::size_t at = 0; (at = text.find_first_of("-0123456789", at)) != std::string::npos;) {
    std::size_t length = 0;
    figures.push_back(std::stod(text.substr(at), &length));
    at += length;
  }
  return figures;
}

// What a new user sees first: nothing lags, and nothing is said to be missed.
TEST_F(ViewerWindow, SceneWithoutAnArgument_RunsInRealTimeAndMeetsItsTolerance) {
  ViewerProcess viewer(sharedDisplay(), folder(), {"--paused"});
  const std::string scene = viewer.waitFor("scene ");
  ASSERT_NE(scene, "") << viewer.errors();
  const auto run = drystone({"run", scene.substr(6), "--json"}).json();
  EXPECT_EQ(run["steps_missed"], 0);
  // It takes a fiftieth of the time that it simulates, which leaves room for sanitizers.
  EXPECT_LT(run["time_ms"]["step"]["mean"].get<double>(), 1000 * run["dt"].get<double>());
  EXPECT_GT(run["max_speed_m_s"].get<double>(), 0.1) << "something moves";
}

TEST_F(ViewerWindow, HomeAndA_BringTheCameraBackToTheWholeScene) {
  ViewerProcess viewer(sharedDisplay(), folder(), {"stack_10", "--paused"});
  ASSERT_NE(viewer.waitFor("scene "), "") << viewer.errors();
  const auto camera = [&] {
    viewer.key("ctrl+c");
    return figuresOf(viewer.waitFor("\"camera\": {"));
  };
  viewer.key("Home");
  const std::vector<double> whole = camera();
  ASSERT_EQ(whole.size(), 10U);
  // [m]: the target is found from where the camera looks, which costs the last digit.
  const auto isWhole = testing::Pointwise(testing::DoubleNear(1e-9), whole);
  for (const char* key : {"Home", "a"}) {
    // Sideways, for two presses of the wheel nearer.
    viewer.xdotool({"mousemove", "640", "200", "sleep", "0.3", "click", "4", "click", "4"});
    viewer.xdotool({"keydown", "shift", "mousedown", "1", "sleep", "1", "mousemove", "700", "260",
                    "sleep", "1", "mouseup", "1", "keyup", "shift"});
    EXPECT_THAT(camera(), testing::Not(isWhole));
    viewer.key(key);
    EXPECT_THAT(camera(), isWhole) << key;
  }
  expectNoGlErrors(viewer);
}

// On a software renderer a key is down and up between two pictures.
TEST_F(ViewerWindow, KeysFasterThanPictures_AreAllTyped) {
  ViewerProcess viewer(sharedDisplay(), folder(), {"stack_10", "--paused"});
  ASSERT_EQ(viewer.waitFor("scene "), "scene stack_10") << viewer.errors();
  // The field for a scene's path.
  viewer.xdotool({"mousemove", "115", "212", "sleep", "0.5", "click", "1", "sleep", "1"});
  // No key twice: two presses within a millisecond are one to GLFW.
  viewer.xdotool(
      {"key", "--delay", "0", "o", "u", "n", "x", "BackSpace", "c", "e", "Home", "b", "Return"});
  EXPECT_EQ(viewer.waitFor("scene "), "scene bounce");
}

TEST_F(ViewerWindow, L_LetsTheCameraFollowTheSelectedBody) {
  const std::string script =
      scratch_.write("script", "select box_3\nkey L\nframes 2\nkey L\nquit\n");
  ViewerProcess viewer(sharedDisplay(), folder(), {"stack_10", "--paused", "--script", script});
  EXPECT_EQ(viewer.waitFor("follow "), "follow on") << viewer.errors();
  EXPECT_EQ(viewer.waitFor("follow "), "follow off");
  EXPECT_EQ(viewer.exitCode(20), 0);
}

TEST_F(ViewerWindow, KeysThatComeBeforeTheFirstPicture_WaitForIt) {
  // Keys go to the window as soon as it is there.
  ViewerProcess viewer(sharedDisplay(), folder(), {"stack_10", "--paused"});
  for (int i = 0; i < 1000 && viewer.lines().size() < 4 && viewer.exitCode(0) < 0; ++i) {
    viewer.xdotool({"key", "--delay", "0", "s", "bracketright", "bracketleft", "shift+s"});
  }
  viewer.key("ctrl+q");
  EXPECT_EQ(viewer.exitCode(60), 0) << viewer.errors();
  EXPECT_NE(viewer.waitFor("closed", 0), "");
}

TEST_F(ViewerWindow, CtrlDrag_PullsTheBodyUnderTheMouse) {
  // A box that fills the middle of the view.
  const std::string scene = scratch_.write("box.json", R"({
    "version": 1, "name": "box",
    "bodies": [
      {"name": "floor", "kind": "static", "shape": {"type": "plane"}},
      {"name": "crate", "shape": {"type": "box", "half_extents": [1, 1, 1]}, "position": [0, 0, 1]}
    ],
    "camera": {"position": [0, -8, 1], "target": [0, 0, 1]}
  })");
  ViewerProcess viewer(sharedDisplay(), folder(), {scene});
  ASSERT_EQ(viewer.waitFor("scene "), "scene box") << viewer.errors();
  const std::string x = "635";  // between the side bars
  viewer.xdotool({"mousemove", x, "340", "sleep", "0.3", "click", "1"});
  EXPECT_EQ(viewer.waitFor("selected "), "selected crate");
  viewer.xdotool({"keydown", "ctrl", "mousedown", "1", "sleep", "0.3"});
  EXPECT_EQ(viewer.waitFor("picked body"), "picked body crate");
  // Up by 140 pixels of 676, at 7 m from a camera that sees 45 degrees: 1.2 m.
  viewer.xdotool({"mousemove", x, "200", "sleep", "2", "mouseup", "1", "keyup", "ctrl"});
  const std::string released = viewer.waitFor("released at ");
  ASSERT_NE(released, "");
  Vec3 at;
  std::istringstream(released.substr(12)) >> at.x() >> at.y() >> at.z();
  EXPECT_GT(at.z(), 1.3) << released;
  EXPECT_LT(at.z(), 3.5) << released;
  expectNoGlErrors(viewer);
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
                         {"wall", "--solver", "nsgs", "--set", "tolerance=0", "--set",
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
  // Panels that are drawn ten times a second take several times that.
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

TEST_F(ViewerWindow, F5_OpensTheFileAgain) {
  const auto write = [&](const std::string& name) {
    return scratch_.write("a.json", R"({"version": 1, "name": ")" + name + R"(", "bodies": [
      {"name": "ball", "shape": {"type": "sphere", "radius": 1}}]})");
  };
  ViewerProcess viewer(sharedDisplay(), folder(),
                       {write("first"), "--paused", "--set", "world.timestep=0.004"});
  ASSERT_EQ(viewer.waitFor("scene "), "scene first") << viewer.errors();
  write("second");
  viewer.key("F5");
  EXPECT_EQ(viewer.waitFor("scene "), "scene second");
  scratch_.write("a.json", "{");
  viewer.key("ctrl+r");
  EXPECT_NE(viewer.waitFor("error "), "");
  write("third");
  viewer.key("ctrl+r");
  EXPECT_EQ(viewer.waitFor("scene "), "scene third");
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
      {"wall", "--solver", "nsgs", "--set", "tolerance=0", "--set", "max_iterations=2000000000",
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
  if (viewer::findProgram("ffmpeg").empty()) GTEST_SKIP() << "no ffmpeg here";
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

TEST_F(ViewerWindow, AllScenesOfTheLibrary_AreDrawnWithoutAnError) {
  // Of tens of thousands of bodies a step takes too long here: they are drawn as they begin. Their
  // pictures take a software renderer on a busy machine seconds.
  const std::set<std::string_view> large = {"ball_grid_large", "ball_grid_medium",
                                            "ball_pile_large", "pile_4000", "pile_8000"};
  std::string script = "key C\nkey F\n";
  for (const LibraryScene& scene : libraryScenes()) {
    script += "scene " + std::string(scene.name) + "\n";
    script += large.contains(scene.name) ? "frames 2\n" : "key Right\nstep 1\nframes 5\n";
  }
  const std::string path = scratch_.write("script", script + "quit\n");
  ViewerProcess viewer(sharedDisplay(), folder(), {"stack_10", "--paused", "--script", path});
  // However busy the machine is, a scene comes now and then; the first that does not ends the test.
  for (const LibraryScene& scene : libraryScenes()) {
    const std::string line = "scene " + std::string(scene.name);
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
