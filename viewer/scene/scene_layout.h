#pragma once

#include <vector>

#include "collision/collision_world.h"
#include "viewer/scene/draw_list.h"
#include "viewer/scene/view_frame.h"

namespace drystone::viewer {

/// What of a picture follows from the scene as a whole, and stays while bodies move.
struct SceneLayout {
  Bounds moving;      ///< of what moves, as it began [m]
  Real bodySize = 1;  ///< half the longest side of the median dynamic body [m]
  GroundGrid ground;
  /// [SceneView::bodies] flat static bodies in whose place the ground is drawn.
  std::vector<std::uint8_t> isGround;
  /// [SceneView::bodies] planes so steep, and static boxes so tall beside what moves, that they
  /// hide the scene from one side.
  std::vector<std::uint8_t> isWall;
  /// [SceneView::bodies] statics so large that shadows of them would cover everything.
  std::vector<std::uint8_t> isHuge;
};

/// Of a frame; best of the first one of its scene.
SceneLayout layoutOf(const ViewFrame& frame);

/// The power of ten times 1, 2 or 5 nearest below `length` > 0.
Real niceSpacing(Real length);

}  // namespace drystone::viewer
