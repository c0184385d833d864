#include "viewer/draw/scene_view.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "tests/unit/viewer_draw/drawn_worlds.h"
#include "viewer/draw/draw_bodies.h"
#include "viewer/draw/draw_scene.h"

namespace drystone::viewer {
namespace {

constexpr Real kWindowAspect = 16.0 / 9;

SceneLayout layoutOf(const ViewFrame& frame) { return frame.scene->layout; }

/// One of a body's marks, body by body.
std::vector<bool> marks(const ViewFrame& frame, bool ViewBody::*mark) {
  std::vector<bool> all;
  for (const ViewBody& body : frame.scene->bodies) all.push_back(body.*mark);
  return all;
}

TEST(SceneBounds, AreThoseOfWhatMoves) {
  World world = makeWorld();
  test::addGround(world);
  test::addUnitBox(world, {0, 0, 0.5});
  test::addBody(world, Sphere{0.25}, 1, {{3, 0, 1}, test::turn(Vec3::UnitX(), 0.7)});
  Vec3 lower, upper;
  sceneBounds(frameOf(world), lower, upper);
  EXPECT_LT((lower - Vec3(-0.5, -0.5, 0)).norm(), 1e-12);
  EXPECT_LT((upper - Vec3(3.25, 0.5, 1.25)).norm(), 1e-12);
}

TEST(SceneBounds, WhereNothingMoves_AreThoseOfTheStatics) {
  World world = makeWorld();
  test::addPlane(world);
  world.addBody({.kind = BodyKind::kStatic, .shape = Box{{1, 2, 3}}});
  Vec3 lower, upper;
  sceneBounds(frameOf(world), lower, upper);
  EXPECT_EQ(lower, Vec3(-1, -2, -3));
  EXPECT_EQ(upper, Vec3(1, 2, 3));
}

TEST(Layout, GroundIsAtTheTopOfTheStaticBoxBelow) {
  World world = makeWorld();
  const BodyId ground = test::addGround(world);
  world.body(ground).setPose(
      {world.body(ground).pose().position + Vec3(0, 0, 2), Quat::Identity()});
  test::addUnitBox(world, {0, 0, 2.5});
  const ViewFrame frame = frameOf(world);
  EXPECT_FLOAT_EQ(layoutOf(frame).ground.height, 2);
  EXPECT_EQ(marks(frame, &ViewBody::isGround), (std::vector<bool>{true, false}));
  EXPECT_EQ(marks(frame, &ViewBody::isHuge), (std::vector<bool>{true, false}));
}

TEST(Layout, GroundIsAtTheLevelPlaneAndNotAtTheTiltedOne) {
  World world = makeWorld();
  test::addPlane(world);
  world.addBody({.kind = BodyKind::kStatic,
                 .shape = Plane{},
                 .pose = {{0, 0, 1}, test::turn(Vec3::UnitY(), 0.1)}});
  test::addUnitBox(world, {0, 0, 3});
  const ViewFrame frame = frameOf(world);
  EXPECT_FLOAT_EQ(layoutOf(frame).ground.height, 0);
  EXPECT_EQ(marks(frame, &ViewBody::isGround), (std::vector<bool>{true, false, false}));
}

/// Bodies whose boxes touch and that have one color.
int alikeNeighbours(const ViewFrame& frame) {
  std::vector<std::pair<Bounds, Color>> bricks;
  int alike = 0;
  for (const BodySnapshot& body : frame.snapshot.bodies) {
    const ViewBody* known = frame.scene->find(body.id);
    if (body.kind != BodyKind::kDynamic || known->color) continue;
    Bounds bounds = *placedBounds(*known->shape, body.pose);
    bounds.lower -= Vec3::Constant(1e-4);
    bounds.upper += Vec3::Constant(1e-4);
    for (const auto& [other, color] : bricks) {
      alike += bounds.meets(other) && color == plainColor(*known);
    }
    bricks.emplace_back(bounds, plainColor(*known));
  }
  return alike;
}

// Rows of any length: colors by number alone line up where a row has as many bricks as there are
// colors, and one more or less.
TEST(Layout, BricksOfAWall_HaveAnotherColorThanTheirNeighbours) {
  EXPECT_EQ(alikeNeighbours(frameOf("wall")), 0);
  for (int inRow = 5; inRow <= 9; ++inRow) {
    World world = makeWorld();
    for (int row = 0; row < 6; ++row) {
      for (int i = 0; i < inRow; ++i) test::addUnitBox(world, {i + 0.5 * (row % 2), 0, 0.5 + row});
    }
    EXPECT_EQ(alikeNeighbours(frameOf(world)), 0) << inRow;
  }
}

TEST(Layout, BodiesThatStandApart_HaveTheColorsOfTheirNumbers) {
  World world = makeWorld();
  for (int i = 0; i < 9; ++i) test::addUnitBox(world, {2.0 * i, 0, 0});
  const ViewFrame frame = frameOf(world);
  int number = 0;
  for (const ViewBody& body : frame.scene->bodies) EXPECT_EQ(body.paletteColor, number++);
}

// The sides of a bin would hide the pile in it; its floor and a kerb do not.
TEST(Layout, SidesOfABin_AreWalls) {
  const ViewFrame frame = frameOf("pile_1000");
  const std::vector<ViewBody>& bodies = frame.scene->bodies;
  int sides = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const auto& pose = frame.snapshot.bodies[i].pose;
    const bool isSide = bodies[i].kind == BodyKind::kStatic && pose.position.head<2>().norm() > 1;
    EXPECT_EQ(bodies[i].isWall, isSide) << bodies[i].name;
    sides += isSide;
  }
  EXPECT_EQ(sides, 4);
}

TEST(Layout, KerbBesideABox_IsNoWall) {
  World world = makeWorld();
  test::addGround(world);
  test::addUnitBox(world, {0, 0, 0.5});
  world.addBody({.kind = BodyKind::kStatic,
                 .shape = Box{{0.1, 2, 0.2}},
                 .pose = {{2, 0, 0.2}, Quat::Identity()}});
  world.addBody({.kind = BodyKind::kStatic,
                 .shape = Box{{0.1, 2, 2}},
                 .pose = {{-2, 0, 2}, Quat::Identity()}});
  EXPECT_EQ(marks(frameOf(world), &ViewBody::isWall),
            (std::vector<bool>{false, false, false, true}));
}

// A level grid would cut it.
TEST(Layout, OnAHugeSlope_ThereIsNoGrid) {
  const SceneLayout layout = layoutOf(frameOf("slope_stick"));
  EXPECT_FALSE(layout.ground.visible);
  EXPECT_TRUE(layoutOf(frameOf("stack_10")).ground.visible);
}

// Bodies that lean on a wall reach into it by what they overlap.
TEST(Layout, WallThatABodyLeansOn_IsAWall) {
  World world = makeWorld();
  test::addUnitBox(world, {0, 0, 0.5});
  world.addBody({.kind = BodyKind::kStatic,
                 .shape = Box{{1, 2, 2}},
                 .pose = {{1.49, 0, 2}, Quat::Identity()}});
  EXPECT_EQ(marks(frameOf(world), &ViewBody::isWall), (std::vector<bool>{false, true}));
}

TEST(Layout, WithoutGround_ItIsAsDeepBelowTheLowestPointAsTheSceneIsLong) {
  World world = makeWorld();
  test::addUnitBox(world, {0, 0, -3});
  test::addUnitBox(world, {0, 0, 4});
  const SceneLayout layout = layoutOf(frameOf(world));
  EXPECT_FLOAT_EQ(layout.ground.height, -3.5 - 8);
  EXPECT_FLOAT_EQ(static_cast<float>(layout.bodySize), 0.5);
}

TEST(Layout, SmallTableUnderTheScene_StandsOnTheGround) {
  World world = makeWorld();
  world.addBody({.kind = BodyKind::kStatic,
                 .shape = Box{{0.6, 0.6, 1}},
                 .pose = {{0, 0, -1}, Quat::Identity()}});
  test::addUnitBox(world, {0, 0, 0.5});
  const ViewFrame frame = frameOf(world);
  EXPECT_FLOAT_EQ(layoutOf(frame).ground.height, -2);
  EXPECT_EQ(marks(frame, &ViewBody::isGround), (std::vector<bool>{false, false}));
}

// The box comes from outside: with it, what moves would reach beyond the sides of the bin, and none
// of them would stand beside it.
TEST(Layout, BodyThatIsThrownIntoABin_LeavesItsWallsGlassAndItsGround) {
  const Scene scene = readScene("pile_1000");
  World world = buildWorld(scene, test::registry());
  const SceneView before = sceneViewOf(scene, world);
  const BodyId thrown = test::addBody(world, Box{{0.1, 0.1, 0.1}}, 1, {{0, -9, 9}, {1, 0, 0, 0}});
  const SceneView anew = sceneViewOf(scene, world), after = sceneViewOf(scene, world, before);
  ASSERT_NE(after.find(thrown), nullptr);
  EXPECT_FALSE(after.find(thrown)->isWall || after.find(thrown)->isGround ||
               after.find(thrown)->isHuge);
  int walls = 0, wallsAnew = 0;
  for (const ViewBody& body : before.bodies) {
    const ViewBody& same = *after.find(body.id);
    EXPECT_EQ(same.isWall, body.isWall);
    EXPECT_EQ(same.isGround, body.isGround);
    EXPECT_EQ(same.isHuge, body.isHuge);
    walls += same.isWall;
    wallsAnew += anew.find(body.id)->isWall;
  }
  EXPECT_EQ(walls, 4);
  EXPECT_LT(wallsAnew, 4) << "the box is no test: it comes from within";
  EXPECT_EQ(after.layout.ground.height, before.layout.ground.height);
  EXPECT_EQ(after.layout.bodySize, before.layout.bodySize);
  EXPECT_EQ(after.source, before.source);
  EXPECT_NE(anew.source, before.source);
}

TEST(Layout, FarFromTheOriginOfTheWorld_HasAnOriginOfItsOwnOnTheGrid) {
  const auto layoutAt = [](const Vec3& place) {
    World world = makeWorld();
    world.addBody({.kind = BodyKind::kStatic, .shape = Plane{}, .pose = {place, Quat::Identity()}});
    test::addUnitBox(world, place + Vec3(0.1, 0, 0.5));
    return layoutOf(frameOf(world));
  };
  EXPECT_EQ(layoutAt({3, -5, 1}).origin, Vec3::Zero());
  const SceneLayout far = layoutAt({1e6, -3e5, 2e5});
  // Its places are a thousand squares of 5 cm apart; the box's middle is 0.5 m off at most.
  EXPECT_LE((far.origin - Vec3(1e6, -3e5, 2e5)).cwiseAbs().maxCoeff(), 25.5);
  EXPECT_FLOAT_EQ(far.ground.spacing, 0.05F);
  EXPECT_NEAR(far.ground.height + far.origin.z(), 2e5, 1e-9);
  for (const Real place : far.origin) {
    EXPECT_NEAR(std::remainder(place, 10 * 0.05), 0, 1e-9) << "a line of every tenth";
  }
}

TEST(Layout, SpacingIsOneTwoOrFiveTimesAPowerOfTen) {
  EXPECT_DOUBLE_EQ(niceSpacing(0.99), 0.5);
  EXPECT_DOUBLE_EQ(niceSpacing(1), 1);
  EXPECT_DOUBLE_EQ(niceSpacing(1.9), 1);
  EXPECT_DOUBLE_EQ(niceSpacing(4.9), 2);
  EXPECT_DOUBLE_EQ(niceSpacing(0.05), 0.05);
  EXPECT_DOUBLE_EQ(niceSpacing(730), 500);
}

class FramedScene : public testing::TestWithParam<const char*> {};

TEST_P(FramedScene, IsSeenWholeFromTheSideAndAboveItsGround) {
  ViewFrame frame = frameOf(GetParam());
  auto view = std::make_shared<SceneView>(*frame.scene);
  view->hasCamera = false;
  frame.scene = view;
  Vec3 lower, upper;
  sceneBounds(frame, lower, upper);
  const Camera camera = initialCamera(frame, kWindowAspect);
  const Eigen::Matrix4f matrix =
      camera.projectionMatrix(kWindowAspect, lower, upper) * camera.viewMatrix();
  Real reach = 0;
  for (int i = 0; i < 8; ++i) {
    const Vec3 corner(i & 1 ? upper.x() : lower.x(), i & 2 ? upper.y() : lower.y(),
                      i & 4 ? upper.z() : lower.z());
    const Eigen::Vector4f clip = matrix * corner.cast<float>().homogeneous();
    ASSERT_GT(clip.w(), 0);
    ASSERT_LT((clip.head<3>() / clip.w()).cwiseAbs().maxCoeff(), 1);
    reach = std::max<Real>(reach, (clip.head<2>() / clip.w()).cwiseAbs().maxCoeff());
  }
  // Huge statics do not push what moves into a corner.
  EXPECT_GT(reach, 0.3);
  EXPECT_GT(camera.position.z(), layoutOf(frame).ground.height);
  const Vec3 view3 = (camera.target - camera.position).normalized();
  EXPECT_LT(std::abs(view3.z()), std::sin(45 * M_PI / 180));
}

INSTANTIATE_TEST_SUITE_P(Library, FramedScene,
                         testing::Values("tower", "wall", "chain", "boxes", "rocks", "slope_stick",
                                         "ball_pile_small", "card_house", "bounce", "conveyor"));

}  // namespace
}  // namespace drystone::viewer
