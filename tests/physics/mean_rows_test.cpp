// What joints bear where their rows hold the mean velocity, and the order of what they hold. Rows
// J (u⁺ + u) = 0 by themselves turn the sign of every error of J u, so that impulses alternate.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "scenes/scene_builder.h"
#include "scenes/scene_reader.h"
#include "tests/physics/pendulums.h"
#include "tests/support/constants.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

using test::kGravity;

constexpr Real kStep = 1.0 / 240;  ///< [s]

WorldSettings meanRows(Real h = kStep) {
  WorldSettings settings = test::settingsFor("bpp-auto");
  settings.timestep = h;
  settings.integrator = Integrator::kMoreau;
  settings.jointRows = JointRows::kMean;
  return settings;
}

Vec3 forceOf(const World& world, JointId joint) { return world.joint(joint).reaction().force; }

TEST(MeanRows, HingeAtRestOnItsLimitBearsTheWeight) {
  World world(meanRows(), test::registry());
  const BodyId post = test::addPost(world);
  const BodyId arm = test::addBody(world, Sphere{0.1}, 1, {{0, 1, 0}, Quat::Identity()});
  JointDefinition hinge = hingeJoint(post, arm, {}, {.position = {0, -1, 0}});
  hinge.axes[kAboutX] = JointAxis::limited(-0.5, 1);
  const JointId joint = world.addJoint(hinge);
  // It falls by sin 0.5 of 1 m in about √(2 · 0.48 / g) = 0.31 s and stops there at once.
  test::simulate(world, 0.35);
  for (int i = 0; i < 240; ++i) {
    world.step();
    // Equilibrium; the stops take back some 1e-10 rad a step, and h² g of it is round-off of that.
    ASSERT_NEAR(forceOf(world, joint).z(), kGravity, 1e-4) << i;
    ASSERT_NEAR(forceOf(world, joint).y(), 0, 1e-4) << i;
  }
}

/// A pendulum of 1 m and 1 kg, let go horizontally with 3 m/s downwards and a speed along its arm.
struct Pendulum {
  World world;
  BodyId bob;
  JointId joint;
  explicit Pendulum(Real alongArm, Real breakingImpulse = kInfinity)
      : world(meanRows(), test::registry()) {
    const BodyId post = test::addPost(world);
    bob = test::addBody(world, Sphere{0.1}, 1, {{1, 0, 0}, Quat::Identity()}, {alongArm, 0, -3},
                        {0, 3, 0});
    JointDefinition ball = ballJoint(post, bob, Vec3::Zero(), {-1, 0, 0});
    ball.breakingImpulse = breakingImpulse;
    joint = world.addJoint(ball);
  }
  Vec3 place() const { return world.body(bob).centerOfMass(); }
};

// Tension T = m (v² / l + g sin φ) at the angle φ under the horizontal; energy says
// ½ (l² + 2/5 r²) φ̇² = ½ (l² + 2/5 r²) 3² + g l sin φ, and v = l φ̇.
TEST(MeanRows, PendulumBearsItsWeightAndItsTurning) {
  for (const Real alongArm : {0.0, 0.3}) {
    Pendulum pendulum(alongArm);
    for (int i = 0; i < 480; ++i) {
      const Vec3 before = pendulum.place();
      pendulum.world.step();
      const Vec3 outward = (before + pendulum.place()).normalized();
      const Real sine = -outward.z();
      const Real tension = 9 + 2 * kGravity * sine / (1 + 0.4 * 0.01) + kGravity * sine;
      // A start along the arm, and the start of smooth motion, end within three steps. The scheme
      // is off by some (φ̇ h)² = 4e-4 of 38 N, the start along the arm by as much again.
      if (i > 3) {
        ASSERT_NEAR(-forceOf(pendulum.world, pendulum.joint).dot(outward), tension, 0.05) << i;
      }
    }
  }
}

TEST(MeanRows, VelocityThatAJointForbidsCostsItsMomentumOnce) {
  // m · 0.3 m/s and the tension of 9 N for a step. A reflection would take twice the momentum.
  const Real expected = 0.3 + 9 * kStep;
  Pendulum pendulum(0.3);
  pendulum.world.step();
  EXPECT_NEAR(forceOf(pendulum.world, pendulum.joint).norm() * kStep, expected, 0.01 * expected);
  Pendulum strong(0.3, 1.05 * expected);
  for (int i = 0; i < 240; ++i) EXPECT_TRUE(strong.world.step().brokenJoints.empty()) << i;
  // The same after a change from outside; h v²/l of the tension is below 0.2 N s by then.
  strong.world.body(strong.bob).setVelocity(0.3 * strong.place(), Vec3::Zero());
  strong.world.step();
  EXPECT_NEAR(forceOf(strong.world, strong.joint).norm() * kStep, 0.3, kGravity * kStep);
}

/// A crank of 0.3 m at 5 rad/s, a rod of 1 m and a slider on a rail, 1 kg each, close a loop in a
/// plane, with as many locks as it takes.
struct SliderCrank {
  World world;
  std::vector<JointId> joints;
  explicit SliderCrank(const WorldSettings& settings) : world(settings, test::registry()) {
    world.setGravity({0, -kGravity, 0});
    const BodyId post = test::addPost(world);
    const auto bar = [&](Real length, const Vec3& at, const Vec3& velocity, Real spin) {
      return test::addBody(world, Box{{length / 2, 0.02, 0.02}}, 1, {at, Quat::Identity()},
                           velocity, {0, 0, spin});
    };
    // In its dead point the rod turns about the pin of the slider, with 0.3 · 5 / 1.
    const BodyId crank = bar(0.3, {0.15, 0, 0}, {0, 0.75, 0}, 5);
    const BodyId rod = bar(1, {0.8, 0, 0}, {0, 0.75, 0}, -1.5);
    const BodyId slider = bar(0.1, {1.3, 0, 0}, Vec3::Zero(), 0);
    const Quat axle = test::turn(Vec3::UnitY(), -M_PI / 2);  // x of the frames to z
    // x to z, y to x: the pin turns about z and may lean about y, but the rod not roll about x.
    const Quat pin = test::turn(Vec3::Ones().normalized(), -2 * M_PI / 3);
    joints = {world.addJoint(hingeJoint(post, crank, {{0, 0, 0}, axle}, {{-0.15, 0, 0}, axle})),
              world.addJoint(ballJoint(crank, rod, {0.15, 0, 0}, {-0.5, 0, 0})),
              world.addJoint(universalJoint(rod, slider, {{0.5, 0, 0}, pin}, {{0, 0, 0}, pin})),
              world.addJoint(sliderJoint(post, slider, {{1.3, 0, 0}, Quat::Identity()}, {}))};
  }
};

TEST(MeanRows, ClosedLoopBearsWhatAMuchFinerStepSays) {
  SliderCrank coarse(meanRows());
  WorldSettings end = test::settingsFor("bpp-auto");
  end.timestep = kStep / 100;
  SliderCrank fine(end);
  for (int i = 0; i < 240; ++i) {
    coarse.world.step();
    test::simulate(fine.world, kStep / 2);
    std::vector<Vec3> forces;  // in the middle of the coarse step
    for (const JointId joint : fine.joints) forces.push_back(forceOf(fine.world, joint));
    test::simulate(fine.world, kStep / 2);
    if (i <= 3) continue;
    for (std::size_t j = 0; j < forces.size(); ++j) {
      // The largest forces are 40 N; 0.07 N is what h² leaves, half of it the finer end rows.
      ASSERT_NEAR((forceOf(coarse.world, coarse.joints[j]) - forces[j]).norm(), 0, 0.1) << i;
    }
  }
}

/// Where a top of 0.5 rad lean and 40 rad/s is that stands on a ball joint, after 0.5 s.
Vec3 spinTop(WorldSettings settings) {
  settings.stabilization.compliance = 1e-12;  // below what the finest step resolves
  World world(settings, test::registry());
  const BodyId post = test::addPost(world);
  const Quat lean = test::turn(Vec3::UnitY(), 0.5);
  const BodyId top = test::addBody(world, Cylinder{0.2, 0.01}, 1, {lean * Vec3(0, 0, 0.3), lean},
                                   Vec3::Zero(), lean * Vec3(0, 0, 40));
  world.addJoint(ballJoint(post, top, Vec3::Zero(), {0, 0, -0.3}));
  const int steps = static_cast<int>(std::lround(0.5 / settings.timestep));
  for (int i = 0; i < steps; ++i) world.step();
  return world.body(top).centerOfMass();
}

TEST(MeanRows, TopOnABallJointConvergesInSecondOrder) {
  // The reference is 16 times as fine as the finest that is compared: it shows by 1/256.
  const Vec3 exact = spinTop(meanRows(1.0 / 12800));
  const auto errorOf = [&](WorldSettings settings) { return (spinTop(settings) - exact).norm(); };
  const Real coarse = errorOf(meanRows(1.0 / 400)), fine = errorOf(meanRows(1.0 / 800));
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.1);
  EXPECT_LT(fine, 2e-4);  // of a way of 0.16 m
  WorldSettings end = test::settingsFor("bpp-auto");
  end.timestep = 1.0 / 400;
  const Real first = errorOf(end);
  end.timestep = 1.0 / 800;
  EXPECT_NEAR(std::log2(first / errorOf(end)), 1, 0.1);
}

TEST(MeanRows, KeepTheEnergyOfADoublePendulumToH4) {
  // What keeps impulses from alternating works on the velocities, by h⁴ a second. After 10 s that
  // is below a thousandth of m g (1 m + 2 m) even at 1/120 s.
  for (const auto& [h, most] : {std::pair(1.0 / 120, 1e-3), std::pair(1.0 / 480, 1e-5)}) {
    BodyId first, second;
    World world = test::doublePendulum(meanRows(h), first, second);
    Real worst = 0;
    while (world.time() < 10) {
      world.step();
      worst = std::max(worst, std::abs(test::energyOf(world)) / (3 * kGravity));
    }
    EXPECT_LT(worst, most) << h;
  }
}

TEST(MeanRows, ChainThatTheStepDoesNotResolveGainsNoEnergy) {
  // Its links turn by up to 0.5 rad a step and swing through more than 1000 J from E = 0. Whatever
  // is told ahead of such a path is wrong; taken for true, it brings 1e14 J within 8 s.
  Scene scene = readScene("chain");
  scene.settings.timestep = 0.008;
  scene.settings.integrator = Integrator::kMoreau;
  scene.settings.jointRows = JointRows::kMean;
  World world = buildWorld(scene, test::registry());
  Real most = 0, kinetic = 0;
  while (world.time() < 8) {
    world.step();
    kinetic = std::max(kinetic, world.lastReport().energy.kinetic);
    most = std::max(most, test::energyOf(world));
  }
  EXPECT_GT(kinetic, 1000);
  EXPECT_LT(most, 10);
}

}  // namespace
}  // namespace drystone
