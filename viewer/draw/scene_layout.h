#pragma once

#include "collision/collision_world.h"
#include "engine/observe/snapshot.h"
#include "viewer/draw/draw_list.h"

namespace drystone::viewer {

struct SceneView;

/// What of a picture follows from the scene as a whole, and stays while bodies move, come and go.
struct SceneLayout {
  Bounds moving;      ///< of what moves, as it began [m]
  Real bodySize = 1;  ///< half the longest side of the median dynamic body [m]
  /// Lists hold places less this one [m]: single precision resolves the scene wherever it lies.
  /// Whole squares of the ground away from the world's origin; zero for scenes around it.
  Vec3 origin = Vec3::Zero();
  GroundGrid ground;
};

/// Lays out the scene as it begins: its layout, and which bodies are ground, walls and huge.
void layOut(SceneView& scene, const WorldSnapshot& begin);

/// The power of ten times 1, 2 or 5 nearest below `length` > 0.
Real niceSpacing(Real length);

}  // namespace drystone::viewer
