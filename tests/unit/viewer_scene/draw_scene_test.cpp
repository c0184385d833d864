#include "viewer/scene/draw_scene.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/support/allocation_counter.h"
#include "tests/unit/viewer_scene/scene_frames.h"
#include "viewer/scene/color_map.h"
#include "viewer/scene/contact_state.h"
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

/// Farthest that a cone's sides are off the border of the friction set, as a share of μ λ_n: over
/// the corners of their base and the middles between these.
Real offTheBorder(const ViewFrame& frame) {
  DrawOptions options = only();
  options.cones = true;
  const DrawList list = draw(frame, options);
  const Batch& cones = list.batches[0];
  EXPECT_EQ(cones.instances.size(), frame.snapshot.contacts.size());
  Real worst = 0;
  for (std::size_t c = 0; c < cones.instances.size(); ++c) {
    ContactSnapshot contact = frame.snapshot.contacts[c];
    const Eigen::Map<const Eigen::Matrix<float, 3, 4, Eigen::RowMajor>> matrix(
        cones.instances[c].transform);
    const auto& triangles = cones.mesh->indices;
    for (std::size_t t = 0; t < triangles.size(); t += 3) {
      // A side has one corner at the apex.
      std::vector<Vec3> base;
      for (std::size_t k = t; k < t + 3; ++k) {
        const Vec3f& p = cones.mesh->positions[triangles[k]];
        if (p.z() > 0.5F)
          base.push_back((matrix * p.homogeneous()).cast<Real>() - contact.position);
      }
      if (base.size() != 2) continue;
      for (const Vec3& impulse : {base[0], base[1], Vec3(0.5 * (base[0] + base[1]))}) {
        contact.impulse = impulse;
        const Real limit = contact.friction * impulse.dot(contact.normal);
        worst = std::max(worst, std::abs(frictionDemand(contact, frame.friction) / limit - 1));
      }
    }
  }
  EXPECT_GT(worst, 0);
  return worst;
}

// States are judged by the model, so the drawn set is the model's.
TEST(ContactDrawing, ConesHaveTheFormOfTheFrictionModel) {
  ViewFrame frame = slidingBox();
  // Tangents that lie along no axis.
  for (ContactSnapshot& contact : frame.snapshot.contacts) {
    contact.normal = Vec3(1, 2, 2) / 3;
    contact.normalImpulse = 1;
  }
  for (const FrictionModel model :
       {FrictionModel::kCone, FrictionModel::kContensou, FrictionModel::kPyramid,
        FrictionModel::kBox, FrictionModel::kDiamond}) {
    frame.friction = model;
    // A round cone has its facets.
    EXPECT_LT(offTheBorder(frame), 0.02) << frictionModelName(model);
  }
  frame.friction = FrictionModel::kNone;
  DrawOptions options = only();
  options.cones = true;
  std::size_t cones = 0;
  for (const Batch& batch : draw(frame, options).batches) {
    for (const Instance& instance : batch.instances) cones += instance.color[3] < 1;
  }
  EXPECT_EQ(cones, 0u);
}

TEST(ContactDrawing, ImpulsesThatAreRoundOffBesideTheOthers_AreNone) {
  ViewFrame frame = slidingBox();
  const Vec3 round = 1e-12 * frame.snapshot.contacts[0].impulse;
  frame.snapshot.contacts[0].impulse = round;
  frame.snapshot.contacts[0].normalImpulse = round.z();
  DrawOptions options = only();
  options.contactPoints = true;
  options.contacts = ContactColoring::kState;
  const DrawList list = draw(frame, options);
  EXPECT_TRUE(isColor(list.batches[0].instances[0], stateColor(ContactState::kOpen)));
  EXPECT_TRUE(isColor(list.batches[0].instances[1], stateColor(ContactState::kSlip)));
}

TEST(ContactDrawing, PointsAreColoredByResidualWhereItIsKnown) {
  ViewFrame frame = slidingBox();
  DrawOptions options = only();
  options.contactPoints = options.contactNormals = true;
  const DrawList unknown = draw(frame, options);
  EXPECT_TRUE(isColor(unknown.batches[0].instances[0], kUnknown));
  ASSERT_EQ(unknown.lines.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    // From A, the ground, to B, the box: 0.6 of half its side upwards.
    const Vec3 at = frame.snapshot.contacts[i].position;
    EXPECT_LT((unknown.lines[i].from.cast<Real>() - at).norm(), 1e-6);
    EXPECT_LT((unknown.lines[i].to.cast<Real>() - at - Vec3(0, 0, 0.3)).norm(), 1e-6);
  }
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

/// Lines from a place, in their order.
std::vector<Vec3> linesFrom(const DrawList& list, const Vec3& place) {
  std::vector<Vec3> ways;
  for (const Line& line : list.lines) {
    const Vec3 from = line.from.cast<Real>();
    if ((from - place).norm() < 1e-5) ways.emplace_back(line.to.cast<Real>() - from);
  }
  return ways;
}

TEST(MarkDrawing, FramesOfAJoint_TurnWithTheirBodies) {
  World world = makeWorld();
  const BodyId wall = world.addBody({.kind = BodyKind::kStatic});
  const Quat turn = test::turn(Vec3(1, 2, 2) / 3, 0.8);
  const BodyId box = test::addBody(world, Box{{0.5, 0.5, 0.5}}, 1, {{0, 0, 3}, turn});
  world.addJoint(ballJoint(wall, box, {0, 0, 3}, {0, 0, 0}));
  world.addJoint(ballJoint(wall, box, {7, 0, 0}, {0, 0, 1}));
  DrawOptions options = only();
  options.joints = true;
  const DrawList list = draw(frameOf(world), options);
  // The second joint's points lie apart. Half of half the box's side, and 0.6 of that for B; then
  // the link from A to the centre of mass.
  const std::vector<Vec3> a = linesFrom(list, {7, 0, 0});
  const std::vector<Vec3> b = linesFrom(list, Vec3(0, 0, 3) + turn * Vec3::UnitZ());
  ASSERT_GE(a.size(), 3u);
  ASSERT_EQ(b.size(), 4u) << "three axes, and a link to the centre of mass";
  EXPECT_LT((b[0] + turn * Vec3::UnitZ()).norm(), 1e-5);
  for (int axis = 0; axis < 3; ++axis) {
    EXPECT_LT((a[static_cast<std::size_t>(axis)] - 0.25 * Vec3::Unit(axis)).norm(), 1e-5);
    EXPECT_LT((b[static_cast<std::size_t>(axis) + 1] - turn * (0.15 * Vec3::Unit(axis))).norm(),
              1e-5);
  }
}

/// Corners of what lines enclose.
Bounds boundsOf(const std::vector<Line>& lines) {
  Bounds all{Vec3::Constant(kInfinity), Vec3::Constant(-kInfinity)};
  for (const Line& line : lines) {
    for (const Vec3f& end : {line.from, line.to}) {
      all.lower = all.lower.cwiseMin(end.cast<Real>());
      all.upper = all.upper.cwiseMax(end.cast<Real>());
    }
  }
  return all;
}

TEST(MarkDrawing, BoundingBoxes_AreThoseOfTheSnapshot) {
  World world = makeWorld();
  test::addBody(world, Box{{0.5, 1, 2}}, 1, {{1, 2, 3}, test::turn(Vec3::UnitZ(), 0.5)});
  const ViewFrame frame = frameOf(world);
  DrawOptions options = only();
  options.bounds = true;
  const DrawList list = draw(frame, options);
  ASSERT_EQ(list.lines.size(), 12u);
  const Bounds drawn = boundsOf(list.lines);
  EXPECT_LT((drawn.lower - frame.snapshot.bodies[0].boundsLower).norm(), 1e-5);
  EXPECT_LT((drawn.upper - frame.snapshot.bodies[0].boundsUpper).norm(), 1e-5);
}

TEST(MarkDrawing, SelectionBox_TurnsWithTheBodyAndLiesAroundItsShape) {
  World world = makeWorld();
  // A hull whose middle is not its reference frame: from 0 to 2, 0 to 1 and 0 to 4.
  const Shape hull =
      makeHull({{0, 0, 0}, {2, 0, 0}, {0, 1, 0}, {2, 1, 0}, {0, 0, 4}, {2, 1, 4}, {2, 0, 4}});
  const Pose pose{{1, 2, 3}, test::turn(Vec3(1, 2, 2) / 3, 0.8)};
  const BodyId body = test::addBody(world, hull, 1, pose);
  DrawOptions options = only();
  options.selected = body;
  DrawList list = draw(frameOf(world), options);
  ASSERT_EQ(list.lines.size(), 12u);
  // Seen from the body it is the box of its shape, along its axes.
  std::vector<Real> lengths;
  for (Line& line : list.lines) {
    line.from = (pose.inverse() * line.from.cast<Real>()).cast<float>();
    line.to = (pose.inverse() * line.to.cast<Real>()).cast<float>();
    lengths.push_back((line.to - line.from).norm());
  }
  const Bounds local = boundsOf(list.lines);
  EXPECT_LT(local.lower.norm(), 1e-5);
  EXPECT_LT((local.upper - Vec3(2, 1, 4)).norm(), 1e-5);
  std::ranges::sort(lengths);
  EXPECT_NEAR(lengths.front(), 1, 1e-5);
  EXPECT_NEAR(lengths.back(), 4, 1e-5);
}

TEST(MarkDrawing, CentreOfMass_IsMarkedWhereItIs) {
  World world = makeWorld();
  BodyDefinition definition;
  definition.shape = Box{};
  definition.pose = {{1, 2, 3}, test::turn(Vec3::UnitX(), 0.5)};
  definition.mass = MassProperties{1, {0.2, 0.3, -0.1}, Mat3::Identity()};
  const BodyId body = world.addBody(definition);
  DrawOptions options = only();
  options.centersOfMass = true;
  const DrawList list = draw(frameOf(world), options);
  ASSERT_EQ(instances(list), 1u);
  const float* m = list.batches[0].instances[0].transform;
  const Vec3 wanted = definition.pose * Vec3(0.2, 0.3, -0.1);
  EXPECT_LT((Vec3(m[3], m[7], m[11]) - wanted).norm(), 1e-5);
  EXPECT_LT((wanted - world.centerOfMass(body)).norm(), 1e-12);
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
  world.snapshot(frame.snapshot);
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
    World world = makeWorld();
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
