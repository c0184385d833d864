#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "scenes/scene.h"

/// Parts of a world as the JSON of a scene file, which reads them back to the last bit. Private to
/// what writes scenes.
namespace drystone {

using SceneJson = nlohmann::ordered_json;  ///< keys stay in the order in which they were added

SceneJson vectorJson(const Vec3& v);
SceneJson rotationJson(const Quat& q);
/// Adds `position` and `orientation` where they are not those of the world.
void addPoseJson(const Pose& pose, SceneJson& to);
/// Adds `mass`, `inertia` and `center_of_mass`.
void addMassJson(const MassProperties& mass, SceneJson& to);
/// The shape. Triangle meshes lie in OBJ files, which are added to `meshes`.
SceneJson shapeJson(const Shape& shape, std::vector<SceneFile>& meshes);

}  // namespace drystone
