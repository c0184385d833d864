#pragma once

#include "engine/world/world.h"
#include "viewer/draw/scene_view.h"

namespace drystone::viewer {

/// What pictures of the world need as it begins: its bodies as they are now, the names of the
/// scene's joints, broken ones too, and of those added since.
SceneView sceneViewOf(const Scene& scene, const World& world);

/// The same where bodies of `before` came or went: it stays laid out as it was.
SceneView sceneViewOf(const Scene& scene, const World& world, const SceneView& before);

}  // namespace drystone::viewer
