#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "viewer/app/actions.h"
#include "viewer/app/app_state.h"
#include "viewer/app/panels/windows.h"
#include "viewer/app/style.h"
#include "viewer/app/widgets.h"

namespace drystone::viewer {
namespace {

constexpr float kSlowest = -6, kFastest = 6;  // log2 of the speed; above: as fast as it goes
constexpr double kEcho = 0.5;  // what the hand did stands so long before the simulation's word [s]

std::string speedText(float exponent) {
  if (exponent > kFastest) return "as fast as it goes";
  const double speed = std::exp2(exponent);
  return speed >= 1 ? fmt::format("{:.3g} x", speed) : fmt::format("1/{:.3g} x", 1 / speed);
}

}  // namespace

float TransportBar::height(const AppState& app) { return 44 * app.scale; }

void TransportBar::draw(AppState& app) {
  const ImVec2 window = ImGui::GetIO().DisplaySize;
  const float font = ImGui::GetFontSize();
  ImGui::SetNextWindowPos({0, window.y - height(app)});
  ImGui::SetNextWindowSize({window.x, height(app)});
  ImGui::Begin("transport", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNav);
  if (iconButton("start", Icon::kStart, "back to the start (R)")) perform(ActionId::kRestart, app);
  ImGui::SameLine();
  if (iconButton("back", Icon::kPrevious, "one step back (Left)")) perform(ActionId::kBack, app);
  ImGui::SameLine();
  if (iconButton("run", app.status.paused ? Icon::kPlay : Icon::kPause, "run or pause (Space)")) {
    perform(ActionId::kPause, app);
  }
  ImGui::SameLine();
  if (iconButton("step", Icon::kNext, "one step forward (Right)")) perform(ActionId::kStep, app);
  ImGui::SameLine(0, font);

  const bool byHand = ImGui::GetTime() < movedAt_ + kEcho;
  if (!byHand) {
    step_ = static_cast<int>(app.frame->snapshot.step);
    const double speed = app.status.speed;
    speed_ = std::isfinite(speed) ? static_cast<float>(std::log2(speed)) : kFastest + 1;
  }
  const float line = ImGui::GetFrameHeight();
  ImGui::SetCursorPosY((height(app) - line) / 2);
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(fmt::format("{:.3f} s", app.frame->snapshot.time).c_str());
  tooltip("simulated time");
  const float speedWidth = 11 * font, achieved = 6.5f * font;
  ImGui::SameLine(17.5f * font);
  ImGui::SetNextItemWidth(window.x - 17.5f * font - speedWidth - achieved - 4 * font);
  const int first = static_cast<int>(app.status.firstStep);
  const int last = std::max(first + 1, static_cast<int>(app.status.lastStep));
  if (ImGui::SliderInt("##steps", &step_, first, last, "step %d",
                       ImGuiSliderFlags_NoInput | ImGuiSliderFlags_AlwaysClamp)) {
    movedAt_ = ImGui::GetTime();
    if (!app.status.paused) app.send(Pause{});
    app.send(GoToStep{step_});
  }
  tooltip("the steps that can be gone back to");
  ImGui::SameLine(0, font);
  ImGui::SetNextItemWidth(speedWidth);
  if (ImGui::SliderFloat("##speed", &speed_, kSlowest, kFastest + 1, speedText(speed_).c_str(),
                         ImGuiSliderFlags_NoInput)) {
    movedAt_ = ImGui::GetTime();
    app.send(SetSpeed{
        speed_ > kFastest ? INFINITY : std::exp2(static_cast<double>(std::round(2 * speed_) / 2))});
  }
  tooltip("speed asked for: simulated seconds per second (+ and -)");
  ImGui::SameLine(0, font);
  ImGui::TextUnformatted(app.status.ended ? "ended"
                         : app.status.paused
                             ? "paused"
                             : fmt::format("{:.2f} x", app.status.achievedSpeed).c_str());
  tooltip("speed reached of late");
  ImGui::End();
}

}  // namespace drystone::viewer
