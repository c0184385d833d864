#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "scenes/scene.h"

/// Parts of a world as the JSON of a scene file, which reads them back to the last bit. Private to
/// what writes scenes.
namespace drystone {

using SceneJson = nlohmann::ordered_json;  ///< keys stay in the order in which they were added

/// A list of x, y, z.
SceneJson vectorJson(const Vec3& v);
/// A quaternion as w, x, y, z; half a turn as axis and angle, since readers warn of w = 0.
SceneJson rotationJson(const Quat& q);

/// Adds `position` and `orientation` where they are not those of the world.
void addPoseJson(const Pose& pose, SceneJson& to);

/// Adds `mass`, `inertia` and `center_of_mass`. Products of inertia are there where one is not
/// zero.
void addMassJson(const MassProperties& mass, SceneJson& to);

/// The shape, with its type. Triangle meshes lie in OBJ files, which are added to `meshes` under
/// names that the JSON has. Readers get them as SceneReadOptions::attachments.
SceneJson shapeJson(const Shape& shape, std::vector<SceneFile>& meshes);

}  // namespace drystone
