#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/world/world.h"
#include "scenes/scene.h"

namespace drystone {

/// A world that goes on to be built by the keys of scene files, as programs in other languages do.
/// All below throw InputError for what is wrong, and change nothing then.
struct KeyedWorld {
  World world;
  std::vector<std::string> materials = {};  ///< name of the material i + 1 of the world
  int bodyCount = 0, jointCount = 0;        ///< that were ever added, for their names
};

KeyedWorld buildKeyedWorld(const Scene& scene, SolverRegistry registry);

/// Adds a body, which is named body_N where it has no name. The name must be new.
BodyId addBody(KeyedWorld& keyed, BodyDefinition body);
/// The same from a JSON object with the keys of a body of a scene. It may name materials of the
/// world, and files relative to the working directory.
BodyId addBody(KeyedWorld& keyed, const std::string& keys);

/// Adds a joint, which is named joint_N where it has no name. The name must be new.
JointId addJoint(KeyedWorld& keyed, JointDefinition joint);
/// The same between two bodies, where they are now, from a JSON object with the keys of a joint of
/// a scene but `body_a` and `body_b`.
JointId addJoint(KeyedWorld& keyed, BodyId a, BodyId b, const std::string& keys);

/// A cable over these bodies, a point on each, where they are now, from a JSON object with the keys
/// of a cable of a scene; its points are without `body`. Returns the joint of its first span.
JointId addCable(KeyedWorld& keyed, const std::vector<BodyId>& bodies, const std::string& keys);

/// Adds a material under a new name, from a JSON object with the keys of a material of a scene.
MaterialId addMaterial(KeyedWorld& keyed, const std::string& name, const std::string& keys);

/// Changes what a body is made of, by the keys of a body of a scene but `name`, `position`,
/// `orientation`, velocities, `motion`, `forces` and `part_materials`. What is not given stays. A
/// `mass` alone scales the inertia. Another `shape` leaves the mass as it is unless a `mass` or
/// `density` is given; null: it has none any more.
void changeBody(KeyedWorld& keyed, BodyId body, const std::string& keys);
/// Changes what a joint does to a coordinate, by the keys `lower`, `upper`, `spring`, `motor` and
/// `friction`. What is not given stays; null takes one of the first four away.
void changeJoint(KeyedWorld& keyed, JointId joint, int coordinate, const std::string& keys);

/// The shape of a JSON object as a body of a scene has it; files relative to the working directory.
Shape readShapeText(const std::string& keys);

}  // namespace drystone
