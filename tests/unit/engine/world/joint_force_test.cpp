// Forces and torques along the coordinates of joints, by closed forms.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/input_error.h"
#include "engine/world/world.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

World weightless() {
  WorldSettings settings = test::settingsFor("bpp-auto");
  settings.gravity.setZero();
  settings.timestep = 0.01;
  return {settings, test::registry()};
}

BodyId bodyOf(World& world, Real mass, const Vec3& moments, const Vec3& position) {
  return world.addBody({.pose = {.position = position},
                        .mass = MassProperties{.mass = mass, .inertia = moments.asDiagonal()}});
}

// A rod whose centre is r from a fixed hinge turns with α = τ / (I + m r²). The tolerance allows
// for the way that the joint is off while it turns.
TEST(JointForce, TorqueOfAHinge_TurnsByTorqueOverInertia) {
  World world = weightless();
  const BodyId post = world.addBody({.kind = BodyKind::kStatic});
  const BodyId rod = bodyOf(world, 2, {0.5, 0.5, 0.1}, {0, 0.3, 0});
  const JointId hinge = world.addJoint(hingeJoint(post, rod, {}, {.position = {0, -0.3, 0}}));
  constexpr Real kTorque = 0.7;
  const Real inertia = 0.5 + 2 * 0.3 * 0.3;
  for (int i = 0; i < 20; ++i) {
    world.joint(hinge).applyForce(kAboutX, kTorque);
    world.step();
  }
  EXPECT_NEAR(world.joint(hinge).rate(kAboutX), 0.2 * kTorque / inertia, 1e-6);
  // A force is of one step: the next one goes on without.
  const Real before = world.joint(hinge).rate(kAboutX);
  world.step();
  EXPECT_NEAR(world.joint(hinge).rate(kAboutX), before, 1e-6);
}

// A free pair along a slider: forces are opposite, so that both momenta stay 0, about an axis off
// the centres too; and the rate of the coordinate is F t (1/m_1 + 1/m_2) where it runs through
// them.
TEST(JointForce, ForceOfASliderBetweenFreeBodies_KeepsBothMomenta) {
  for (const Real off : {0.0, 0.4}) {
    World world = weightless();
    const BodyId a = bodyOf(world, 1, {0.2, 0.3, 0.4}, {0, 0, 0});
    const BodyId b = bodyOf(world, 3, {0.6, 0.5, 0.7}, {1, off, 0});
    const JointId slider = world.addJoint(sliderJoint(a, b), Pose{.position = {0.5, 0, 0}});
    for (int i = 0; i < 10; ++i) {
      world.joint(slider).applyForce(kAlongX, 2);
      world.step();
    }
    Vec3 momentum = Vec3::Zero(), spin = Vec3::Zero();
    for (const BodyId id : {a, b}) {
      const ConstBodyHandle body = world.body(id);
      const Mat3 turn = body.pose().rotation.toRotationMatrix();
      const Vec3 linear = body.mass() * body.linearVelocity();
      momentum += linear;
      spin += body.centerOfMass().cross(linear) +
              turn * body.definition().mass->inertia * turn.transpose() * body.angularVelocity();
    }
    EXPECT_LT(momentum.norm(), 1e-12) << off;
    EXPECT_LT(spin.norm(), off == 0 ? 1e-12 : 1e-4) << off;  // poses turn in steps
    if (off == 0) {
      EXPECT_NEAR(world.joint(slider).rate(kAlongX), 0.1 * 2 * (1.0 + 1.0 / 3), 1e-12);
    } else {
      EXPECT_GT(world.body(a).angularVelocity().norm(), 0.01);
    }
  }
}

// Along q1 + ratio q2 of a gear a force F turns the first shaft with F and the second one with
// ratio F, against which the gear's lock holds: so nothing moves where it is locked, and with a
// free gear both follow I α = F and ratio F.
TEST(JointForce, ForceOfAFreeGear_TurnsBothShafts) {
  World world = weightless();
  const BodyId post = world.addBody({.kind = BodyKind::kStatic});
  const BodyId one = bodyOf(world, 1, {0.5, 0.5, 0.5}, {0, 0, 0});
  const BodyId two = bodyOf(world, 1, {0.25, 0.5, 0.5}, {0, 1, 0});
  const JointId first = world.addJoint(hingeJoint(post, one));
  const JointId second = world.addJoint(hingeJoint(post, two, {.position = {0, 1, 0}}, {}));
  JointDefinition gear = gearJoint(first, second, 2);
  gear.axes[0] = JointAxis::limited(-100, 100);
  const JointId coupling = world.addJoint(gear);
  world.joint(coupling).applyForce(0, 3);
  world.step();
  EXPECT_NEAR(world.joint(first).rate(kAboutX), 0.01 * 3 / 0.5, 1e-12);
  EXPECT_NEAR(world.joint(second).rate(kAboutX), 0.01 * 6 / 0.25, 1e-12);
}

TEST(JointForce, BadArgument_IsRefusedAndChangesNothing) {
  World world = weightless();
  const BodyId post = world.addBody({.kind = BodyKind::kStatic});
  const BodyId rod = bodyOf(world, 1, {1, 1, 1}, {0, 0, 0});
  const JointHandle hinge = world.joint(world.addJoint(hingeJoint(post, rod)));
  const std::uint64_t before = world.observe().hash();
  try {
    hinge.applyForce(kAboutX, std::nan(""));
    ADD_FAILURE() << "no error";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("applyForce: force is not finite"));
  }
  EXPECT_THROW(hinge.applyForce(6, 1), InputError);
  EXPECT_THROW(hinge.applyForce(-1, 1), InputError);
  EXPECT_EQ(world.observe().hash(), before);
  hinge.applyForce(kAboutX, 1);
  EXPECT_NE(world.observe().hash(), before);
}

}  // namespace
}  // namespace drystone
