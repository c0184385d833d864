#include "scenes/scene_builder.h"

#include <fmt/format.h>

#include "engine/core/input_error.h"

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

World buildWorld(const Scene& scene, const SolverRegistry& registry) {
  World world(scene.settings, registry);
  addMaterials(scene, world);
  std::vector<BodyId> ids;
  ids.reserve(scene.bodies.size());
  for (const BodyDefinition& body : scene.bodies) {
    ids.push_back(naming("body", body.name, [&] { return world.addBody(body); }));
  }
  for (const SceneJoint& joint : scene.joints) {
    const BallJointDefinition definition{.name = joint.name,
                                         .bodyA = ids[joint.bodyA],
                                         .bodyB = ids[joint.bodyB],
                                         .anchorA = joint.anchorA,
                                         .anchorB = joint.anchorB,
                                         .compliance = joint.compliance,
                                         .collide = joint.collide};
    naming("joint", joint.name, [&] { return world.addJoint(definition); });
  }
  return world;
}

}  // namespace drystone
