#include <gtest/gtest.h>

#include <cmath>
#include <string_view>

#include "core/input_error.h"
#include "core/random.h"
#include "core/types.h"

namespace drystone {
namespace {

Pose randomPose(Random& random) {
  Pose pose;
  for (Real& x : pose.position) x = random.uniform(-10, 10);
  for (Real& x : pose.rotation.coeffs()) x = random.uniform(-1, 1);
  pose.rotation.normalize();
  return pose;
}

// A quarter turn about z takes (1, 0, 0) to (0, 1, 0); then the shift.
TEST(Pose, QuarterTurn_TurnsThenMoves) {
  const Real c = std::sqrt(0.5);
  const Pose pose{{10, 20, 30}, Quat(c, 0, 0, c)};
  EXPECT_LE((pose * Vec3(1, 0, 0) - Vec3(10, 21, 30)).norm(), 1e-14);
}

// Positions of 10 m: some roundings of 1e-15 m each.
TEST(Pose, Inverse_TakesPointsBack) {
  Random random(3);
  for (int i = 0; i < 100; ++i) {
    const Pose pose = randomPose(random);
    const Vec3 point = randomPose(random).position;
    EXPECT_LE((pose.inverse() * (pose * point) - point).norm(), 1e-13);
    EXPECT_LE((pose * (pose.inverse() * point) - point).norm(), 1e-13);
    const Pose identity = pose * pose.inverse();
    EXPECT_LE(identity.position.norm(), 1e-13);
    EXPECT_NEAR(identity.rotation.w(), 1, 1e-14);
  }
}

TEST(Pose, Product_IsOneAfterTheOther) {
  Random random(4);
  for (int i = 0; i < 100; ++i) {
    const Pose outer = randomPose(random);
    const Pose inner = randomPose(random);
    const Vec3 point = randomPose(random).position;
    EXPECT_LE(((outer * inner) * point - outer * (inner * point)).norm(), 1e-13);
  }
}

TEST(InputError, SeveralProblems_AreJoinedOneALine) {
  const InputError error(std::vector<std::string>{"a.json:1: first", "a.json:2: second"});
  EXPECT_EQ(error.what(), std::string_view("a.json:1: first\na.json:2: second"));
  EXPECT_EQ(error.problems().size(), 2u);
}

TEST(InputError, OneProblem_IsTheMessage) {
  const InputError error("mass must be > 0 kg");
  EXPECT_EQ(error.what(), std::string_view("mass must be > 0 kg"));
  EXPECT_EQ(error.problems(), std::vector<std::string>{"mass must be > 0 kg"});
}

// Directions are unit to some roundings, whichever quadrant they are in.
TEST(RotationBetween, RandomDirections_AreTakenToEachOtherByTheLeastAngle) {
  Random random(4);
  for (int i = 0; i < 100; ++i) {
    const Vec3 from = randomPose(random).position, to = randomPose(random).position;
    const Quat turn = rotationBetween(from, to);
    EXPECT_LE((turn * from.normalized() - to.normalized()).norm(), 1e-14);
    EXPECT_NEAR(turn.norm(), 1, 1e-14);
    const Real angle = std::acos(from.normalized().dot(to.normalized()));
    EXPECT_NEAR(2 * std::acos(turn.w()), angle, 1e-7);
  }
}

TEST(RotationBetween, LengthsBeyondTheSquareRootOfAllNumbers_DoNotMatter) {
  for (const Real length : {1e-200, 1e200}) {
    const Quat turn = rotationBetween(Vec3(length, 0, 0), Vec3(0, length, 0));
    EXPECT_LE((turn * Vec3::UnitX() - Vec3::UnitY()).norm(), 1e-15) << length;
  }
}

// From 1 rad off down to none, on both sides of where the axis of the cross product is given up.
// Before that the axis has lost at most 1e-16 / 1e-6 of its digits.
TEST(RotationBetween, NearlyOppositeDirections_AreTakenToEachOther) {
  Random random(5);
  for (const Real off : {1.0, 1e-3, 1e-5, 1.6e-6, 1.2e-6, 1e-7, 1e-9, 1e-12, 0.0}) {
    const Vec3 from = randomPose(random).position.normalized();
    const Vec3 to = -std::cos(off) * from + std::sin(off) * from.unitOrthogonal();
    const Quat turn = rotationBetween(from, to);
    EXPECT_NEAR(turn.norm(), 1, 1e-14) << off;
    EXPECT_LE((turn * from - to).norm(), 1e-9) << off;
  }
  for (int axis = 0; axis < 3; ++axis) {
    const Vec3 direction = Vec3::Unit(axis);
    EXPECT_LE((rotationBetween(direction, -direction) * direction + direction).norm(), 1e-15);
  }
}

}  // namespace
}  // namespace drystone
