// Pairs that bounce arrive at the touch in one step and rebound in the next, against closed forms.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/support/constants.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

using test::kGravity;

constexpr Real kRadius = 0.1;  // [m]

World bouncyWorld(Real restitution, Real timestep, bool falls) {
  WorldSettings settings = test::settingsFor("bpp-auto");
  settings.timestep = timestep;
  if (!falls) settings.gravity.setZero();
  World world(settings, test::registry());
  world.setMaterialPair(0, 0, {.friction = 0.3, .restitution = restitution});
  return world;
}

BodyId addBall(World& world, const Vec3& position, const Vec3& velocity = Vec3::Zero()) {
  return test::addBody(world, Sphere{kRadius}, 1, {position, Quat::Identity()}, velocity);
}

// Dropped from h it comes to e^2n h after the n-th impact. Its flights add up to
// √(2h/g) (1 + 2e + 2e² + …) = √(2h/g) (1 + e)/(1 − e) = 2.5587 s for h = 1 m and e = 0.7.
TEST(Rebound, BallDropped_HasThePeaksAndTheTimeOfItsRestitution) {
  constexpr Real kRestitution = 0.7;
  World world = bouncyWorld(kRestitution, 1.0 / 240, true);
  test::addPlane(world);
  const BodyId ball = addBall(world, {0, 0, 1 + kRadius});
  std::vector<Real> peaks;
  Real rest = 0, last = -1;
  while (world.time() < 4) {
    world.step();
    const Real speed = world.body(ball).linearVelocity().z();
    const Real height = world.body(ball).centerOfMass().z() - kRadius;
    if (last > 0 && speed <= 0) peaks.push_back(height);
    if (std::abs(speed) > 1e-6) rest = world.time();
    last = speed;
    EXPECT_GT(height, -1e-6);
  }
  ASSERT_GE(peaks.size(), 5u);
  for (int n = 1; n <= 5; ++n) {
    const Real expected = std::pow(kRestitution, 2 * n);
    EXPECT_NEAR(peaks[n - 1], expected, 0.003 * expected) << n;
  }
  const Real expected = std::sqrt(2 / kGravity) * (1 + kRestitution) / (1 - kRestitution);
  EXPECT_NEAR(rest, expected, 0.02 * expected);
}

// Without loss the energy after ten impacts is that of the fall: the gravity of the step of the
// touch acts until the touch, and the flight starts there.
TEST(Rebound, BallWithoutLoss_KeepsItsEnergy) {
  for (const Real drop : {0.3, 1.0, 1.7}) {
    World world = bouncyWorld(1, 1.0 / 240, true);
    test::addPlane(world);
    const BodyId ball = addBall(world, {0, 0, drop + kRadius});
    int impacts = 0;
    Real top = 0, last = -1;
    while (impacts < 11) {
      world.step();
      const Real speed = world.body(ball).linearVelocity().z();
      if (last < 0 && speed > 0) ++impacts;
      if (impacts == 10) top = std::max(top, world.body(ball).centerOfMass().z() - kRadius);
      last = speed;
    }
    EXPECT_NEAR(top, drop, 1e-3 * drop);
    EXPECT_LT(top, drop + 1e-4 * drop);
  }
}

// Each gap is less than the way of a step: all impacts are of two balls, which swap velocities.
TEST(Rebound, RowOfBallsWithGaps_PassesTheVelocityOn) {
  for (const Real h : {1.0 / 60, 1.0 / 240, 1.0 / 1000}) {
    World world = bouncyWorld(1, h, false);
    std::vector<BodyId> balls;
    for (int i = 0; i < 5; ++i) {
      const Real x = i * (2 * kRadius + 5e-4);
      balls.push_back(i == 0 ? addBall(world, {x - 0.05, 0, 0}, {1, 0, 0})
                             : addBall(world, {x, 0, 0}));
    }
    test::simulate(world, 0.5);
    for (int i = 0; i < 5; ++i) {
      EXPECT_NEAR(world.body(balls[i]).linearVelocity().x(), i == 4 ? 1 : 0, 0.02) << i;
    }
  }
}

// The second ball takes the velocity of the first one, is thrown back by the wall and gives it
// back.
TEST(Rebound, BallStruckInFrontOfAWall_GivesTheWholeEnergyBack) {
  for (const Real h : {1.0 / 60, 1.0 / 1000}) {
    World world = bouncyWorld(1, h, false);
    BodyDefinition wall{.kind = BodyKind::kStatic, .shape = Box{{0.5, 2, 2}}};
    wall.pose.position = {0.5, 0, 0};
    world.addBody(wall);
    const BodyId struck = addBall(world, {-kRadius - 1e-3, 0, 0});
    const BodyId first = addBall(world, {-0.5, 0, 0}, {2, 0, 0});
    test::simulate(world, 0.4);
    EXPECT_NEAR(world.body(first).linearVelocity().x(), -2, 1e-6) << h;
    EXPECT_NEAR(world.body(struck).linearVelocity().x(), 0, 1e-6) << h;
  }
}

// Off centre by c the normal is at asin(c / 2R) to the way, whatever share of the step is left at
// the touch. Without friction the second ball takes cos² of the velocity along the way, which is
// 1 − (c/2R)² = 0.51 for c = 0.14 m.
TEST(Rebound, BallsOffCentre_MeetAlongTheNormalOfTheTouch) {
  for (const Real speed : {0.5, 3.0, 5.0, 20.0}) {
    for (const Real start : {-0.5, -0.52, -0.54}) {
      World world = bouncyWorld(1, 1.0 / 60, false);
      world.setMaterialPair(0, 0, {.friction = 0, .restitution = 1});
      const BodyId left = addBall(world, {start, 0, 0}, {speed, 0, 0});
      const BodyId right = addBall(world, {0, 0.14, 0});
      test::simulate(world, 1 / speed + 0.1);
      EXPECT_NEAR(world.body(right).linearVelocity().x(), 0.51 * speed, 2e-3 * speed);
      EXPECT_NEAR(world.body(left).linearVelocity().x(), 0.49 * speed, 2e-3 * speed);
      EXPECT_LT(world.body(left).angularVelocity().norm(), 1e-9);
    }
  }
}

// Relative to a plate that rises by V the ball comes down at v + V and leaves at e times that: with
// V + e (v + V). One at rest is struck by the plate, which does not wait.
TEST(Rebound, BallOnARisingPlate_ReboundsRelativeToIt) {
  constexpr Real kRise = 1, kRestitution = 0.8;
  for (const Real sink : {0.0, 2.0, 6.0}) {
    World world = bouncyWorld(kRestitution, 1.0 / 60, false);
    BodyDefinition plate{.kind = BodyKind::kKinematic, .shape = Box{{1, 1, 0.1}}};
    plate.pose.position = {0, 0, -0.1};
    plate.linearVelocity = {0, 0, kRise};
    world.addBody(plate);
    const BodyId ball = addBall(world, {0, 0, 0.25 + kRadius}, {0, 0, -sink});
    for (int i = 0; i < 30; ++i) EXPECT_LT(world.step().maxPenetration, 1e-6);
    EXPECT_NEAR(world.body(ball).linearVelocity().z(), kRise + kRestitution * (sink + kRise), 1e-6);
  }
}

/// A cart that moves at 5 m/s, and a ball that hangs from it on a hinge, 1 m below and as fast.
struct CartAndBob {
  World world;
  BodyId bob;
  Real drift = 0, overlap = 0;  ///< largest ones of all steps [m]

  CartAndBob(Real restitution, Real x) : world(bouncyWorld(restitution, 1.0 / 60, false)) {
    const Vec3 velocity{5, 0, 0};
    const BodyId cart = world.addBody({.name = "cart",
                                       .kind = BodyKind::kKinematic,
                                       .pose = {{x, 0, 1}, Quat::Identity()},
                                       .linearVelocity = velocity});
    bob = addBall(world, {x, 0, 0}, velocity);
    world.addJoint(hingeJoint(cart, bob), jointFrame({x, 0, 1}, Vec3::UnitY()));
  }
  void step() {
    const StepReport& report = world.step();
    drift = std::max(drift, report.maxJointDrift);
    overlap = std::max(overlap, report.overlapError);
  }
};

// The cart moves on while the ball would wait at the wall.
TEST(Rebound, BobOfACartThatMoves_IsNotTornOffAtAWall) {
  for (const Real restitution : {0.5, 1.0}) {
    for (const Real x : {-1.03, -1.0, -0.98}) {
      CartAndBob run(restitution, x);
      run.world.addBody({.name = "wall",
                         .kind = BodyKind::kStatic,
                         .shape = Box{{0.1, 1, 1}},
                         .pose = {{0.2, 0, -0.9}, Quat::Identity()}});
      Real slowest = 5;
      for (int i = 0; i < 20; ++i) {
        run.step();
        slowest = std::min(slowest, run.world.body(run.bob).linearVelocity().x());
      }
      EXPECT_LT(slowest, -4 * restitution) << "it bounces, at x " << x;
      EXPECT_LT(run.drift, 1e-4) << restitution << ", x " << x;
      EXPECT_LT(run.overlap, 1e-3) << restitution << ", x " << x;
    }
  }
}

// Struck from behind, the ball reaches another one within the same step, and does not wait there.
TEST(Rebound, BobOfACartThatMoves_StruckTowardsABallMeetsIt) {
  CartAndBob run(1, 0);
  addBall(run.world, {-2 * kRadius, 0, 0}, {15, 0, 0});
  const BodyId ball = addBall(run.world, {2 * kRadius + 0.05, 0, 0}, {5, 0, 0});
  for (int i = 0; i < 5; ++i) run.step();
  EXPECT_GT(run.world.body(ball).linearVelocity().x(), 8);
  EXPECT_LT(run.drift, 1e-4);
  EXPECT_LT(run.overlap, 1e-3);
}

// The lowest box waits at the ground, and those on it do with it: they fall as one.
TEST(Rebound, StackThatFalls_DoesNotRunIntoItself) {
  World world = bouncyWorld(0.5, 1.0 / 60, true);
  test::addGround(world);
  for (int i = 0; i < 4; ++i) test::addUnitBox(world, {0, 0, 1.5 + i});
  for (int i = 0; i < 240; ++i) EXPECT_LT(world.step().maxPenetration, 1e-6) << i;
}

// 3 m/s for a mass of 1 kg: m v (1 + e), in one step, with the speed of the approach.
TEST(Rebound, OneEvent_HasTheWholeImpact) {
  World world = bouncyWorld(0.5, 1.0 / 60, false);
  test::addPlane(world);
  addBall(world, {0, 0, kRadius + 0.13}, {0, 0, -3});
  int begun = 0, lasting = 0;
  ContactEvent impact;
  for (int i = 0; i < 10; ++i) {
    world.step();
    for (const ContactEvent& event : world.lastEvents().contactsBegun) {
      impact = event;
      ++begun;
    }
    lasting += static_cast<int>(world.lastEvents().contactsLasting.size());
  }
  EXPECT_EQ(begun, 1);
  EXPECT_EQ(lasting, 0);
  EXPECT_NEAR(impact.approachSpeed, 3, 1e-9);
  EXPECT_NEAR(impact.normalImpulse, 4.5, 1e-6);
}

}  // namespace
}  // namespace drystone
