#include "viewer/draw/draw_scene.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/support/allocation_counter.h"
#include "tests/unit/viewer_draw/drawn_worlds.h"
#include "viewer/draw/meshes.h"
#include "viewer/draw/palette.h"

namespace drystone::viewer {
namespace {

/// Farthest that the instance's copy reaches from what `distance` measures.
template <class Distance>
void expectVertices(const Batch& batch, const Instance& instance, Distance distance) {
  const Eigen::Map<const Eigen::Matrix<float, 3, 4, Eigen::RowMajor>> matrix(instance.transform);
  for (const Vec3f& p : batch.mesh->positions) {
    EXPECT_NEAR(distance(Vec3f(matrix * p.homogeneous())), 0, 1e-5);
  }
}

TEST(SceneDrawer, SpheresOfAllSizes_AreOneBatchOfTheirRadii) {
  World world = makeWorld();
  const Vec3 places[] = {{0, 0, 1}, {3, 0, 2}, {0, 4, 1}};
  for (int i = 0; i < 3; ++i) {
    test::addBody(world, Sphere{0.5 + i}, 1, {places[i], test::turn(Vec3::UnitX(), i)});
  }
  const DrawList list = draw(frameOf(world));
  ASSERT_EQ(list.batches.size(), 1u);
  ASSERT_EQ(list.batches[0].instances.size(), 3u);
  EXPECT_TRUE(list.batches[0].castsShadow);
  for (int i = 0; i < 3; ++i) {
    expectVertices(list.batches[0], list.batches[0].instances[i], [&](const Vec3f& p) {
      return (p - places[i].cast<float>()).norm() - (0.5 + i);
    });
  }
}

TEST(SceneDrawer, EveryKindOfShape_IsDrawnWhereItsMeshSays) {
  const Compound compound{{{Cylinder{0.3, 1}, {{0, 1, 0}, test::turn(Vec3::UnitX(), 1)}}}};
  for (const Shape& shape :
       {Shape(Box{{0.5, 1, 2}}), Shape(Capsule{0.3, 1}), Shape(Cylinder{0.4, 1}),
        Shape(Cone{0.5, 2}), Shape(Ellipsoid{{1, 0.5, 2}}), Shape(compound),
        Shape(makeHull({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}))}) {
    World world = makeWorld();
    const Pose pose{{1, 2, 3}, test::turn(Vec3(1, 2, 2) / 3, 0.8)};
    test::addBody(world, shape, 1, pose);
    const ViewFrame frame = frameOf(world);
    const DrawList list = draw(frame);
    ASSERT_EQ(instances(list), 1u) << shapeName(shape);
    const Batch& batch = list.batches[0];
    const Eigen::Map<const Eigen::Matrix<float, 3, 4, Eigen::RowMajor>> matrix(
        batch.instances[0].transform);
    const TriangleMeshf wanted = shapeMesh(shape, MeshDetail::kFinest);
    ASSERT_EQ(batch.mesh->positions.size(), wanted.positions.size()) << shapeName(shape);
    for (std::size_t i = 0; i < wanted.positions.size(); ++i) {
      const Vec3f got = matrix * batch.mesh->positions[i].homogeneous();
      const Vec3 want = pose * wanted.positions[i].cast<Real>();
      ASSERT_LT((got.cast<Real>() - want).norm(), 1e-5) << shapeName(shape);
    }
  }
}

TEST(SceneDrawer, GroundBodyIsReplacedByTheGround_AndDrawnWithoutIt) {
  World world = makeWorld();
  test::addGround(world);
  test::addUnitBox(world, {0, 0, 0.5});
  const ViewFrame frame = frameOf(world);
  EXPECT_EQ(instances(draw(frame)), 1u);
  const DrawList bare = draw(frame, {.ground = false});
  EXPECT_EQ(instances(bare), 2u);
  EXPECT_FALSE(bare.ground.visible);
  // The shadow map covers what stands on the ground, not the 100 m of it.
  EXPECT_LT((bare.boundsUpper - bare.boundsLower).norm(), 4);
}

TEST(SceneDrawer, SensorsAndTransparentBodies_ComeAfterTheOpaqueOnes) {
  World world = makeWorld();
  world.addBody({.kind = BodyKind::kStatic, .shape = Box{}, .isSensor = true});
  test::addUnitBox(world, {0, 0, 5});
  const DrawList list = draw(frameOf(world));
  ASSERT_EQ(list.batches.size(), 2u);
  EXPECT_EQ(list.batches[0].instances[0].color[3], 1);
  EXPECT_LT(list.batches[1].instances[0].color[3], 1);
  EXPECT_FALSE(list.batches[1].castsShadow);
  const DrawList transparent = draw(frameOf(world), {.transparent = true});
  for (const Batch& batch : transparent.batches) EXPECT_LT(batch.instances[0].color[3], 1);
}

TEST(SceneDrawer, BodiesOfAnIsland_HaveOneColorAndOthersAnother) {
  World world = makeWorld();
  test::addGround(world);
  for (const Real x : {0.0, 5.0}) {
    for (int i = 0; i < 2; ++i) test::addUnitBox(world, {x, 0, 0.5 + i});
  }
  world.step();
  const DrawList list = draw(frameOf(world), {.bodies = BodyColoring::kIsland});
  ASSERT_EQ(instances(list), 4u);
  const std::vector<Instance>& boxes =
      list.batches[1].instances.empty() ? list.batches[0].instances : list.batches[1].instances;
  ASSERT_EQ(boxes.size(), 4u);
  const auto color = [&](int i) { return std::vector<float>(boxes[i].color, boxes[i].color + 3); };
  EXPECT_EQ(color(0), color(1));
  EXPECT_EQ(color(2), color(3));
  EXPECT_NE(color(0), color(2));
}

TEST(SceneDrawer, SelectedBody_HasItsBoxAndName) {
  World world = makeWorld();
  const BodyId body =
      world.addBody({.name = "crate", .shape = Box{}, .pose = {{1, 2, 3}, Quat::Identity()}});
  DrawOptions options = only();
  options.selected = body;
  const DrawList list = draw(frameOf(world), options);
  EXPECT_EQ(list.lines.size(), 12u);
  ASSERT_EQ(list.labels.size(), 1u);
  EXPECT_EQ(list.labels[0].text, "crate");
}

// Cividis goes from dark blue to bright yellow, over the decades from 1 mm/s to 10 m/s.
TEST(SceneDrawer, BodiesBySpeed_AreBrighterTheFasterTheirCentresMove) {
  World world = makeWorld();
  const Shape box = Box{{0.5, 0.5, 0.5}};
  const Real speeds[] = {1e-4, 0.1, 10};
  for (int i = 0; i < 3; ++i) {
    test::addBody(world, box, 1, {{3.0 * i, 0, 1}, Quat::Identity()}, {0, speeds[i], 0});
  }
  test::addBody(world, box, 1, {{-3, 0, 1}, Quat::Identity()}, Vec3::Zero(), {0, 0, 50});
  const DrawList list = draw(frameOf(world), {.bodies = BodyColoring::kSpeed});
  ASSERT_EQ(list.batches.size(), 1u);
  const auto expect = [&](std::size_t body, Real share) {
    EXPECT_TRUE(isColor(list.batches[0].instances[body], mapColor(ColorMap::kCividis, share)))
        << body;
  };
  expect(0, 0);
  expect(1, 0.5);
  expect(2, 1);
  expect(3, 0);  // it only spins
  EXPECT_GT(list.batches[0].instances[2].color[0], list.batches[0].instances[0].color[0] + 0.5F);
}

TEST(SceneDrawer, WarmDraw_AllocatesNothing) {
  World world = makeWorld();
  test::addGround(world);
  for (int i = 0; i < 5; ++i) test::addUnitBox(world, {0, 0, 0.5 + i});
  test::addBody(world, Sphere{0.5}, 1, {{3, 0, 0.5}, Quat::Identity()});
  world.step();
  ViewFrame frame = frameOf(world);
  DrawOptions options;
  options.bodies = BodyColoring::kIsland;
  options.contactPoints = options.contactNormals = options.impulses = options.cones = true;
  options.joints = options.bounds = options.centersOfMass = options.transparent = true;
  options.axes = true;
  SceneDrawer drawer;
  DrawList list;
  drawer.draw(frame, options, list);
  const std::int64_t before = test::allocationCount();
  for (int i = 0; i < 3; ++i) {
    ++frame.snapshot.step;
    drawer.draw(frame, options, list);
  }
  EXPECT_EQ(test::allocationCount(), before);
}

/// The frame after bodies came into that of before.
ViewFrame nextFrame(const World& world, const ViewFrame& before) {
  ViewFrame frame;
  frame.scene = std::make_shared<const SceneView>(sceneViewOf(Scene{}, world, *before.scene));
  world.observe().snapshot(frame.snapshot);
  return frame;
}

TEST(SceneDrawer, BodyThatComes_KeepsTheMeshesAndTheGround) {
  World world = makeWorld();
  test::addUnitBox(world, {0, 0, 0.5});
  SceneDrawer drawer;
  DrawList list;
  const ViewFrame before = frameOf(world);
  drawer.draw(before, {}, list);
  const auto mesh = list.batches[0].mesh;
  const float height = list.ground.height;
  test::addUnitBox(world, {0, 0, -20});
  drawer.draw(nextFrame(world, before), {}, list);
  EXPECT_EQ(list.batches[0].mesh, mesh);
  EXPECT_EQ(list.batches[0].instances.size(), 2u);
  EXPECT_EQ(list.ground.height, height);
}

// A file that was edited and opened again has the name that it had.
TEST(SceneDrawer, AnotherSceneOfTheSameName_IsDrawnAsByADrawerOfItsOwn) {
  World small = makeWorld(), large = makeWorld();
  test::addUnitBox(small, {0, 0, 0.5});
  test::addGround(large);
  test::addBody(large, Box{{5, 5, 5}}, 1000, {{0, 0, 4.99}, Quat::Identity()});
  large.step();
  const ViewFrame first = frameOf(small), second = frameOf(large);
  ASSERT_EQ(first.scene->name, second.scene->name);
  ASSERT_EQ(second.snapshot.contacts.size(), 4u);
  DrawOptions options;
  options.contactPoints = options.contactNormals = true;
  const DrawList alone = draw(second, options);
  SceneDrawer drawer;
  DrawList list;
  drawer.draw(first, options, list);
  drawer.draw(second, options, list);
  EXPECT_EQ(list.ground.height, alone.ground.height);
  EXPECT_EQ(list.ground.radius, alone.ground.radius);
  EXPECT_EQ(list.boundsUpper, alone.boundsUpper);
  ASSERT_EQ(list.lines.size(), alone.lines.size());
  for (std::size_t i = 0; i < list.lines.size(); ++i) {
    EXPECT_EQ(list.lines[i].to, alone.lines[i].to) << "arrows fit the bodies of the scene";
  }
}

// The impulses of another scene are no measure for those of this one.
TEST(SceneDrawer, AnotherSceneOfTheSameName_HasArrowsOfItsOwnScale) {
  const auto heapOf = [](Real mass) {
    World world = makeWorld();
    test::addGround(world);
    test::addBody(world, Box{{0.5, 0.5, 0.5}}, mass, {{0, 0, 0.5}, Quat::Identity()});
    world.step();
    return frameOf(world);
  };
  const ViewFrame light = heapOf(1), heavy = heapOf(1e6);
  DrawOptions options = only();
  options.impulses = true;
  SceneDrawer drawer;
  DrawList list;
  // All four together: how they share the weight is the solver's affair.
  const auto shafts = [&] {
    float sum = 0;
    for (const Instance& shaft : list.batches[0].instances) sum += shaft.transform[10];
    return sum;
  };
  drawer.draw(light, options, list);
  const float length = shafts();
  drawer.draw(heavy, options, list);
  // Heads of short arrows shrink, so the sums differ by some; by the scale of the other scene they
  // would by a million times.
  EXPECT_NEAR(shafts(), length, 0.1);
}

// Squares that a level grid would cut have none.
TEST(SceneDrawer, OnAHugeSlope_DrawsNoGrid) {
  EXPECT_FALSE(draw(frameOf("slope_stick")).ground.visible);
  EXPECT_TRUE(draw(frameOf("stack_10")).ground.visible);
}

// Single precision has steps of 6 cm there.
TEST(SceneDrawer, SceneAThousandKilometresAway_IsDrawnAsTheOneAtTheOrigin) {
  const auto listAt = [](const Vec3& place) {
    // To round-off: a tolerance would let the two end at different sweeps.
    World world(test::settingsFor("bpp"), test::registry());
    const Pose at{place, test::turn(Vec3::UnitY(), 0.3)};
    world.addBody({.kind = BodyKind::kStatic, .shape = Plane{}, .pose = at});
    const BodyId body = world.addBody({.name = "a",
                                       .shape = Box{{0.5, 0.4, 0.3}},
                                       .pose = at * Pose{{0, 0, 0.3}, Quat::Identity()}});
    const BodyId other = test::addBody(world, Sphere{0.25}, 1, at * Pose{{1, 1, 1}, at.rotation});
    world.addJoint(ballJoint(body, other, {0, 0, 1}, {0, 0, 0}));
    world.step();
    DrawOptions options;
    options.contactPoints = options.contactNormals = options.impulses = options.cones = true;
    options.joints = options.bounds = options.centersOfMass = true;
    options.selected = body;
    return draw(frameOf(world), options);
  };
  // Where squares of the ground meet in both.
  const Vec3 away(1e6, -1e6, 1e6);
  const DrawList here = listAt(Vec3::Zero()), there = listAt(away);
  EXPECT_EQ(here.origin, Vec3::Zero());
  EXPECT_EQ(there.origin, away);
  // What the world itself rounds there, and the solver from it.
  constexpr float kRounding = 1e-4F;
  EXPECT_NEAR(here.ground.height, there.ground.height, kRounding);
  EXPECT_LT((here.boundsLower - there.boundsLower).norm(), kRounding);
  ASSERT_EQ(here.batches.size(), there.batches.size());
  for (std::size_t b = 0; b < here.batches.size(); ++b) {
    ASSERT_EQ(here.batches[b].instances.size(), there.batches[b].instances.size());
    for (std::size_t i = 0; i < here.batches[b].instances.size(); ++i) {
      for (int k = 0; k < 12; ++k) {
        EXPECT_NEAR(here.batches[b].instances[i].transform[k],
                    there.batches[b].instances[i].transform[k], kRounding);
      }
    }
  }
  ASSERT_EQ(here.lines.size(), there.lines.size());
  for (std::size_t i = 0; i < here.lines.size(); ++i) {
    EXPECT_LT((here.lines[i].from - there.lines[i].from).norm(), kRounding);
    EXPECT_LT((here.lines[i].to - there.lines[i].to).norm(), kRounding);
  }
  ASSERT_EQ(there.labels.size(), 1u);
  EXPECT_LT((here.labels[0].at - there.labels[0].at).norm(), kRounding);
}

}  // namespace
}  // namespace drystone::viewer
