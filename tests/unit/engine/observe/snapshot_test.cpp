// What a snapshot shows beyond poses: boxes, blocks of contacts, joints.
#include <gtest/gtest.h>

#include "tests/support/allocation_counter.h"
#include "tests/support/constants.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

using test::kGravity;

WorldSnapshot snapshotOf(const World& world) {
  WorldSnapshot snapshot;
  world.observe().snapshot(snapshot);
  return snapshot;
}

TEST(Snapshot, BoundsAreTheShapesGrownByHalfTheMarginAndTheWayOfTheStep) {
  WorldSettings settings = test::settingsFor("bpp");
  World world(settings, test::registry());
  // A cube turned by 45° about z reaches √2/2 along x and y.
  test::addBody(world, Box{Vec3::Constant(0.5)}, 1, {{1, 2, 5}, test::turn(Vec3::UnitZ(), M_PI_4)});
  world.step();
  const BodySnapshot body = snapshotOf(world).bodies.at(0);
  const Real grow = 0.5 * settings.contactMargin;
  const Vec3 half(M_SQRT1_2 + grow, M_SQRT1_2 + grow, 0.5 + grow);
  // The step detected at the pose of its start, from where the cube would fall by h² g.
  const Vec3 fall = settings.timestep * settings.timestep * settings.gravity;
  EXPECT_LT((body.boundsLower - (Vec3(1, 2, 5) - half + fall)).norm(), 1e-12);
  EXPECT_LT((body.boundsUpper - (Vec3(1, 2, 5) + half)).norm(), 1e-12);
}

TEST(Snapshot, PlanesAndBodiesWithoutShape_HaveNoBounds) {
  World world(test::settingsFor("bpp"), test::registry());
  test::addPlane(world);
  const Quat tilted = test::turn(Vec3::UnitY(), 0.3);
  world.addBody({.kind = BodyKind::kStatic, .shape = Plane{}, .pose = {{0, 0, -9}, tilted}});
  world.addBody({.kind = BodyKind::kStatic});
  world.step();
  const WorldSnapshot snapshot = snapshotOf(world);
  ASSERT_EQ(snapshot.bodies.size(), 3u);
  for (const BodySnapshot& body : snapshot.bodies) {
    EXPECT_TRUE(body.boundsLower.isZero() && body.boundsUpper.isZero());
  }
}

TEST(Snapshot, BlockOfAContact_HoldsItsImpulseInTheIslandsProblem) {
  World world(test::settingsFor("bpp"), test::registry());
  test::addGround(world);
  for (const Real x : {0.0, 3.0}) {
    const BodyId low = test::addUnitBox(world, {x, 0, 0.5}, {0.3, 0, 0});
    // Joint blocks come before those of the contacts.
    world.addJoint(ballJoint(low, test::addUnitBox(world, {x, 0, 1.5}), {0, 0, 1}, {0, 0, 0}));
  }
  world.step();
  const WorldSnapshot snapshot = snapshotOf(world);
  ASSERT_EQ(snapshot.contacts.size(), 8u);
  for (const ContactSnapshot& contact : snapshot.contacts) {
    const ContactProblem problem = world.observe().islandProblem(contact.island);
    ASSERT_TRUE(contact.block >= 0 && contact.block < std::ssize(problem.blocks));
    const ProblemBlock& block = problem.blocks[contact.block];
    EXPECT_EQ(block.friction, contact.friction);
    const auto lambda = world.observe().islandImpulses(contact.island).subspan(block.firstRow, 3);
    EXPECT_EQ(lambda[0], contact.normalImpulse);
    EXPECT_NEAR(std::hypot(lambda[1], lambda[2]),
                (contact.impulse - contact.normalImpulse * contact.normal).norm(), 1e-12);
  }
}

TEST(Snapshot, JointOfAHangingBody_ShowsItsFramesAndItsWeight) {
  World world(test::settingsFor("bpp"), test::registry());
  const BodyId ceiling =
      world.addBody({.kind = BodyKind::kStatic, .pose = {{0, 0, 4}, Quat::Identity()}});
  const BodyId weight = test::addUnitBox(world, {1, 0, 3});
  world.addJoint(fixedJoint(ceiling, weight, {{1, 0, -1}, Quat::Identity()}, {}));
  world.step();
  const WorldSnapshot snapshot = snapshotOf(world);
  ASSERT_EQ(snapshot.joints.size(), 1u);
  const JointSnapshot& joint = snapshot.joints[0];
  EXPECT_EQ(joint.bodyA, ceiling);
  EXPECT_EQ(joint.bodyB, weight);
  EXPECT_LT((joint.frameA.position - Vec3(1, 0, 3)).norm(), 1e-9);
  EXPECT_LT((joint.frameB.position - Vec3(1, 0, 3)).norm(), 1e-9);
  EXPECT_NEAR(joint.reaction.force.z(), kGravity, 1e-6);
}

TEST(Snapshot, Gear_HasTheFramesOfTheCoupledJointsOnItsBodies) {
  World world(test::settingsFor("bpp"), test::registry());
  const BodyId base = world.addBody({.kind = BodyKind::kStatic});
  std::vector<BodyId> wheels;
  std::vector<JointId> hinges;
  for (const Real y : {0.0, 3.0}) {
    wheels.push_back(test::addUnitBox(world, {0, y, 0}));
    hinges.push_back(world.addJoint(hingeJoint(
        base, wheels.back(), {{0.25, y, 0}, Quat::Identity()}, {{0.25, 0, 0}, Quat::Identity()})));
  }
  const JointId gear = world.addJoint(gearJoint(hinges[0], hinges[1], 2));
  const WorldSnapshot snapshot = snapshotOf(world);
  ASSERT_EQ(snapshot.joints.size(), 3u);
  const JointSnapshot& joint = snapshot.joints[2];
  EXPECT_EQ(joint.id, gear);
  EXPECT_EQ(joint.geometry, JointGeometry::kGear);
  EXPECT_EQ(joint.bodyA, wheels[0]);
  EXPECT_EQ(joint.bodyB, wheels[1]);
  EXPECT_LT((joint.frameA.position - Vec3(0.25, 0, 0)).norm(), 1e-12);
  EXPECT_LT((joint.frameB.position - Vec3(0.25, 3, 0)).norm(), 1e-12);
}

TEST(Snapshot, BrokenAndRemovedJoints_AreNotInIt) {
  World world(test::settingsFor("bpp"), test::registry());
  const BodyId ceiling = world.addBody({.kind = BodyKind::kStatic});
  JointDefinition weak =
      ballJoint(ceiling, test::addUnitBox(world, {0, 0, -1}), {0, 0, -1}, {0, 0, 0});
  weak.breakingImpulse = 1e-9;
  world.addJoint(weak);
  const JointId kept = world.addJoint(
      ballJoint(ceiling, test::addUnitBox(world, {5, 0, -1}), {5, 0, -1}, {0, 0, 0}));
  const JointId removed = world.addJoint(
      ballJoint(ceiling, test::addUnitBox(world, {9, 0, -1}), {9, 0, -1}, {0, 0, 0}));
  world.removeJoint(removed);
  EXPECT_EQ(snapshotOf(world).joints.size(), 2u);
  world.step();
  const WorldSnapshot snapshot = snapshotOf(world);
  ASSERT_EQ(snapshot.joints.size(), 1u);
  EXPECT_EQ(snapshot.joints[0].id, kept);
}

TEST(Snapshot, OfAWarmWorld_AllocatesNothing) {
  World world(test::settingsFor("bpp"), test::registry());
  test::addGround(world);
  const BodyId low = test::addUnitBox(world, {0, 0, 0.5});
  world.addJoint(ballJoint(low, test::addUnitBox(world, {0, 0, 1.5}), {0, 0, 1}, {0, 0, 0}));
  world.step();
  WorldSnapshot snapshot;
  world.observe().snapshot(snapshot);
  const std::int64_t before = test::allocationCount();
  for (int i = 0; i < 3; ++i) world.observe().snapshot(snapshot);
  EXPECT_EQ(test::allocationCount(), before);
  EXPECT_EQ(snapshot.joints.size(), 1u);
}

}  // namespace
}  // namespace drystone
