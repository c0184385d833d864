#pragma once

#include <imgui.h>

#include <string>

#include "viewer/app/app_state.h"
#include "viewer/app/panels/section.h"

namespace drystone::viewer::test {

/// Dear ImGui without a window: panels write their text into its log.
class PanelContext {
 public:
  PanelContext() {
    IMGUI_CHECKVERSION();
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = {1200, 4000};
    io.IniFilename = nullptr;
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    io.Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
    io.ClipboardUserData = &clipboard_;
    io.SetClipboardTextFn = [](void* to, const char* text) {
      *static_cast<std::string*>(to) = text;
    };
  }
  ~PanelContext() { ImGui::DestroyContext(); }
  PanelContext(const PanelContext&) = delete;
  PanelContext& operator=(const PanelContext&) = delete;

  /// All that the section says, figures as `name | value`.
  std::string textOf(const Section& section, AppState& app) {
    clipboard_.clear();
    ImGui::NewFrame();
    ImGui::SetNextWindowSize({600, 3900});
    ImGui::Begin("side");
    ImGui::LogToClipboard();
    section.draw(app);
    ImGui::LogFinish();
    ImGui::End();
    ImGui::Render();
    return clipboard_;
  }

 private:
  std::string clipboard_;
};

}  // namespace drystone::viewer::test
