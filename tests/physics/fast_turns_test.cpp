// Joints whose bodies turn by more than half a turn a step: no whole turn is lost, so gears and
// motors stay where they belong. Closed forms without gravity; masses are 3 kg, inertias 2 kg m².
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "core/random.h"
#include "tests/physics/joint_rig.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

using test::kJointStep;

/// By what the joint turns a step [rad], and the integrator.
class FastTurns : public testing::TestWithParam<std::tuple<Real, Integrator>> {
 protected:
  static constexpr int kSteps = 60;

  FastTurns()
      : world([] {
          WorldSettings settings = test::settingsFor("bpp-auto");
          settings.gravity = Vec3::Zero();
          settings.integrator = std::get<1>(GetParam());
          return World(settings, test::registry());
        }()) {
    post = world.addBody({.name = "post", .kind = BodyKind::kStatic});
  }

  BodyId addWheel() {
    BodyDefinition wheel;
    wheel.mass = MassProperties{3, Vec3::Zero(), 2 * Mat3::Identity()};
    return world.addBody(wheel);
  }
  JointId addHinge(BodyId wheel, const std::optional<JointMotor>& motor = {}) {
    JointDefinition hinge = hingeJoint(post, wheel);
    hinge.axes[kAboutX].motor = motor;
    return world.addJoint(hinge);
  }
  void spin(BodyId wheel, Real rate) { world.body(wheel).setVelocity(Vec3::Zero(), {rate, 0, 0}); }
  Real angle(JointId joint) const { return world.joint(joint).coordinate(kAboutX); }
  Real rate(JointId joint) const { return world.joint(joint).rate(kAboutX); }

  /// Runs, once to the end and once more from the middle, with the same bits.
  void run() {
    for (int i = 0; i < kSteps / 2; ++i) world.step();
    const std::vector<std::byte> middle = world.save();
    for (int i = kSteps / 2; i < kSteps; ++i) world.step();
    const std::vector<std::byte> end = world.save();
    world.restore(middle);
    for (int i = kSteps / 2; i < kSteps; ++i) world.step();
    EXPECT_EQ(world.save(), end);
  }

  const Real perStep = std::get<0>(GetParam());
  const Real speed = perStep / kJointStep;
  World world;
  BodyId post;
};

TEST_P(FastTurns, AFreeHingeCountsThem) {
  const BodyId wheel = addWheel();
  const JointId hinge = addHinge(wheel);
  spin(wheel, speed);
  run();
  EXPECT_NEAR(angle(hinge), kSteps * perStep, 1e-9);
}

TEST_P(FastTurns, TwoWheelsCountWhatTheyTurnAgainstEachOther) {
  const BodyId one = addWheel(), two = addWheel();
  const JointId hinge = world.addJoint(hingeJoint(one, two));
  spin(one, -0.9 * speed);
  spin(two, 0.1 * speed);
  run();
  EXPECT_NEAR(angle(hinge), kSteps * perStep, 1e-9);
}

TEST_P(FastTurns, AGearKeepsItsRates) {
  const BodyId one = addWheel(), two = addWheel();
  const JointId slow = addHinge(one), fast = addHinge(two);
  world.addJoint(gearJoint(slow, fast, -0.3));
  spin(one, 0.3 * speed);
  spin(two, speed);
  run();
  EXPECT_NEAR(rate(slow), 0.3 * speed, 1e-7);
  EXPECT_NEAR(rate(fast), speed, 1e-7);
  EXPECT_NEAR(angle(slow), 0.3 * kSteps * perStep, 1e-7);
  EXPECT_NEAR(angle(fast), kSteps * perStep, 1e-7);
  EXPECT_LT(world.lastReport().maxJointTurn, 1e-9);
}

TEST_P(FastTurns, AMotorFollowsItsSchedule) {
  constexpr Real kEnd = kSteps * kJointStep;
  const JointId hinge =
      addHinge(addWheel(), JointMotor{.kind = MotorKind::kPosition,
                                      .target = Schedule({{0, 0}, {2 * kEnd, 2 * kEnd * speed}})});
  run();
  // With Moreau the first half step goes without the motor: what it lacks goes by 0.8 a step.
  EXPECT_NEAR(rate(hinge) / speed, 1, 1e-6);
  EXPECT_NEAR(angle(hinge), kSteps * perStep, 1e-4);
}

INSTANTIATE_TEST_SUITE_P(Rates, FastTurns,
                         testing::Combine(testing::Values(1.5, 3.0, 7.0, -7.0, 40.0),
                                          testing::Values(Integrator::kSemiImplicitEuler,
                                                          Integrator::kMoreau)));

/// By how much the first and the third angle change in a turn about an axis from the zero of all
/// three, counted in parts of 1e-3 rad [rad].
std::pair<Real, Real> countedAngles(const Vec3& axis, Real turn) {
  const auto parts = static_cast<int>(turn / 1e-3) + 1;
  const auto goOn = [](Real angle, Real& counted) {
    counted += std::remainder(angle - counted, 2 * M_PI);
  };
  Real first = 0, third = 0;
  for (int part = 1; part <= parts; ++part) {
    const Mat3 rotation = test::turn(axis, turn * part / parts).toRotationMatrix();
    goOn(std::atan2(-rotation(1, 2), rotation(2, 2)), first);
    goOn(std::atan2(-rotation(0, 1), rotation(0, 0)), third);
  }
  return {first, third};
}

/// The first and the third angle after a turn from zero [rad]. Each whole turn is counted once: it
/// ends where it began, and the next one is like it.
std::pair<Real, Real> outerAngles(const Vec3& axis, Real turn) {
  const Real turns = std::floor(turn / (2 * M_PI));
  const auto whole = countedAngles(axis, turns > 0 ? 2 * M_PI : 0);
  const auto rest = countedAngles(axis, turn - 2 * M_PI * turns);
  return {turns * whole.first + rest.first, turns * whole.second + rest.second};
}

// Where the second angle passes close to a right angle, the others jump by nearly half a turn: also
// what turns by less than 1 rad a step loses none.
TEST(FastTurnsOfThreeAngles, AreAllCounted) {
  constexpr int kTurningSteps = 40, kTurningAxes = 150;
  for (const Real perStep : {0.04, 0.2, 0.5, 0.7, 0.85, 0.95, 1.3, 5.0}) {
    WorldSettings settings = test::settingsFor("bpp-auto");
    settings.gravity = Vec3::Zero();
    World world(settings, test::registry());
    const BodyId post = world.addBody({.name = "post", .kind = BodyKind::kStatic});
    Random random(5);
    std::vector<std::pair<JointId, Vec3>> joints;
    for (int i = 0; i < kTurningAxes; ++i) {
      const Real x = random.uniform(-1, 1), y = random.uniform(-1, 1);
      // Of half of them the second angle comes to within some hundredths of a right angle.
      const Real z = i % 2 == 0 ? random.uniform(-1, 1) : x + random.uniform(-0.02, 0.02);
      const Vec3 axis = Vec3(x, y, z).normalized();
      BodyDefinition ball;
      ball.mass = MassProperties{3, Vec3::Zero(), 2 * Mat3::Identity()};
      ball.angularVelocity = perStep / kJointStep * axis;
      const BodyId turning = world.addBody(ball);
      joints.emplace_back(world.addJoint(ballJoint(post, turning, Vec3::Zero(), Vec3::Zero())),
                          axis);
    }
    for (int step = 0; step < kTurningSteps; ++step) world.step();
    for (const auto& [joint, axis] : joints) {
      const auto [first, third] = outerAngles(axis, kTurningSteps * perStep);
      EXPECT_NEAR(world.joint(joint).coordinate(kAboutX), first, 1e-6)
          << perStep << " rad a step about " << axis.transpose();
      EXPECT_NEAR(world.joint(joint).coordinate(kAboutZ), third, 1e-6)
          << perStep << " rad a step about " << axis.transpose();
    }
  }
}

}  // namespace
}  // namespace drystone
