// Joints, bounds, centres of mass and what is selected, as lines and marks.
#include <gtest/gtest.h>

#include "tests/unit/viewer_draw/drawn_worlds.h"

namespace drystone::viewer {
namespace {

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

// What hangs on strings must not seem to float.
TEST(MarkDrawing, DistanceJoints_AreDrawnAsRodsByDefault) {
  World world = makeWorld();
  const BodyId wall = world.addBody({.kind = BodyKind::kStatic});
  const BodyId a = test::addUnitBox(world, {0, 0, 0});
  world.addJoint(ballJoint(wall, a, {0, 0, 0}, {0, 0, 0}));
  world.addJoint(distanceJoint(wall, a, {1, 0, 4}, {0, 0, 0.5}, 3, 5));
  const ViewFrame frame = frameOf(world);
  const DrawList list = draw(frame);
  ASSERT_EQ(list.lines.size(), 1u);
  EXPECT_EQ(list.lines[0].from, Vec3f(1, 0, 4));
  EXPECT_EQ(list.lines[0].to, Vec3f(0, 0, 0.5f));
  EXPECT_FALSE(list.lines[0].overlay) << "bodies before it hide it";
  DrawOptions options = only();
  options.rods = options.joints = true;
  EXPECT_EQ(draw(frame, options).lines.size(), 3u + 3 + 1 + 1 + 1) << "joints draw it already";
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

TEST(MarkDrawing, BoundingBoxOfAGround_IsLeftOut) {
  World world = makeWorld();
  test::addUnitBox(world, {0, 0, 0.5});
  test::addGround(world);
  world.addBody(
      {.kind = BodyKind::kStatic, .shape = Box{{1, 1, 1}}, .pose = {{3, 0, 1}, Quat::Identity()}});
  DrawOptions options = only();
  options.bounds = true;
  const DrawList list = draw(frameOf(world), options);
  EXPECT_EQ(list.lines.size(), 2u * 12) << "of the box and of the pillar";
  EXPECT_LT(boundsOf(list.lines).upper.x(), 5);
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
  EXPECT_LT((wanted - world.body(body).centerOfMass()).norm(), 1e-12);
}

}  // namespace
}  // namespace drystone::viewer
