#pragma once

#include <optional>

#include "collision/shape/shape.h"
#include "viewer/draw/camera.h"
#include "viewer/draw/draw_list.h"
#include "viewer/draw/draw_options.h"
#include "viewer/draw/view_frame.h"

namespace drystone::viewer {

/// Turns frames into draw lists. Keeps the meshes of the bodies' shapes and the capacity of its
/// lists from frame to frame. Not for two threads at a time.
class SceneDrawer {
 public:
  SceneDrawer();
  ~SceneDrawer();
  /// Replaces `out` by what the options ask for of the frame.
  void draw(const ViewFrame& frame, const DrawOptions& options, DrawList& out);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Box around the bodies that move, or around all bounded ones where none does; of the frame's
/// poses [m].
void sceneBounds(const ViewFrame& frame, Vec3& lower, Vec3& upper);

/// The camera of the scene's file, farther away where the picture is too narrow for what it shows
/// at 16:9; without one, a camera that shows all that moves from a good side.
Camera initialCamera(const ViewFrame& frame, Real aspect);

/// For a video: without a camera of the file, one that also shows `way`, the box around what moves
/// in any of its frames [m]. What goes farther from the box of `frame` than that is long leaves the
/// picture.
Camera initialCamera(const ViewFrame& frame, Real aspect, const Bounds& way);

/// Where the centre of mass is of the body that the scene's camera goes with [m]; none: it goes
/// with nothing.
std::optional<Vec3> followedPlace(const ViewFrame& frame);

}  // namespace drystone::viewer
