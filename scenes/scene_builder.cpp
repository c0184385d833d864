#include "scenes/scene_builder.h"

#include <fmt/format.h>

#include <utility>

#include "core/input_error.h"

namespace drystone {
namespace {

/// Runs one call of the engine and puts the name of what it was for before its complaint, unless
/// that starts with it already.
template <class Call>
auto naming(std::string_view kind, const std::string& name, Call&& call) {
  try {
    return call();
  } catch (const InputError& error) {
    const std::string start = fmt::format("{} '{}': ", kind, name);
    std::vector<std::string> problems = error.problems();
    for (std::string& problem : problems) {
      if (!problem.starts_with(start)) problem.insert(0, start);
    }
    throw InputError(std::move(problems));
  }
}

void addMaterials(const Scene& scene, World& world) {
  // Material 0 of the world is its default one, so scene material i becomes i + 1.
  for (const SceneMaterial& entry : scene.materials) {
    naming("material", entry.name, [&] { return world.addMaterial(entry.material); });
  }
  for (const SceneMaterialPair& pair : scene.pairs) {
    world.setMaterialPair(pair.a + 1, pair.b + 1, pair.material);
  }
}

}  // namespace

World buildWorld(const Scene& scene, SolverRegistry registry) {
  World world(scene.settings, std::move(registry));
  addMaterials(scene, world);
  std::vector<BodyId> ids;
  ids.reserve(scene.bodies.size());
  for (const BodyDefinition& body : scene.bodies) {
    ids.push_back(naming("body", body.name, [&] { return world.addBody(body); }));
  }
  std::vector<JointId> joints;
  joints.reserve(scene.joints.size());
  for (const SceneJoint& joint : scene.joints) {
    JointDefinition definition = joint.definition;
    if (definition.name.empty()) definition.name = fmt::format("joint_{}", joints.size());
    if (joint.bodyA >= 0) definition.bodyA = ids[joint.bodyA];
    if (joint.bodyB >= 0) definition.bodyB = ids[joint.bodyB];
    if (joint.gear1 >= 0) definition.gear1 = joints[joint.gear1];
    if (joint.gear2 >= 0) definition.gear2 = joints[joint.gear2];
    if (joint.cable >= 0) definition.cable = joints[joint.cable];
    joints.push_back(naming("joint", definition.name, [&] { return world.addJoint(definition); }));
  }
  if (scene.forcePlates.empty()) return world;
  std::vector<ForcePlateDefinition> plates;
  for (const SceneForcePlate& plate : scene.forcePlates) {
    ForcePlateDefinition definition = plate.definition;
    definition.body = ids[plate.body];
    if (plate.other >= 0) definition.other = ids[plate.other];
    plates.push_back(std::move(definition));
  }
  world.setForcePlates(std::move(plates));
  return world;
}

}  // namespace drystone
