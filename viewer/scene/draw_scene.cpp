#include "viewer/scene/draw_scene.h"

#include <atomic>

#include "viewer/scene/draw_bodies.h"
#include "viewer/scene/draw_contacts.h"
#include "viewer/scene/draw_joints.h"
#include "viewer/scene/draw_marks.h"
#include "viewer/scene/round_meshes.h"

namespace drystone::viewer {

namespace {

std::atomic<std::uint64_t> versions = 0;  // given to lists

}  // namespace

struct SceneDrawer::State {
  std::shared_ptr<const SceneView> scene;  ///< of the last frame
  SceneLayout layout;
  MeshCache meshes;
  BodyDrawer bodies;
  ContactDrawer contacts;
  std::shared_ptr<const TriangleMeshf> ball =
      std::make_shared<const TriangleMeshf>(unitSphere(MeshDetail::kCoarse));

  void setScene(const ViewFrame& frame) {
    if (frame.scene == scene) return;
    // Bodies that came or went leave the ground where it was.
    const bool isSame = scene && scene->name == frame.scene->name;
    const SceneLayout before = std::move(layout);
    scene = frame.scene;
    layout = layoutOf(frame);
    if (isSame) {
      layout.moving = before.moving;
      layout.bodySize = before.bodySize;
      layout.ground = before.ground;
    } else {
      contacts.setScene();
    }
    bodies.setScene(*scene, layout, meshes);
    meshes.dropUnused();
  }
};

SceneDrawer::SceneDrawer() : state_(std::make_unique<State>()) {}
SceneDrawer::~SceneDrawer() = default;

void SceneDrawer::draw(const ViewFrame& frame, const DrawOptions& options, DrawList& out) {
  state_->setScene(frame);
  const SceneLayout& layout = state_->layout;
  ListWriter writer(out);
  if (options.shapes) state_->bodies.drawOpaque(frame, options, layout, writer);
  if (options.shapes) state_->bodies.drawTransparent(frame, options, layout, writer);
  if (options.centersOfMass) drawCentersOfMass(frame, layout, state_->ball, writer);
  state_->contacts.draw(frame, options, layout, writer);
  if (options.joints) drawJoints(frame, layout, writer);
  if (options.bounds) drawBounds(frame, writer);
  drawSelection(frame, options, out, writer);
  writer.finish();
  out.version = ++versions;
  out.ground = layout.ground;
  out.ground.visible = options.ground;
  const Bounds bounds = state_->bodies.shadowBounds(frame, layout);
  out.boundsLower = bounds.lower.cast<float>();
  out.boundsUpper = bounds.upper.cast<float>();
  out.wireframe = options.wireframe;
  out.shadows = options.shadows;
}

}  // namespace drystone::viewer
