#include "viewer/scene/scene_view_of.h"

namespace drystone::viewer {

SceneView sceneViewOf(const Scene& scene, const World& world) {
  SceneView view;
  view.name = scene.name;
  view.description = scene.description;
  view.camera = scene.camera;
  view.hasCamera = scene.hasCamera;
  for (const BodyId body : world.bodies()) {
    const Shape* shape = world.shape(body);
    view.bodies.push_back({.id = body,
                           .name = std::string(world.name(body)),
                           .kind = world.kind(body),
                           .shape = shape != nullptr ? std::optional(*shape) : std::nullopt,
                           .isSensor = world.isSensor(body),
                           .mass = world.mass(body)});
  }
  // Joint i of the scene is the world's i-th.
  for (const SceneJoint& joint : scene.joints) view.jointNames.push_back(joint.definition.name);
  for (const JointId joint : world.joints()) {
    if (joint.index >= std::ssize(view.jointNames)) view.jointNames.resize(joint.index + 1);
    view.jointNames[joint.index] = world.name(joint);
  }
  return view;
}

}  // namespace drystone::viewer
