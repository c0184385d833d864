// Materials with stiffness and damping: rest, motion and combination against closed forms.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "core/input_error.h"
#include "engine/model/contact_spring.h"
#include "engine/model/material.h"
#include "tests/physics/machine.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

using test::kGravity;

constexpr Real kSprungMass = 2;      // [kg]
constexpr Real kSprungRadius = 0.5;  // [m]
constexpr Real kSprungStep = 0.01;   // [s]

/// A ball that starts at a height of its centre above the ground, or a box.
struct OnSpring {
  World world;
  BodyId body;
  Real gap() const { return world.body(body).centerOfMass().z() - kSprungRadius; }
};

WorldSettings springSettings() {
  WorldSettings settings = test::settingsFor("bpp-auto");
  settings.timestep = kSprungStep;
  settings.solver.budget.tolerance = 1e-13;
  return settings;
}

OnSpring onGround(const Shape& shape, const Material& ground, const Material& own, Real gap,
                  const WorldSettings& settings = springSettings(),
                  const Vec3& velocity = Vec3::Zero()) {
  OnSpring out{World(settings, test::registry()), {}};
  test::addPlane(out.world, out.world.addMaterial(ground));
  BodyDefinition body{.shape = shape, .material = out.world.addMaterial(own)};
  body.mass = massProperties(shape, 1);
  body.mass->inertia *= kSprungMass / body.mass->mass;
  body.mass->mass = kSprungMass;
  body.pose.position.z() = kSprungRadius + gap;
  body.linearVelocity = velocity;
  out.body = out.world.addBody(body);
  return out;
}

/// How deep it rests [m].
Real restDepth(OnSpring scene) {
  test::simulate(scene.world, 4);
  EXPECT_LT(scene.world.body(scene.body).linearVelocity().norm(), 1e-9);
  return -scene.gap();
}

const Shape kSpringBall = Sphere{kSprungRadius};
const Shape kSpringBox = Box{Vec3::Constant(kSprungRadius)};
const Material kRigidSurface{};

// m g / (n k), with n points: 4 of a box, 1 of a ball.
TEST(ContactSprings, RestDepth_IsWeightOverStiffnessOfAllPoints) {
  const Material soft{.stiffness = 2000, .damping = 100};
  const Real weight = kSprungMass * kGravity;
  EXPECT_NEAR(restDepth(onGround(kSpringBox, soft, kRigidSurface, 0)), weight / (4 * 2000), 1e-10);
  EXPECT_NEAR(restDepth(onGround(kSpringBall, kRigidSurface, soft, 0)), weight / 2000, 1e-10);
}

// u⁺ = (u − h g − h k φ / m) / (1 + (h d + h² k) / m), φ⁺ = φ + h u⁺, from 6 cm below where it
// rests: the push-out of a rigid contact would be capped at 1 m/s.
TEST(ContactSprings, Motion_IsTheImplicitStepsOfAMassOnASpring) {
  const Real k = 400, d = 3, h = kSprungStep;
  Real gap = -kSprungMass * kGravity / k - 0.06, u = 0;
  ASSERT_GT(k * h / (d + k * h) * -gap / h, 1);
  OnSpring ball = onGround(kSpringBall, {.stiffness = k, .damping = d}, kRigidSurface, gap);
  for (int step = 0; step < 200; ++step) {
    ball.world.step();
    u = (u - h * kGravity - h * k * gap / kSprungMass) / (1 + (h * d + h * h * k) / kSprungMass);
    gap += h * u;
    ASSERT_NEAR(ball.gap(), gap, 1e-10) << step;
  }
}

// The law of impact has no part in it, nor has the restitution of the partner.
TEST(ContactSprings, Landing_IsTheSameForEveryLawOfImpact) {
  const Material soft{.stiffness = 5000, .damping = 10}, bouncy{.restitution = 0.9};
  std::vector<Real> gaps;
  for (const ImpactLaw law : {ImpactLaw::kNewton, ImpactLaw::kPoisson, ImpactLaw::kSequential}) {
    WorldSettings settings = springSettings();
    settings.impactLaw = law;
    OnSpring ball = onGround(kSpringBall, soft, bouncy, 0.1, settings);
    test::simulate(ball.world, 0.4);
    gaps.push_back(ball.gap());
  }
  EXPECT_NEAR(gaps[1], gaps[0], 1e-10);
  EXPECT_NEAR(gaps[2], gaps[0], 1e-10);
  OnSpring plain = onGround(kSpringBall, soft, kRigidSurface, 0.1);
  test::simulate(plain.world, 0.4);
  EXPECT_NEAR(gaps[0], plain.gap(), 1e-10);
}

// Springs one behind the other: depths add up. Those of one material, too.
TEST(ContactSprings, Materials_AreInSeries) {
  const Material one{.stiffness = 2000, .damping = 100}, other{.stiffness = 500, .damping = 40};
  const Real weight = kSprungMass * kGravity;
  EXPECT_NEAR(restDepth(onGround(kSpringBall, one, other, 0)), weight / 2000 + weight / 500, 1e-10);
  EXPECT_NEAR(restDepth(onGround(kSpringBall, one, one, 0)), weight / 1000, 1e-10);
}

// Where both move slowly F makes the rates F'/k_a and F'/k_b, and the dampers take d_a (F'/k_a)² +
// d_b (F'/k_b)² of power, as one damper does with F' (1/k_a + 1/k_b).
TEST(ContactSprings, DampersInSeries_LoseWhatBothLose) {
  const ContactSpring a{300, 7}, b{1200, 5};
  const Real rateA = 1 / a.stiffness, rateB = 1 / b.stiffness;
  const auto both = inSeries(a, b);
  ASSERT_TRUE(both);
  EXPECT_NEAR(both->stiffness * (rateA + rateB), 1, 1e-14);
  const Real power = a.damping * rateA * rateA + b.damping * rateB * rateB;
  EXPECT_NEAR(both->damping * (rateA + rateB) * (rateA + rateB), power, 1e-17);
  EXPECT_EQ(inSeries(a, std::nullopt)->damping, a.damping);
  EXPECT_FALSE(inSeries(std::nullopt, std::nullopt));
}

// A stiff round punch of radius a on a half-space: F = 2 a E / (1 − ν²) δ (Boussinesq).
TEST(ContactSprings, YoungsModulus_IsThatOfAPunchOnAHalfSpace) {
  const Real a = 0.2, e = 1e4, nu = 0.4;
  const Material rubber{
      .damping = 60, .youngsModulus = e, .poissonsRatio = nu, .contactArea = test::kPi * a * a};
  const Real depth = kSprungMass * kGravity * (1 - nu * nu) / (2 * a * e);
  EXPECT_NEAR(restDepth(onGround(kSpringBox, rubber, kRigidSurface, 0)), depth, 1e-10);
  EXPECT_NEAR(restDepth(onGround(kSpringBox, rubber, rubber, 0)), 2 * depth, 1e-10);
}

// What friction holds yields by the C of the world and not by the spring, which would let it creep
// by m g sin α / (4 h k) = 25 mm/s.
TEST(ContactSprings, FrictionThatSticks_DoesNotCreep) {
  const Real angle = 0.3;
  World world(springSettings(), test::registry());
  const Material soft{.friction = 0.8, .stiffness = 6000, .damping = 60};
  const MaterialId material = world.addMaterial(soft);
  test::addSlope(world, angle, material);
  const Quat q = test::turn(Vec3::UnitY(), angle);
  BodyDefinition definition{.shape = Box{{1, 1, 0.25}}, .density = kSprungMass / 2};
  definition.pose = {q * Vec3(0, 0, 0.25), q};
  definition.material = material;
  const BodyId box = world.addBody(definition);
  test::simulate(world, 2);
  EXPECT_LT(world.body(box).linearVelocity().norm(), 1e-8);
}

// ODE's and Bullet's step with ERP and CFM is this world's with γ and C = CFM / h.
TEST(ContactSprings, ErpAndCfm_MoveAsTheSpringTheyStandFor) {
  const ErpCfm set{.erp = 0.3, .cfm = 0.002};
  const auto spring = springFromErpCfm(set, kSprungStep);
  ASSERT_TRUE(spring);
  const ErpCfm back = erpCfmFromSpring(*spring, kSprungStep);
  EXPECT_NEAR(back.erp, set.erp, 1e-14);
  EXPECT_NEAR(back.cfm, set.cfm, 1e-16);
  WorldSettings settings = springSettings();
  settings.stabilization.gamma = set.erp;
  settings.stabilization.compliance = set.cfm / kSprungStep;
  settings.holdJoints = false;
  const Material soft{.stiffness = spring->stiffness, .damping = spring->damping};
  OnSpring asSpring = onGround(kSpringBall, soft, kRigidSurface, -0.01);
  OnSpring asShares = onGround(kSpringBall, kRigidSurface, kRigidSurface, -0.01, settings);
  for (int step = 0; step < 50; ++step) {
    asSpring.world.step();
    asShares.world.step();
    ASSERT_NEAR(asSpring.gap(), asShares.gap(), 1e-12) << step;
  }
  EXPECT_FALSE(springFromErpCfm({.erp = 0.2, .cfm = 0}, kSprungStep)) << "rigid";
  EXPECT_THROW(springFromErpCfm({.erp = 1.2, .cfm = 1}, kSprungStep), InputError);
}

// MuJoCo at rest: R f = −k r with R = (1 − d)/(d m), f = m g, and k = 1/(d timeconst² dampratio²)
// where the impedance is d at every depth, or the given one over d.
TEST(ContactSprings, Solref_RestsAsDeepAsInMuJoCo) {
  const Real d = 0.9, time = 0.03, ratio = 0.8;
  const Real weight = kSprungMass * kGravity, r = (1 - d) / (d * kSprungMass) * weight;
  const ContactSpring byTime = springFromSolref({time, ratio}, d, kSprungMass);
  EXPECT_NEAR(weight / byTime.stiffness, r * d * time * time * ratio * ratio, 1e-15);
  EXPECT_NEAR(byTime.damping / byTime.stiffness, 2 * time * ratio * ratio, 1e-15);
  const ContactSpring direct = springFromSolref({-900, -30}, d, kSprungMass);
  EXPECT_NEAR(weight / direct.stiffness, r * d / 900, 1e-15);
  EXPECT_NEAR(direct.damping / direct.stiffness, 30.0 / 900, 1e-15);
  EXPECT_THROW(springFromSolref({0.02, -1}, d, kSprungMass), InputError);
  EXPECT_THROW(springFromSolref({0.02, 1}, 1, kSprungMass), InputError);
}

// The scene: 2500 N/m at each of four points.
constexpr Real kPadStiffness = 4 * 2500;

TEST(RubberPads, Blocks_RestWeightOverStiffnessDeep) {
  test::Machine machine("rubber_pads");
  machine.runUntil(3.2);
  for (const auto& [name, mass, half] :
       {std::tuple{"block_10", 10.0, 0.08}, {"block_20", 20.0, 0.1}, {"block_40", 40.0, 0.13}}) {
    const Real depth = 0.2 + half - machine.pose(name).position.z();
    EXPECT_NEAR(depth / (mass * kGravity / kPadStiffness), 1, 1e-9) << name;
  }
  machine.expectSound(3, 0);
}

// On k and d in all, s = −d/(2 m) + i √(k/m − d²/(4 m²)): the period is 2π / Im s and the
// logarithmic decrement −2π Re s / Im s. Implicit steps multiply by 1/(1 − h s), so that they have
// s_h = −ln(1 − h s)/h = s + h s²/2 + …: off by at most h |s|² / (2 (1 − h |s|)).
TEST(RubberPads, BlockThatFell_RingsWithThePeriodAndDampingOfItsSprings) {
  test::Machine machine("rubber_pads");
  const Real mass = 20, damping = 4 * 10.0, h = machine.world().settings().timestep;
  const Real omega = std::sqrt(kPadStiffness / mass), decay = damping / (2 * mass);
  const std::complex<Real> s(-decay, std::sqrt(omega * omega - decay * decay));
  // Four places a quarter of a period apart: y'' = a y' − b y from place to place, where a and b
  // are sum and product of e^(s t) and its conjugate.
  const int quarter = static_cast<int>(std::lround(test::kPi / 2 / s.imag() / h));
  std::array<Real, 4> y{};
  Real highest = -1;
  machine.runUntil(3);
  for (int i = 0; i < 4; ++i) {
    machine.runUntil(3 + i * quarter * h, [&](const StepReport&) {
      highest = std::max(highest, machine.pose("falling").position.z());
    });
    y[i] = machine.pose("falling").position.z() - 0.3 + mass * kGravity / kPadStiffness;
  }
  ASSERT_LT(highest, 0.3) << "it left the springs";
  const Real scale = y[1] * y[1] - y[0] * y[2];
  const Real sum = (y[1] * y[2] - y[0] * y[3]) / scale;
  const Real product = (y[2] * y[2] - y[1] * y[3]) / scale;
  const std::complex<Real> factor(sum / 2, std::sqrt(product - sum * sum / 4));
  const std::complex<Real> measured = std::log(factor) / (quarter * h);
  EXPECT_LE(std::abs(measured + std::log(1.0 - h * s) / h), 1e-7 * omega);
  EXPECT_LE(std::abs(measured - s), h * omega * omega / (2 * (1 - h * omega)));
}

}  // namespace
}  // namespace drystone
