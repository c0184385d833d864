#include "viewer/draw/scene_view.h"

#include <algorithm>
#include <atomic>

namespace drystone::viewer {

const ViewBody* SceneView::find(BodyId body) const {
  const auto at = std::ranges::lower_bound(bodies, body.index, {},
                                           [](const ViewBody& known) { return known.id.index; });
  return at != bodies.end() && at->id == body ? &*at : nullptr;
}

namespace {

std::atomic<std::uint64_t> sources = 0;  // given to views

SceneView withoutLayout(const Scene& scene, const World& world) {
  SceneView view;
  view.name = scene.name;
  view.description = scene.description;
  view.parameters = scene.parameters;
  view.gravity = world.settings().gravity;
  view.timestep = world.settings().timestep;
  view.threads = world.settings().threads;
  view.camera = scene.camera;
  view.hasCamera = scene.hasCamera;
  for (const BodyId id : world.bodies()) {
    const ConstBodyHandle body = world.body(id);
    const Shape* shape = body.shape();
    view.bodies.push_back({.id = id,
                           .name = std::string(body.name()),
                           .kind = body.kind(),
                           .shape = shape != nullptr ? std::optional(*shape) : std::nullopt,
                           .isSensor = body.isSensor(),
                           .mass = body.mass()});
  }
  // Joint i of the scene is the world's i-th.
  for (const SceneJoint& joint : scene.joints) view.jointNames.push_back(joint.definition.name);
  for (const JointId joint : world.joints()) {
    if (joint.index >= std::ssize(view.jointNames)) view.jointNames.resize(joint.index + 1);
    view.jointNames[joint.index] = world.joint(joint).name();
  }
  return view;
}

}  // namespace

SceneView sceneViewOf(const Scene& scene, const World& world) {
  SceneView view = withoutLayout(scene, world);
  view.source = ++sources;
  WorldSnapshot begin;
  world.observe().snapshot(begin);
  layOut(view, begin);
  return view;
}

SceneView sceneViewOf(const Scene& scene, const World& world, const SceneView& before) {
  SceneView view = withoutLayout(scene, world);
  view.source = before.source;
  view.layout = before.layout;
  for (ViewBody& body : view.bodies) {
    const ViewBody* same = before.find(body.id);
    if (same == nullptr) continue;
    body.isGround = same->isGround;
    body.isWall = same->isWall;
    body.isHuge = same->isHuge;
  }
  return view;
}

}  // namespace drystone::viewer
