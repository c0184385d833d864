#pragma once

#include <memory>
#include <optional>

#include "viewer/draw/view_frame.h"

namespace drystone::viewer {

/// What a ray from the camera meets first.
struct Pick {
  BodyId body;
  Vec3 point = Vec3::Zero();        ///< world [m]
  Vec3 pointInBody = Vec3::Zero();  ///< reference frame [m]
};

/// Finds the body under the mouse, with the collision shapes and by the engine's own rays. Keeps
/// the shapes of a scene from pick to pick. Sensors are passed through, and so is what the ray
/// begins in; walls that are drawn as glass are found only where nothing is behind them.
class Picker {
 public:
  Picker();
  ~Picker();
  std::optional<Pick> pick(const ViewFrame& frame, const Vec3& from, const Vec3& direction);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace drystone::viewer
