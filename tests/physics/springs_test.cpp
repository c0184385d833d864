// Springs and dampers of joints on 1 kg against their closed forms, by integrator.
#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "tests/physics/pendulums.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

constexpr Real kStiffness = 100, kRest = 0.1, kStretch = 0.4;

/// 1 kg on a spring, stretched by kStretch at the start, without gravity.
struct Oscillator {
  World world;
  BodyId body;
  Oscillator(Integrator integrator, Real h, Real damping, Real stiffness = kStiffness)
      : world([&] {
          WorldSettings settings = test::settingsFor("bpp-auto");
          settings.gravity.setZero();
          settings.integrator = integrator;
          settings.timestep = h;
          return World(settings, test::registry());
        }()) {
    const BodyId post = test::addPost(world);
    body = test::addBody(world, Sphere{0.1}, 1, {{kRest + kStretch, 0, 0}, Quat::Identity()});
    JointDefinition slider = sliderJoint(post, body, {}, {});
    slider.axes[kAlongX].spring =
        JointSpring{.stiffness = stiffness, .damping = damping, .rest = kRest};
    world.addJoint(slider);
  }
  Real stretch() const { return world.body(body).centerOfMass().x() - kRest; }
  Real energy() const {
    const Real speed = world.body(body).linearVelocity().x();
    return 0.5 * speed * speed + 0.5 * kStiffness * stretch() * stretch();
  }
};

TEST(Springs, MoreauKeepsTheEnergyOfAnUndampedOne) {
  // λ (q̇⁺ + q̇)/2 = −k q̄ (q⁺ − q) is the change of ½ k q² to round-off.
  for (const Real h : {1.0 / 60, 0.5}) {
    Oscillator spring(Integrator::kMoreau, h, 0);
    const Real before = spring.energy();
    for (int i = 0; i < 300; ++i) {
      spring.world.step();
      ASSERT_NEAR(spring.energy() / before, 1, 1e-12) << h << ' ' << i;
    }
  }
}

TEST(Springs, MoreauSwingsAndDecaysToSecondOrder) {
  // x = A e^(−d t/2m) (cos ω t + d/(2 m ω) sin ω t), ω² = k/m − (d/2m)²; undamped and damped.
  for (const Real damping : {0.0, 1.0}) {
    const Real rate = damping / 2, omega = std::sqrt(kStiffness - rate * rate);
    const auto errorAfter5s = [&](Real h) {
      Oscillator spring(Integrator::kMoreau, h, damping);
      test::simulate(spring.world, 5);
      return spring.stretch() - kStretch * std::exp(-5 * rate) *
                                    (std::cos(5 * omega) + rate / omega * std::sin(5 * omega));
    };
    const Real coarse = errorAfter5s(1.0 / 240), fine = errorAfter5s(1.0 / 480);
    EXPECT_NEAR(std::log2(coarse / fine), 2, 0.05) << damping;
    EXPECT_LT(std::abs(coarse), 1e-3) << damping;
  }
}

TEST(Springs, SemiImplicitEulerTakesOmegaSquaredHOfTheEnergyASecond) {
  // Backward Euler multiplies ½ v² + ½ ω² x² by 1 / (1 + (ω h)²) a step, exactly: with ω = 10/s and
  // 1/60 s that is e^(−1.64 t).
  Oscillator spring(Integrator::kSemiImplicitEuler, 1.0 / 60, 0);
  const Real before = spring.energy();
  test::simulate(spring.world, 1);
  EXPECT_NEAR(spring.energy() / before, std::pow(1 + 100.0 / 3600, -60), 1e-12);
}

TEST(Springs, StiffOnesRingUnderMoreauAndSettleUnderSemiImplicitEuler) {
  // ω h = 1e4/60 = 167. The midpoint rule turns the phase by 2 atan(ω h/2), nearly half a turn a
  // step, and keeps the size; backward Euler leaves 1/(1 + (ω h)²) = 4e-5 of the energy.
  Oscillator rings(Integrator::kMoreau, 1.0 / 60, 0, 1e8);
  Oscillator settles(Integrator::kSemiImplicitEuler, 1.0 / 60, 0, 1e8);
  rings.world.step();
  settles.world.step();
  EXPECT_NEAR(rings.stretch(), -kStretch, 1e-3);
  EXPECT_NEAR(settles.stretch(), 0, 1e-3);
}

TEST(Springs, MoreauKeepsTheEnergyOfASwingingOneToSecondOrder) {
  // A ball on a spring of 100 N/m swings in the plane: the direction of the spring turns, and its
  // work differs from what it stores by h³ a step. Without damping nothing is lost for good.
  const auto worstOf = [](Real h) {
    WorldSettings settings = test::settingsFor("bpp-auto");
    settings.integrator = Integrator::kMoreau;
    settings.timestep = h;
    World world(settings, test::registry());
    const BodyId post = test::addPost(world);
    const BodyId ball = test::addBody(world, Sphere{0.1}, 1, {{1, 0, 0}, Quat::Identity()});
    JointDefinition rope = distanceJoint(post, ball, Vec3::Zero(), Vec3::Zero(), 0, kInfinity);
    rope.axes[0].spring = JointSpring{.stiffness = kStiffness, .rest = 1};
    world.addJoint(rope);
    Real worst = 0;
    while (world.time() < 20) {
      world.step();
      const Real stretch = world.body(ball).centerOfMass().norm() - 1;
      worst =
          std::max(worst, std::abs(test::energyOf(world) + 0.5 * kStiffness * stretch * stretch));
    }
    return worst / 9.81;  // of m g · 1 m
  };
  const Real coarse = worstOf(1.0 / 120), fine = worstOf(1.0 / 240);
  EXPECT_LT(fine, 1e-2);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.3);
}

}  // namespace
}  // namespace drystone
