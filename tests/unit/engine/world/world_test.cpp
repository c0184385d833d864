#include "engine/world/world.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/input_error.h"
#include "solvers/default_registry.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

using testing::HasSubstr;

template <class Call>
std::string problemOf(Call&& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

World emptyWorld() { return World(test::settingsFor("bpp-auto"), test::registry()); }

TEST(WorldInput, NegativeMass_NamesTheBody) {
  World world = emptyWorld();
  BodyDefinition body{.name = "brick", .shape = Box{}};
  body.mass = MassProperties{.mass = -1, .inertia = Mat3::Identity()};
  EXPECT_THAT(problemOf([&] { world.addBody(body); }), HasSubstr("body 'brick': mass must be > 0"));
}

// 5 kg without an inertia: the second body has no name, so that its index tells which it is.
TEST(WorldInput, MassWithoutInertia_IsAnsweredWithMassOf) {
  World world = emptyWorld();
  test::addUnitBox(world, Vec3::Zero());
  BodyDefinition body{.shape = Box{}};
  body.mass = MassProperties{5};
  EXPECT_THAT(problemOf([&] { world.addBody(body); }),
              HasSubstr("body 'body_1': inertia: must be positive definite; it was left out: "
                        "massOf(shape, mass) gives that of the shape with the mass"));
  body.mass = massOf(*body.shape, 5);
  const BodyId added = world.addBody(body);
  EXPECT_EQ(world.body(added).mass(), 5);
  // A cube of side 1: I = m/6.
  EXPECT_NEAR(world.body(added).inverseInertia().inverseInertia(0, 0), 6.0 / 5, 1e-12);
  BodyDefinition point{.name = "point"};
  point.mass = MassProperties{5};
  EXPECT_THAT(problemOf([&] { world.addBody(point); }),
              HasSubstr("body 'point': inertia: must be positive definite; it was left out: "
                        "without a shape give it, in kg m²"));
}

// The inertia about the centre of mass of two balls 1e300 m apart is not finite: the body stood at
// NaN before its first step.
TEST(WorldInput, MassOfAShapeThatIsNotFinite_IsRefused) {
  World world = emptyWorld();
  const auto addPair = [&](Real apart) {
    const CompoundChild near{Sphere{0.5}, {}}, far{Sphere{0.5}, {.position = {apart, 0, 0}}};
    world.addBody({.name = "pair", .shape = Compound{{near, far}}});
  };
  EXPECT_THAT(problemOf([&] { addPair(1e300); }),
              HasSubstr("compound: children[1]: position must be within ±1e+15 m, got 1e+300"));
  EXPECT_TRUE(world.bodies().empty());
  addPair(2);
  world.step();
  EXPECT_TRUE(world.body(world.bodies().front()).pose().position.allFinite());
}

TEST(WorldInput, NotFinite_IsRefusedEverywhere) {
  World world = emptyWorld();
  const BodyId box = test::addUnitBox(world, Vec3::Zero());
  const Vec3 bad(0, std::nan(""), 0);
  EXPECT_THROW(world.body(box).applyForce(bad), InputError);
  EXPECT_THROW(world.body(box).applyTorque(bad), InputError);
  EXPECT_THROW(world.body(box).setVelocity(bad, Vec3::Zero()), InputError);
  EXPECT_THROW(world.body(box).setPose({bad, Quat::Identity()}), InputError);
  EXPECT_THROW(world.setGravity(bad), InputError);
  EXPECT_THROW((void)JointMotor{.target = std::nan("")}, InputError);
  BodyDefinition body{.shape = Box{}};
  body.pose.position = bad;
  EXPECT_THROW(world.addBody(body), InputError);
}

TEST(WorldInput, RefusedForce_LeavesTheBodyAlone) {
  World world = emptyWorld();
  const BodyId box = test::addUnitBox(world, Vec3(0, 0, 50));
  const Vec3 up(0, 0, 20), bad(0, std::nan(""), 0);
  EXPECT_THROW(world.body(box).applyForceAt(up, bad), InputError);
  EXPECT_THROW(world.body(box).applyForceAt({0, 0, 1e200}, {1e200, 0, 0}), InputError);
  world.step();
  EXPECT_NEAR(world.body(box).linearVelocity().z(), -9.81 / 60, 1e-12);
}

TEST(WorldInput, RotationThatIsNotQuiteUnit_IsMadeOne) {
  World world = emptyWorld();
  MassProperties offCentre{.mass = 1, .centerOfMass = {2, 0, 0}, .inertia = Mat3::Identity()};
  const BodyId body = world.addBody({.mass = offCentre});
  Quat almost = test::turn(Vec3::UnitZ(), 0.3);
  almost.coeffs() *= 1.0005;
  world.body(body).setPose({Vec3(1, 2, 3), almost});
  const Vec3 arm = world.body(body).centerOfMass() - Vec3(1, 2, 3);
  EXPECT_NEAR(arm.norm(), 2, 1e-12);
  EXPECT_NEAR((world.body(body).pose().position - Vec3(1, 2, 3)).norm(), 0, 1e-12);
}

TEST(World, Registry_IsItsOwn) {
  World world(test::settingsFor("sor-prox"), makeDefaultRegistry());
  test::addGround(world);
  test::addUnitBox(world, {0, 0, 0.5});
  world.setSolver(test::settingsFor("nsgs").solver);
  EXPECT_TRUE(world.step().withinTolerance);
}

TEST(WorldInput, BadMassOrMotion_IsRefused) {
  World world = emptyWorld();
  BodyDefinition body{.shape = Box{}};
  body.mass = MassProperties{
      .mass = 1, .centerOfMass = Vec3(std::nan(""), 0, 0), .inertia = Mat3::Identity()};
  EXPECT_THROW(world.addBody(body), InputError);
  body.mass = MassProperties{.mass = 1, .inertia = Mat3::Identity()};
  body.mass->inertia(0, 1) = 100;  // not symmetric
  EXPECT_THROW(world.addBody(body), InputError);
  BodyDefinition lift{.kind = BodyKind::kKinematic, .shape = Box{}};
  lift.motion = {{0, Vec3(std::nan(""), 0, 0), Vec3::Zero()}};
  EXPECT_THROW(world.addBody(lift), InputError);
}

TEST(WorldInput, BadForceSchedule_IsRefusedAndChangesNothing) {
  World world = emptyWorld();
  const ForceKey good{.time = 1, .force = {1, 0, 0}};
  const BodyId box = world.addBody({.shape = Box{}, .forces = {good}});
  const BodyId post = world.addBody({.kind = BodyKind::kStatic});
  EXPECT_THAT(problemOf([&] { world.body(box).setForces({good, good}); }), HasSubstr("ascend"));
  const ForceKey bad{.time = 2, .torque = {0, kInfinity, 0}};
  EXPECT_THAT(problemOf([&] { world.body(box).setForces({good, bad}); }), HasSubstr("finite"));
  EXPECT_THAT(problemOf([&] { world.body(post).setForces({good}); }), HasSubstr("dynamic"));
  EXPECT_THROW(world.addBody({.shape = Box{}, .forces = {good, bad}}), InputError);
  ASSERT_EQ(world.body(box).forces().size(), 1u);
  EXPECT_EQ(world.body(box).forces()[0].force, good.force);
}

TEST(WorldInput, FallbackPolicyWithoutASolver_IsRefused) {
  WorldSettings settings;
  settings.solver.policy = FailurePolicy::kFallback;
  EXPECT_THAT(problemOf([&] { World(settings, test::registry()); }), HasSubstr("fallback"));
}

TEST(World, TwoJointsOnAPair_SeparateItUntilBothAreGone) {
  WorldSettings settings = test::settingsFor("bpp-auto");
  settings.gravity.setZero();
  World world(settings, test::registry());
  const BodyId a = test::addUnitBox(world, {0, 0, 0});
  const BodyId b = test::addUnitBox(world, {0.95, 0, 0});
  const JointId first = world.addJoint(ballJoint(a, b, {0.475, 0, 0}, {-0.475, 0, 0}));
  const JointId second = world.addJoint(ballJoint(b, a, {-0.475, 0.1, 0}, {0.475, 0.1, 0}));
  EXPECT_EQ(world.step().contacts, 0);
  world.removeJoint(first);
  EXPECT_EQ(world.step().contacts, 0);
  world.removeJoint(second);
  EXPECT_EQ(world.step().contacts, 4);
}

TEST(World, HandleOfARemovedJoint_StaysStaleWhenItsSlotIsUsedAgain) {
  World world(test::settingsFor("bpp-auto"), test::registry());
  const BodyId a = test::addUnitBox(world, {0, 0, 0});
  const BodyId b = test::addUnitBox(world, {2, 0, 0});
  const JointDefinition hinge =
      hingeJoint(a, b, {{1, 0, 0}, Quat::Identity()}, {{-1, 0, 0}, Quat::Identity()});
  const JointId first = world.addJoint(hinge);
  const JointId other = world.addJoint(hinge);
  for (int i = 0; i < 3; ++i) world.step();
  world.removeJoint(first);
  const JointId second = world.addJoint(hinge);
  EXPECT_EQ(second.index, first.index);
  EXPECT_FALSE(world.contains(first));
  EXPECT_TRUE(world.contains(second));
  EXPECT_THROW(world.joint(first).reaction(), InputError);
  EXPECT_THROW(world.removeJoint(first), InputError);
  EXPECT_EQ(world.joints(), (std::vector<JointId>{second, other}));
  EXPECT_EQ(world.joint(second).reaction().force, Vec3(0, 0, 0)) << "nothing of the joint before";
  world.removeBody(b);
  EXPECT_EQ(std::ssize(world.joints()), 0);
  EXPECT_FALSE(world.contains(second));
}

TEST(World, GearInASlotBelowItsJoints_BreaksWithTheFirstOfThem) {
  WorldSettings settings = test::settingsFor("bpp-auto");
  World world(settings, test::registry());
  BodyDefinition post{.kind = BodyKind::kStatic};
  const BodyId ground = world.addBody(post);
  const BodyId spare = test::addUnitBox(world, {-10, 0, 0});
  const JointId place = world.addJoint(ballJoint(ground, spare, {-10, 0, 0}, {0, 0, 0}));
  std::vector<JointId> hinges;
  for (const Real x : {0.0, 5.0}) {
    const BodyId wheel = test::addUnitBox(world, {x, 0, 0});
    JointDefinition hinge = hingeJoint(ground, wheel, {{x, 0, 0}, Quat::Identity()}, {});
    if (x > 0) hinge.breakingImpulse = 1e-9;
    hinges.push_back(world.addJoint(hinge));
  }
  world.removeJoint(place);
  const JointId gear = world.addJoint(gearJoint(hinges[0], hinges[1], 1));
  ASSERT_LT(gear.index, hinges[0].index);
  world.step();
  EXPECT_FALSE(world.contains(hinges[1]));
  EXPECT_FALSE(world.contains(gear));
  EXPECT_TRUE(world.contains(hinges[0]));
  ASSERT_EQ(world.lastEvents().jointsBroken.size(), 2u);
  EXPECT_EQ(world.lastEvents().jointsBroken[0].joint, gear);
}

TEST(World, SlotUsedAgain_ShowsNoContactsOfTheBodyBefore) {
  World world = emptyWorld();
  test::addGround(world);
  const BodyId box = test::addUnitBox(world, {0, 0, 0.5});
  world.step();
  world.removeBody(box);
  test::addBody(world, Sphere{0.5}, 1, {{0, 0, 50}, Quat::Identity()});
  WorldSnapshot snapshot;
  world.observe().snapshot(snapshot);
  EXPECT_TRUE(snapshot.contacts.empty());
  EXPECT_EQ(snapshot.bodies.back().island, -1);
}

TEST(WorldInput, DynamicPlane_IsRefused) {
  World world = emptyWorld();
  EXPECT_THAT(problemOf([&] { world.addBody({.name = "p", .shape = Plane{}}); }),
              HasSubstr("static"));
}

TEST(WorldInput, StaleHandle_IsRefusedAfterItsSlotIsUsedAgain) {
  World world = emptyWorld();
  const BodyId first = test::addUnitBox(world, Vec3::Zero());
  world.removeBody(first);
  const BodyId second = test::addUnitBox(world, Vec3::Zero());
  EXPECT_EQ(first.index, second.index);
  EXPECT_FALSE(world.contains(first));
  EXPECT_THROW(world.body(first).pose(), InputError);
  EXPECT_NO_THROW(world.body(second).pose());
}

TEST(WorldInput, UnknownSolver_SuggestsNearNames) {
  WorldSettings settings;
  settings.solver.name = "bbp";
  EXPECT_THAT(problemOf([&] { World(settings, test::registry()); }), HasSubstr("\"bpp\""));
}

TEST(WorldInput, SolverWithoutTheFrictionModel_NamesThoseThatHaveIt) {
  WorldSettings settings;
  settings.solver.name = "bpp-auto";
  settings.friction = FrictionModel::kContensou;
  EXPECT_THAT(problemOf([&] { World(settings, test::registry()); }), HasSubstr("sor-prox"));
}

TEST(WorldInput, BadSettings_AreAllReported) {
  WorldSettings settings;
  settings.timestep = 0;
  settings.contactMargin = -1;
  const std::string problems = problemOf([&] { World(settings, test::registry()); });
  EXPECT_THAT(problems, HasSubstr("timestep"));
  EXPECT_THAT(problems, HasSubstr("margin"));
}

TEST(World, OffsetCentreOfMass_KeepsTheReferencePose) {
  World world = emptyWorld();
  Compound dumbbell;
  dumbbell.children.push_back({Sphere{0.1}, {{0, 0, 0}, Quat::Identity()}});
  dumbbell.children.push_back({Sphere{0.2}, {{1, 0, 0}, Quat::Identity()}});
  BodyDefinition body{.shape = dumbbell};
  body.pose = {{1, 2, 3}, test::turn(Vec3::UnitZ(), 0.5)};
  const BodyId id = world.addBody(body);
  EXPECT_NEAR((world.body(id).pose().position - body.pose.position).norm(), 0, 1e-14);
  EXPECT_NEAR(world.body(id).pose().rotation.angularDistance(body.pose.rotation), 0, 1e-7);
  // Masses go with r³, 1 : 8, so the centre lies 8/9 m from the small ball.
  const Vec3 expected = body.pose * Vec3(8.0 / 9, 0, 0);
  EXPECT_NEAR((world.body(id).centerOfMass() - expected).norm(), 0, 1e-14);
}

TEST(World, RemovedBody_LetsWhatItCarriedFall) {
  World world = emptyWorld();
  test::addGround(world);
  const BodyId lower = test::addUnitBox(world, {0, 0, 0.5});
  const BodyId upper = test::addUnitBox(world, {0, 0, 1.5});
  test::simulate(world, 0.2);
  world.removeBody(lower);
  test::simulate(world, 1);
  EXPECT_NEAR(world.body(upper).centerOfMass().z(), 0.5, 1e-3);
  EXPECT_EQ(std::ssize(world.bodies()), 2);
}

TEST(World, WarmStart_FindsEveryContactOfARestingStack) {
  World world = emptyWorld();
  test::addGround(world);
  for (int i = 0; i < 5; ++i) test::addUnitBox(world, {0, 0, 0.5 + i});
  world.step();
  for (int i = 0; i < 10; ++i) {
    const StepReport& report = world.step();
    EXPECT_EQ(report.warmStarted, 20);
    EXPECT_EQ(report.contacts, 20);
  }
}

// What rests bears m g h in a step, and so a quarter of it in a step of a quarter of the length.
TEST(World, WarmStartOfAShorterStep_IsShorterByAsMuch) {
  World world = emptyWorld();
  test::addGround(world);
  test::addBody(world, Sphere{0.5}, 3, {{0, 0, 0.5}, Quat::Identity()});
  test::simulate(world, 0.5);
  EXPECT_NEAR(world.observe().islandWarmStart(0)[0], 3 * 9.81 / 60, 1e-6);
  world.setTimestep(1.0 / 240);
  world.step();
  EXPECT_NEAR(world.observe().islandWarmStart(0)[0], 3 * 9.81 / 240, 1e-6);
}

TEST(World, SwitchingTheSolver_KeepsTheWarmStarts) {
  World world = emptyWorld();
  test::addGround(world);
  for (int i = 0; i < 3; ++i) test::addUnitBox(world, {0, 0, 0.5 + i});
  test::simulate(world, 0.5);
  SolverChoice choice = test::settingsFor("sor-prox").solver;
  world.setSolver(choice);
  const StepReport& report = world.step();
  EXPECT_EQ(report.warmStarted, 12);
  EXPECT_LE(report.naturalMap, 1e-9);
}

// A sum of 239 times 0.01 s would be 2.389999999999993 s.
TEST(World, Time_IsStepsTimesTimestepUntilThatChanges) {
  World world = emptyWorld();
  world.setTimestep(0.01);
  for (int i = 0; i < 239; ++i) world.step();
  EXPECT_EQ(world.time(), 239 * 0.01);
  EXPECT_EQ(world.lastReport().time, 239 * 0.01);
  world.setTimestep(0.5);
  world.step();
  EXPECT_NEAR(world.time(), 2.89, 1e-12);
}

TEST(World, Report_NamesTheWorstContact) {
  WorldSettings settings;
  settings.solver.name = "sor-prox";
  settings.solver.budget.iterations = 1;
  World world(settings, test::registry());
  test::addGround(world);
  for (int i = 0; i < 6; ++i) test::addUnitBox(world, {0, 0, 0.5 + i});
  const StepReport& report = world.step();
  EXPECT_GT(report.naturalMap, 1e-3);  // one sweep does not solve a stack
  EXPECT_FALSE(report.withinTolerance);
  ASSERT_EQ(report.islands.size(), 1u);
  EXPECT_GE(report.islands[0].worstContact, 0);
  EXPECT_LT(report.islands[0].worstContact, report.contacts);
}

}  // namespace
}  // namespace drystone
