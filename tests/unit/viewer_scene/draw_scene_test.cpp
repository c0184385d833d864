#include "viewer/scene/draw_scene.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/support/allocation_counter.h"
#include "tests/unit/viewer_scene/scene_frames.h"
#include "viewer/scene/draw_contacts.h"
#include "viewer/scene/palette.h"
#include "viewer/scene/shape_mesh.h"

namespace drystone::viewer {
namespace {

World makeWorld() { return World(test::settingsFor("nsgs"), test::registry()); }

DrawList draw(const ViewFrame& frame, const DrawOptions& options = {}) {
  SceneDrawer drawer;
  DrawList list;
  drawer.draw(frame, options, list);
  return list;
}

std::size_t instances(const DrawList& list) {
  std::size_t count = 0;
  for (const Batch& batch : list.batches) count += batch.instances.size();
  return count;
}

/// Only what the options say.
DrawOptions only() { return {.shapes = false, .ground = false}; }

bool isColor(const Instance& instance, const Color& color) {
  return instance.color[0] == color.red && instance.color[1] == color.green &&
         instance.color[2] == color.blue;
}

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
  for (const Shape& shape : {Shape(Box{{0.5, 1, 2}}), Shape(Capsule{0.3, 1}),
                             Shape(Cylinder{0.4, 1}), Shape(Cone{0.5, 2}), Shape(compound),
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

/// A box sliding along x on the ground, its four contacts in the frame.
ViewFrame slidingBox() {
  World world = makeWorld();
  test::addGround(world);
  test::addUnitBox(world, {0, 0, 0.5}, {3, 0, 0});
  world.step();
  return frameOf(world);
}

TEST(ContactDrawing, ImpulseArrowsPointFromTheContactsAlongTheImpulses) {
  const ViewFrame frame = slidingBox();
  ASSERT_EQ(frame.snapshot.contacts.size(), 4u);
  DrawOptions options = only();
  options.impulses = true;
  options.contacts = ContactColoring::kState;
  const DrawList list = draw(frame, options);
  const Batch& heads = list.batches.back();
  ASSERT_EQ(heads.instances.size(), 4u);
  EXPECT_TRUE(heads.overlay);
  Real length = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const ContactSnapshot& contact = frame.snapshot.contacts[i];
    const float* m = heads.instances[i].transform;
    // The apex of the head, at z = 1/2 of its mesh.
    const Vec3 tip =
        Vec3(m[3] + 0.5 * m[2], m[7] + 0.5 * m[6], m[11] + 0.5 * m[10]) - contact.position;
    EXPECT_NEAR(tip.normalized().dot(contact.impulse.normalized()), 1, 1e-5);
    length += tip.norm() / 4;
    EXPECT_TRUE(isColor(heads.instances[i], stateColor(ContactState::kSlip)));
  }
  // The mean arrow is 0.8 of half the box's side.
  EXPECT_NEAR(length, 0.4, 1e-3);
}

TEST(ContactDrawing, ConesOfSlippingContacts_HaveTheImpulsesTipOnTheirRim) {
  const ViewFrame frame = slidingBox();
  DrawOptions options = only();
  options.cones = options.impulses = true;
  const DrawList list = draw(frame, options);
  ASSERT_EQ(list.batches.size(), 3u);
  const Batch &cones = list.batches[0], &heads = list.batches[2];
  ASSERT_EQ(cones.instances.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    const ContactSnapshot& contact = frame.snapshot.contacts[i];
    EXPECT_LT(cones.instances[i].color[3], 1);
    const float *m = heads.instances[i].transform, *c = cones.instances[i].transform;
    const Vec3 tip =
        Vec3(m[3] + 0.5 * m[2], m[7] + 0.5 * m[6], m[11] + 0.5 * m[10]) - contact.position;
    const Real height = Vec3(c[2], c[6], c[10]).norm(), radius = Vec3(c[0], c[4], c[8]).norm();
    EXPECT_NEAR(radius / height, contact.friction, 1e-5);
    EXPECT_NEAR(tip.dot(contact.normal), height, 1e-4);
    EXPECT_NEAR((tip - tip.dot(contact.normal) * contact.normal).norm(), radius, 1e-3);
  }
  // Apex at the contact, base of radius μ at height 1: the mesh opens along +z.
  for (const Vec3f& p : cones.mesh->positions) {
    EXPECT_NEAR(std::hypot(p.x(), p.y()), p.z(), 1e-5);
  }
}

// Of 84°; a cone of more would reach out of the scene.
TEST(ContactDrawing, ConeOfAnyFriction_IsNoWiderThanTenTimesItsHeight) {
  ViewFrame frame = slidingBox();
  for (ContactSnapshot& contact : frame.snapshot.contacts) contact.friction = 1e6;
  DrawOptions options = only();
  options.cones = true;
  const DrawList list = draw(frame, options);
  ASSERT_EQ(list.batches[0].instances.size(), 4u);
  for (const Instance& cone : list.batches[0].instances) {
    const float* c = cone.transform;
    const Real height = Vec3(c[2], c[6], c[10]).norm(), radius = Vec3(c[0], c[4], c[8]).norm();
    EXPECT_NEAR(radius / height, 10, 1e-5);
  }
}

TEST(ContactDrawing, PointsAreColoredByResidualWhereItIsKnown) {
  ViewFrame frame = slidingBox();
  DrawOptions options = only();
  options.contactPoints = options.contactNormals = true;
  const DrawList unknown = draw(frame, options);
  EXPECT_TRUE(isColor(unknown.batches[0].instances[0], kUnknown));
  EXPECT_EQ(unknown.lines.size(), 4u);
  frame.contactResidual = {1e-12, 1e-9, 1e-6, 1};
  std::set<float> reds;
  const DrawList known = draw(frame, options);
  for (const Instance& point : known.batches[0].instances) reds.insert(point.color[0]);
  EXPECT_EQ(reds.size(), 3u);  // the first two are below the range
  frame.contactColor = {0, 1, 0, -1};
  options.contacts = ContactColoring::kGraph;
  const DrawList graph = draw(frame, options);
  EXPECT_TRUE(isColor(graph.batches[0].instances[2], kMarkColors[0]));
  EXPECT_TRUE(isColor(graph.batches[0].instances[1], kMarkColors[1]));
  EXPECT_TRUE(isColor(graph.batches[0].instances[3], kUnknown));
}

TEST(MarkDrawing, JointsHaveFramesAndLinks_BoundsTwelveEdges) {
  World world = makeWorld();
  const BodyId wall = world.addBody({.kind = BodyKind::kStatic});
  const BodyId a = test::addUnitBox(world, {0, 0, 0});
  const BodyId b = test::addUnitBox(world, {3, 0, 0});
  world.addJoint(ballJoint(wall, a, {0, 0, 0}, {0, 0, 0}));
  world.addJoint(distanceJoint(a, b, {0.5, 0, 0}, {-0.5, 0, 0}, 2, 2));
  const ViewFrame frame = frameOf(world);
  DrawOptions options = only();
  options.joints = true;
  // Two frames of three axes and a link; a rod and two links.
  EXPECT_EQ(draw(frame, options).lines.size(), 2u * 3 + 1 + 3);
  options = only();
  options.bounds = true;
  EXPECT_EQ(draw(frame, options).lines.size(), 2u * 12);
  options = only();
  options.centersOfMass = true;
  EXPECT_EQ(instances(draw(frame, options)), 2u);
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

TEST(SceneDrawer, BodyThatComes_KeepsTheMeshesAndTheGround) {
  World world = makeWorld();
  test::addUnitBox(world, {0, 0, 0.5});
  SceneDrawer drawer;
  DrawList list;
  drawer.draw(frameOf(world), {}, list);
  const auto mesh = list.batches[0].mesh;
  const float height = list.ground.height;
  test::addUnitBox(world, {0, 0, -20});
  drawer.draw(frameOf(world), {}, list);
  EXPECT_EQ(list.batches[0].mesh, mesh);
  EXPECT_EQ(list.batches[0].instances.size(), 2u);
  EXPECT_EQ(list.ground.height, height);
}

}  // namespace
}  // namespace drystone::viewer
