#include <fmt/format.h>
#include <imgui.h>

#include <string>

#include "viewer/window/app_state.h"
#include "viewer/window/panels/windows.h"
#include "viewer/window/plot.h"
#include "viewer/window/plot_axis.h"
#include "viewer/window/style.h"
#include "viewer/window/widgets.h"

namespace drystone::viewer {
namespace {

const char* unitOf(const ViewAxis& axis) {
  const bool isRate = axis.motor == MotorKind::kVelocity;
  if (axis.isAngle) return isRate ? "rad/s" : "rad";
  return isRate ? "m/s" : "m";
}

void drawMotor(AppState& app, std::size_t index) {
  const ViewAxis& axis = app.frame->scene->axes[index];
  auto target = static_cast<float>(motorTarget(app, index));
  ImGui::SetNextItemWidth(-1);
  const std::string format = fmt::format("motor %.3g {}", unitOf(axis));
  if (ImGui::SliderFloat("##motor", &target, static_cast<float>(axis.low),
                         static_cast<float>(axis.high), format.c_str())) {
    setMotor(app, index, target);
  }
  tooltip(
      fmt::format("target of the motor, {:.3g} to {:.3g} {}; Ctrl and a click: type it. It "
                  "stays until the scene begins again",
                  axis.low, axis.high, unitOf(axis)));
}

void drawPlots(const AppState& app, const AxisHistory::Line& line) {
  const ViewAxis& axis = app.frame->scene->axes[line.axis];
  const std::vector<double>& steps = app.axisHistory.steps();
  if (steps.size() < 2) return;
  const PlotLine value{axis.isAngle ? "angle" : "way", seriesColor(0), steps, line.value, false};
  plot({.id = "value", .xLabel = "step", .unit = axis.isAngle ? "rad" : "m", .height = 80},
       {&value, 1});
  const PlotLine force{axis.motor ? "of the motor" : "of all along it", seriesColor(3), steps,
                       line.force, false};
  plot({.id = "force", .xLabel = "step", .unit = axis.isAngle ? "N m" : "N", .height = 80},
       {&force, 1});
}

}  // namespace

Real motorTarget(const AppState& app, std::size_t axis) {
  const auto set = app.motors.find(axis);
  if (set != app.motors.end()) return set->second;
  return app.frame->scene->axes[axis].target.at(app.frame->snapshot.time);
}

void setMotor(AppState& app, std::size_t axis, Real target) {
  const ViewAxis& known = app.frame->scene->axes[axis];
  app.motors[axis] = target;
  app.send(SetMotor{known.joint, known.coordinate, target});
}

void drawAxes(AppState& app, JointId joint) {
  const std::vector<ViewAxis>& axes = app.frame->scene->axes;
  for (std::size_t i = 0; i < axes.size() && i < app.frame->axes.size(); ++i) {
    if (axes[i].joint != joint) continue;
    const AxisState& now = app.frame->axes[i];
    ImGui::PushID(static_cast<int>(i));
    if (beginFigures("axis")) {
      figure(axes[i].isAngle ? "turned [rad]" : "way [m]", fmt::format("{:.4f}", now.value));
      figure(axes[i].isAngle ? "rate [rad/s]" : "rate [m/s]", fmt::format("{:.4f}", now.rate));
      figure(axes[i].isAngle ? "along it [N m]" : "along it [N]", shortNumber(now.force),
             axes[i].motor ? "of the motor" : "of all that acts along it");
      endFigures();
    }
    if (axes[i].motor) drawMotor(app, i);
    for (const AxisHistory::Line& line : app.axisHistory.lines()) {
      if (line.axis == i) drawPlots(app, line);
    }
    ImGui::PopID();
  }
}

}  // namespace drystone::viewer
