#pragma once

#include <gmock/gmock.h>
#include <imgui.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "tests/unit/viewer_session/gate_solver.h"
#include "tests/unit/viewer_session/simulation_fixture.h"
#include "viewer/draw/draw_scene.h"
#include "viewer/window/actions.h"
#include "viewer/window/app_state.h"
#include "viewer/window/panels/section.h"

namespace drystone::viewer::test {

/// The viewer's state with Dear ImGui and without a window: nothing is drawn, keys and the mouse
/// are the test's, and what is written can be read.
class Headless {
  struct Context {
    Context() {
      IMGUI_CHECKVERSION();
      ImGui::CreateContext();
      ImGuiIO& io = ImGui::GetIO();
      io.IniFilename = nullptr;
      io.DisplaySize = {1280, 720};
      io.DeltaTime = 1.0f / 60;
      unsigned char* pixels = nullptr;
      int width = 0, height = 0;
      io.Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
      io.ClipboardUserData = &clipboard;
      io.SetClipboardTextFn = [](void* to, const char* text) {
        *static_cast<std::string*>(to) = text;
      };
      io.GetClipboardTextFn = [](void* from) {
        return static_cast<const std::string*>(from)->c_str();
      };
    }
    ~Context() { ImGui::DestroyContext(); }
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

    std::string clipboard;
  } context_;

 public:
  /// A scene of the library, a scene file or a recording.
  explicit Headless(const std::string& path)
      : Headless(std::make_unique<Simulation>(path, gateRegistry()), {.path = path}) {}
  explicit Headless(std::unique_ptr<Simulation> simulation, Open shown = {})
      : app(std::move(simulation), gateRegistry(), "", std::move(shown)) {
    app.view = {0, 0, 1280, 720};
    app.update();
    app.camera = initialCamera(*app.frame, app.view.aspect());
  }

  /// A picture in which `draw` happens.
  void picture(const std::function<void()>& draw) {
    ImGui::NewFrame();
    try {
      draw();
    } catch (...) {
      ImGui::EndFrame();
      throw;
    }
    ImGui::Render();
  }
  /// All that the window which `draw` begins says, or its items; figures as `name | value`.
  std::string textOf(const std::function<void()>& draw) {
    context_.clipboard.clear();
    picture([&] {
      ImGui::LogToClipboard();
      draw();
      ImGui::LogFinish();
    });
    return context_.clipboard;
  }
  std::string textOf(const Section& section) {
    return textOf([&] {
      ImGui::SetNextWindowSize({600, 3900});
      ImGui::Begin("side");
      section.draw(app);
      ImGui::End();
    });
  }

  void press(const std::string& key) {
    const auto action = actionOfKey(key);
    ASSERT_TRUE(action.has_value()) << key;
    perform(*action, app);
  }
  /// Takes news until the condition holds; false: it never did.
  bool updateUntil(const std::function<bool()>& holds) {
    return waitUntil([&] { return app.update(), holds(); });
  }
  /// Presses the key and waits for what it brings.
  testing::AssertionResult brings(const std::string& key, const std::function<bool()>& what) {
    press(key);
    if (updateUntil(what)) return testing::AssertionSuccess();
    return testing::AssertionFailure() << key << " did not bring it";
  }
  std::int64_t step() const { return app.frame->snapshot.step; }
  bool logHas(const std::string& text) const {
    return std::ranges::any_of(
        app.log, [&](const LogLine& line) { return line.text.find(text) != std::string::npos; });
  }

  AppState app;
};

}  // namespace drystone::viewer::test
