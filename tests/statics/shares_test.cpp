// What balance leaves open, and what it bears in every direction, against closed forms.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <optional>

#include "core/input_error.h"
#include "engine/statics/statics.h"
#include "tests/support/constants.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

using test::kGravity;

/// Relative: what the interior point leaves.
constexpr Real kClose = 1e-5;

World worldOf(Real friction) {
  World world(test::settingsFor("auto", FrictionModel::kCone), test::registry());
  world.setMaterialPair(0, 0, {.friction = friction});
  return world;
}

const StaticShare* sumOf(const std::vector<StaticShare>& shares) {
  for (const StaticShare& share : shares) {
    if (!share.position) return &share;
  }
  return nullptr;
}

TEST(Shares, CornersOfABlock_CarryNothingToHalfOfItsWeight) {
  // Four corners and the weight above their middle: opposite corners carry the same.
  World world = worldOf(0.5);
  test::addGround(world);
  const BodyId block = test::addBody(world, Box{{1, 0.5, 0.2}}, 3, {{0, 0, 0.2}, Quat::Identity()});
  const std::vector<StaticShare> shares = Statics(world).shares(block);
  ASSERT_EQ(shares.size(), 5U);
  const Real weight = 3 * kGravity;
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(shares[i].position);
    EXPECT_NEAR(shares[i].least / weight, 0, kClose);
    EXPECT_NEAR(shares[i].most / weight, 0.5, kClose);
  }
  ASSERT_FALSE(shares[4].position);
  EXPECT_NEAR(shares[4].least / weight, 1, kClose);
  EXPECT_NEAR(shares[4].most / weight, 1, kClose);
}

TEST(Shares, OfAPlankOnTwoBlocks_AreThoseOfTheLever) {
  // Its weight at x = 0, its ends on blocks that reach from −1 to −0.8 and from 0.4 to 0.6. The
  // second carries most where the first is pressed at its outer edge and the second at its inner
  // one.
  World world = worldOf(0);
  test::addGround(world);
  const auto support = [&](Real x) {
    return test::addBody(world, Box{{0.1, 0.5, 0.5}}, 1, {{x, 0, 0.5}, Quat::Identity()});
  };
  const BodyId left = support(-0.9), right = support(0.5);
  const BodyId plank = test::addBody(world, Box{{2, 0.3, 0.1}}, 2, {{0, 0, 1.1}, Quat::Identity()});
  const Real weight = 2 * kGravity;
  const std::vector<StaticShare> shares = Statics(world).shares(plank);
  ASSERT_EQ(shares.size(), 10U);
  for (const StaticShare& share : shares) {
    if (share.position) continue;
    const bool isLeft = share.other == left;
    EXPECT_TRUE(isLeft || share.other == right);
    EXPECT_NEAR(share.least / weight, isLeft ? 0.4 / 1.4 : 0.8 / 1.4, kClose);
    EXPECT_NEAR(share.most / weight, isLeft ? 0.6 / 1.4 : 1.0 / 1.4, kClose);
  }
}

TEST(Shares, OfAWedgedBody_HaveNoEnd) {
  World world = worldOf(0.8);
  for (const Real side : {-1.0, 1.0}) {
    world.addBody({.kind = BodyKind::kStatic,
                   .shape = Box{{1, 1, 1}},
                   .pose = {{side * 1.5, 0, 0}, Quat::Identity()}});
  }
  const BodyId box = test::addUnitBox(world, Vec3::Zero());
  const std::vector<StaticShare> shares = Statics(world).shares(box);
  const StaticShare* sum = sumOf(shares);
  ASSERT_NE(sum, nullptr);
  // Both walls carry half of the weight by friction.
  EXPECT_NEAR(sum->least / (world.body(box).mass() * kGravity), 1 / (2 * 0.8), kClose);
  EXPECT_EQ(sum->most, kInfinity);
}

TEST(Shares, OfWhatFalls_AreNotKnown) {
  World world = worldOf(0.5);
  test::addGround(world);
  const BodyId low = test::addUnitBox(world, {0, 0, 0.5});
  test::addUnitBox(world, {0.7, 0, 1.5});
  for (const StaticShare& share : Statics(world).shares(low)) {
    EXPECT_TRUE(std::isnan(share.least) && std::isnan(share.most));
  }
}

TEST(Resistance, OfABlock_IsThePullAtTheAngleOfFriction) {
  const Real mu = 0.5, mass = 2;
  World world = worldOf(mu);
  test::addGround(world);
  const BodyId block =
      test::addBody(world, Box{{1, 1, 0.2}}, mass, {{0, 0, 0.2}, Quat::Identity()});
  const Statics statics(world);
  const StaticResistance found = resistanceOf(statics, block);
  const Real angle = std::atan(mu), weight = mass * kGravity;
  EXPECT_NEAR(found.force / (weight * std::sin(angle)), 1, kClose);
  EXPECT_NEAR(found.forceDirection.z(), std::sin(angle), 1e-3);
  // No direction of a fan bears less.
  for (int i = 0; i <= 15; ++i) {
    const Real up = -test::kPi / 4 + i * test::kPi / 20;
    const Vec3 along(std::cos(up), 0, std::sin(up));
    EXPECT_GE(statics.answer({.forces = {{block, along}}}).factor, (1 - kClose) * found.force);
  }
}

TEST(Resistance, OfASqueezedBox_IsWhatFrictionHasLeft) {
  // Two fingers on slides press with a cap N each. A pull F along x leaves N − F to one of them, so
  // mu (2 N − F_x) bears W − F_z: the nearest point of this plane is at (2 mu N − W) / √(1 + mu²).
  const Real mu = 0.6, cap = 50, mass = 1;
  World world = worldOf(mu);
  const BodyId post = world.addBody({.kind = BodyKind::kStatic});
  const BodyId box = test::addBody(world, Box{{0.1, 0.1, 0.1}}, mass, Pose{});
  for (const Real side : {-1.0, 1.0}) {
    const Pose pose{{side * 0.15, 0, 0}, Quat::Identity()};
    const BodyId finger = test::addBody(world, Box{{0.05, 0.1, 0.1}}, 1, pose);
    JointDefinition slide = sliderJoint(post, finger);
    slide.axes[kAlongX].motor = JointMotor{.kind = MotorKind::kVelocity, .maxForce = cap};
    world.addJoint(slide, pose);
  }
  const StaticResistance found = resistanceOf(Statics(world), box);
  const Real slope = std::sqrt(1 + mu * mu);
  EXPECT_NEAR(found.force * slope / (2 * mu * cap - mass * kGravity), 1, kClose);
  EXPECT_NEAR(found.forceDirection.z(), -1 / slope, 1e-3);
}

TEST(Resistance, OfABlockToTorques_IsTheLeastOfTippingAndTurning) {
  // About a level axis it tips at W b; about the vertical friction turns it at mu W r of its
  // corners, each of which may carry what it likes.
  for (const Real mu : {0.1, 0.9}) {
    World world = worldOf(mu);
    test::addGround(world);
    const BodyId block =
        test::addBody(world, Box{{0.3, 0.4, 0.2}}, 1, {{0, 0, 0.2}, Quat::Identity()});
    const StaticResistance found = resistanceOf(Statics(world), block);
    const Real turns = mu * kGravity * 0.5, tips = kGravity * 0.3;
    if (turns < tips) {
      EXPECT_LE(found.torque / turns, 1 + kClose);
      EXPECT_GT(std::abs(found.torqueAxis.z()), 0.5);
    } else {
      EXPECT_LE(found.torque / tips, 1 + kClose);
    }
    EXPECT_GT(found.torque, 0.5 * std::min(turns, tips));
  }
}

TEST(Resistance, AlongLockedAxes_IsWithoutEnd) {
  const Real mu = 0.5;
  World world = worldOf(mu);
  test::addGround(world);
  BodyDefinition block{.shape = Box{{1, 1, 0.2}}, .pose = {{0, 0, 0.2}, Quat::Identity()}};
  block.lockedAxes = {.translation = {true, false, false}, .rotation = {true, true, true}};
  const BodyId id = world.addBody(block);
  const Statics statics(world);
  EXPECT_EQ(statics.answer({.forces = {{id, {1, 0, 0}}}}).factor, kInfinity);
  const StaticResistance found = resistanceOf(statics, id);
  const Real weight = world.body(id).mass() * kGravity;
  EXPECT_NEAR(found.force / (weight * std::sin(std::atan(mu))), 1, kClose);
  EXPECT_EQ(found.torque, kInfinity);
}

TEST(Resistance, OfWhatFallsIs0AndOfWhatIsStuckHasNoEnd) {
  World falls = worldOf(0.5);
  const BodyId free = test::addUnitBox(falls, Vec3::Zero());
  EXPECT_EQ(resistanceOf(Statics(falls), free).force, 0);
  World stuck = worldOf(0.5);
  const BodyId post = stuck.addBody({.kind = BodyKind::kStatic});
  const BodyId box = test::addUnitBox(stuck, {0, 0, 3});
  stuck.addJoint(fixedJoint(post, box), Pose{});
  const StaticResistance found = resistanceOf(Statics(stuck), box);
  EXPECT_EQ(found.force, kInfinity);
  EXPECT_EQ(found.torque, kInfinity);
}

TEST(Resistance, OfWhatDoesNotMove_IsRefusedAsItsSharesAre) {
  World world = worldOf(0.5);
  const BodyId ground = test::addGround(world);
  test::addUnitBox(world, {0, 0, 0.5});
  const Statics statics(world);
  EXPECT_THROW(statics.shares(ground), InputError);
  EXPECT_THROW(resistanceOf(statics, ground), InputError);
}

}  // namespace
}  // namespace drystone
