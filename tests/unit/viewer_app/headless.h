#pragma once

#include <gmock/gmock.h>
#include <imgui.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>

#include "tests/unit/viewer_simulation/gate_solver.h"
#include "tests/unit/viewer_simulation/simulation_fixture.h"
#include "viewer/app/app_state.h"
#include "viewer/scene/draw_scene.h"

namespace drystone::viewer::test {

/// A picture in which `draw` happens.
inline void picture(const std::function<void()>& draw) {
  ImGui::NewFrame();
  try {
    draw();
  } catch (...) {
    ImGui::EndFrame();
    throw;
  }
  ImGui::EndFrame();
}

/// The viewer's state with Dear ImGui and without a window: nothing is drawn, the mouse is moved by
/// the test.
class Headless : public testing::Test {
 protected:
  Headless() {
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = {1280, 720};
    io.DeltaTime = 1.0f / 60;
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    io.Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
  }
  ~Headless() override {
    state_.reset();
    ImGui::DestroyContext();
  }

  AppState& open(const std::string& path) {
    state_ = std::make_unique<AppState>(std::make_unique<Simulation>(path, gateRegistry()),
                                        gateRegistry(), "", Open{.path = path});
    state_->view = {0, 0, 1280, 720};
    state_->update();
    state_->camera = initialCamera(*state_->frame, state_->view.aspect());
    return *state_;
  }

  /// Takes news until the condition holds; false: it never did.
  bool updateUntil(const std::function<bool()>& holds) {
    return waitUntil([&] {
      state_->update();
      return holds();
    });
  }
  bool logHas(const std::string& text) const {
    return std::ranges::any_of(state_->log, [&](const LogLine& line) {
      return line.text.find(text) != std::string::npos;
    });
  }

 private:
  std::unique_ptr<AppState> state_;
};

}  // namespace drystone::viewer::test
