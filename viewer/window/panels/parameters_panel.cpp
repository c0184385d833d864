#include <fmt/format.h>
#include <imgui.h>

#include <cmath>
#include <string>

#include "core/parallel.h"
#include "viewer/window/app_state.h"
#include "viewer/window/panels/section.h"
#include "viewer/window/widgets.h"

namespace drystone::viewer {
namespace {

constexpr Real kLeastTimestep = 1e-6, kMostTimestep = 1;     // of the slider [s]
constexpr Real kLeastTolerance = 1e-6, kMostTolerance = 10;  // of the sliders [m]
constexpr Real kUsualTolerance = 0.01;     // [m] of bodies of 1 m, as StepReport has it
constexpr Real kUsualTimestep = 1.0 / 60;  // [s] as WorldSettings has it

/// Name in the left column; the field goes into the right one.
void label(const std::string& name, const std::string& help) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(name.c_str());
  tooltip(help);
  ImGui::TableNextColumn();
}

/// What a scene is read with: each change reads it anew and begins it again.
class ParametersPanel {
 public:
  void draw(AppState& app) {
    if (app.status.recording) {
      drawRecorded(app);
      return;
    }
    if (!app.opening() && !ImGui::IsAnyItemActive()) moved_.clear();
    dimText("A change begins the scene again, with the solver as it is.");
    // They would be those of a scene that is about to go.
    ImGui::BeginDisabled(app.openingAnother());
    drawFields(app);
    ImGui::EndDisabled();
  }

 private:
  void drawFields(AppState& app) {
    const SceneView& scene = *app.frame->scene;
    if (!ImGui::BeginTable("parameters", 2)) return;
    ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthStretch, 1.15f);
    ImGui::TableSetupColumn("value", ImGuiTableColumnFlags_WidthStretch, 1);
    for (const SceneParameter& one : scene.parameters) {
      drawNumber(app, "scene." + one.name, one.name,
                 fmt::format("{}\n{:g} to {:g}", one.description, one.minimum, one.maximum),
                 one.value,
                 {.low = one.minimum,
                  .high = one.maximum,
                  .usual = one.defaultValue,
                  .whole = one.integer});
    }
    drawGravity(app);
    drawNumber(
        app, "world.timestep", "timestep", "of a step [s]", scene.timestep,
        {.low = kLeastTimestep, .high = kMostTimestep, .usual = kUsualTimestep, .unit = "s"});
    drawFriction(app);
    drawTolerances(app);
    drawNumber(app, "world.threads", "threads", "the result does not depend on them", scene.threads,
               {.low = 1,
                .high = std::max<Real>({2, Real(availableThreads()), Real(scene.threads)}),
                .usual = 1,
                .whole = true});
    ImGui::EndTable();
    if (app.lastAsked().changes.empty()) return;
    if (ImGui::Button("As the scene has it")) app.unchange();
    tooltip("takes all changes of this section back");
  }

  /// While another value is on its way, the one that is shown is news too.
  static bool isNews(const AppState& app, bool differs) { return differs || app.opening(); }

  void drawNumber(AppState& app, const std::string& key, const std::string& name,
                  const std::string& help, Real present, const NumberRange& range) {
    label(name, help);
    // What the hand is at, or the simulation has not taken yet.
    Real value = moved_ == key ? value_ : present;
    ImGui::PushID(key.c_str());
    const NumberEdit edit = numberField(value, range);
    ImGui::PopID();
    if (edit == NumberEdit::kNone) return;
    moved_ = key;
    value_ = value;
    if (edit == NumberEdit::kDone && isNews(app, value != present)) {
      app.change({key, fmt::format("{}", value)});
    }
  }

  void drawGravity(AppState& app) {
    label("gravity", "[m/s²], x, y and z");
    const Vec3& present = app.frame->scene->gravity;
    Vec3 value = moved_ == "gravity" ? gravity_ : present;
    ImGui::SetNextItemWidth(-1);
    ImGui::InputScalarN("##gravity", ImGuiDataType_Double, value.data(), 3, nullptr, nullptr,
                        "%.4g");
    if (ImGui::IsItemEdited()) {
      moved_ = "gravity";
      gravity_ = value;
    }
    if (!ImGui::IsItemDeactivatedAfterEdit()) return;
    if (value.allFinite() && isNews(app, value != present)) {
      app.change({"world.gravity", fmt::format("[{}, {}, {}]", value.x(), value.y(), value.z())});
    }
  }

  /// Those of the last step: unless the scene has its own, they are known from the first step on.
  void drawTolerances(AppState& app) {
    if (!app.frame->hasReport()) return;
    const StepReport& report = app.frame->report;
    const auto draw = [&](const char* key, const char* name, const char* help, Real present) {
      if (!(present < kMostTolerance)) return;  // no dynamic body gives it a size
      drawNumber(
          app, key, name, help, present,
          {.low = kLeastTolerance, .high = kMostTolerance, .usual = kUsualTolerance, .unit = "m"});
    };
    draw("world.joint_tolerance", "joint tolerance", "joint error of a step that is met [m]",
         report.jointTolerance);
    draw("world.overlap_tolerance", "overlap tolerance", "overlap of a step that is met [m]",
         report.overlapTolerance);
  }

  static void drawFriction(AppState& app) {
    label("friction", "model of the contacts");
    const FrictionModel present = app.frame->friction;
    const SolverTraits& traits = app.registry.traits(app.solver.name);
    ImGui::SetNextItemWidth(-1);
    if (!ImGui::BeginCombo("##friction", std::string(frictionModelName(present)).c_str())) return;
    for (int i = 0; i < kFrictionModelCount; ++i) {
      const auto model = static_cast<FrictionModel>(i);
      const std::string name(frictionModelName(model));
      ImGui::BeginDisabled(!traits.supports(model));
      if (ImGui::Selectable(name.c_str(), model == present) && isNews(app, model != present)) {
        app.change({"world.friction", name});
      }
      ImGui::EndDisabled();
      if (!traits.supports(model)) tooltip(app.solver.name + " does not solve it");
    }
    ImGui::EndCombo();
  }

  static void drawRecorded(const AppState& app) {
    const SceneView& scene = *app.frame->scene;
    if (!beginFigures("recorded")) return;
    for (const SceneParameter& one : scene.parameters) {
      figure(one.name.c_str(), fmt::format("{:g}", one.value), one.description.c_str());
    }
    const Vec3& g = scene.gravity;
    figure("gravity [m/s²]", fmt::format("{:g}, {:g}, {:g}", g.x(), g.y(), g.z()));
    figure("timestep [s]", fmt::format("{:.6g}", scene.timestep));
    figure("friction", std::string(frictionModelName(app.frame->friction)));
    endFigures();
  }

  std::string moved_;  // key of the field that is moved, or has been and is not answered yet
  Real value_ = 0;     // of it
  Vec3 gravity_ = Vec3::Zero();
};

}  // namespace

Section parametersSection() {
  return {"parameters", "Parameters", true, false,
          [panel = ParametersPanel()](AppState& app) mutable { panel.draw(app); }};
}

}  // namespace drystone::viewer
