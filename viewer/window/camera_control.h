#pragma once

#include <optional>
#include <string>

#include "scenes/scene.h"
#include "viewer/window/app_state.h"

namespace drystone::viewer {

/// Moves the camera by what happens in the scene; the mouse moves it beside (mouse.h).
class CameraControl {
 public:
  /// The next picture is of another scene: it gets a camera of its own.
  void startAnew() { isNew_ = true; }
  /// Before anything looks through the camera. The view must have its place.
  void begin(AppState& app);
  /// Goes with the body that is followed.
  void update(AppState& app);

 private:
  bool isNew_ = true;
  BodyId follows_;
  std::optional<Vec3> followed_;  ///< where the body was [m]
};

/// The `camera` entry of a scene file (docs/scene_format.md), to be pasted there.
std::string cameraJson(const SceneCamera& camera);

}  // namespace drystone::viewer
