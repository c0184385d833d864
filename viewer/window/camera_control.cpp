#include "viewer/window/camera_control.h"

#include <algorithm>
#include <utility>

#include "viewer/draw/draw_scene.h"

namespace drystone::viewer {

void CameraControl::begin(AppState& app) {
  if (std::exchange(isNew_, false)) app.camera = initialCamera(*app.frame, app.view.aspect());
}

void CameraControl::update(AppState& app) {
  const auto& bodies = app.frame->snapshot.bodies;
  const auto body = std::ranges::find(bodies, app.draw.selected, &BodySnapshot::id);
  if (!app.follow || body == bodies.end()) {
    followed_.reset();
    return;
  }
  // The first move takes the body into the middle, the others keep it there.
  const Vec3 way = body->centerOfMass - followed_.value_or(app.camera.target);
  app.camera.position += way;
  app.camera.target += way;
  followed_ = body->centerOfMass;
}

}  // namespace drystone::viewer
