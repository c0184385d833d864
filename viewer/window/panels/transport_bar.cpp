#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>

#include "engine/model/solver_presets.h"
#include "viewer/window/actions.h"
#include "viewer/window/app_state.h"
#include "viewer/window/panels/windows.h"
#include "viewer/window/style.h"
#include "viewer/window/widgets.h"

namespace drystone::viewer {
namespace {

constexpr float kSlowest = -6, kFastest = 6;  // log2 of the speed; above: as fast as it goes
constexpr double kEcho = 0.5;  // what the hand did stands so long before the simulation's word [s]
constexpr double kFelt = 0.3;  // what takes longer is said [s]
constexpr double kSlower = 1.1;  // than asked for, from which on it is said
constexpr float kOneRow = 760;   // width from which on one row holds all [points]
constexpr float kOneRowHeight = 44, kTwoRowsHeight = 72;  // [points]
constexpr int kSomeSteps = 100;                           // of a time line that has one step as yet
const ImVec4 kWorking{1.00f, 0.93f, 0.80f, 1};

std::string speedText(float exponent) {
  if (exponent > kFastest) return "as fast as it goes";
  const double speed = std::exp2(exponent);
  return speed >= 1 ? fmt::format("{:.3g} x", speed) : fmt::format("1/{:.3g} x", 1 / speed);
}

std::string paceText(const AppState& app) {
  if (app.plays() != !app.status.paused) return app.plays() ? "starts" : "pauses";
  if (app.status.ended) return "ended";
  if (app.status.paused) return "paused";
  const double reached = app.status.achievedSpeed, asked = app.status.speed;
  const double slower = std::isfinite(asked) && reached > 0 ? asked / reached : 1;
  if (slower < kSlower) return fmt::format("{:.2f} x", reached);
  return fmt::format("{:.1f} x slower", slower);
}

/// What to do about steps that take longer than the time that they simulate.
std::string paceHelp(const AppState& app) {
  std::string help =
      fmt::format("{:.3g} simulated seconds a second of late", app.status.achievedSpeed);
  if (app.status.recording || app.status.paused) return help;
  return help + fmt::format(
                    "; a step simulates {:.3g} ms. Click: the preset realtime, which solves "
                    "for half of that at most",
                    1e3 * app.frame->scene->timestep);
}

void useRealtime(AppState& app) {
  if (app.status.recording) return;
  SolverChoice choice = app.solver;
  applyPreset(solverPreset("realtime"), app.frame->scene->timestep, choice);
  app.setSolver(choice);
  app.note("preset realtime: steps that miss the tolerance are kept, and said to");
}

/// As the format of a slider, which has a sign for its value.
std::string literal(const std::string& text) {
  std::string format;
  for (const char c : text) format += c == '%' ? "%%" : std::string(1, c);
  return format;
}

/// What is less high than the buttons goes beside their middle.
void centerInRow() {
  ImGui::SetCursorPosY(ImGui::GetStyle().WindowPadding.y +
                       (iconButtonSide() - ImGui::GetFrameHeight()) / 2);
}

bool isNarrow(const AppState& app) { return ImGui::GetIO().DisplaySize.x < kOneRow * app.scale; }

}  // namespace

std::string workText(const AppState& app, std::chrono::steady_clock::time_point now) {
  if (!app.status.work) return "";
  const std::chrono::duration<double> took = now - app.status.work->since;
  if (took.count() < kFelt) return "";
  std::string text = fmt::format("{}, {:.1f} s", app.status.work->text, took.count());
  if (!app.waiting.text.empty()) text += fmt::format(" (then: {})", app.waiting.text);
  return text;
}

float TransportBar::height(const AppState& app) {
  return (isNarrow(app) ? kTwoRowsHeight : kOneRowHeight) * app.scale;
}

void TransportBar::draw(AppState& app) {
  const ImVec2 window = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({0, window.y - height(app)});
  ImGui::SetNextWindowSize({window.x, height(app)});
  ImGui::Begin("transport", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNav);
  if (ImGui::GetTime() >= movedAt_ + kEcho) {
    step_ = static_cast<int>(app.frame->snapshot.step);
    const double speed = app.speed();
    speed_ = std::isfinite(speed) ? static_cast<float>(std::log2(speed)) : kFastest + 1;
  }
  const float font = ImGui::GetFontSize();
  const float speed = 11 * font, pace = 6.5f * font, left = 21 * font;
  drawButtons(app);
  if (isNarrow(app)) {
    ImGui::SameLine(left);
    centerInRow();
    drawSpeed(app, window.x - left - pace - 3 * font);
    drawSteps(app, -1);
  } else {
    ImGui::SameLine(left);
    centerInRow();
    drawSteps(app, window.x - left - speed - pace - 4 * font);
    ImGui::SameLine(0, font);
    drawSpeed(app, speed);
  }
  ImGui::End();
}

void TransportBar::drawButtons(AppState& app) {
  if (iconButton("start", Icon::kStart, "back to the start (R)")) perform(ActionId::kRestart, app);
  ImGui::SameLine();
  if (iconButton("back", Icon::kPrevious, "one step back (Left)")) perform(ActionId::kBack, app);
  ImGui::SameLine();
  if (iconButton("run", app.plays() ? Icon::kPause : Icon::kPlay, "run or pause (Space)")) {
    perform(ActionId::kPause, app);
  }
  ImGui::SameLine();
  if (iconButton("step", Icon::kNext, "one step forward (Right)")) perform(ActionId::kStep, app);
  ImGui::SameLine(0, ImGui::GetFontSize());
  centerInRow();
  ImGui::AlignTextToFramePadding();
  const SceneView& scene = *app.frame->scene;
  const double now = app.frame->snapshot.time;
  const bool isOver = !app.status.recording && now >= scene.duration;
  const std::string end = app.status.recording ? "" : fmt::format(" / {:g}", scene.duration);
  if (isOver) ImGui::PushStyleColor(ImGuiCol_Text, kTextDim);
  ImGui::TextUnformatted(
      fmt::format("{:.2f}{} s{}", now, end, app.status.loops ? ", again" : "").c_str());
  if (isOver) ImGui::PopStyleColor();
  tooltip("simulated time, of that which the scene is meant for; O: begin again at its end");
}

/// The time line; what takes long stands on it.
void TransportBar::drawSteps(AppState& app, float width) {
  const int first = static_cast<int>(app.status.firstStep);
  // ImGui draws the grip as wide as the share of one step: of a single step it would be all of it.
  const bool single = app.status.lastStep <= app.status.firstStep;
  const int last = single ? first + kSomeSteps : static_cast<int>(app.status.lastStep);
  const std::string work = workText(app, std::chrono::steady_clock::now());
  if (!work.empty()) ImGui::PushStyleColor(ImGuiCol_FrameBg, kWorking);
  ImGui::SetNextItemWidth(width);
  const std::string format = work.empty() ? "step %d" : literal(work);
  ImGui::BeginDisabled(single);
  if (ImGui::SliderInt("##steps", &step_, first, last, format.c_str(),
                       ImGuiSliderFlags_NoInput | ImGuiSliderFlags_AlwaysClamp)) {
    movedAt_ = ImGui::GetTime();
    if (app.plays()) app.send(Pause{});
    app.send(GoToStep{step_});
  }
  ImGui::EndDisabled();
  // Above the bar, where it hides nothing of it.
  tooltipAbove(work.empty() ? fmt::format("steps {} to {} are kept and can be gone back to", first,
                                          app.status.lastStep)
                            : work);
  if (!work.empty()) ImGui::PopStyleColor();
}

void TransportBar::drawSpeed(AppState& app, float width) {
  ImGui::SetNextItemWidth(width);
  if (ImGui::SliderFloat("##speed", &speed_, kSlowest, kFastest + 1, speedText(speed_).c_str(),
                         ImGuiSliderFlags_NoInput)) {
    movedAt_ = ImGui::GetTime();
    app.send(SetSpeed{
        speed_ > kFastest ? INFINITY : std::exp2(static_cast<double>(std::round(2 * speed_) / 2))});
  }
  tooltipAbove("speed asked for: simulated seconds per second (+ and -)");
  ImGui::SameLine(0, ImGui::GetFontSize());
  ImGui::AlignTextToFramePadding();
  const std::string pace = paceText(app);
  const bool isSlow = pace.ends_with("slower");
  if (isSlow) ImGui::PushStyleColor(ImGuiCol_Text, kTextBad);
  ImGui::TextUnformatted(pace.c_str());
  if (isSlow) ImGui::PopStyleColor();
  if (ImGui::IsItemClicked() && isSlow) useRealtime(app);
  tooltipAbove(paceHelp(app));
}

}  // namespace drystone::viewer
