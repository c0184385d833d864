#include "viewer/window/picking.h"

#include <gtest/gtest.h>

#include "scenes/scene_builder.h"
#include "scenes/scene_reader.h"
#include "solvers/default_registry.h"
#include "viewer/draw/draw_scene.h"
#include "viewer/draw/scene_view.h"

namespace drystone::viewer {
namespace {

/// A frame of bodies at rest.
class FrameBuilder {
 public:
  BodyId add(const Shape& shape, const Vec3& position, BodyKind kind = BodyKind::kDynamic) {
    ViewBody body;
    body.id = {static_cast<int>(view_.bodies.size()), 1};
    body.kind = kind;
    body.shape = shape;
    view_.bodies.push_back(body);
    BodySnapshot snapshot;
    snapshot.id = body.id;
    snapshot.pose.position = snapshot.centerOfMass = position;
    snapshot.linearVelocity = snapshot.angularVelocity = Vec3::Zero();
    frame.snapshot.bodies.push_back(snapshot);
    return body.id;
  }
  void finish() { frame.scene = std::make_shared<const SceneView>(view_); }
  SceneView& view() { return view_; }

  ViewFrame frame;

 private:
  SceneView view_;
};

const Vec3 kFrom(0, -10, 0);
const Vec3 kAhead(0, 1, 0);

TEST(Picker, OfTwoBodiesBehindEachOther_TheNearIsPicked) {
  FrameBuilder scene;
  scene.add(Box{{1, 1, 1}}, {0, 5, 0});
  const BodyId near = scene.add(Sphere{1}, {0, 1, 0});
  scene.finish();
  const auto pick = Picker().pick(scene.frame, kFrom, kAhead);
  ASSERT_TRUE(pick.has_value());
  EXPECT_EQ(pick->body, near);
  EXPECT_NEAR((pick->point - Vec3(0, 0, 0)).norm(), 0, 1e-9);
  EXPECT_NEAR((pick->pointInBody - Vec3(0, -1, 0)).norm(), 0, 1e-9);
}

TEST(Picker, RayPastTheCorner_PicksNothing) {
  FrameBuilder scene;
  scene.add(Box{{1, 1, 1}}, {1.01, 0, 0});
  scene.finish();
  EXPECT_FALSE(Picker().pick(scene.frame, kFrom, kAhead).has_value());
}

TEST(Picker, TurnedBody_GivesThePointInItsOwnFrame) {
  FrameBuilder scene;
  scene.add(Box{{1, 2, 3}}, {0, 0, 0});
  scene.finish();
  // A quarter turn about z: the face at +x looks at the camera on -y.
  scene.frame.snapshot.bodies[0].pose.rotation =
      Quat(Eigen::AngleAxis<Real>(-1.5707963267948966, Vec3::UnitZ()));
  const auto pick = Picker().pick(scene.frame, kFrom, kAhead);
  ASSERT_TRUE(pick.has_value());
  EXPECT_NEAR((pick->point - Vec3(0, -1, 0)).norm(), 0, 1e-9);
  EXPECT_NEAR((pick->pointInBody - Vec3(1, 0, 0)).norm(), 0, 1e-9);
}

TEST(Picker, BodyThatMoved_IsFoundWhereItIs) {
  FrameBuilder scene;
  scene.add(Sphere{1}, {0, 0, 0});
  scene.finish();
  Picker picker;
  ASSERT_TRUE(picker.pick(scene.frame, kFrom, kAhead).has_value());
  scene.frame.snapshot.bodies[0].pose.position = {5, 0, 0};
  EXPECT_FALSE(picker.pick(scene.frame, kFrom, kAhead).has_value());
  EXPECT_TRUE(picker.pick(scene.frame, {5, -10, 0}, kAhead).has_value());
}

TEST(Picker, SensorsArePassedThrough) {
  FrameBuilder scene;
  scene.add(Sphere{1}, {0, 0, 0});
  const BodyId behind = scene.add(Plane{}, {0, 0, -1}, BodyKind::kStatic);
  scene.view().bodies[0].isSensor = true;
  scene.finish();
  const auto pick = Picker().pick(scene.frame, {0, 0, 10}, {0, 0, -1});
  ASSERT_TRUE(pick.has_value());
  EXPECT_EQ(pick->body, behind);
}

// One sees through them, so one clicks and pulls through them.
TEST(Picker, GlassWall_IsPickedOnlyWhereNothingIsBehindIt) {
  FrameBuilder scene;
  const BodyId wall = scene.add(Box{{3, 0.1, 3}}, {0, -2, 0}, BodyKind::kStatic);
  const BodyId slope = scene.add(Plane{}, {0, -4, 0}, BodyKind::kStatic);
  const BodyId ball = scene.add(Sphere{1}, {0, 1, 0});
  scene.view().bodies[0].isWall = scene.view().bodies[1].isWall = true;
  scene.frame.snapshot.bodies[1].pose.rotation =
      Quat(Eigen::AngleAxis<Real>(1.5707963267948966, Vec3::UnitX()));  // its normal is -y
  scene.finish();
  Picker picker;
  const auto through = picker.pick(scene.frame, kFrom, kAhead);
  ASSERT_TRUE(through.has_value());
  EXPECT_EQ(through->body, ball);
  EXPECT_NEAR((through->point - Vec3(0, 0, 0)).norm(), 0, 1e-9);
  const auto beside = picker.pick(scene.frame, kFrom + Vec3(2, 0, 0), kAhead);
  ASSERT_TRUE(beside.has_value());
  EXPECT_EQ(beside->body, slope);
  scene.frame.snapshot.bodies[1].pose.position.y() = 20;
  EXPECT_EQ(picker.pick(scene.frame, kFrom + Vec3(2, 0, 0), kAhead)->body, wall);
}

// The sides of the library's bin, and the pile in it.
TEST(Picker, ThroughTheSideOfABin_TakesWhatLiesInIt) {
  const SolverRegistry registry = makeDefaultRegistry();
  const Scene scene = readScene("pile_1000");
  const World world = buildWorld(scene, registry);
  ViewFrame frame;
  frame.scene = std::make_shared<const SceneView>(sceneViewOf(scene, world));
  world.observe().snapshot(frame.snapshot);
  const Camera camera = initialCamera(frame, 16.0 / 9);
  const auto pick = Picker().pick(frame, camera.position, camera.rayThrough(0, 0, 16.0 / 9));
  ASSERT_TRUE(pick.has_value());
  EXPECT_EQ(frame.scene->find(pick->body)->kind, BodyKind::kDynamic)
      << frame.scene->find(pick->body)->name;
}

TEST(Picker, AnotherScene_BringsItsOwnShapes) {
  FrameBuilder first, second;
  first.add(Sphere{1}, {0, 0, 0});
  first.finish();
  second.add(Sphere{0.1}, {0, 0, 0.5});
  second.finish();
  Picker picker;
  EXPECT_TRUE(picker.pick(first.frame, kFrom, kAhead).has_value());
  EXPECT_FALSE(picker.pick(second.frame, kFrom, kAhead).has_value());
}

}  // namespace
}  // namespace drystone::viewer
