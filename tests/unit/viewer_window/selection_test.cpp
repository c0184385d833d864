// What selecting a body brings, and what the camera goes with.
#include "tests/unit/viewer_window/headless.h"
#include "viewer/window/camera_control.h"
#include "viewer/window/interface.h"

namespace drystone::viewer::test {
namespace {

/// A ball that falls past a floor, and a camera that goes with it.
constexpr const char* kFall = R"({"version": 1, "name": "fall", "bodies": [
    {"name": "floor", "kind": "static", "shape": {"type": "plane"}, "position": [0, 0, -50]},
    {"name": "ball", "shape": {"type": "sphere", "radius": 0.5}, "position": [0, 0, 5]}],
  "camera": {"position": [0, -8, 5], "target": [0, 0, 4], "follow": "ball"}})";

class Selection : public testing::Test {
 protected:
  BodyId idOf(const std::string& name) const {
    for (const ViewBody& body : app.frame->scene->bodies) {
      if (body.name == name) return body.id;
    }
    return {};
  }

  const TestFile file_{"fall.json", kFall};
  Headless window_{file_.path};
  AppState& app = window_.app;
};

TEST_F(Selection, OfABody_OpensItsInspector) {
  app.layout.open["inspector"] = false;
  app.layout.foldRight = true;
  app.select({});
  EXPECT_FALSE(app.layout.isOpen("inspector", false)) << "nothing was selected";
  app.select(idOf("ball"));
  EXPECT_TRUE(app.layout.isOpen("inspector", false));
  EXPECT_FALSE(app.layout.foldRight) << "where it is";
  EXPECT_FALSE(app.follow);
}

// The counters above it fill the bar of a small window.
TEST_F(Selection, OfABody_BringsItsInspectorIntoView) {
  Interface interface;
  app.layout.open["inspector"] = false;
  const auto shown = [&] {
    float top = -1;
    window_.picture([&] {
      interface.draw(app);
      ImGui::Begin("right");
      top = ImGui::GetScrollY();
      ImGui::End();
    });
    return top;
  };
  for (int i = 0; i < 3; ++i) EXPECT_EQ(shown(), 0);
  app.select(idOf("ball"));
  for (int i = 0; i < 3; ++i) shown();
  EXPECT_GT(shown(), 300) << "where the bar is scrolled to";
  EXPECT_EQ(app.comeIntoView, "") << "once: then it is the reader's";
}

// The centre of a plane may be anywhere: the camera would fly there.
TEST_F(Selection, DoubleClickOnTheGround_LeavesTheCamera) {
  app.select(idOf("ball"), true);
  EXPECT_TRUE(app.follow);
  app.select(idOf("floor"), true);
  EXPECT_FALSE(app.follow);
  app.carrier = {};
  window_.press("L");
  EXPECT_FALSE(app.follow) << "nor does the key follow it";
  EXPECT_TRUE(window_.logHas("select a body that moves"));
}

TEST_F(Selection, CameraOfTheScene_GoesWithItsBodyUntilItIsLetGo) {
  ASSERT_NE(app.frame->scene->followed(), nullptr);
  EXPECT_EQ(app.frame->scene->followed()->name, "ball");
  app.carrier = app.frame->scene->followed()->id;
  CameraControl camera;
  const Camera begin = app.camera;
  camera.update(app);
  EXPECT_EQ(app.camera, begin) << "it begins where the scene has it";
  const auto height = [&] { return app.frame->snapshot.bodies.back().centerOfMass.z(); };
  app.send(StepBy{20});
  ASSERT_TRUE(window_.updateUntil([&] { return window_.step() == 20; }));
  const Real fallen = 5 - height();
  ASSERT_GT(fallen, 0.3);
  camera.update(app);
  EXPECT_NEAR(begin.position.z() - app.camera.position.z(), fallen, 1e-12);
  EXPECT_NEAR(begin.target.z() - app.camera.target.z(), fallen, 1e-12);
  window_.press("L");
  const Camera kept = app.camera;
  ASSERT_TRUE(window_.brings("Right", [&] { return window_.step() == 21; }));
  camera.update(app);
  EXPECT_EQ(app.camera, kept);
}

TEST_F(Selection, FilesThatAreDropped_TheFirstIsOpened) {
  app.openDropped({"stack_10", "wall"});
  ASSERT_TRUE(window_.updateUntil([&] { return app.frame->scene->name == "stack_10"; }));
  EXPECT_TRUE(window_.logHas("2 files were dropped"));
}

// From 1 to a million its slider is logarithmic: a tenth of it is a factor of four.
TEST(ParameterKeys, StartAgainWithATenthOfTheSliderMoreOrLess) {
  Headless window("heavy_on_light");
  AppState& app = window.app;
  const auto is = [&](Real value) {
    return [&app, value] { return app.frame->scene->parameters.front().value == value; };
  };
  ASSERT_TRUE(is(1000)());
  ASSERT_TRUE(window.brings("Page Up", is(4000)));
  window.press("Page Up");
  ASSERT_TRUE(window.brings("Page Up", is(64000))) << "also of what is not there yet";
  ASSERT_TRUE(window.brings("Page Down", is(16000)));
  app.change({"scene.ratio", "1"});
  ASSERT_TRUE(window.updateUntil(is(1)));
  window.press("Page Down");
  EXPECT_TRUE(window.logHas("already, the least that the scene takes"));
  EXPECT_FALSE(app.opening());
}

TEST_F(Selection, ParameterKeysOfASceneWithoutOne_SaySo) {
  ASSERT_TRUE(app.frame->scene->parameters.empty());
  window_.press("Page Up");
  EXPECT_TRUE(window_.logHas("the scene has no parameter"));
  EXPECT_FALSE(app.opening());
}

}  // namespace
}  // namespace drystone::viewer::test
