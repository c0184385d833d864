// Ellipsoids that slide, roll and spin on a plane. Their contact has two curvatures.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/constants.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

using test::kGravity;

constexpr Integrator kIntegrators[] = {Integrator::kSemiImplicitEuler, Integrator::kMoreau};

WorldSettings settingsAt(Integrator integrator, Real timestep) {
  WorldSettings settings = test::settingsFor("bpp-auto");
  settings.integrator = integrator;
  settings.timestep = timestep;
  return settings;
}

/// An ellipsoid that touches the plane z = 0 with the friction given.
struct OnPlane {
  World world;
  BodyId body;

  OnPlane(const WorldSettings& settings, Real friction, const BodyDefinition& definition)
      : world(settings, test::registry()) {
    world.setMaterialPair(0, 0, {.friction = friction});
    test::addPlane(world);
    body = world.addBody(definition);
  }
  Real energy() const {
    return world.lastReport().energy.kinetic + world.lastReport().energy.potential;
  }
};

/// Its middle stands over the plane so that the support point just touches.
BodyDefinition touching(const Ellipsoid& shape, const Quat& rotation) {
  BodyDefinition body;
  body.shape = shape;
  MassProperties properties = massProperties(shape, 1);
  properties.inertia /= properties.mass;
  properties.mass = 1;
  body.mass = properties;
  const Real height = shape.halfAxes.cwiseProduct(rotation.conjugate() * Vec3::UnitZ()).norm();
  body.pose = {{0, 0, height}, rotation};
  return body;
}

/// Largest change of the energy over 2 s, relative to m g times the longest half axis, of a leaning
/// ellipsoid that is let go with a spin about the vertical, on ice.
Real changeOfEnergy(Integrator integrator, Real timestep) {
  const Ellipsoid shape{{0.3, 0.2, 0.15}};
  BodyDefinition definition = touching(shape, test::turn(Vec3(2, 1, 0).normalized(), 0.5));
  definition.angularVelocity = {0, 0, 2};
  // The contact may not leave the plane: v + ω × r has no height.
  const Vec3 normal = definition.pose.rotation.conjugate() * Vec3::UnitZ();
  const Vec3 scaled = shape.halfAxes.cwiseProduct(normal);
  const Vec3 arm = -(definition.pose.rotation * shape.halfAxes.cwiseProduct(scaled.normalized()));
  definition.linearVelocity.z() = -definition.angularVelocity.cross(arm).z();
  OnPlane ice(settingsAt(integrator, timestep), 0, definition);
  ice.world.step();
  const Real start = ice.energy();
  Real change = 0;
  while (ice.world.time() < 2) {
    ice.world.step();
    change = std::max(change, std::abs(ice.energy() - start));
    EXPECT_EQ(ice.world.lastReport().contacts, 1);
  }
  return change / (kGravity * 0.3);
}

TEST(Ellipsoid, OnIce_KeepsItsEnergyToFirstOrder) {
  for (const Integrator integrator : kIntegrators) {
    const Real coarse = changeOfEnergy(integrator, 1.0 / 500);
    const Real fine = changeOfEnergy(integrator, 1.0 / 2000);
    EXPECT_LT(fine, 4e-4);
    EXPECT_LT(fine, 0.35 * coarse);
  }
}

/// Solid, of half axes (12, 3, 2.5) cm, its principal axes turned by 0.15 rad about the vertical.
BodyDefinition rattleback(Real spin) {
  const Ellipsoid shape{{0.12, 0.03, 0.025}};
  BodyDefinition body = touching(shape, Quat::Identity());
  const Mat3 axes = test::turn(Vec3::UnitZ(), 0.15).toRotationMatrix();
  body.mass->inertia = axes * body.mass->inertia * axes.transpose();
  // A little about the short axis sets it rocking; it rolls without slip from the start.
  body.angularVelocity = {0, 0.3, spin};
  body.linearVelocity = Vec3(0, 0, -shape.halfAxes.z()).cross(body.angularVelocity);
  return body;
}

// Rolling without slip, integrated to 1e-10 by bench/studies/validation/rattleback_motion: the spin
// of -5 rad/s is gone after 0.9967 s, and 4.996 rad/s after 2 s. The engine is of first order: at a
// millisecond the time is early by 9 ms and the spin short by 0.08 rad/s.
constexpr Real kTurned = 0.9966822;  ///< [s]
constexpr Real kAfter = 4.9960921;   ///< [rad/s]

TEST(Rattleback, SpunAgainstItsSense_TurnsBackWhenRollingWithoutSlipSays) {
  for (const Integrator integrator : kIntegrators) {
    OnPlane celt(settingsAt(integrator, 1e-3), 1, rattleback(-5));
    const auto spin = [&] { return celt.world.body(celt.body).angularVelocity().z(); };
    while (spin() < 0 && celt.world.time() < 2) celt.world.step();
    EXPECT_NEAR(celt.world.time(), kTurned, 0.012);
    while (celt.world.time() < 2) celt.world.step();
    EXPECT_NEAR(spin(), kAfter, 0.1);
  }
}

// Inner steps that carry their contact along have the ball of the smaller radius of curvature in
// place of the surface. It rolls too short a way where the surface is flatter: by O(h).
TEST(Rattleback, WithOneDetectionAStep_TurnsBackInTimeToFirstOrder) {
  const auto early = [](Real timestep) {
    WorldSettings settings = settingsAt(Integrator::kSemiImplicitEuler, timestep);
    settings.substeps = 2;
    settings.detection = Detection::kStep;
    OnPlane celt(settings, 1, rattleback(-5));
    while (celt.world.body(celt.body).angularVelocity().z() < 0 && celt.world.time() < 2) {
      celt.world.step();
    }
    return kTurned - celt.world.time();
  };
  const Real fine = early(5e-4);
  EXPECT_LT(std::abs(fine), 0.025);
  EXPECT_LT(std::abs(fine), 0.35 * std::abs(early(2e-3)));
}

TEST(Rattleback, SpunInItsSense_KeepsItsSpin) {
  for (const Integrator integrator : kIntegrators) {
    OnPlane celt(settingsAt(integrator, 1e-3), 1, rattleback(5));
    test::simulate(celt.world, 2);
    EXPECT_NEAR(celt.world.body(celt.body).angularVelocity().z(), 5, 0.02);
  }
}

}  // namespace
}  // namespace drystone
