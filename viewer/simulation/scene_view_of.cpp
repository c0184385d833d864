#include "viewer/simulation/scene_view_of.h"

namespace drystone::viewer {

std::shared_ptr<const SceneView> sceneViewOf(const Scene& scene, const World& world) {
  auto view = std::make_shared<SceneView>();
  view->name = scene.name;
  view->description = scene.description;
  const std::vector<BodyId> ids = world.bodies();
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const BodyDefinition& body = scene.bodies[i];
    view->bodies.push_back(
        {ids[i], body.name, body.kind, body.shape, body.isSensor, world.mass(ids[i])});
  }
  for (const JointId joint : world.joints()) view->jointNames.emplace_back(world.name(joint));
  view->camera = scene.camera;
  return view;
}

}  // namespace drystone::viewer
