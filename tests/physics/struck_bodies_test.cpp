// What a solve makes fast passes nothing either: its velocity at the start of the step told no
// detection where it would go.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/support/random_shots.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

constexpr Real kStruckRadius = 0.03;

WorldSettings spaceSettings() {
  WorldSettings settings;
  settings.gravity.setZero();
  return settings;
}

/// A ball that rests at the origin, and one of `mass` that strikes it along x in the first step.
struct Billiard {
  World world;
  BodyId ball;

  Billiard(const WorldSettings& settings, Real speed, Real mass = 1)
      : world(settings, test::registry()) {
    world.setMaterial(0, {.friction = 0, .restitution = 1});
    ball = test::addBody(world, Sphere{kStruckRadius}, 1, {}, Vec3::Zero());
    const Pose behind{{-2 * kStruckRadius - 1e-3, 0, 0}, Quat::Identity()};
    test::addBody(world, Sphere{kStruckRadius}, mass, behind, {speed, 0, 0});
  }

  BodyId addWall(Real front, Real thickness) {
    return world.addBody({.name = "wall",
                          .kind = BodyKind::kStatic,
                          .shape = Box{{thickness / 2, 1, 1}},
                          .pose = {{front + thickness / 2, 0, 0}, Quat::Identity()}});
  }
  /// The farthest that the front of the ball comes in so many steps.
  Real farthest(int steps) {
    Real most = -kInfinity;
    for (int i = 0; i < steps; ++i) {
      world.step();
      most = std::max(most, world.body(ball).pose().position.x() + kStruckRadius);
    }
    return most;
  }
};

TEST(StruckBodies, BilliardBall_StopsAtAWallThatItsRestDidNotShow) {
  for (const Real speed : {5.0, 30.0, 300.0}) {
    for (const Real thickness : {0.001, 0.01, 0.1}) {
      const Real front = kStruckRadius + 0.035;
      Billiard billiard(spaceSettings(), speed);
      billiard.addWall(front, thickness);
      EXPECT_LE(billiard.farthest(20), front + 1e-3) << speed << " m/s, " << thickness << " m";
    }
  }
}

TEST(StruckBodies, TwoThatAreStruckTowardsEachOther_Meet) {
  Billiard billiard(spaceSettings(), 40);
  const Pose there{{0.5, 0, 0}, Quat::Identity()}, beyond{{0.561, 0, 0}, Quat::Identity()};
  const BodyId other = test::addBody(billiard.world, Sphere{kStruckRadius}, 1, there, Vec3::Zero());
  test::addBody(billiard.world, Sphere{kStruckRadius}, 1, beyond, {-40, 0, 0});
  for (int i = 0; i < 20; ++i) {
    billiard.world.step();
    ASSERT_LT(billiard.world.body(billiard.ball).pose().position.x(),
              billiard.world.body(other).pose().position.x())
        << "step " << i;
  }
}

TEST(StruckBodies, BallTowardsAPlateThatSleeps_StaysBeforeItAndWakesIt) {
  WorldSettings settings = spaceSettings();
  settings.sleeping = {.enabled = true, .time = 0.1};
  World world(settings, test::registry());
  const BodyId plate =
      test::addBody(world, Box{{5e-4, 0.5, 0.5}}, 1000, {{0.2, 0, 0}, Quat::Identity()});
  for (int i = 0; i < 30; ++i) world.step();
  ASSERT_FALSE(world.body(plate).isAwake());
  const BodyId ball = test::addBody(world, Sphere{kStruckRadius}, 1, {}, Vec3::Zero());
  const Pose behind{{-2 * kStruckRadius - 1e-3, 0, 0}, Quat::Identity()};
  test::addBody(world, Sphere{kStruckRadius}, 1, behind, {60, 0, 0});
  for (int i = 0; i < 10; ++i) {
    world.step();
    ASSERT_LT(world.body(ball).pose().position.x(), world.body(plate).pose().position.x());
  }
  EXPECT_TRUE(world.body(plate).isAwake());
}

// The first part on its way says nothing of those behind.
TEST(StruckBodies, SheetThatAModifierTakesOut_HidesNoWallOfTheSameBody) {
  for (const Real speed : {300.0, 900.0}) {
    Billiard billiard(spaceSettings(), speed, 100);
    const Box slab{{5e-4, 1, 1}};
    const BodyId both =
        billiard.world.addBody({.kind = BodyKind::kStatic,
                                .shape = Compound{{{slab, {{0.5, 0, 0}}}, {slab, {{1.4, 0, 0}}}}}});
    billiard.world.setContactModifier([&](ContactChange& contact) {
      const bool isSheet = (contact.bodyA == both && contact.partA.part == 0) ||
                           (contact.bodyB == both && contact.partB.part == 0);
      contact.isDisabled = contact.isDisabled || isSheet;
    });
    const Real most = billiard.farthest(5);
    EXPECT_GT(most, 0.6) << "it went through the sheet";
    EXPECT_LE(most, 1.401) << speed << " m/s";
  }
}

// What slides is as near to the floor all the way: nothing of that is an approach.
TEST(StruckBodies, ThinBoxThatSlides_GoesAllOfItsWay) {
  for (const Real speed : {60.0, 600.0}) {
    World world({}, test::registry());
    world.setMaterial(0, {.friction = 0});
    world.addBody({.kind = BodyKind::kStatic,
                   .shape = Box{{200, 1, 0.5}},
                   .pose = {{0, 0, -0.5}, Quat::Identity()}});
    const Pose start{{-100, 0, 5e-4}, Quat::Identity()};
    const BodyId box = test::addBody(world, Box{{0.05, 0.05, 5e-4}}, 0.1, start, {speed, 0, 0});
    int stopped = 0;
    for (int i = 0; i < 10; ++i) stopped += world.step().stopped;
    EXPECT_EQ(stopped, 0);
    EXPECT_NEAR(world.body(box).pose().position.x() + 100, 10 * speed / 60, 1e-6) << speed;
  }
}

class StruckShots : public testing::TestWithParam<int> {};

// `drystone bench shots --struck` takes more of them.
TEST_P(StruckShots, DoNotPass) {
  constexpr int kShots = 500;
  int touched = 0;
  for (int i = GetParam() * kShots; i < (GetParam() + 1) * kShots; ++i) {
    const test::Shot shot = test::makeStruckShot(static_cast<std::uint64_t>(i));
    const test::ShotOutcome outcome = test::fly(shot, test::registry());
    EXPECT_FALSE(outcome.hasPassed)
        << "shot " << i << ": " << shot.projectileName << " at " << shot.targetName;
    touched += outcome.hasTouched ? 1 : 0;
  }
  EXPECT_GT(touched, kShots * 9 / 10);
}

INSTANTIATE_TEST_SUITE_P(Blocks, StruckShots, testing::Range(0, 2));

// More than one thread looks through at a time: each ball has a hammer and a wall of its own.
TEST(StruckBodies, OfManyAtOnce_NonePassesItsWall) {
  constexpr int kCount = 150;
  constexpr Real kWall = 2.6;  // farther than a hammer comes in a step, and not a ball [m]
  for (const int threads : {1, 4}) {
    WorldSettings settings = spaceSettings();
    settings.threads = threads;
    World world(settings, test::registry());
    world.setMaterial(0, {.friction = 0, .restitution = 1});
    std::vector<BodyId> balls;
    for (int i = 0; i < kCount; ++i) {
      const Real x = 3.0 * i;
      world.addBody({.kind = BodyKind::kStatic,
                     .shape = Box{{0.5, 0.005, 0.5}},
                     .pose = {{x, kWall, 0}, Quat::Identity()}});
      balls.push_back(test::addBody(world, Sphere{kStruckRadius}, 1, {{x, 0, 0}, Quat::Identity()},
                                    Vec3::Zero()));
      const Pose behind{{x, -2 * kStruckRadius - 1e-3, 0}, Quat::Identity()};
      test::addBody(world, Sphere{kStruckRadius}, 10, behind, {0, 100, 0});
    }
    for (int step = 0; step < 3; ++step) world.step();
    for (const BodyId ball : balls) {
      EXPECT_LT(world.body(ball).pose().position.y(), kWall) << ball.index << ", " << threads;
    }
  }
}

}  // namespace
}  // namespace drystone
