#include "viewer/draw/draw_scene.h"

#include <fmt/format.h>

#include <atomic>
#include <iterator>

#include "viewer/draw/annotations.h"
#include "viewer/draw/draw_bodies.h"
#include "viewer/draw/draw_contacts.h"
#include "viewer/draw/meshes.h"

namespace drystone::viewer {

namespace {

std::atomic<std::uint64_t> versions = 0;  // given to lists

/// How far apart the lines of the ground are, thin and thick ones. Keeps the memory of the text.
void writeGridNote(const GroundGrid& ground, std::string& out) {
  fmt::format_to(std::back_inserter(out), "grid {:g} m / {:g} m", ground.spacing,
                 10 * ground.spacing);
}

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
  out.axes = options.axes;
  out.axesNote.clear();
  if (out.axes && out.ground.visible) writeGridNote(layout.ground, out.axesNote);
  out.legends.clear();
  if (options.legends) {
    out.legends =
        legendsOf(frame, options, state_->contacts.lengthPerImpulse(options, layout.bodySize));
  }
  out.wireframe = options.wireframe;
  out.shadows = options.shadows;
}

}  // namespace drystone::viewer
