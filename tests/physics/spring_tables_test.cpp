// Springs and dampers of joints by tables, on 2 kg along x.
#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "tests/physics/pendulums.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

constexpr Real kMass = 2;
constexpr Integrator kIntegrators[] = {Integrator::kSemiImplicitEuler, Integrator::kMoreau};

struct Slide {
  World world;
  BodyId body;
  Slide(Integrator integrator, Real h, const JointSpring& spring, Real x, Real v = 0)
      : world([&] {
          WorldSettings settings = test::settingsFor("bpp-auto");
          settings.gravity.setZero();
          settings.integrator = integrator;
          settings.timestep = h;
          return World(settings, test::registry());
        }()) {
    const BodyId post = test::addPost(world);
    body = test::addBody(world, Sphere{0.1}, kMass, {{x, 0, 0}, Quat::Identity()}, {v, 0, 0});
    JointDefinition slider = sliderJoint(post, body, {}, {});
    slider.axes[kAlongX].spring = spring;
    world.addJoint(slider);
  }
  Real x() const { return world.body(body).centerOfMass().x(); }
  Real v() const { return world.body(body).linearVelocity().x(); }
};

TEST(SpringTables, AStraightOneIsTheLinearSpring) {
  const JointSpring linear{.stiffness = 300, .damping = 5, .rest = 0.1};
  JointSpring table{.rest = 0.1};
  table.forceTable = ForceTable({{-0.2, -60}, {0.05, 15}, {0.3, 90}});
  table.damperTable = ForceTable({{-1, -5}, {0, 0}, {0.5, 2.5}});
  for (const Integrator integrator : kIntegrators) {
    Slide one(integrator, 1.0 / 60, linear, 0.7), other(integrator, 1.0 / 60, table, 0.7);
    for (int i = 0; i < 120; ++i) {
      one.world.step();
      other.world.step();
      ASSERT_NEAR(one.x(), other.x(), 1e-14) << i;
      ASSERT_NEAR(one.v(), other.v(), 1e-13) << i;  // of some 10 m/s at most
    }
  }
}

TEST(SpringTables, ForceIsLinearBetweenPointsAndGoesOnWithTheLastSlope) {
  const ForceTable table({{-1, 4}, {0, 0}, {2, 6}, {3, 2}});
  EXPECT_DOUBLE_EQ(table.forceAt(-3), 12);
  EXPECT_DOUBLE_EQ(table.forceAt(-0.5), 2);
  EXPECT_DOUBLE_EQ(table.forceAt(1), 3);
  EXPECT_DOUBLE_EQ(table.forceAt(2.5), 4);
  EXPECT_DOUBLE_EQ(table.forceAt(5), -6);
  EXPECT_DOUBLE_EQ(table.slopeAt(0), 3);
  EXPECT_DOUBLE_EQ(table.slopeAt(9), -4);
}

/// Period of m x¨ = −k x − c x³ from rest at `a`. With x = a cos φ the energy gives φ˙² =
/// (k + c a² (1 + cos² φ) / 2) / m: four quarters of ∫ dφ / φ˙, by the midpoint rule, which is
/// exact to round-off for a periodic integrand.
Real duffingPeriod(Real k, Real c, Real a) {
  constexpr int kPoints = 1000;
  Real sum = 0;
  for (int i = 0; i < kPoints; ++i) {
    const Real cosine = std::cos((i + 0.5) / kPoints * M_PI / 2);
    sum += 1 / std::sqrt((k + c * a * a * (1 + cosine * cosine) / 2) / kMass);
  }
  return 4 * sum / kPoints * M_PI / 2;
}

/// k x + c x³ at steps of 1 cm up to 1 m.
ForceTable duffingTable(Real k, Real c) {
  std::vector<ForceTable::Point> points;
  for (int i = -100; i <= 100; ++i) {
    const Real x = 0.01 * i;
    points.push_back({x, k * x + c * x * x * x});
  }
  return ForceTable(std::move(points));
}

/// Mean of the periods in which x passes 0 upwards, by linear interpolation.
Real meanPeriod(Slide& slide, int periods) {
  std::vector<Real> passes;
  while (static_cast<int>(passes.size()) <= periods) {
    const Real before = slide.x(), time = slide.world.time();
    slide.world.step();
    if (before < 0 && slide.x() >= 0) {
      passes.push_back(time + (slide.world.time() - time) * before / (before - slide.x()));
    }
    if (slide.world.time() > 100) return 0;
  }
  return (passes.back() - passes.front()) / periods;
}

TEST(SpringTables, DuffingSpring_HasItsPeriodAndKeepsItsSwing) {
  // A hardening one of 20 N/m, and a softening one that falls beyond 0.58 m.
  for (const auto& [k, c] : {std::pair<Real, Real>(20, 60), std::pair<Real, Real>(20, -19)}) {
    const Real a = 0.8;
    JointSpring spring;
    spring.forceTable = duffingTable(k, c);
    Slide slide(Integrator::kMoreau, 1.0 / 240, spring, a);
    const Real expected = duffingPeriod(k, c, a);
    EXPECT_NEAR(meanPeriod(slide, 10) / expected, 1, 5e-3) << c;
    // ½ m v² + ½ k x² + ¼ c x⁴ stays.
    const auto energy = [&](Real x, Real v) {
      return 0.5 * kMass * v * v + 0.5 * k * x * x + 0.25 * c * std::pow(x, 4);
    };
    EXPECT_NEAR(energy(slide.x(), slide.v()) / energy(a, 0), 1, 1e-2) << c;
  }
}

TEST(SpringTables, DuffingSpring_UnderSemiImplicitEulerHasItsFirstQuarterPeriod) {
  // From rest to the first pass through 0. Backward Euler loses ω h of the swing in it: 2 % here.
  JointSpring spring;
  spring.forceTable = duffingTable(20, 60);
  Slide slide(Integrator::kSemiImplicitEuler, 1.0 / 2000, spring, 0.8);
  while (slide.x() > 0) slide.world.step();
  EXPECT_NEAR(slide.world.time() / (duffingPeriod(20, 60, 0.8) / 4), 1, 5e-3);
}

TEST(SpringTables, AFlatForceAndAFallingOneActAsTheyAre) {
  // 3 N everywhere: v = −3/2 t. And −k x with k = 8: x = 0.1 cosh(2 t).
  JointSpring flat, falling;
  flat.forceTable = ForceTable({{0, 3}, {1, 3}});
  falling.forceTable = ForceTable({{0, 0}, {1, -8}});
  for (const Integrator integrator : kIntegrators) {
    Slide pushed(integrator, 1.0 / 240, flat, 0.5);
    test::simulate(pushed.world, 1);
    EXPECT_NEAR(pushed.v(), -1.5, 1e-5);  // kLeastTableShare of it
    Slide repelled(integrator, 1.0 / 240, falling, 0.1);
    test::simulate(repelled.world, 1);
    // Euler is off by O(ω h) of its rate over a second, 1 %.
    EXPECT_NEAR(repelled.x() / (0.1 * std::cosh(2.0)), 1,
                integrator == Integrator::kMoreau ? 1e-4 : 1e-2);
  }
}

TEST(SpringTables, AQuadraticDamperBrakesByItsClosedForm) {
  // m v˙ = −c v |v|: v = v0 / (1 + c v0 t / m), with c = 3 and v0 = 4 from a table of 1 cm/s.
  std::vector<ForceTable::Point> points;
  for (int i = -500; i <= 500; ++i) points.push_back({0.01 * i, 3e-4 * i * std::abs(i)});
  JointSpring spring;
  spring.damperTable = ForceTable(std::move(points));
  for (const Integrator integrator : kIntegrators) {
    Slide slide(integrator, 1.0 / 240, spring, 0, 4);
    test::simulate(slide.world, 1);
    EXPECT_NEAR(slide.v() / (4 / (1 + 3 * 4 / kMass)), 1,
                integrator == Integrator::kMoreau ? 1e-3 : 2e-2);
  }
}

TEST(SpringTables, OnAHinge_GiveATorque) {
  // As on the slider, with I = 0.4 m r² for the mass: 0.5 N m against a turn from 0 on.
  WorldSettings settings = test::settingsFor("bpp-auto");
  settings.gravity.setZero();
  World world(settings, test::registry());
  const BodyId post = test::addPost(world);
  const BodyId wheel = test::addBody(world, Sphere{0.5}, kMass, {});
  JointDefinition hinge = hingeJoint(post, wheel, {}, {});
  hinge.axes[kAboutX].spring = JointSpring{};
  hinge.axes[kAboutX].spring->forceTable = ForceTable({{-9, -0.5}, {-8, -0.5}});
  world.addJoint(hinge);
  test::simulate(world, 1);
  EXPECT_NEAR(world.body(wheel).angularVelocity().x(), 0.5 / (0.4 * kMass * 0.25), 1e-5 * 2.5);
}

}  // namespace
}  // namespace drystone
