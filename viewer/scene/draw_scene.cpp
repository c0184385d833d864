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
  MeshCache meshes;
  BodyDrawer bodies;
  ContactDrawer contacts;
  std::shared_ptr<const TriangleMeshf> ball =
      std::make_shared<const TriangleMeshf>(unitSphere(MeshDetail::kCoarse));

  void setScene(const std::shared_ptr<const SceneView>& next) {
    if (next == scene) return;
    if (!scene || scene->source != next->source) contacts.setScene();
    scene = next;
    bodies.setScene(*scene, meshes);
    meshes.dropUnused();
  }
};

SceneDrawer::SceneDrawer() : state_(std::make_unique<State>()) {}
SceneDrawer::~SceneDrawer() = default;

void SceneDrawer::draw(const ViewFrame& frame, const DrawOptions& options, DrawList& out) {
  state_->setScene(frame.scene);
  const SceneLayout& layout = frame.scene->layout;
  ListWriter writer(out, layout.origin);
  if (options.shapes) state_->bodies.drawOpaque(frame, options, writer);
  if (options.shapes) state_->bodies.drawTransparent(frame, options, writer);
  if (options.centersOfMass) drawCentersOfMass(frame, state_->ball, writer);
  state_->contacts.draw(frame, options, writer);
  if (options.joints) {
    drawJoints(frame, writer);
  } else if (options.rods) {
    drawRods(frame, writer);
  }
  if (options.bounds) drawBounds(frame, writer);
  drawSelection(frame, options, writer);
  writer.finish();
  out.version = ++versions;
  out.ground = layout.ground;
  out.ground.visible = layout.ground.visible && options.ground;
  out.boundsLower = writer.local(layout.moving.lower);
  out.boundsUpper = writer.local(layout.moving.upper);
  out.wireframe = options.wireframe;
  out.shadows = options.shadows;
}

}  // namespace drystone::viewer
