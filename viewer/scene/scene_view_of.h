#pragma once

#include "engine/model/world.h"
#include "viewer/scene/scene_view.h"

namespace drystone::viewer {

/// What pictures of the world need: its bodies as they are now, the names of the scene's joints,
/// broken ones too, and of those added since.
SceneView sceneViewOf(const Scene& scene, const World& world);

}  // namespace drystone::viewer
