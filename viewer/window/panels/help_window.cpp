#include <fmt/format.h>
#include <imgui.h>

#include "viewer/window/actions.h"
#include "viewer/window/app_state.h"
#include "viewer/window/panels/windows.h"
#include "viewer/window/style.h"

namespace drystone::viewer {
namespace {

void row(const std::string& left, std::string_view right) {
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(left.c_str());
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(right.data(), right.data() + right.size());
}

bool beginColumns(const char* id) {
  const bool open = ImGui::BeginTable(id, 4, ImGuiTableFlags_SizingFixedFit);
  return open;
}

}  // namespace

void drawHelp(AppState& app) {
  if (!app.help) return;
  const ImVec2 window = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({window.x / 2, window.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
  if (ImGui::Begin("Keys and mouse", &app.help,
                   ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoCollapse)) {
    if (beginColumns("keys")) {
      // Down the left half, then down the right one.
      const std::span<const Action> all = actions();
      const std::size_t half = (all.size() + 1) / 2;
      for (std::size_t i = 0; i < half; ++i) {
        for (const std::size_t k : {i, i + half}) {
          if (k >= all.size()) continue;
          const Action& action = all[k];
          row(action.keys[1].empty() ? std::string(action.keys[0])
                                     : fmt::format("{}  {}", action.keys[0], action.keys[1]),
              action.help);
        }
      }
      ImGui::EndTable();
    }
    ImGui::Separator();
    if (beginColumns("mouse")) {
      for (const MouseHelp& one : mouseHelp()) row(std::string(one.how), one.help);
      ImGui::EndTable();
    }
    ImGui::TextColored(kTextDim, "%s", app.device.c_str());
  }
  ImGui::End();
}

}  // namespace drystone::viewer
