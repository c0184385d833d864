// The bar along the foot of the window: what it says of a step that takes long.
#include "tests/unit/viewer_window/headless.h"
#include "viewer/window/interface.h"

namespace drystone::viewer::test {
namespace {

constexpr const char* kBall = R"({"version": 1, "name": "ball", "solver": {"name": "gate"},
  "bodies": [
    {"name": "floor", "kind": "static", "shape": {"type": "plane"}},
    {"name": "ball", "shape": {"type": "sphere", "radius": 1}, "position": [0, 0, 1]}]})";

class Transport : public testing::Test {
 protected:
  std::string text() {
    app.update();
    return window_.textOf([&] { bar_.draw(app); });
  }
  /// Whether the bar comes to say it.
  bool says(const std::string& part) {
    return waitUntil([&] { return text().find(part) != std::string::npos; });
  }

  const TestFile file_{"transport.json", kBall};
  Headless window_{file_.path};
  AppState& app = window_.app;
  TransportBar bar_;
};

TEST_F(Transport, WorkUnderWay_IsSaidWithItsTimeOnceItIsFelt) {
  const auto since = std::chrono::steady_clock::now();
  EXPECT_EQ(workText(app, since), "");
  app.status.work = Work{"step 1: solving", since};
  const auto after = [&](int ms) { return workText(app, since + std::chrono::milliseconds(ms)); };
  EXPECT_EQ(after(200), "");
  EXPECT_EQ(after(420), "step 1: solving, 0.4 s");
  app.waiting.text = "pause";
  EXPECT_EQ(after(3210), "step 1: solving, 3.2 s (then: pause)");
}

TEST_F(Transport, StepThatTakesLong_IsSaidUntilItIsDone) {
  EXPECT_TRUE(says("step 0"));
  ClosedGate gate;
  app.send(StepBy{1});
  EXPECT_TRUE(says("step 1: solving, ")) << text();
  gate.open();
  ASSERT_TRUE(window_.updateUntil([&] { return window_.step() == 1; }));
  EXPECT_TRUE(says("step 1")) << text();
  EXPECT_EQ(text().find("solving"), std::string::npos);
}

TEST_F(Transport, WhatIsAskedForWithinALongStep_IsShownAtOnce) {
  ClosedGate gate;
  window_.press("Space");
  ASSERT_TRUE(waitUntil([] { return Gate::waiting > 0; }));
  ASSERT_TRUE(says("solving"));
  window_.press("Space");
  EXPECT_FALSE(app.plays()) << "the button is already that of a pause";
  EXPECT_NE(text().find("(then: pause)"), std::string::npos) << text();
  EXPECT_NE(text().find("pauses"), std::string::npos) << text();
  window_.press("Right");
  window_.press("B");
  EXPECT_NE(text().find("(then: pause, step, throw)"), std::string::npos) << text();
  // The second press of Space takes the first one back, and the step with it.
  window_.press("Space");
  EXPECT_TRUE(app.plays());
  gate.open();
  EXPECT_TRUE(window_.updateUntil([&] { return window_.step() > 2 && !app.status.paused; }));
}

TEST_F(Transport, OfANarrowWindow_HasTwoRows) {
  const float one = TransportBar::height(app);
  ImGui::GetIO().DisplaySize = {640, 480};
  EXPECT_GT(TransportBar::height(app), one + 15);
  const std::string all = text();
  for (const char* part : {"0.00 / 10 s", "step 0", "1 x", "paused"}) {
    EXPECT_NE(all.find(part), std::string::npos) << part << " in " << all;
  }
}

// Text is read of the first window, which is the left bar.
TEST_F(Transport, LeftBarOfANarrowWindow_HasTheSectionsOfBoth) {
  for (const Section& section : makeSections()) app.layout.open[section.key] = false;
  Interface interface;
  for (const ImVec2 size : {ImVec2(1280, 720), ImVec2(800, 600), ImVec2(640, 480)}) {
    ImGui::GetIO().DisplaySize = size;
    interface.place(app);
    const std::string all = window_.textOf([&] { interface.draw(app); });
    for (const Section& section : makeSections()) {
      EXPECT_EQ(all.find(section.title) != std::string::npos, section.isLeft || size.x < 700)
          << section.title << " at " << size.x << ": " << all;
    }
  }
}

}  // namespace
}  // namespace drystone::viewer::test
