// What is stopped before it would pass another body, and how it goes on with that one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <tuple>
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

// The heavy one leads it by (√½, √½, 0) and turns it by 45° about z.
TEST(Stops, BodyWithLockedAxes_GoesAlongTheOthersOnly) {
  const Real half = std::sqrt(0.5);
  const Vec3 start(3, 0, 0);
  const Quat turned = test::turn(Vec3::UnitZ(), M_PI / 4);
  const auto lockOf = [](int component) { return static_cast<std::uint8_t>(1 << component); };
  const std::vector<std::tuple<std::uint8_t, Vec3, Quat>> cases = {
      {lockOf(0), {3, half, 0}, turned},
      {lockOf(1), {3 + half, 0, 0}, turned},
      {lockOf(2) | lockOf(3) | lockOf(4), {3 + half, half, 0}, turned},
      {lockOf(5), {3 + half, half, 0}, Quat::Identity()},
      {63, start, Quat::Identity()}};
  for (const auto& [locked, position, rotation] : cases) {
    LightAndHeavy two;
    two.bodies.locked[0] = locked;
    EXPECT_EQ(two.stop(), 1);
    two.carry();
    EXPECT_LT((two.bodies.position[0] - position).norm(), 1e-12) << int(locked);
    EXPECT_LT(two.bodies.rotation[0].angularDistance(rotation), 1e-7) << int(locked);
    // Locked components stay as they were to the last bit.
    for (int i = 0; i < 3; ++i) {
      if ((locked >> i & 1) != 0) {
        EXPECT_EQ(two.bodies.position[0][i], start[i]);
      }
      if ((locked >> (3 + i) & 1) != 0) {
        EXPECT_EQ(two.bodies.rotation[0].vec()[i], 0);
      }
    }
  }
}

// The heavy one leads by (1, -½, 0), nearly along the plane between the two. Without y what is left
// leads into the heavy one, and is not gone; without x it leads away from it.
TEST(Stops, BodyWhoseFreeAxesLeadIntoTheOther_StaysWhereItStopped) {
  for (const bool isHeavyFirst : {false, true}) {
    for (const bool isLockedX : {false, true}) {
      LightAndHeavy two;
      two.sweeps[0].turn.setZero();
      two.sweeps[0].way = {2, -1, 0};
      two.bodies.locked[0] = isLockedX ? 1 : 2;
      two.touches[0].closest.normal = Vec3(1, 2.5, 0).normalized() * (isHeavyFirst ? -1 : 1);
      if (isHeavyFirst) std::swap(two.touches[0].colliderA, two.touches[0].colliderB);
      EXPECT_EQ(two.stop(), 1);
      two.carry();
      EXPECT_EQ(two.bodies.position[0], isLockedX ? Vec3(3, -0.5, 0) : Vec3(3, 0, 0));
    }
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
