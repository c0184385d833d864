#include "viewer/window/widgets.h"

#include <imgui.h>

#include "tests/unit/viewer_window/headless.h"

namespace drystone::viewer::test {
namespace {

/// A field in a window of its own, and the hand at it.
class NumberField : public testing::Test {
 protected:
  /// A picture with the mouse at that share of the slider's width.
  NumberEdit at(float share, bool down) {
    ImGuiIO& io = ImGui::GetIO();
    io.MousePos = {low_.x + share * (high_.x - low_.x), 0.5f * (low_.y + high_.y)};
    io.MouseDown[0] = down;
    NumberEdit edit = NumberEdit::kNone;
    window_.picture([&] {
      ImGui::SetNextWindowPos({0, 0});
      ImGui::SetNextWindowSize({400, 200});
      ImGui::Begin("fields");
      edit = numberField(value_, {.low = 0, .high = 100, .usual = 50, .whole = true});
      low_ = ImGui::GetItemRectMin();
      high_ = ImGui::GetItemRectMax();
      ImGui::End();
    });
    return edit;
  }

  Real value_ = 50;

 private:
  Headless window_{"bounce"};
  ImVec2 low_ = {0, 0}, high_ = {0, 0};
};

TEST_F(NumberField, DraggedSlider_IsDoneWhenItIsLetGo) {
  for (int i = 0; i < 3; ++i) EXPECT_EQ(at(0.8f, false), NumberEdit::kNone);
  EXPECT_EQ(at(0.8f, true), NumberEdit::kMoving);
  EXPECT_NEAR(value_, 80, 3) << "the grab has a width";
  EXPECT_NE(at(0.8f, true), NumberEdit::kDone) << "it is still held";
  EXPECT_EQ(at(0.2f, true), NumberEdit::kMoving);
  const Real held = value_;
  EXPECT_NEAR(held, 20, 3);
  EXPECT_EQ(at(0.2f, false), NumberEdit::kDone);
  EXPECT_EQ(value_, held);
  EXPECT_EQ(at(0.2f, false), NumberEdit::kNone);
}

}  // namespace
}  // namespace drystone::viewer::test
