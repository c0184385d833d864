// Pictures of scenes as they are drawn, list and camera together.
#include <gtest/gtest.h>

#include "scenes/scene_builder.h"
#include "scenes/scene_reader.h"
#include "solvers/default_registry.h"
#include "tests/unit/viewer_render/pictures.h"
#include "viewer/draw/draw_scene.h"
#include "viewer/draw/scene_view.h"

namespace drystone::viewer::test {
namespace {

/// A box on a box on a table beside which a ball falls, all of it at a place.
ViewFrame tableAt(const Vec3& place) {
  const Scene scene = readSceneText(R"({"version": 1, "name": "table", "bodies": [
    {"name": "table", "kind": "static", "shape": {"type": "box", "half_extents": [2, 2, 0.1]},
     "position": [0, 0, -0.1]},
    {"name": "a", "shape": {"type": "box", "half_extents": [0.5, 0.5, 0.5]},
     "position": [0, 0, 0.5]},
    {"name": "b", "shape": {"type": "sphere", "radius": 0.4}, "position": [0, 0, 1.4]},
    {"name": "lost", "shape": {"type": "sphere", "radius": 0.2}, "position": [5, 0, 1]}]})",
                                    "table.json");
  static const SolverRegistry registry = makeDefaultRegistry();
  World world = buildWorld(scene, registry);
  for (const BodyId body : world.bodies()) {
    Pose pose = world.body(body).pose();
    pose.position += place;
    world.body(body).setPose(pose);
  }
  ViewFrame frame;
  frame.scene = std::make_shared<const SceneView>(sceneViewOf(scene, world));
  world.observe().snapshot(frame.snapshot);
  return frame;
}

Camera tableCamera(const Vec3& place) {
  Camera camera;
  camera.position = place + Vec3(6, -6, 4);
  camera.target = place + Vec3(0, 0, 0.7);
  return camera;
}

Image picture(const ViewFrame& frame, const Camera& camera) {
  SceneDrawer drawer;
  DrawList list;
  drawer.draw(frame, {}, list);
  return CheckedRenderer().render(list, camera);
}

// 100 s of free fall.
TEST(ScenePicture, BodyThatFellAway_ChangesNothingOfTheOthers) {
  ViewFrame frame = tableAt(Vec3::Zero());
  frame.snapshot.bodies.back().pose.position = {5, 0, -49e3};
  const Image with = picture(frame, tableCamera(Vec3::Zero()));
  frame.snapshot.bodies.pop_back();
  EXPECT_EQ(with.pixels, picture(frame, tableCamera(Vec3::Zero())).pixels);
}

TEST(ScenePicture, AThousandKilometresAway_IsThatAtTheOrigin) {
  const Vec3 away(1e6, -1e6, 1e6);
  const Image there = picture(tableAt(away), tableCamera(away));
  const Image here = picture(tableAt(Vec3::Zero()), tableCamera(Vec3::Zero()));
  const Difference difference = differenceOf(there, here);
  EXPECT_TRUE(looksTheSame(difference)) << difference.mean << " " << difference.shareOff;
}

// Seen from afar with few faces, while the sun's map has room for finer ones: these would throw
// shadows on them. The list is kept while the camera goes away.
TEST(ScenePicture, BallThatIsSmallInThePicture_ThrowsNoShadowOnItsFaces) {
  ViewFrame frame = tableAt(Vec3::Zero());
  auto& bodies = frame.snapshot.bodies;
  bodies.erase(bodies.begin(), bodies.end() - 1);
  RenderSettings coarse = windowSettingsFor("llvmpipe");
  coarse.debug = true;
  CheckedRenderer renderer(kWidth, kHeight, coarse);
  Camera camera;
  camera.target = bodies[0].pose.position;
  Image images[2];
  for (const bool shadows : {false, true}) {
    DrawOptions options;
    options.ground = false;
    options.shadows = shadows;
    SceneDrawer drawer;
    DrawList list;
    drawer.draw(frame, options, list);
    for (const Real distance : {1.0, 2.0}) {
      camera.position = camera.target + distance * Vec3(1, -1, 0.7);
      images[shadows] = renderer.render(list, camera);
    }
  }
  ASSERT_GT(countColored(images[0]), 800);
  const Difference difference = differenceOf(images[0], images[1]);
  EXPECT_TRUE(looksTheSame(difference)) << difference.mean << " " << difference.shareOff;
}

}  // namespace
}  // namespace drystone::viewer::test
