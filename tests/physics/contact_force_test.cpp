// Forces and torques of contacts on bodies, against statics and the laws of friction.
#include <gtest/gtest.h>

#include <cmath>

#include "core/input_error.h"
#include "tests/support/constants.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

using test::kGravity;

class ContactForces : public testing::TestWithParam<Integrator> {
 protected:
  static WorldSettings settings(FrictionModel friction = FrictionModel::kCone) {
    const bool isCone = friction == FrictionModel::kCone;
    WorldSettings settings = test::settingsFor(isCone ? "bpp-auto" : "sor-prox", friction);
    settings.integrator = GetParam();
    settings.sleeping.enabled = false;
    return settings;
  }
};

INSTANTIATE_TEST_SUITE_P(Integrators, ContactForces,
                         testing::Values(Integrator::kSemiImplicitEuler, Integrator::kMoreau),
                         [](const auto& parameter) {
                           return parameter.param == Integrator::kSemiImplicitEuler ? "Euler"
                                                                                    : "Moreau";
                         });

Vec3 up(Real force) { return {0, 0, force}; }

TEST_P(ContactForces, OfAStack_AreTheWeightsAboveByBody) {
  for (const int substeps : {1, 3}) {
    WorldSettings finer = settings();
    finer.substeps = substeps;
    World world(finer, test::registry());
    const BodyId ground = test::addGround(world);
    const Box cube{{0.5, 0.5, 0.5}};
    const BodyId low = test::addBody(world, cube, 3, {{2, 0, 0.5}});
    const BodyId middle = test::addBody(world, cube, 2, {{2, 0, 1.5}});
    const BodyId top = test::addBody(world, cube, 1, {{2, 0, 2.5}});
    EXPECT_EQ(world.body(low).contactForce().force, Vec3::Zero());
    test::simulate(world, 0.5);
    const Real g = kGravity, close = 1e-5;
    EXPECT_NEAR((world.body(top).contactForce().force - up(g)).norm(), 0, close);
    EXPECT_NEAR((world.body(middle).contactForce().force - up(2 * g)).norm(), 0, close);
    EXPECT_NEAR((world.body(middle).contactForce(low).force - up(3 * g)).norm(), 0, close);
    EXPECT_NEAR((world.body(middle).contactForce(top).force - up(-g)).norm(), 0, close);
    EXPECT_NEAR(world.body(middle).contactForce(ground).force.norm(), 0, close);
    EXPECT_NEAR(world.body(middle).contactForce().torque.norm(), 0, close);
    // The ground is a force plate: 6 g at x = 2 m, about its own centre.
    const ContactForce plate = world.body(ground).contactForce();
    EXPECT_NEAR((plate.force - up(-6 * g)).norm(), 0, close);
    EXPECT_NEAR((plate.torque - Vec3(0, 2 * 6 * g, 0)).norm(), 0, 10 * close);
  }
}

TEST_P(ContactForces, OnASlope_AddUpToTheWeightAndItsMoment) {
  World world(settings(), test::registry());
  world.setMaterialPair(0, 0, {.friction = 0.8});
  const BodyId slope = test::addSlope(world, 0.4, 0);
  const Quat tilt = test::turn(Vec3::UnitY(), 0.4);
  const BodyId box = test::addBody(world, Box{{0.5, 0.5, 0.2}}, 2, {tilt * Vec3(0, 0, 0.2), tilt});
  test::simulate(world, 0.5);
  const ContactForce on = world.body(box).contactForce();
  EXPECT_NEAR((on.force - up(2 * kGravity)).norm(), 0, 1e-5);
  EXPECT_NEAR(on.torque.norm(), 0, 1e-5);
  const Vec3 arm = world.body(box).centerOfMass() - world.body(slope).centerOfMass();
  EXPECT_NEAR((world.body(slope).contactForce().torque - arm.cross(up(-2 * kGravity))).norm(), 0,
              1e-4);
}

// A ball that slides: μ m g against its way, and the moment r μ m g about its moving centre.
TEST_P(ContactForces, OfASlidingBall_AreThoseOfFriction) {
  World world(settings(), test::registry());
  world.setMaterialPair(0, 0, {.friction = 0.3});
  test::addPlane(world);
  const BodyId ball = test::addBody(world, Sphere{0.5}, 2, {{0, 0, 0.5}}, {20, 0, 0});
  test::simulate(world, 0.2);
  const Real friction = 0.3 * 2 * kGravity;
  const ContactForce on = world.body(ball).contactForce();
  EXPECT_NEAR((on.force - Vec3(-friction, 0, 2 * kGravity)).norm(), 0, 1e-5);
  EXPECT_NEAR((on.torque - Vec3(0, 0.5 * friction, 0)).norm(), 0, 1e-5);
}

// Pure torsion: τ = 2/3 μ m g R against the spin.
TEST_P(ContactForces, OfASpinningBall_HaveTheTorqueOfTorsionAlsoOnceRestored) {
  World world(settings(FrictionModel::kContensou), test::registry());
  world.setMaterialPair(0, 0, {.friction = 0.3, .contensouRadius = 0.02});
  const BodyId ground = test::addPlane(world);
  const BodyId ball = test::addBody(world, Sphere{0.5}, 2, {{0, 0, 0.5}}, Vec3::Zero(), {0, 0, 10});
  test::simulate(world, 0.2);
  const Real torque = 2.0 / 3 * 0.3 * 2 * kGravity * 0.02;
  const auto expectTorsion = [&] {
    EXPECT_NEAR((world.body(ball).contactForce().torque - up(-torque)).norm(), 0, 1e-6);
    EXPECT_NEAR((world.body(ground).contactForce().torque - up(torque)).norm(), 0, 1e-6);
  };
  expectTorsion();
  const auto state = world.save();
  test::simulate(world, 0.1);
  world.restore(state);
  expectTorsion();
}

// A ball that rolls against μ_r slows down by 5/7 g μ_r / r, and its spin likewise: I α = 2/5 m r
// a.
TEST_P(ContactForces, OfARollingBall_HaveTheMomentOfRollingResistance) {
  World world(settings(FrictionModel::kRolling), test::registry());
  world.setMaterialPair(0, 0, {.friction = 0.5, .rollingResistance = 0.02});
  test::addPlane(world);
  const BodyId ball = test::addBody(world, Sphere{0.5}, 2, {{0, 0, 0.5}}, {4, 0, 0}, {0, 8, 0});
  test::simulate(world, 0.2);
  const Real slowing = 5.0 / 7 * kGravity * 0.02 / 0.5;
  const ContactForce on = world.body(ball).contactForce();
  EXPECT_NEAR((on.force - Vec3(-2 * slowing, 0, 2 * kGravity)).norm(), 0, 1e-5);
  EXPECT_NEAR((on.torque - Vec3(0, -0.4 * 2 * 0.5 * slowing, 0)).norm(), 0, 1e-5);
}

// A beam on two feet, 1 m and 3 m from its centre of mass: they bear 3/4 and 1/4 of it.
TEST_P(ContactForces, OnPartsOfACompound_AreByTheLever) {
  World world(settings(), test::registry());
  test::addGround(world);
  const Compound feet{{{Sphere{0.2}, {{-1, 0, 0}}}, {Box{{0.2, 0.5, 0.2}}, {{3, 0, 0}}}}};
  BodyDefinition beam{.shape = feet, .pose = {{0, 0, 0.2}}};
  beam.mass = MassProperties{4, Vec3::Zero(), 3 * Mat3::Identity()};
  const BodyId id = world.addBody(beam);
  test::simulate(world, 0.5);
  // The box bears with its whole face: its moment about the centre takes part in the balance.
  const ContactForce ball = world.body(id).contactForceOnPart(0);
  const ContactForce box = world.body(id).contactForceOnPart(1);
  EXPECT_NEAR((ball.force + box.force - up(4 * kGravity)).norm(), 0, 1e-5);
  EXPECT_NEAR((ball.torque - Vec3(0, ball.force.z(), 0)).norm(), 0, 1e-5);
  EXPECT_NEAR((ball.torque + box.torque).norm(), 0, 1e-5);
  EXPECT_GT(ball.force.z(), 2.8 / 3.8 * 4 * kGravity - 1e-5);
  EXPECT_LT(ball.force.z(), 3.2 / 4.2 * 4 * kGravity + 1e-5);
  EXPECT_THROW(world.body(id).contactForceOnPart(2), InputError);
  EXPECT_THROW(world.body(id).contactForceOnPart(-1), InputError);
}

TEST_P(ContactForces, OfWhatSleepsAndIsRestored_StayWhatTheyWere) {
  WorldSettings sleepy = settings();
  sleepy.sleeping.enabled = true;
  World world(sleepy, test::registry());
  const BodyId ground = test::addGround(world);
  const BodyId box = test::addUnitBox(world, {0, 0, 0.5});
  while (world.body(box).isAwake() && world.time() < 5) world.step();
  ASSERT_FALSE(world.body(box).isAwake());
  test::simulate(world, 0.1);
  const ContactForce asleep = world.body(box).contactForce();
  EXPECT_NEAR((asleep.force - up(kGravity)).norm(), 0, 1e-5);
  const auto state = world.save();
  world.body(box).setVelocity({0, 0, 5}, Vec3::Zero());
  test::simulate(world, 0.2);
  EXPECT_EQ(world.body(box).contactForce().force, Vec3::Zero());
  world.restore(state);
  EXPECT_EQ(world.body(box).contactForce().force, asleep.force);
  EXPECT_EQ(world.body(ground).contactForce(box).force, -asleep.force);
  EXPECT_EQ(world.body(box).contactForce().torque, asleep.torque);
}

// What the contacts did last is no matter of where a body is put, or how it moves, from now on.
TEST_P(ContactForces, OfTheLastStep_StayWhereABodyIsMovedAfterIt) {
  World world(settings(), test::registry());
  world.setMaterialPair(0, 0, {.friction = 0.3});
  test::addPlane(world);
  const BodyId ball = test::addBody(world, Sphere{0.5}, 2, {{0, 0, 0.5}}, {20, 0, 0});
  test::simulate(world, 0.2);
  const ContactForce before = world.body(ball).contactForce();
  world.body(ball).setPose({{3, 2, 1}, test::turn(Vec3::UnitX(), 1)});
  world.body(ball).setVelocity({7, 8, 9}, {1, 2, 3});
  EXPECT_EQ(world.body(ball).contactForce().force, before.force);
  EXPECT_EQ(world.body(ball).contactForce().torque, before.torque);
  EXPECT_NEAR(before.torque.y(), 0.5 * 0.3 * 2 * kGravity, 1e-5);
}

WorldSettings weightless() {
  WorldSettings settings = test::settingsFor("bpp-auto");
  settings.gravity.setZero();
  return settings;
}

// A gap of 50 mm is left of a way of 200 mm: of 12 m/s remain 3 m/s, which takes 9 N s a kg, and
// friction 2.7 N s. Both act on the surface of the ball, which turns by 0.1 m · 2.7 N s.
TEST(ContactForcesOnTheWay, OfAContactAhead_ActOnTheSurfaceOfTheBall) {
  World world(weightless(), test::registry());
  world.setMaterialPair(0, 0, {.friction = 0.3});
  test::addPlane(world);
  const BodyId ball = test::addBody(world, Sphere{0.1}, 1, {{0, 0, 0.15}}, {30, 0, -12});
  world.step();
  const ContactForce on = world.body(ball).contactForce();
  EXPECT_NEAR((on.force - 60 * Vec3(-2.7, 0, 9)).norm(), 0, 1e-5);
  EXPECT_NEAR((on.torque - 60 * Vec3(0, 0.27, 0)).norm(), 0, 1e-6);
  EXPECT_NEAR(world.body(ball).angularVelocity().y(), 0.27 / (0.4 * 0.1 * 0.1), 1e-5);
  const auto state = world.save();
  world.step();
  EXPECT_NE(world.body(ball).contactForce().torque, on.torque);
  world.restore(state);
  EXPECT_EQ(world.body(ball).contactForce().torque, on.torque);
}

// Two balls that pass each other half overlapped meet within the step. Contacts are all that acts:
// the torque on each is what its spin has gained. I = 2/5 m r².
TEST(ContactForcesOnTheWay, OfTwoThatGlance_GiveEachItsSpin) {
  World world(weightless(), test::registry());
  world.setMaterialPair(0, 0, {.friction = 0.4});
  const Real radius = 0.1, inertia = 0.4 * radius * radius;
  const BodyId left =
      test::addBody(world, Sphere{radius}, 1, {{-0.3, -0.05, 0}}, {20, 0, 0}, {0, 0, 5});
  const BodyId right = test::addBody(world, Sphere{radius}, 2, {{0.3, 0.05, 0}}, {-20, 0, 0});
  world.step();
  const Vec3 gainLeft = inertia * (world.body(left).angularVelocity() - Vec3(0, 0, 5));
  const Vec3 gainRight = 2 * inertia * world.body(right).angularVelocity();
  ASSERT_GT(gainRight.norm(), 0.05);
  EXPECT_NEAR((world.body(left).contactForce().torque - 60 * gainLeft).norm(), 0, 1e-6);
  EXPECT_NEAR((world.body(right).contactForce().torque - 60 * gainRight).norm(), 0, 1e-6);
}

// The face of a bar pushes a ball of 1 kg that it reaches within the step with 3.001 N s, and turns
// it by μ of that on its surface.
TEST(ContactForcesOnTheWay, OfALateContact_ActOnTheSurfaceOfTheBall) {
  World world(weightless(), test::registry());
  world.setMaterialPair(0, 0, {.friction = 0.05});
  world.addBody({.kind = BodyKind::kKinematic,
                 .shape = Box{{1.5, 0.05, 0.05}},
                 .angularVelocity = {0, 0, 24}});
  const BodyId ball = test::addBody(world, Sphere{0.05}, 1, {{std::cos(0.45), std::sin(0.45), 0}});
  world.step();
  ASSERT_GE(world.lastReport().looks, 1);
  const Vec3 torque = world.body(ball).contactForce().torque;
  EXPECT_NEAR(std::abs(torque.z()), 60 * 0.05 * 0.05 * 3.001, 0.01 * 60 * 0.05 * 0.05 * 3.001);
  const Real inertia = 0.4 * 0.05 * 0.05;
  EXPECT_NEAR((torque - 60 * inertia * world.body(ball).angularVelocity()).norm(), 0, 1e-6);
}

// A ball slides 0.5 m of the 1 m that a step would take it, to a wall that it bounces off, and
// waits there. Its weight acts for half of the step, and the friction of the ground with it.
TEST(ContactForcesOnTheWay, OfABallThatWaits_HaveTheArmsOfItsStart) {
  WorldSettings settings = weightless();
  settings.gravity = {0, 0, -kGravity};
  World world(settings, test::registry());
  const MaterialId elastic = world.addMaterial({});
  world.setMaterialPair(0, 0, {.friction = 0.3});
  world.setMaterialPair(0, elastic, {.friction = 0, .restitution = 1});
  test::addPlane(world);
  world.addBody({.kind = BodyKind::kStatic,
                 .shape = Box{{0.1, 2, 2}},
                 .pose = {{1.2, 0, 0}},
                 .material = elastic});
  const BodyId ball = test::addBody(world, Sphere{0.5}, 2, {{0.1, 0, 0.5}}, {60, 0, 0});
  world.step();
  ASSERT_NEAR(world.body(ball).centerOfMass().x(), 0.6, 1e-3) << "it waits";
  const Real weight = 0.5 * 2 * kGravity;
  const ContactForce on = world.body(ball).contactForce();
  EXPECT_NEAR((on.force - Vec3(-0.3 * weight, 0, weight)).norm(), 0, 1e-2);
  EXPECT_NEAR((on.torque - Vec3(0, -0.5 * on.force.x(), 0)).norm(), 0, 1e-5);
}

TEST(VelocityAt, APoint_IsThatOfTheBodyThere) {
  World world(test::settingsFor("bpp-auto"), test::registry());
  const BodyId id = test::addBody(world, Sphere{1}, 1, {{1, 0, 0}}, {0, 0, 2}, {0, 0, 3});
  EXPECT_NEAR((world.body(id).velocityAt({1, 4, 0}) - Vec3(-12, 0, 2)).norm(), 0, 1e-15);
  EXPECT_THROW(world.body(id).velocityAt({kInfinity, 0, 0}), InputError);
}

}  // namespace
}  // namespace drystone
