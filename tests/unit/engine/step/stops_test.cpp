// What is stopped before it would pass another body, and how it goes on with that one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "engine/step/waits.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

/// A light body 1 m beside the place where a heavy one is at half of its way: 2 m along x with a
/// quarter turn about z.
struct LightAndHeavy {
  BodyStore bodies;
  std::vector<int> bodyOfCollider = {0, 1};
  std::vector<SweptTouch> touches = {
      {.colliderA = 0, .colliderB = 1, .free = 0.5, .time = 0.6, .deep = 0.7}};
  std::vector<ColliderSweep> sweeps = {{.collider = 1,
                                        .center = {1, 0, 0},
                                        .way = {2, 0, 0},
                                        .turn = {0, 0, std::numbers::pi / 2},
                                        .turning = 1}};
  std::vector<StepJointBlock> joints;
  Waits waits;

  explicit LightAndHeavy(BodyKind heavy = BodyKind::kDynamic) {
    bodies.add({.shape = Sphere{0.1}, .pose = {{3, 0, 0}, Quat::Identity()}, .density = 100});
    bodies.add({.kind = heavy, .shape = Sphere{0.5}, .density = 1000});
    bodies.collider = {0, 1};
  }
  int stop(Integrator integrator = Integrator::kSemiImplicitEuler) {
    return stopAtTouches(bodies, touches, bodyOfCollider, joints, integrator, waits);
  }
  void carry() { carryStopped(touches, sweeps, bodyOfCollider, joints, waits, bodies); }
};

TEST(Stops, LighterOne_StopsAndGoesOnWithTheOther) {
  for (const BodyKind heavy : {BodyKind::kDynamic, BodyKind::kKinematic}) {
    LightAndHeavy two(heavy);
    EXPECT_EQ(two.stop(), 1);
    EXPECT_EQ(two.waits.share, (std::vector<Real>{0.5, 1}));
    two.carry();
    // The heavy one goes on to x = 3 and turns by another 45°.
    const Vec3 expected(3 + std::sqrt(0.5), std::sqrt(0.5), 0);
    EXPECT_LT((two.bodies.position[0] - expected).norm(), 1e-12);
    EXPECT_NEAR(two.bodies.rotation[0].angularDistance(test::turn(Vec3::UnitZ(), M_PI / 4)), 0,
                1e-7);
    EXPECT_EQ(two.bodies.position[1], Vec3::Zero()) << "the other one is left alone";
  }
}

TEST(Stops, TouchThatIsThereTwice_CarriesOnce) {
  LightAndHeavy two;
  two.touches.push_back(two.touches[0]);
  EXPECT_EQ(two.stop(), 1);
  two.carry();
  EXPECT_NEAR(two.bodies.position[0].y(), std::sqrt(0.5), 1e-12);
}

TEST(Stops, BodyOnAJoint_StopsWithItsPartnerAndIsNotCarried) {
  LightAndHeavy two;
  two.bodies.add({.shape = Sphere{0.1}, .pose = {{3, 1, 0}, Quat::Identity()}});
  two.joints.push_back({.bodyA = 0, .bodyB = 2});
  EXPECT_EQ(two.stop(), 1);
  EXPECT_EQ(two.waits.share, (std::vector<Real>{0.5, 1, 0.5}));
  two.carry();
  EXPECT_EQ(two.bodies.position[0], Vec3(3, 0, 0));
}

// Of the half step that is left it goes what the half step after it leaves of the free way.
TEST(Stops, BodyUnderMoreau_LeavesRoomForTheHalfStepThatFollows) {
  for (const auto& [free, share] : {std::pair(0.75, 0.5), {0.6, 0.2}, {0.5, 0.0}, {0.2, 0.0}}) {
    LightAndHeavy two;
    two.touches[0].free = free;
    EXPECT_EQ(two.stop(Integrator::kMoreau), 1);
    EXPECT_NEAR(two.waits.share[0], share, 1e-15) << free;
  }
}

// On a joint to something kinematic that moves it would be torn off.
TEST(Stops, BodyOnAMovingCarrier_IsStoppedOnlyWhereTheOtherCannotStop) {
  for (const BodyKind heavy : {BodyKind::kDynamic, BodyKind::kKinematic}) {
    for (const Real speed : {0.0, 1.0}) {
      LightAndHeavy two(heavy);
      two.bodies.add({.kind = BodyKind::kKinematic, .linearVelocity = {speed, 0, 0}});
      two.joints.push_back({.bodyA = 2, .bodyB = 0});
      EXPECT_EQ(two.stop(), 1);
      const bool isOther = heavy == BodyKind::kDynamic && speed > 0;
      EXPECT_EQ(two.waits.share,
                (isOther ? std::vector<Real>{1, 0.5, 1} : std::vector<Real>{0.5, 1, 1}));
    }
  }
}

// However long the chain, and in whatever order its joints are listed.
TEST(Stops, BodyOnALongChain_StopsAllOfIt) {
  constexpr int kLinks = 120;
  for (const bool isListedBackwards : {false, true}) {
    LightAndHeavy two;
    int last = 0;
    for (int i = 0; i < kLinks; ++i) {
      const int next = static_cast<int>(two.bodies.slots());
      two.bodies.add({.shape = Sphere{0.1}});
      two.joints.push_back({.bodyA = last, .bodyB = next});
      last = next;
    }
    if (isListedBackwards) std::ranges::reverse(two.joints);
    EXPECT_EQ(two.stop(), 1);
    for (int i = 0; i < two.bodies.slots(); ++i) {
      EXPECT_EQ(two.waits.share[static_cast<std::size_t>(i)], i == 1 ? 1 : 0.5) << "body " << i;
    }
  }
}

TEST(Stops, SleeperIsPassedByNothing) {
  for (const bool isHeavyFirst : {false, true}) {
    LightAndHeavy two;
    if (isHeavyFirst) two.bodyOfCollider = {1, 0};
    two.bodies.sleep(0);
    EXPECT_EQ(two.stop(), 1);
    EXPECT_EQ(two.waits.share, (std::vector<Real>{1, 0.5})) << "the light one stands still already";
  }
}

TEST(Stops, OtherThatIsStoppedItself_CarriesNothing) {
  LightAndHeavy two;
  two.waits.share = {1, 0.8};
  EXPECT_EQ(two.stop(), 1);
  two.carry();
  EXPECT_EQ(two.bodies.position[0], Vec3(3, 0, 0));
}

TEST(Stops, WhatWaitsForLess_IsNotMovedOnToTheTouch) {
  LightAndHeavy two;
  two.waits.share = {0.2, 1};
  EXPECT_EQ(two.stop(), 0);
  EXPECT_EQ(two.waits.share[0], 0.2);
  two.carry();
  EXPECT_EQ(two.bodies.position[0], Vec3(3, 0, 0));
}

}  // namespace
}  // namespace drystone
