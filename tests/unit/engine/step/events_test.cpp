// What begins and ends in a step, on cases with known answers.
#include <gtest/gtest.h>

#include <vector>

#include "tests/support/allocation_counter.h"
#include "tests/support/constants.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

using test::kGravity;

World makeWorld(Real restitution = 0, int substeps = 1, Real gravity = kGravity) {
  WorldSettings settings = test::settingsFor("bpp-auto");
  settings.gravity = {0, 0, -gravity};
  settings.substeps = substeps;
  World world(settings, test::registry());
  world.setMaterialPair(0, 0, {.friction = 0.5, .restitution = restitution});
  return world;
}

class Landing : public testing::TestWithParam<int> {};

TEST_P(Landing, OfABall_BeginsOnceWithMVOnePlusEAndEndsInTheNextStep) {
  constexpr Real kRestitution = 0.5;
  World world = makeWorld(kRestitution, GetParam(), 0);
  const BodyId ground = test::addPlane(world);
  // 50 mm a step from a gap of 0.1 m: two steps, of which none (no inner step, of 12.5 mm) starts
  // within the margin of 10 mm, and in the third the ball is 1 nm deep.
  const BodyId ball =
      test::addBody(world, Sphere{0.5}, 2, {{0, 0, 0.6 - 1e-9}, Quat::Identity()}, {0, 0, -3});
  int begun = 0, ended = 0, stepOfBegin = 0, stepOfEnd = 0;
  ContactEvent landing;
  for (int i = 1; i <= 10; ++i) {
    world.step();
    const StepEvents& events = world.lastEvents();
    for (const ContactEvent& event : events.contactsBegun) {
      ++begun;
      stepOfBegin = i;
      landing = event;
    }
    for (const ContactEvent& event : events.contactsEnded) {
      ++ended;
      stepOfEnd = i;
      EXPECT_EQ(event.normalImpulse, 0);
      EXPECT_EQ(event.points, 0);
      EXPECT_EQ(event.position, landing.position);
    }
    EXPECT_EQ(events.contactsLasting.size(), 0u);
  }
  ASSERT_EQ(begun, 1);
  ASSERT_EQ(ended, 1);
  EXPECT_EQ(stepOfEnd, stepOfBegin + 1);
  EXPECT_EQ(landing.bodyA, ground);
  EXPECT_EQ(landing.bodyB, ball);
  EXPECT_EQ(landing.points, 1);
  EXPECT_NEAR(landing.approachSpeed, 3, 1e-12);
  EXPECT_NEAR(landing.normalImpulse, 2 * 3 * (1 + kRestitution), 1e-7);  // m v (1 + e)
  EXPECT_NEAR((landing.normal - Vec3::UnitZ()).norm(), 0, 1e-12);
  EXPECT_NEAR(landing.position.head<2>().norm(), 0, 1e-12);
}

TEST_P(Landing, OfABox_ThatStays_LastsWithTheImpulseMHG) {
  World world = makeWorld(0, GetParam());
  test::addGround(world);
  const BodyId box = test::addUnitBox(world, {1, 2, 0.5});
  world.step();
  ASSERT_EQ(world.lastEvents().contactsBegun.size(), 1u);
  for (int i = 0; i < 30; ++i) {
    world.step();
    const StepEvents& events = world.lastEvents();
    ASSERT_EQ(events.contactsLasting.size(), 1u);
    EXPECT_TRUE(events.contactsBegun.empty());
    EXPECT_TRUE(events.contactsEnded.empty());
    const ContactEvent& event = events.contactsLasting[0];
    EXPECT_EQ(event.bodyB, box);
    EXPECT_EQ(event.points, 4);
    // Summed over the inner steps: m g h of the whole step. The compliance leaves 1e-9 of it.
    EXPECT_NEAR(event.normalImpulse, kGravity / 60, 1e-8);
    EXPECT_NEAR((event.position - Vec3(1, 2, 0)).norm(), 0, 1e-4);  // equal corners
    EXPECT_NEAR(event.approachSpeed, 0, 1e-8);
  }
}

INSTANTIATE_TEST_SUITE_P(Substeps, Landing, testing::Values(1, 4));

// So many pairs that threads list them in several ranges.
TEST(ContactEvents, OfManyBoxesAtRest_EachHasItsFourPointsAndMGH) {
  constexpr int kBoxes = 600;
  World world = makeWorld();
  world.setThreads(3);
  test::addPlane(world);
  std::vector<BodyId> boxes;
  for (int i = 0; i < kBoxes; ++i) {
    boxes.push_back(test::addBody(world, Box{{0.2, 0.2, 0.2}}, 1 + i % 3,
                                  {{1.0 * (i % 30), 1.0 * (i / 30), 0.2}, Quat::Identity()}));
  }
  for (int i = 0; i < 3; ++i) world.step();
  const std::vector<ContactEvent>& lasting = world.lastEvents().contactsLasting;
  ASSERT_EQ(lasting.size(), boxes.size());
  for (int i = 0; i < kBoxes; ++i) {
    const ContactEvent& event = lasting[i];
    EXPECT_EQ(event.bodyB, boxes[i]);
    EXPECT_EQ(event.points, 4);
    EXPECT_NEAR(event.normalImpulse, (1 + i % 3) * kGravity / 60, 1e-6) << "box " << i;  // m g h
  }
}

TEST(ContactEvents, PassingBeside_WithinTheMargin_IsNoContact) {
  World world = makeWorld(0, 1, 0);
  test::addGround(world);
  test::addUnitBox(world, {-1, 0, 0.505}, {3, 0, 0});
  int seen = 0;
  for (int i = 0; i < 20; ++i) {
    seen += world.step().contacts;
    EXPECT_TRUE(world.lastEvents().contactsBegun.empty());
  }
  EXPECT_GT(seen, 0) << "the margin should have seen it";
}

TEST(ContactEvents, RemovedBody_EndsItsContactsUnderItsOldId) {
  World world = makeWorld();
  const BodyId ground = test::addGround(world);
  const BodyId box = test::addUnitBox(world, {0, 0, 0.5});
  world.step();
  world.removeBody(box);
  const BodyId other = test::addUnitBox(world, {0, 0, 0.5});  // takes its slot, and lands
  ASSERT_EQ(other.index, box.index);
  world.step();
  const StepEvents& events = world.lastEvents();
  ASSERT_EQ(events.contactsEnded.size(), 1u);
  EXPECT_EQ(events.contactsEnded[0].bodyA, ground);
  EXPECT_EQ(events.contactsEnded[0].bodyB, box);
  ASSERT_EQ(events.contactsBegun.size(), 1u);
  EXPECT_EQ(events.contactsBegun[0].bodyB, other);
}

TEST(ContactEvents, RolledStone_TakesTheMeanOfItsPointsByImpulse) {
  // A box that leans on one edge: all the impulse there, none at the corners that are only near.
  World world = makeWorld();
  test::addGround(world);
  const Real lean = 0.004;  // [rad]: the far edge is 4 mm above the ground, within the margin
  const Real half = std::sqrt(0.5);
  const Real corner = std::acos(0.0) / 2 + lean;  // of the diagonal, from the lower edge
  test::addBody(world, Box{Vec3::Constant(0.5)}, 1,
                {{0, 0, half * std::sin(corner)}, test::turn(Vec3::UnitY(), -lean)});
  world.step();
  const StepEvents& events = world.lastEvents();
  ASSERT_EQ(events.contactsBegun.size(), 1u);
  EXPECT_EQ(events.contactsBegun[0].points, 2);
  EXPECT_NEAR(std::abs(events.contactsBegun[0].position.x()), half * std::cos(corner), 1e-6);
}

TEST(JointEvents, Break_NamesTheJointItsBodiesAndTheImpulse) {
  World world = makeWorld(0, 1, 0);
  const BodyId post = world.addBody({.kind = BodyKind::kStatic});
  const BodyId ball =
      test::addBody(world, Sphere{0.1}, 2, {Vec3::Zero(), Quat::Identity()}, {3, 0, 0});
  JointDefinition tie = ballJoint(post, ball, Vec3::Zero(), Vec3::Zero());
  tie.breakingImpulse = 5;
  const JointId joint = world.addJoint(tie);
  world.step();
  const StepEvents events = world.lastEvents();
  ASSERT_EQ(events.jointsBroken.size(), 1u);
  EXPECT_EQ(events.jointsBroken[0].joint, joint);
  EXPECT_EQ(events.jointsBroken[0].bodyA, post);
  EXPECT_EQ(events.jointsBroken[0].bodyB, ball);
  EXPECT_NEAR(events.jointsBroken[0].impulse, 6, 1e-7);  // m v
  world.step();
  EXPECT_TRUE(world.lastEvents().jointsBroken.empty());
}

TEST(JointEvents, OfSeveralInnerSteps_AscendByJoint) {
  // 1 kg on each: an inner step of 1/480 s brings 20 mN s, so the second breaks before the first,
  // both within the 164 mN s of the step.
  World world = makeWorld(0, 8);
  const BodyId post = world.addBody({.kind = BodyKind::kStatic});
  for (const Real strength : {0.12, 0.05}) {
    const Vec3 anchor(10 * strength, 0, 0);  // apart
    const BodyId load =
        test::addBody(world, Sphere{0.1}, 1, {anchor - Vec3::UnitZ(), Quat::Identity()});
    JointDefinition tie = ballJoint(post, load, anchor, {0, 0, 1});
    tie.breakingImpulse = strength;
    world.addJoint(tie);
  }
  EXPECT_EQ(world.step().brokenJoints, (std::vector<int>{0, 1}));
  const StepEvents& events = world.lastEvents();
  ASSERT_EQ(events.jointsBroken.size(), 2u);
  EXPECT_EQ(events.jointsBroken[0].joint.index, 0);
  EXPECT_EQ(events.jointsBroken[1].joint.index, 1);
  EXPECT_NEAR(events.jointsBroken[1].impulse, 3 * kGravity / 480, 1e-6);
}

/// Balls that rain through a sensor onto each other.
World rain(int threads) {
  WorldSettings settings;
  settings.threads = threads;
  settings.substeps = 2;
  World world(settings, test::registry());
  world.setMaterialPair(0, 0, {.friction = 0.5, .restitution = 0.6});
  test::addGround(world);
  BodyDefinition gate{.kind = BodyKind::kStatic, .shape = Box{{2, 2, 0.2}}};
  gate.pose.position = {0, 0, 1};
  gate.isSensor = true;
  world.addBody(gate);
  for (int i = 0; i < 12; ++i) {
    test::addBody(world, Sphere{0.2}, 1,
                  {{0.45 * (i % 3), 0.41 * (i / 3 % 2), 0.5 + 0.42 * (i / 6)}, Quat::Identity()});
  }
  return world;
}

/// All of a step's events as numbers.
std::vector<Real> flat(const StepEvents& events) {
  std::vector<Real> out;
  for (const auto* list : {&events.contactsBegun, &events.contactsLasting, &events.contactsEnded}) {
    out.push_back(-1);
    for (const ContactEvent& e : *list) {
      out.insert(out.end(), {Real(e.bodyA.index), Real(e.bodyB.index), e.normalImpulse,
                             e.approachSpeed, Real(e.points)});
      out.insert(out.end(), e.position.begin(), e.position.end());
      out.insert(out.end(), e.normal.begin(), e.normal.end());
    }
  }
  for (const auto* list : {&events.sensorsBegun, &events.sensorsEnded}) {
    out.push_back(-2);
    for (const SensorEvent& e : *list) {
      out.insert(out.end(), {Real(e.sensor.index), Real(e.visitor.index)});
    }
  }
  return out;
}

TEST(StepEvents, AreTheSameForEveryThreadCountAndAfterRestoring) {
  World one = rain(1), four = rain(4);
  std::size_t begun = 0, ended = 0;
  for (int i = 0; i < 90; ++i) {
    one.step();
    four.step();
    ASSERT_EQ(flat(one.lastEvents()), flat(four.lastEvents())) << i;
    begun += one.lastEvents().contactsBegun.size();
    ended += one.lastEvents().sensorsEnded.size();
    if (i == 40) {  // in the middle of it all
      four = rain(2);
      four.restore(one.save());
    }
  }
  EXPECT_GT(begun, 20u);
  EXPECT_GT(ended, 2u);
}

// The first inner step of one that diverges in the second finds pairs, and no event comes of them.
TEST(StepEvents, AfterAStepThatDivergedAndARestore_AreAsWithoutIt) {
  World calm = rain(1), world = rain(1);
  const BodyId still = test::addUnitBox(calm, {10, 0, 0.5});
  const BodyId pushed = test::addUnitBox(world, {10, 0, 0.5});
  ASSERT_EQ(still, pushed);
  std::size_t begun = 0;
  for (int i = 0; i < 90; ++i) {
    if (i % 2 == 1) {
      const auto saved = world.save();
      const Real now = world.time(), h = world.settings().timestep;
      world.body(pushed).setForces({{now + h / 2}, {now + h, {0, 0, 1e300}}});
      ASSERT_TRUE(world.step().hasDiverged());
      world.body(pushed).setForces({});
      world.restore(saved);
      ASSERT_TRUE(world.lastEvents().contactsBegun.empty());
      ASSERT_TRUE(world.lastEvents().contactsLasting.empty());
    }
    calm.step();
    world.step();
    ASSERT_EQ(flat(world.lastEvents()), flat(calm.lastEvents())) << i;
    begun += world.lastEvents().contactsBegun.size();
  }
  EXPECT_GT(begun, 20u);
}

TEST(StepEvents, OfAWarmStep_AllocateNothing) {
  World world = makeWorld(0, 2);
  test::addGround(world);
  for (int i = 0; i < 6; ++i) test::addUnitBox(world, {0, 0, 0.5 + i});
  for (int i = 0; i < 20; ++i) world.step();
  const std::int64_t before = test::allocationCount();
  for (int i = 0; i < 20; ++i) world.step();
  EXPECT_EQ(test::allocationCount(), before);
  EXPECT_EQ(world.lastEvents().contactsLasting.size(), 6u);
}

}  // namespace
}  // namespace drystone
