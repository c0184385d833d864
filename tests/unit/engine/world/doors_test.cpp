// What the public functions of a world refuse, in every build, and that it names the argument and
// the remedy.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <optional>
#include <vector>

#include "core/input_error.h"
#include "engine/world/world.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

/// A world with one of everything, and ids of what is gone.
struct Scenery {
  World world{test::settingsFor("bpp-auto"), test::registry()};
  BodyId ground = test::addGround(world);
  BodyId box = test::addUnitBox(world, {0, 0, 0.5});
  BodyId bare = world.addBody(
      {.name = "bare", .mass = MassProperties{.mass = 1, .inertia = Mat3::Identity()}});
  BodyId removed = test::addUnitBox(world, {5, 0, 0.5});
  JointId hinge = world.addJoint(hingeJoint(ground, box, {{0, 0, 0.5}}, {}));
  JointId removedJoint = world.addJoint(ballJoint(ground, bare, Vec3(0, 0, 1), Vec3(0, 0, 1)));

  Scenery() {
    world.removeBody(removed);
    world.removeJoint(removedJoint);
    world.step();
  }
};

struct Door {
  const char* name;
  std::function<void(Scenery&)> call;
  const char* problem;  ///< part of what the error says
};

void PrintTo(const Door& door, std::ostream* out) { *out << door.name; }

class WorldDoor : public testing::TestWithParam<Door> {};

TEST_P(WorldDoor, BadArgument_IsRefusedWithItsNameAndChangesNothing) {
  Scenery scenery;
  const std::uint64_t before = scenery.world.observe().hash();
  try {
    GetParam().call(scenery);
    ADD_FAILURE() << "no error";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr(GetParam().problem));
  }
  EXPECT_EQ(scenery.world.observe().hash(), before);
}

const Vec3 kBad(0, std::nan(""), 0);
const Vec3 kUp(0, 0, 1);
const Pose kBadPose{.position = kBad};
const Pose kNoTurn{.rotation = Quat(0.5, 0, 0, 0)};

void castTwo(Scenery& scenery, const Ray& first, const Ray& second, std::size_t hits, int threads) {
  std::vector<std::optional<BodyHit>> room(hits);
  scenery.world.queries().rayCasts(std::array{first, second}, room, threads);
}

INSTANTIATE_TEST_SUITE_P(
    Bodies, WorldDoor,
    testing::Values(
        Door{"body", [](Scenery& s) { s.world.body(s.removed); },
             "body 3 does not exist: it was removed"},
        Door{"constBody", [](Scenery& s) { std::as_const(s.world).body({}); }, "body id is empty"},
        Door{"bodyOfNoSlot",
             [](Scenery& s) {
               s.world.body({99, 0});
             },
             "body 99 does not exist"},
        Door{"removeBody", [](Scenery& s) { s.world.removeBody(s.removed); }, "it was removed"},
        Door{"addBody", [](Scenery& s) { s.world.addBody({.shape = Box{}, .material = 7}); },
             "material 7 does not exist"},
        Door{"setPose", [](Scenery& s) { s.world.body(s.box).setPose(kBadPose); },
             "setPose: pose is not finite"},
        Door{"setPoseTurn", [](Scenery& s) { s.world.body(s.box).setPose(kNoTurn); },
             "setPose: rotation of pose is no unit quaternion: normalize it"},
        Door{"setVelocity", [](Scenery& s) { s.world.body(s.box).setVelocity(kBad, kUp); },
             "setVelocity: linear velocity is not finite"},
        Door{"setSpin", [](Scenery& s) { s.world.body(s.box).setVelocity(kUp, kBad); },
             "setVelocity: angular velocity is not finite"},
        Door{"setVelocityOfStatic",
             [](Scenery& s) { s.world.body(s.ground).setVelocity(kUp, kUp); },
             "static and has no velocity: make it kinematic"},
        Door{"applyForce", [](Scenery& s) { s.world.body(s.box).applyForce(kBad); },
             "applyForce: force is not finite"},
        Door{"applyForceAt", [](Scenery& s) { s.world.body(s.box).applyForceAt(kBad, kUp); },
             "applyForceAt: force is not finite"},
        Door{"applyForceAtPoint", [](Scenery& s) { s.world.body(s.box).applyForceAt(kUp, kBad); },
             "applyForceAt: point is not finite"},
        Door{"applyForceAtFar",
             [](Scenery& s) {
               s.world.body(s.box).applyForceAt({0, 0, 1e200}, {1e200, 0, 0});
             },
             "applyForceAt: torque of the force is not finite"},
        Door{"applyTorque", [](Scenery& s) { s.world.body(s.box).applyTorque(kBad); },
             "applyTorque: torque is not finite"}));

INSTANTIATE_TEST_SUITE_P(
    Joints, WorldDoor,
    testing::Values(
        Door{"joint", [](Scenery& s) { s.world.joint(s.removedJoint); },
             "joint 1 does not exist: it was removed"},
        Door{"constJoint", [](Scenery& s) { std::as_const(s.world).joint({}); },
             "joint id is empty"},
        Door{"removeJoint", [](Scenery& s) { s.world.removeJoint(s.removedJoint); },
             "it was removed"},
        Door{"addJoint",
             [](Scenery& s) { s.world.addJoint(ballJoint(s.box, s.removed, kUp, kUp)); },
             "body 3 does not exist: it was removed"},
        Door{"coordinate", [](Scenery& s) { s.world.joint(s.hinge).coordinate(6); },
             "has coordinates 0 to 5, not 6"},
        Door{"rate", [](Scenery& s) { s.world.joint(s.hinge).rate(-1); }, "0 to 5, not -1"},
        Door{"setMotorTarget",
             [](Scenery& s) { s.world.joint(s.hinge).setMotorTarget(kAboutX, 1); },
             "has no motor on coordinate 3"}));

INSTANTIATE_TEST_SUITE_P(
    Settings, WorldDoor,
    testing::Values(
        Door{"setGravity", [](Scenery& s) { s.world.setGravity(kBad); },
             "setGravity: gravity is not"},
        Door{"setTimestep", [](Scenery& s) { s.world.setTimestep(0); }, "timestep must be"},
        Door{"setThreads", [](Scenery& s) { s.world.setThreads(0); }, "threads must be"},
        Door{"setSolver", [](Scenery& s) { s.world.setSolver({.name = "bbp"}); }, "\"bpp\""},
        Door{"addMaterial", [](Scenery& s) { s.world.addMaterial({.friction = -1}); }, "friction"},
        Door{"setMaterialPair", [](Scenery& s) { s.world.setMaterialPair(0, 5, {}); },
             "material 5 does not exist"},
        Door{"restore", [](Scenery& s) { s.world.restore({}); }, "the data ends early"}));

INSTANTIATE_TEST_SUITE_P(
    Questions, WorldDoor,
    testing::Values(
        Door{"rayFrom", [](Scenery& s) { s.world.queries().rayCast(kBad, kUp); },
             "rayCast: from is not finite"},
        Door{"rayTo", [](Scenery& s) { s.world.queries().rayCast(kUp, kBad); },
             "rayCast: to is not finite"},
        Door{"rayOfNoLength", [](Scenery& s) { s.world.queries().rayCast(kUp, kUp); },
             "rayCast: from and to are one point and give no direction: move `to`"},
        Door{"rayTooLong",
             [](Scenery& s) {
               s.world.queries().rayCast({-1e150, 0, 0}, {1, 0, 0});
             },
             "rayCast: from must be within ±1e+15 m, got 1e+150"},
        Door{"rayToFar",
             [](Scenery& s) {
               s.world.queries().rayCastAll({0, 0, 0}, {0, 1.1e15, 0});
             },
             "rayCastAll: to must be within ±1e+15 m, got 1.1e+15"},
        Door{"rayTooShort",
             [](Scenery& s) {
               s.world.queries().rayCast({1e-160, 0, 0}, {0, 0, 0});
             },
             "rayCast: from and to are 1e-160 m apart, less than 1e-15 m, and give no direction"},
        Door{"rayAll", [](Scenery& s) { s.world.queries().rayCastAll(kUp, kUp); },
             "rayCastAll: from and to are one point"},
        Door{"rayWithoutNone",
             [](Scenery& s) {
               s.world.queries().rayCast(-kUp, kUp, {.without = {&s.removed, 1}});
             },
             "body 3 does not exist: it was removed"},
        Door{"rays",
             [](Scenery& s) {
               castTwo(s, {}, {kUp, kBad}, 2, 1);
             },
             "rayCasts: ray 1: to is not finite"},
        Door{"raysOfNoLength",
             [](Scenery& s) {
               castTwo(s, {kUp, kUp}, {}, 2, 1);
             },
             "rayCasts: ray 0: from and to are one point"},
        Door{"raysForFewer", [](Scenery& s) { castTwo(s, {}, {}, 1, 1); },
             "rayCasts: 2 rays but room for 1 hits: give as many"},
        Door{"raysOnNoThread", [](Scenery& s) { castTwo(s, {}, {}, 2, 0); },
             "rayCasts: threads must be 1 to 1024, got 0"},
        Door{"shapeCastHull",
             [](Scenery& s) { s.world.queries().shapeCast(ConvexHull{}, {}, kUp); },
             "hull: has no data; make it with makeHull()"},
        Door{"shapeCast", [](Scenery& s) { s.world.queries().shapeCast(Box{}, kBadPose, kUp); },
             "shapeCast: from is not finite"},
        Door{"shapeCastTo", [](Scenery& s) { s.world.queries().shapeCast(Box{}, {}, kBad); },
             "shapeCast: to is not finite"},
        Door{"shapeCastFar",
             [](Scenery& s) { s.world.queries().shapeCast(Box{}, {}, 1e150 * kUp); },
             "shapeCast: to must be within ±1e+15 m, got 1e+150"},
        Door{"overlap", [](Scenery& s) { s.world.queries().overlap(Box{}, kNoTurn); },
             "overlap: rotation of pose"},
        Door{"overlapPlane", [](Scenery& s) { s.world.queries().overlap(Plane{}, {}); },
             "only bounded convex shapes"},
        Door{"closest", [](Scenery& s) { s.world.queries().closestPoints(Box{}, {}, s.bare); },
             "closestPoints: body 'bare' has no shape"},
        Door{"closestToNone",
             [](Scenery& s) { s.world.queries().closestPoints(Box{}, {}, s.removed); },
             "it was removed"},
        Door{"closestWithin",
             [](Scenery& s) { s.world.queries().closestBody(Box{}, {}, std::nan("")); },
             "closestBody: reach must be > 0 m"},
        Door{"closestWithout",
             [](Scenery& s) {
               s.world.queries().closestBody(Box{}, {}, 1, {.without = {&s.removed, 1}});
             },
             "it was removed"},
        Door{"island", [](Scenery& s) { s.world.observe().islandProblem(9); },
             "island 9 does not exist"},
        Door{"impulses", [](Scenery& s) { s.world.observe().islandImpulses(-1); },
             "counted from 0"},
        Door{"warmStart", [](Scenery& s) { s.world.observe().islandWarmStart(9); }, "island 9"},
        Door{"warmStates", [](Scenery& s) { s.world.observe().islandWarmStates(9); }, "island 9"}));

// A handle is kept while what it names goes, and while the world moves.
TEST(WorldHandles, OfWhatWasRemoved_Throw) {
  Scenery scenery;
  const BodyHandle box = scenery.world.body(scenery.box);
  const JointHandle hinge = scenery.world.joint(scenery.hinge);
  World moved = std::move(scenery.world);
  EXPECT_NEAR(box.mass(), 1, 1e-14);
  moved.removeBody(scenery.box);
  test::addUnitBox(moved, {0, 0, 0.5});  // in the same slot
  EXPECT_THROW(box.pose(), InputError);
  EXPECT_THROW(box.wake(), InputError);
  EXPECT_THROW(box.contacts(), InputError);
  EXPECT_THROW(box.joints(), InputError);
  EXPECT_THROW(hinge.reaction(), InputError);
  EXPECT_THROW(hinge.setMotorTarget(kAboutX, 0), InputError);
}

TEST(WorldQueries, SeeTheBodiesWhereTheyAre) {
  WorldSettings settings = test::settingsFor("bpp-auto");
  settings.gravity.setZero();
  World world(settings, test::registry());
  const BodyId ball = test::addBody(world, Sphere{0.5}, 1, {{0, 0, 0}}, {6, 0, 0});
  const World& seen = world;
  for (int i = 0; i < 20; ++i) world.step();  // to x = 2
  const auto hit = seen.queries().rayCast({2, 0, 5}, {2, 0, -5});
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->body, ball);
  EXPECT_NEAR(hit->position.z(), 0.5, 1e-12);
  const auto cast = seen.queries().shapeCast(Sphere{0.5}, {{2, 0, 5}}, {2, 0, 0});
  ASSERT_TRUE(cast);
  EXPECT_EQ(cast->body, ball);
  EXPECT_NEAR(cast->fraction, 0.8, 1e-9);
  EXPECT_EQ(seen.queries().overlap(Box{{0.1, 0.1, 0.1}}, {{2, 0, 0}}), std::vector{ball});
  EXPECT_TRUE(seen.queries().overlap(Box{{0.1, 0.1, 0.1}}, {}).empty());
  const BodyDistance apart = seen.queries().closestPoints(Sphere{0.25}, {{2, 0, 2}}, ball);
  EXPECT_NEAR(apart.gap, 1.25, 1e-12);
  EXPECT_NEAR((apart.onShape - Vec3(2, 0, 1.75)).norm(), 0, 1e-12);
  EXPECT_NEAR((apart.onOther - Vec3(2, 0, 0.5)).norm(), 0, 1e-12);
}

// Queries between the steps bring the broad phase up to date, which later contacts must not show.
TEST(WorldQueries, BetweenSteps_ChangeNoBit) {
  World asked(test::settingsFor("bpp-auto"), test::registry());
  World left(test::settingsFor("bpp-auto"), test::registry());
  for (World* world : {&asked, &left}) {
    test::addGround(*world);
    for (int i = 0; i < 4; ++i) test::addUnitBox(*world, {0.1 * i, 0, 0.6 + 1.1 * i}, {0.2, 0, 0});
  }
  for (int step = 0; step < 120; ++step) {
    asked.queries().overlap(Box{{3, 3, 3}}, {{0, 0, 2}});
    asked.step();
    left.step();
    ASSERT_EQ(asked.observe().hash(), left.observe().hash()) << step;
  }
}

}  // namespace
}  // namespace drystone
