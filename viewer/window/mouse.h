#pragma once

#include <optional>

#include "viewer/window/app_state.h"

namespace drystone::viewer {

/// Turns what the mouse does over the scene into camera moves, selection and the spring. Called
/// once a picture, after the panels have taken what is theirs.
class MouseControl {
 public:
  void update(AppState& app);

 private:
  enum class Mode { kNone, kOrbit, kPan, kPull };

  void begin(AppState& app, int button);
  void drag(AppState& app);
  void end(AppState& app);
  void select(AppState& app);
  void pullTo(AppState& app);
  static void tellReleased(AppState& app);

  Mode mode_ = Mode::kNone;
  int button_ = 0;
  bool moved_ = false;  ///< else it was a click
  Vec3 planePoint_ =
      Vec3::Zero();  ///< the pulled point moves in the plane of the picture through it
};

/// Direction of the ray through a point of the window [points].
Vec3 rayAt(const AppState& app, float x, float y);

}  // namespace drystone::viewer
