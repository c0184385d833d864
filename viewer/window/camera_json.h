#pragma once

#include <string>

#include "scenes/scene.h"

namespace drystone::viewer {

/// The `camera` entry of a scene file (docs/scene_format.md), to be pasted there.
std::string cameraJson(const SceneCamera& camera);

}  // namespace drystone::viewer
