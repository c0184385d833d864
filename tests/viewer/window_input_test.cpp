// Keys and mouse go into the window as a user's would, on a display without a screen; the message
// log and pictures say what came of them.
#include <gmock/gmock.h>

#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "core/types.h"
#include "tests/viewer/window_fixture.h"
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
                                                        {"o", "loop on"},
                                                        {"1", "fold left on"},
                                                        {"1", "fold left off"},
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
  viewer.xdotool({"mousemove", "115", "269", "sleep", "0.5", "click", "1", "sleep", "1"});
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

}  // namespace
}  // namespace drystone::test
