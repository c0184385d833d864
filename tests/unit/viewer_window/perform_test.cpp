// What each action does to the simulation, the drawing and the window's state.
#include <cmath>
#include <limits>

#include "scenes/scene_library.h"
#include "tests/unit/viewer_session/heap_recorder.h"
#include "tests/unit/viewer_window/headless.h"
#include "viewer/window/camera_control.h"

namespace drystone::viewer::test {
namespace {

TEST(Perform, TransportKeys_RunStepAndGoBack) {
  Headless window("bounce");
  const AppState& app = window.app;
  ASSERT_TRUE(window.brings("Right", [&] { return window.step() == 1; }));
  ASSERT_TRUE(window.brings(".", [&] { return window.step() == 2; }));
  ASSERT_TRUE(window.brings("Left", [&] { return window.step() == 1; }));
  ASSERT_TRUE(window.brings("Space", [&] { return !app.status.paused && window.step() > 5; }));
  ASSERT_TRUE(window.brings("P", [&] { return app.status.paused; }));
  ASSERT_TRUE(window.brings("R", [&] { return window.step() == 0; }));
}

TEST(Perform, SpeedKeys_DoubleAndHalveWithinTheBar) {
  Headless window("bounce");
  const AppState& app = window.app;
  const auto speed = [&](double wanted) {
    return [&app, wanted] { return app.status.speed == wanted; };
  };
  // A step that is done says that the key before it is, too.
  const auto leaves = [&](const std::string& key, double wanted) {
    window.press(key);
    const std::int64_t next = window.step() + 1;
    ASSERT_TRUE(window.brings("Right", [&] { return window.step() == next; }));
    EXPECT_EQ(app.status.speed, wanted) << key;
  };
  ASSERT_TRUE(window.brings("+", speed(2)));
  ASSERT_TRUE(window.brings("-", speed(1)));
  ASSERT_TRUE(window.brings("-", speed(0.5)));
  window.app.send(SetSpeed{1.0 / 64});
  ASSERT_TRUE(window.updateUntil(speed(1.0 / 64)));
  leaves("-", 1.0 / 64);
  // Beyond the fastest it goes as fast as it can.
  const double infinite = std::numeric_limits<double>::infinity();
  window.app.send(SetSpeed{64});
  ASSERT_TRUE(window.updateUntil(speed(64)));
  ASSERT_TRUE(window.brings("+", speed(infinite)));
  leaves("+", infinite);
  ASSERT_TRUE(window.brings("-", speed(64)));
}

TEST(Perform, SceneKeys_GoThroughTheLibraryAndAroundItsEnds) {
  Headless window("stack_10");
  const auto shows = [&](std::string_view scene) {
    return [&window, scene] { return window.app.frame->scene->name == scene; };
  };
  const auto open = [&](const std::string& path, std::string_view name) {
    window.app.openScene(path);
    return window.updateUntil(shows(name));
  };
  const std::string first(libraryScenes().front().name), last(libraryScenes().back().name);
  ASSERT_TRUE(window.brings("]", shows("stack_20")));
  ASSERT_TRUE(window.brings("[", shows("stack_10")));
  ASSERT_TRUE(open(first, first));
  ASSERT_TRUE(window.brings("[", shows(last)));
  ASSERT_TRUE(window.brings("]", shows(first)));
  const TestFile heap("keys.json", heapText());
  ASSERT_TRUE(open(heap.path, "heap"));
  ASSERT_TRUE(window.brings("]", shows(first))) << "from a file to the first";
  ASSERT_TRUE(open(heap.path, "heap"));
  ASSERT_TRUE(window.brings("[", shows(last))) << "or to the last";
}

// Diamond friction is for the prox family alone: what cannot take it is passed over.
TEST(Perform, SolverKeys_GoThroughThoseThatTakeTheScene) {
  std::string text = heapText();
  const std::string from = R"({"duration": 2}, "solver": {"name": "nsgs")";
  text.replace(text.find(from), from.size(),
               R"({"duration": 2, "friction": "diamond"}, "solver": {"name": "sor-prox")");
  const TestFile heap("diamond.json", text);
  Headless window(heap.path);
  // Until the first one comes again.
  const auto round = [&](const std::string& key, std::vector<std::string>& solvers) {
    const std::string& now = window.app.status.solver.name;
    while (solvers.empty() || solvers.back() != "sor-prox") {
      const std::string before = now;
      ASSERT_TRUE(window.brings(key, [&] { return now != before; }));
      ASSERT_EQ(std::ranges::find(solvers, now), solvers.end());
      solvers.push_back(now);
    }
  };
  std::vector<std::string> forwards, backwards;
  round("S", forwards);
  round("Shift+S", backwards);
  std::vector<std::string> suitable;
  for (const std::string& name : registry().names()) {
    if (window.app.whyUnsuitable(name).empty()) suitable.push_back(name);
  }
  ASSERT_LT(suitable.size(), registry().names().size());
  const auto present = std::ranges::find(suitable, "sor-prox");
  std::rotate(suitable.begin(), present + 1, suitable.end());
  EXPECT_EQ(forwards, suitable);
  std::reverse(suitable.begin(), suitable.end() - 1);
  EXPECT_EQ(backwards, suitable);
}

// Settings and iterations are a solver's own; the tolerance stays.
TEST(Perform, NextSolver_HasItsDefaultsAndTheOldTolerance) {
  std::string text = heapText();
  const std::string from = R"({"name": "nsgs", )";
  text.replace(text.find(from), from.size(), R"({"name": "nsgs", "tolerance": 1e-3, )");
  const TestFile heap("settings.json", text);
  Headless window(heap.path);
  const SolverChoice& now = window.app.status.solver;
  ASSERT_EQ(now.budget.iterations, 40);
  ASSERT_TRUE(window.brings("S", [&] { return now.name != "nsgs"; }));
  EXPECT_FALSE(now.budget.iterations);
  EXPECT_EQ(now.budget.tolerance, 1e-3);
}

// Also where the other scene does not open, and the old one goes on.
TEST(OpenScene, LetsGoOfTheBodyThatIsHeld) {
  Headless window("bounce");
  AppState& app = window.app;
  app.held = Drag{app.frame->scene->bodies.back().id, Vec3::Zero(), {0, 0, 50}};
  app.send(*app.held);
  app.openScene("/none/such");
  EXPECT_FALSE(app.held.has_value());
  ASSERT_TRUE(window.updateUntil([&] { return window.logHas("/none/such"); }));
  const Real before = app.frame->snapshot.bodies.back().linearVelocity.z();
  ASSERT_TRUE(window.brings("Right", [&] { return window.step() == 1; }));
  EXPECT_LT(app.frame->snapshot.bodies.back().linearVelocity.z(), before) << "it falls";
}

// A recording stays what it is; a key that asks for something else is answered.
TEST(Perform, SolverKeysOnARecording_SayThatItCannotBeSwitched) {
  const TestFile file("keys.h5", "");
  HeapRecorder recorder(file.path, 1);
  recorder.step(3);
  recorder.finish();
  Headless window(file.path);
  for (const char* key : {"S", "Shift+S"}) {
    window.app.log.clear();
    ASSERT_TRUE(window.brings(key, [&] {
      return window.logHas("a recording is played: its solver cannot be switched");
    }));
  }
}

TEST(Perform, DrawingKeys_TurnTheirDrawingOnAndOff) {
  Headless window("bounce");
  const DrawOptions& draw = window.app.draw;
  const std::pair<const char*, std::function<bool()>> keys[] = {
      {"C", [&] { return draw.contactPoints && draw.contactNormals; }},
      {"F", [&] { return draw.impulses; }},
      {"I", [&] { return draw.bodies == BodyColoring::kIsland; }},
      {"W", [&] { return draw.wireframe; }},
      {"T", [&] { return draw.transparent; }}};
  for (const auto& [key, isOn] : keys) {
    EXPECT_FALSE(isOn()) << key;
    window.press(key);
    for (const auto& [other, otherIsOn] : keys) EXPECT_EQ(otherIsOn(), other == key) << key;
    window.press(key);
    EXPECT_FALSE(isOn()) << key;
  }
  EXPECT_FALSE(draw.contactNormals);
}

TEST(Perform, WindowKeys_OpenAndClose) {
  Headless window("bounce");
  AppState& app = window.app;
  const std::pair<const char*, std::function<bool()>> keys[] = {
      {"N", [&] { return app.raceOpen; }},
      {"Tab", [&] { return !app.layout.panels; }},
      {"F1", [&] { return app.help; }},
      {"1", [&] { return app.layout.foldLeft; }},
      {"2", [&] { return app.layout.foldRight; }},
      {"M", [&] { return !app.layout.isOpen("profiler", true); }}};
  for (const auto& [key, isOn] : keys) {
    EXPECT_FALSE(isOn()) << key;
    window.press(key);
    EXPECT_TRUE(isOn()) << key;
    window.press(key);
    EXPECT_FALSE(isOn()) << key;
  }
  window.press("Tab");
  window.press("M");
  EXPECT_TRUE(app.layout.panels) << "the profiler shows where it is";
}

TEST(Perform, Follow_TakesASelectedBodyAndEscapeLetsItGo) {
  Headless window("bounce");
  AppState& app = window.app;
  window.press("L");
  EXPECT_FALSE(app.follow) << "nothing is selected";
  app.draw.selected = app.frame->scene->bodies.back().id;
  window.press("L");
  EXPECT_TRUE(app.follow);
  window.press("L");
  EXPECT_FALSE(app.follow);
  window.press("L");
  app.help = true;
  window.press("Escape");
  EXPECT_FALSE(app.follow);
  EXPECT_FALSE(app.help);
  EXPECT_EQ(app.selectedBody(), nullptr);
}

/// Where the newest body is at a time after it came [m], falling freely.
Vec3 placeAfter(const AppState& app, Real time) {
  const BodySnapshot& box = app.frame->snapshot.bodies.back();
  return box.pose.position + box.linearVelocity * time +
         0.5 * time * time * app.frame->scene->gravity;
}

TEST(Perform, Throw_SendsABoxFromTheCameraToWhatTheMousePointsTo) {
  Headless window("bounce");
  AppState& app = window.app;
  app.camera = {.position = {0, -8, 3}, .target = {0, 0, 3}};
  const std::size_t bodies = app.frame->snapshot.bodies.size();
  const auto thrown = [&](std::size_t count) {
    return [&, count] { return app.frame->snapshot.bodies.size() == bodies + count; };
  };
  // There is no mouse: through the middle, where nothing is, 1.5 of the distance a second.
  ASSERT_TRUE(window.brings("B", thrown(1)));
  EXPECT_LT((placeAfter(app, 0) - Vec3(0, -8, 3)).norm(), 1e-12);
  EXPECT_LT((placeAfter(app, 8 / 12.0) - Vec3(0, 0, 3)).norm(), 1e-9);
  // A quarter of the way from the left and a tenth from the top: the same way through there.
  ImGui::GetIO().MousePos = {320, 72};
  ASSERT_TRUE(window.brings("B", thrown(2)));
  const Real half = std::tan(app.camera.fieldOfView / 2);
  const Vec3 ray = Vec3(-half / 2 * 1280 / 720, 1, 0.8 * half).normalized();
  // Places in the window are in single precision.
  EXPECT_LT((placeAfter(app, 8 / 12.0) - (Vec3(0, -8, 3) + 8 * ray)).norm(), 1e-5);
}

// The floor is hit, not what lies behind it, and with no aim above the box would fall short of it
// by half a metre.
TEST(Perform, Throw_HitsWhatIsUnderTheMouseInSpiteOfGravity) {
  Headless window("bounce");
  AppState& app = window.app;
  app.camera = {.position = {0, -8, 4}, .target = {0, 0, 0}};
  const std::size_t bodies = app.frame->snapshot.bodies.size();
  ImGui::GetIO().MousePos = {700, 420};
  ASSERT_TRUE(window.brings("B", [&] { return app.frame->snapshot.bodies.size() == bodies + 1; }));
  const Vec3 ray = app.camera.rayThrough(2 * 700.0 / 1280 - 1, 1 - 2 * 420.0 / 720, 1280.0 / 720);
  const Real way = 4 / -ray.z();  // to the floor at z = 0
  const Vec3 point = app.camera.position + way * ray;
  EXPECT_LT((placeAfter(app, way / (1.5 * app.camera.distance())) - point).norm(), 1e-4);
}

// At once: of two keys in one picture the second may copy the camera.
TEST(Perform, ShowTheWholeScene_MovesTheCameraAndFollowsNothing) {
  Headless window("stack_10");
  AppState& app = window.app;
  const Camera begin = app.camera;
  app.camera.zoom(0.01);
  app.follow = true;
  window.press("Home");
  EXPECT_FALSE(app.follow);
  EXPECT_GT(app.camera.distance(), 0.3 * begin.distance());
  const Camera whole = app.camera;
  app.camera.pan(0.4, 0.2);
  window.press("A");
  EXPECT_LT((app.camera.position - whole.position).norm(), 1e-9);
}

TEST(Perform, KeysOfPictures_AskForThem) {
  Headless window("bounce");
  AppState& app = window.app;
  EXPECT_FALSE(app.screenshot.has_value());
  window.press("F12");
  EXPECT_EQ(app.screenshot, "") << "a name with the time";
  window.press("V");
  EXPECT_TRUE(app.toggleVideo);
  window.press("Ctrl+C");
  EXPECT_EQ(ImGui::GetClipboardText(), cameraJson(sceneCameraOf(app.camera)));
  EXPECT_FALSE(app.quit);
  window.press("Ctrl+Q");
  EXPECT_TRUE(app.quit);
}

}  // namespace
}  // namespace drystone::viewer::test
