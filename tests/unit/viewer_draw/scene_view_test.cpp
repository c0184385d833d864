#include <gtest/gtest.h>

#include "tests/unit/viewer_draw/drawn_worlds.h"

namespace drystone::viewer {
namespace {

constexpr const char* kText = R"({
  "version": 1, "name": "two", "world": {"gravity": [0, 0, -9.81]},
  "bodies": [
    {"name": "base", "kind": "static"},
    {"name": "ball", "shape": {"type": "sphere", "radius": 0.2}, "position": [1, 0, 0]},
    {"name": "eye", "kind": "static", "sensor": true, "shape": {"type": "box", "half_extents": [1, 1, 1]}}
  ],
  "joints": [{"name": "weak", "type": "ball", "body_a": "base", "body_b": "ball", "anchor": [0, 0, 0]}])";

TEST(SceneView, HasBodiesShapesSensorsAndJointNames) {
  const Scene scene = readSceneText(std::string(kText) + "}", "two.json");
  World world = buildWorld(scene, test::registry());
  const BodyId thrown = test::addUnitBox(world, {0, 0, 5});
  JointDefinition added = ballJoint(thrown, world.findBody("ball"), Vec3::Zero(), {0, 0, 5});
  added.name = "later";
  world.addJoint(added);
  world.removeJoint(world.findJoint("weak"));
  const SceneView view = sceneViewOf(scene, world);
  ASSERT_EQ(view.bodies.size(), 4u);
  EXPECT_EQ(view.name, "two");
  EXPECT_FALSE(view.hasCamera);
  EXPECT_FALSE(view.bodies[0].shape);
  EXPECT_EQ(view.bodies[1].name, "ball");
  EXPECT_EQ(std::get<Sphere>(*view.bodies[1].shape).radius, 0.2);
  EXPECT_FALSE(view.bodies[1].isSensor);
  EXPECT_TRUE(view.bodies[2].isSensor);
  EXPECT_EQ(view.bodies[2].kind, BodyKind::kStatic);
  EXPECT_EQ(view.bodies[3].mass, 1);
  EXPECT_EQ(view.find(thrown), &view.bodies[3]);
  EXPECT_EQ(view.jointNames, (std::vector<std::string>{"weak", "later"}));
}

TEST(SceneView, CameraOfTheFile_IsKnownAsSuch) {
  const Scene scene =
      readSceneText(std::string(kText) + R"(, "camera": {"position": [1, 2, 3]}})", "two.json");
  const SceneView view = sceneViewOf(scene, buildWorld(scene, test::registry()));
  EXPECT_TRUE(view.hasCamera);
  EXPECT_EQ(view.camera.position, Vec3(1, 2, 3));
}

}  // namespace
}  // namespace drystone::viewer
