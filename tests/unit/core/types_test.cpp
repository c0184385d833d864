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

}  // namespace
}  // namespace drystone
