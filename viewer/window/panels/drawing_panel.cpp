#include <fmt/format.h>
#include <imgui.h>

#include "viewer/window/app_state.h"
#include "viewer/window/panels/section.h"
#include "viewer/window/slider_scale.h"
#include "viewer/window/widgets.h"

namespace drystone::viewer {
namespace {

struct Switch {
  const char* name;
  bool DrawOptions::*value;
  const char* help;
};
constexpr Switch kSwitches[] = {
    {"contact points", &DrawOptions::contactPoints, "C"},
    {"normals", &DrawOptions::contactNormals, "C"},
    {"impulses", &DrawOptions::impulses,
     "F: on the upper body of each contact; on both where their normal is level"},
    {"friction cones", &DrawOptions::cones, ""},
    {"joints", &DrawOptions::joints, "frames of the joints"},
    {"rods", &DrawOptions::rods, "distance joints, where joints are not drawn"},
    {"boxes", &DrawOptions::bounds, "axis-aligned bounding boxes"},
    {"mass centers", &DrawOptions::centersOfMass, ""},
    {"bodies", &DrawOptions::shapes, ""},
    {"shadows", &DrawOptions::shadows, ""},
    {"ground grid", &DrawOptions::ground, ""},
    {"wireframe", &DrawOptions::wireframe, "W"},
    {"transparent", &DrawOptions::transparent, "T"},
    {"axes", &DrawOptions::axes, "of the world, and how far apart the lines of the grid are"},
    {"legends", &DrawOptions::legends, "what colors and arrows mean"},
};

template <class Enum>
void combo(const char* label, Enum& value, const char* names) {
  int index = static_cast<int>(value);
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(label);
  ImGui::SameLine(6.2f * ImGui::GetFontSize());
  ImGui::SetNextItemWidth(-1);
  ImGui::PushID(label);
  if (ImGui::Combo("##value", &index, names)) value = static_cast<Enum>(index);
  ImGui::PopID();
}

void logSlider(const char* id, Real& value, Real low, Real high, const std::string& text) {
  const SliderScale scale(low, high, low, false);
  auto position = static_cast<float>(scale.position(value));
  if (ImGui::SliderFloat(id, &position, 0, 1, text.c_str(), ImGuiSliderFlags_NoInput)) {
    value = scale.value(position);
  }
}

void drawDrawing(AppState& app) {
  DrawOptions& options = app.draw;
  if (ImGui::BeginTable("switches", 2)) {
    for (const Switch& one : kSwitches) {
      ImGui::TableNextColumn();
      ImGui::Checkbox(one.name, &(options.*one.value));
      tooltip(one.help);
    }
    ImGui::EndTable();
  }
  combo("Bodies", options.bodies, "one by one\0by island\0by speed\0");
  ContactColoring shown = app.drawn().contacts;
  ImGui::BeginDisabled(app.status.recording);
  combo("Contacts", shown, "by residual\0by state\0by graph color\0");
  ImGui::EndDisabled();
  tooltip(app.status.recording ? "a recording holds neither residuals nor the contact graph" : "");
  if (!app.status.recording) options.contacts = shown;
  const float half = (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x) / 2;
  if (shown == ContactColoring::kResidual) {
    ImGui::Checkbox("automatic range", &options.residualAuto);
    tooltip("whole decades around the residuals of late");
    // By hand it goes on from there.
    if (options.residualAuto) {
      options.residualLow = app.drawn().residualLow;
      options.residualHigh = app.drawn().residualHigh;
    }
    ImGui::BeginDisabled(options.residualAuto);
    ImGui::SetNextItemWidth(half);
    logSlider("##low", options.residualLow, 1e-16, 1,
              fmt::format("{:.0e} m/s", options.residualLow));
    tooltip("residual of the darkest color");
    ImGui::SameLine();
    ImGui::SetNextItemWidth(half);
    logSlider("##high", options.residualHigh, 1e-16, 1,
              fmt::format("{:.0e} m/s", options.residualHigh));
    tooltip("residual of the lightest color");
    options.residualHigh = std::max(options.residualHigh, 10 * options.residualLow);
    ImGui::EndDisabled();
  }
  ImGui::SetNextItemWidth(-1);
  logSlider("##scale", options.forceScale, 0.01, 100,
            fmt::format("arrows {:.2g} x", options.forceScale));
  tooltip("length of arrows and cones");
}

}  // namespace

Section drawingSection() { return {"drawing", "Drawing", true, false, &drawDrawing}; }

}  // namespace drystone::viewer
