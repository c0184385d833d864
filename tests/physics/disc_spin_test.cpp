// Friction of faces that spin: points at the rim carry a disc, and not its whole face.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/worlds.h"

namespace drystone {
namespace {

constexpr Real kFriction = 0.3, kDiscRadius = 0.5, kMass = 2;

/// Torque of friction that brakes a disc of 20 rad/s on the spot, over that of a disc whose face
/// carries evenly: ∫ μ N/(π R²) r dA = 2/3 μ N R. `shape` is what it touches the ground with.
Real spinFriction(const Shape& shape, FrictionModel model) {
  WorldSettings settings = test::settingsFor("sor-prox", model);
  settings.timestep = 1e-3;
  World world(settings, test::registry());
  const MaterialId material = world.addMaterial({.friction = kFriction});
  test::addPlane(world, material);
  const Real inertia = 0.5 * kMass * kDiscRadius * kDiscRadius;
  BodyDefinition definition{.shape = shape, .pose = {{0, 0, 0.05}, Quat::Identity()}};
  definition.mass = MassProperties{.mass = kMass, .inertia = inertia * Mat3::Identity()};
  definition.angularVelocity = {0, 0, 20};
  definition.material = material;
  const BodyId disc = world.addBody(definition);
  test::simulate(world, 0.1);
  const Real braked = 20 - world.body(disc).angularVelocity().z();
  const Real even = 2.0 / 3 * kFriction * kMass * test::kGravity * kDiscRadius;
  return inertia * braked / world.time() / even;
}

TEST(DiscSpin, FourPointsAtTheRimBrakeOneAndAHalfTimesAsMuchAsAFace) {
  // μ N R of the rim over 2/3 μ N R. The torsion of contensou adds √(1 + (2 · 0.01 m / 3 R)²) of
  // it.
  const Shape disc = Cylinder{kDiscRadius, 0.05};
  EXPECT_NEAR(spinFriction(disc, FrictionModel::kCone), 1.5, 0.02 * 1.5);
  EXPECT_NEAR(spinFriction(disc, FrictionModel::kContensou), 1.5, 0.02 * 1.5);
}

TEST(DiscSpin, FeetAtTwoThirdsOfTheRadiusBrakeAsAFace) {
  Compound feet;
  for (int i = 0; i < 3; ++i) {
    const Quat q = test::turn(Vec3::UnitZ(), i * 2 * M_PI / 3);
    feet.children.push_back({Sphere{0.05}, {q * Vec3(2 * kDiscRadius / 3, 0, 0), q}});
  }
  EXPECT_NEAR(spinFriction(feet, FrictionModel::kCone), 1, 0.02);
}

}  // namespace
}  // namespace drystone
