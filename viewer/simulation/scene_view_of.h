#pragma once

#include <memory>

#include "engine/model/world.h"
#include "viewer/scene/scene_view.h"

namespace drystone::viewer {

/// What stays of a scene and the world that was built from it.
std::shared_ptr<const SceneView> sceneViewOf(const Scene& scene, const World& world);

}  // namespace drystone::viewer
