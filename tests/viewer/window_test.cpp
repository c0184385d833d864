// The window itself, on a display without a screen: keys and mouse go in as a user's would, and the
// message log and pictures say what came of them.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "engine/core/types.h"
#include "scenes/scene_library.h"
#include "tests/cli/program.h"
#include "tests/viewer/display.h"
#include "viewer/render/child_process.h"
#include "viewer/render/image.h"

namespace drystone::test {
namespace {

/// One server for all tests of the process.
const Display& sharedDisplay() {
  static const Display display;
  return display;
}

class ViewerWindow : public testing::Test {
 protected:
  void SetUp() override {
    if (!sharedDisplay().problem().empty()) GTEST_SKIP() << sharedDisplay().problem();
  }
  std::string folder() const { return scratch_.path(""); }
  void expectNoGlErrors(const ViewerProcess& viewer) const {
    for (const std::string& line : viewer.lines()) {
      EXPECT_FALSE(line.starts_with("gl error")) << line;
      EXPECT_FALSE(line.starts_with("error")) << line;
    }
  }

  Scratch scratch_;
};

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
                                                        {"b", "bodies 12"}}) {
    viewer.key(key);
    EXPECT_EQ(viewer.waitFor(line), line) << key;
  }
  viewer.key("s");
  const std::string solver = viewer.waitFor("solver ");
  EXPECT_NE(solver, "");
  viewer.key("shift+s");
  EXPECT_NE(viewer.waitFor("solver "), "");
  viewer.key("bracketright");
  EXPECT_EQ(viewer.waitFor("scene "), "scene stack_20");
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
  EXPECT_EQ(viewer.exitCode(400), 0) << viewer.errors();
  expectNoGlErrors(viewer);
  std::set<std::string> shown;
  for (const std::string& line : viewer.lines()) shown.insert(line);
  for (const LibraryScene& scene : libraryScenes()) {
    EXPECT_TRUE(shown.contains("scene " + std::string(scene.name))) << scene.name;
  }
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
