#include "viewer/window/mouse.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

namespace drystone::viewer {
namespace {

constexpr Real kTurnOfHeight = 3.2;  // a drag over the height of the view turns by that much [rad]
constexpr Real kZoomOfNotch = 0.88;  // of the wheel
constexpr float kClickSlack = 4;     // a hand moves that much while it clicks [points]

bool isInside(const Area& area, const ImVec2& at) {
  return at.x >= area.x && at.y >= area.y && at.x < area.x + area.width &&
         at.y < area.y + area.height;
}

}  // namespace

Vec3 rayAt(const AppState& app, float x, float y) {
  return app.camera.rayThrough(2 * (x - app.view.x) / app.view.width - 1,
                               1 - 2 * (y - app.view.y) / app.view.height, app.view.aspect());
}

void MouseControl::update(AppState& app) {
  const ImGuiIO& io = ImGui::GetIO();
  const bool over = isInside(app.view, io.MousePos) && !io.WantCaptureMouse;
  if (mode_ == Mode::kNone && over) {
    for (int button = 0; button < 3; ++button) {
      if (!ImGui::IsMouseClicked(button)) continue;
      begin(app, button);
      break;
    }
    if (io.MouseWheel != 0)
      app.camera.zoom(std::pow(kZoomOfNotch, static_cast<Real>(io.MouseWheel)));
  }
  // Another scene came: there is nothing to pull any more.
  if (mode_ == Mode::kPull && !app.held) mode_ = Mode::kNone;
  if (mode_ == Mode::kNone) return;
  drag(app);
  if (!ImGui::IsMouseDown(button_)) end(app);
}

void MouseControl::begin(AppState& app, int button) {
  const ImGuiIO& io = ImGui::GetIO();
  button_ = button;
  moved_ = false;
  mode_ = button == 2 || io.KeyShift ? Mode::kPan : Mode::kOrbit;
  if (button != 0 || !io.KeyCtrl) return;
  mode_ = Mode::kNone;
  // Its bodies would be taken for those of the scene that comes.
  if (app.opening()) return;
  const std::optional<Pick> pick =
      app.picker.pick(*app.frame, app.camera.position, rayAt(app, io.MousePos.x, io.MousePos.y));
  const ViewBody* body = pick ? app.frame->scene->find(pick->body) : nullptr;
  if (body == nullptr) return;
  app.draw.selected = pick->body;
  app.journal.say("picked body " + body->name);
  if (body->kind != BodyKind::kDynamic || app.status.recording) {
    app.note(app.status.recording
                 ? "a recording cannot be pulled at"
                 : fmt::format("{} does not move: it cannot be pulled", body->name));
    return;
  }
  mode_ = Mode::kPull;
  planePoint_ = pick->point;
  app.held = Drag{pick->body, pick->pointInBody, pick->point};
  app.send(*app.held);
}

void MouseControl::drag(AppState& app) {
  const ImGuiIO& io = ImGui::GetIO();
  moved_ = moved_ ||
           io.MouseDragMaxDistanceSqr[button_] > kClickSlack * kClickSlack * app.scale * app.scale;
  const Real right = io.MouseDelta.x / app.view.height, down = io.MouseDelta.y / app.view.height;
  if (mode_ == Mode::kPull) {
    if (io.MouseDelta.x != 0 || io.MouseDelta.y != 0) pullTo(app);
  } else if (moved_ && mode_ == Mode::kOrbit) {
    app.camera.orbit(kTurnOfHeight * right, kTurnOfHeight * down);
  } else if (moved_ && mode_ == Mode::kPan) {
    app.camera.pan(-right, down);
  }
}

void MouseControl::pullTo(AppState& app) {
  const ImGuiIO& io = ImGui::GetIO();
  const Vec3 forward = (app.camera.target - app.camera.position).normalized();
  const Vec3 ray = rayAt(app, io.MousePos.x, io.MousePos.y);
  const Real away = (planePoint_ - app.camera.position).dot(forward);
  app.held->target = app.camera.position + ray * (away / ray.dot(forward));
  app.send(*app.held);
}

/// Where the body was let go, so that a log shows what the spring did.
void MouseControl::tellReleased(AppState& app) {
  const auto& bodies = app.frame->snapshot.bodies;
  const auto body = std::ranges::find(bodies, app.held->body, &BodySnapshot::id);
  if (body == bodies.end()) return;
  const Vec3& at = body->centerOfMass;
  app.journal.say(fmt::format("released at {:.3f} {:.3f} {:.3f}", at.x(), at.y(), at.z()));
}

void MouseControl::end(AppState& app) {
  if (mode_ == Mode::kPull) {
    app.send(Release{});
    tellReleased(app);
    app.held.reset();
  } else if (!moved_ && button_ == 0) {
    select(app);
  }
  mode_ = Mode::kNone;
}

void MouseControl::select(AppState& app) {
  const ImGuiIO& io = ImGui::GetIO();
  const std::optional<Pick> pick =
      app.picker.pick(*app.frame, app.camera.position, rayAt(app, io.MousePos.x, io.MousePos.y));
  app.select(pick ? pick->body : BodyId{}, io.MouseClickedLastCount[0] > 1);
}

}  // namespace drystone::viewer
