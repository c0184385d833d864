#include "viewer/draw/scene_view.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <span>

#include "viewer/draw/palette.h"

namespace drystone::viewer {

const ViewBody* SceneView::find(BodyId body) const {
  const auto at = std::ranges::lower_bound(bodies, body.index, {},
                                           [](const ViewBody& known) { return known.id.index; });
  return at != bodies.end() && at->id == body ? &*at : nullptr;
}

const ViewBody* SceneView::followed() const {
  // Body i of the scene is the world's i-th.
  const auto at = std::ranges::find(bodies, camera.follow, [](const ViewBody& known) {
    return static_cast<int>(known.id.index);
  });
  return camera.follow < 0 || at == bodies.end() ? nullptr : &*at;
}

namespace {

std::atomic<std::uint64_t> sources = 0;  // given to views

/// The body's own color, or that of its material. Body i of the scene is the world's i-th.
std::optional<Color> colorOf(const Scene& scene, BodyId id) {
  const auto index = static_cast<std::size_t>(id.index);
  if (index >= scene.bodies.size()) return std::nullopt;
  SceneColor color = index < scene.bodyColors.size() ? scene.bodyColors[index] : std::nullopt;
  const MaterialId material = scene.bodies[index].material;
  if (!color && material > 0) color = scene.materials[material - 1].color;
  return color ? std::optional(rgb(*color)) : std::nullopt;
}

/// Up to the limits, or twice what the motor is asked for.
ViewAxis axisOf(const ConstJointHandle& joint, const JointDefinition& definition, int coordinate) {
  const JointAxis& axis = definition.axes[static_cast<std::size_t>(coordinate)];
  ViewAxis view = {
      .joint = joint.id(),
      .coordinate = coordinate,
      .isAngle = definition.geometry == JointGeometry::kFrames && coordinate >= kAboutX,
      .motor = std::nullopt,
      .target = {},
      .low = 0,
      .high = 0};
  if (!axis.motor) return view;
  view.motor = axis.motor->kind;
  view.target = axis.motor->target;
  Real most = 0;
  for (const Schedule::Key& key : view.target.keys()) most = std::max(most, std::abs(key.value));
  const Real reach = most > 0 ? 2 * most : 1;
  view.low = -reach;
  view.high = reach;
  if (view.motor == MotorKind::kPosition) {
    if (std::isfinite(axis.lower)) view.low = axis.lower;
    if (std::isfinite(axis.upper)) view.high = axis.upper;
  }
  return view;
}

void addAxes(const World& world, SceneView& view) {
  for (const JointId id : world.joints()) {
    const ConstJointHandle joint = world.joint(id);
    const JointDefinition definition = joint.definition();
    const auto isFree = [](const JointAxis& axis) { return !axis.isLocked(); };
    const auto axes =
        std::span(definition.axes).first(static_cast<std::size_t>(joint.coordinateCount()));
    const bool isSingle = std::ranges::count_if(axes, isFree) == 1;
    for (std::size_t i = 0; i < axes.size(); ++i) {
      if (view.axes.size() == kMostAxes) return;
      if (axes[i].motor || (isSingle && isFree(axes[i]))) {
        view.axes.push_back(axisOf(joint, definition, static_cast<int>(i)));
      }
    }
  }
}

SceneView withoutLayout(const Scene& scene, const World& world) {
  SceneView view;
  view.name = scene.name;
  view.description = scene.description;
  view.parameters = scene.parameters;
  view.gravity = world.settings().gravity;
  view.timestep = world.settings().timestep;
  view.duration = scene.duration;
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
                           .mass = body.mass(),
                           .color = colorOf(scene, id),
                           .paletteColor = id.index});
  }
  // Joint i of the scene is the world's i-th.
  for (const SceneJoint& joint : scene.joints) view.jointNames.push_back(joint.definition.name);
  for (const JointId joint : world.joints()) {
    if (joint.index >= std::ssize(view.jointNames)) view.jointNames.resize(joint.index + 1);
    view.jointNames[joint.index] = world.joint(joint).name();
  }
  addAxes(world, view);
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
    body.paletteColor = same->paletteColor;
    body.isGround = same->isGround;
    body.isWall = same->isWall;
    body.isHuge = same->isHuge;
  }
  return view;
}

}  // namespace drystone::viewer
