// Motors that are set by hand, and plots of what joints do.
#include <cmath>

#include "tests/unit/viewer_window/headless.h"
#include "viewer/window/panels/windows.h"

namespace drystone::viewer::test {
namespace {

/// A wheel that a motor of its axle turns.
constexpr const char* kWheel = R"({"version": 1, "name": "wheel", "bodies": [
    {"name": "post", "kind": "static"},
    {"name": "wheel", "shape": {"type": "sphere", "radius": 0.5}, "position": [0, 0, 5]}],
  "joints": [{"type": "hinge", "name": "axle", "body_a": "post", "body_b": "wheel",
    "anchor": [0, 0, 5], "axis": [0, 1, 0], "motor": {"velocity": 2}}]})";

class JointAxes : public testing::Test {
 protected:
  JointAxes() {
    app.select(app.frame->scene->bodies.back().id);
    app.update();
  }
  void stepTo(std::int64_t step) {
    app.send(GoToStep{step});
    app.send(StepBy{1});
    ASSERT_TRUE(window_.updateUntil([&] { return window_.step() == step + 1; }));
  }

  const TestFile file_{"wheel.json", kWheel};
  Headless window_{file_.path};
  AppState& app = window_.app;
};

TEST_F(JointAxes, OfAHinge_AreItsAngleWithTheMotor) {
  ASSERT_EQ(app.frame->scene->axes.size(), 1U);
  const ViewAxis& axis = app.frame->scene->axes[0];
  EXPECT_TRUE(axis.isAngle);
  EXPECT_EQ(axis.motor, MotorKind::kVelocity);
  EXPECT_EQ(axis.low, -4);
  EXPECT_EQ(axis.high, 4) << "twice what the scene asks for";
  stepTo(0);
  EXPECT_NEAR(app.frame->axes[0].rate, 2, 1e-5);
}

TEST_F(JointAxes, MotorSetByHand_TurnsSoUntilTheSceneBeginsAgain) {
  EXPECT_EQ(motorTarget(app, 0), 2);
  setMotor(app, 0, -3);
  EXPECT_EQ(motorTarget(app, 0), -3);
  stepTo(0);
  EXPECT_NEAR(app.frame->axes[0].rate, -3, 1e-5);
  ASSERT_TRUE(window_.brings("R", [&] { return window_.step() == 0; }));
  EXPECT_EQ(motorTarget(app, 0), 2);
  stepTo(0);
  EXPECT_NEAR(app.frame->axes[0].rate, 2, 1e-5);
}

TEST_F(JointAxes, PlotsHaveTheStepsOfTheSelectedBody) {
  for (std::int64_t step = 0; step < 3; ++step) stepTo(step);
  const AxisHistory& history = app.axisHistory;
  EXPECT_THAT(history.steps(), testing::ElementsAre(0, 1, 2, 3));
  ASSERT_EQ(history.lines().size(), 1U);
  EXPECT_NEAR(history.lines()[0].value.back(), app.frame->axes[0].value, 1e-12);
  const std::string text = window_.textOf(inspectorSection());
  EXPECT_NE(text.find("rate [rad/s] | 2.0000"), std::string::npos) << text;
  ASSERT_TRUE(window_.brings("Left", [&] { return window_.step() == 2; }));
  EXPECT_THAT(history.steps(), testing::ElementsAre(2)) << "the way back begins it anew";
  app.select(app.frame->scene->bodies.front().id);
  app.update();
  EXPECT_EQ(history.lines().size(), 1U) << "the post has the same joint";
  app.select({});
  app.update();
  EXPECT_TRUE(history.lines().empty());
}

TEST_F(JointAxes, TargetThatIsNoNumber_IsRefused) {
  setMotor(app, 0, NAN);
  ASSERT_TRUE(window_.updateUntil([&] { return window_.logHas("must be finite"); }));
  stepTo(0);
  EXPECT_NEAR(app.frame->axes[0].rate, 2, 1e-5);
}

}  // namespace
}  // namespace drystone::viewer::test
