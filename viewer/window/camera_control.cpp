#include "viewer/window/camera_control.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "viewer/draw/draw_scene.h"

namespace drystone::viewer {

void CameraControl::begin(AppState& app) {
  if (std::exchange(isNew_, false)) app.camera = initialCamera(*app.frame, app.view.aspect());
}

void CameraControl::update(AppState& app) {
  const auto& bodies = app.frame->snapshot.bodies;
  const BodyId wanted = app.follow ? app.draw.selected : app.carrier;
  const auto body = std::ranges::find(bodies, wanted, &BodySnapshot::id);
  if (wanted.index < 0 || body == bodies.end()) {
    followed_.reset();
    return;
  }
  if (wanted != follows_) followed_.reset();
  follows_ = wanted;
  // The first move takes a selected body into the middle, and leaves the scene's where its camera
  // has it. The others keep it there.
  const Vec3 before = app.follow ? app.camera.target : body->centerOfMass;
  const Vec3 way = body->centerOfMass - followed_.value_or(before);
  app.camera.position += way;
  app.camera.target += way;
  followed_ = body->centerOfMass;
}

namespace {

/// As many digits as it takes to read the same numbers back.
std::string vectorJson(const Vec3& v) { return fmt::format("[{}, {}, {}]", v.x(), v.y(), v.z()); }

}  // namespace

std::string cameraJson(const SceneCamera& camera) {
  return fmt::format(
      "\"camera\": {{\"position\": {}, \"target\": {}, \"up\": {}, \"field_of_view_deg\": {}}}",
      vectorJson(camera.position), vectorJson(camera.target), vectorJson(camera.up),
      camera.fieldOfViewDeg);
}

}  // namespace drystone::viewer
