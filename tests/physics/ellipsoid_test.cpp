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

}  // namespace
}  // namespace drystone
