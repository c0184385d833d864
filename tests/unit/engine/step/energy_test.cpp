#include <gtest/gtest.h>

#include "tests/support/worlds.h"

namespace drystone {
namespace {

/// Boxes tumbling onto each other: every kind of work occurs.
World tumble(const std::string& solver, Integrator integrator) {
  WorldSettings settings = test::settingsFor(solver);
  settings.integrator = integrator;
  World world(settings, test::registry());
  world.setMaterialPair(0, 0, {.friction = 0.4, .restitution = 0.3});
  test::addGround(world);
  std::vector<BodyId> boxes;
  for (int i = 0; i < 5; ++i) {
    boxes.push_back(
        test::addBody(world, Box{{0.3, 0.2, 0.4}}, 1 + i,
                      {{0.1 * i, 0, 0.6 + i}, test::turn(Vec3(1, i, 2).normalized(), i)},
                      {0.5, 0, -1}, {1, 2, 3.0 * i}));
  }
  world.addJoint(ballJoint(boxes[3], boxes[4], {0, 0, 0.6}, {0, 0, -0.4}));
  return world;
}

TEST(EnergyLedger, ClosesToRoundOff) {
  for (const Integrator integrator : {Integrator::kSemiImplicitEuler, Integrator::kMoreau}) {
    for (const char* solver : {"bpp-auto", "sor-prox"}) {
      World world = tumble(solver, integrator);
      for (int i = 0; i < 120; ++i) {
        const EnergyLedger ledger = world.step().energy;
        // An identity of the update, whatever the solver left unsolved: 1e-12 of some 100 J.
        ASSERT_LE(std::abs(ledger.ledgerError), 1e-10) << solver << " step " << i;
      }
    }
  }
}

TEST(EnergyLedger, SlidingBox_FrictionTakesMuMGDistance) {
  World world(test::settingsFor("bpp-auto"), test::registry());
  world.setMaterialPair(0, 0, {.friction = 0.4});
  test::addGround(world);
  const BodyId box =
      test::addBody(world, Box{{0.5, 0.5, 0.05}}, 2, {{0, 0, 0.05}, Quat::Identity()}, {3, 0, 0});
  Real friction = 0;
  for (int i = 0; i < 30; ++i) friction += world.step().energy.friction;
  // Work on the mean velocity is exactly the loss of kinetic energy: v falls by μ g t.
  const Real v = 3 - 0.4 * 9.81 * 0.5;
  EXPECT_NEAR(friction, 0.5 * 2 * (v * v - 9), 1e-6);
  EXPECT_NEAR(world.body(box).linearVelocity().x(), v, 1e-7);
}

TEST(EnergyLedger, PushOut_IsBookedAsStabilisation) {
  WorldSettings settings = test::settingsFor("bpp-auto");
  settings.gravity.setZero();
  World world(settings, test::registry());
  test::addGround(world);
  test::addUnitBox(world, {0, 0, 0.5 - 0.006});
  const EnergyLedger ledger = world.step().energy;
  // v = γ φ / h = 0.072 m/s from rest: all of ½ m v² is injected by the stabilisation.
  EXPECT_NEAR(ledger.stabilisation, 0.5 * 0.072 * 0.072, 1e-9);
  EXPECT_NEAR(ledger.normal, 0, 1e-9);
}

TEST(EnergyLedger, Bounce_SplitsIntoImpactAndRestitution) {
  WorldSettings settings = test::settingsFor("bpp-auto");
  settings.gravity.setZero();
  World world(settings, test::registry());
  world.setMaterialPair(0, 0, {.friction = 0.5, .restitution = 0.5});
  test::addPlane(world);
  test::addBody(world, Sphere{0.5}, 2, {{0, 0, 0.5}, Quat::Identity()}, {0, 0, -3});
  const EnergyLedger ledger = world.step().energy;
  // λ = m (v + e v) = 9; ½ λ w⁻ = -13.5 J taken by the impact, ½ λ e v = 6.75 J given back.
  EXPECT_NEAR(ledger.normal, -13.5, 1e-6);
  EXPECT_NEAR(ledger.restitution, 6.75, 1e-6);
}

TEST(EnergyLedger, TangentialRestitution_IsBookedApartFromFriction) {
  WorldSettings settings = test::settingsFor("bpp-auto");
  settings.gravity.setZero();
  World world(settings, test::registry());
  world.setMaterialPair(0, 0, {.friction = 2, .restitution = 0.5, .tangentialRestitution = 0.5});
  test::addPlane(world);
  test::addBody(world, Sphere{0.5}, 2, {{0, 0, 0.5}, Quat::Identity()}, {1, 0, -3});
  const EnergyLedger ledger = world.step().energy;
  // The contact point of a solid sphere has the mass m / (1 + 5/2). It leaves with -e times its
  // slip of 1 m/s: λ = (1 + e) m / 3.5 against it, of whose work ½ λ e is restitution.
  const Real impulse = 1.5 * 2 / 3.5;
  EXPECT_NEAR(ledger.friction, -0.5 * impulse, 1e-6);
  EXPECT_NEAR(ledger.restitution, 6.75 + 0.25 * impulse, 1e-6);
}

TEST(EnergyLedger, JointThatStopsABody_TakesItsKineticEnergy) {
  WorldSettings settings = test::settingsFor("bpp-auto");
  settings.gravity.setZero();
  World world(settings, test::registry());
  BodyDefinition post;
  post.kind = BodyKind::kStatic;
  const BodyId held = world.addBody(post);
  const BodyId ball =
      test::addBody(world, Sphere{0.1}, 2, {Vec3::Zero(), Quat::Identity()}, {3, 0, 0});
  world.addJoint(ballJoint(held, ball, Vec3::Zero(), Vec3::Zero()));
  EXPECT_NEAR(world.step().energy.joints, -9, 1e-6);  // ½ m v²
}

TEST(EnergyLedger, GyroscopicTermWorksOnWhatATorqueAdds) {
  WorldSettings settings = test::settingsFor("bpp-auto");
  settings.gravity.setZero();
  World world(settings, test::registry());
  const Vec3 omega(3, 2, 1), torque(0, 0, 5);
  const BodyId body = test::addBody(world, Box{{0.3, 0.2, 0.1}}, 6,
                                    {Vec3::Zero(), Quat::Identity()}, Vec3::Zero(), omega);
  world.body(body).applyTorque(torque);
  const Real work = world.step().energy.gyroscopic;
  // Boxes of half extents a: I_x = m (a_y² + a_z²)/3.
  const Vec3 inertia(2 * (0.04 + 0.01), 2 * (0.09 + 0.01), 2 * (0.09 + 0.04));
  // By itself the term, -h m × I m, does no work: of ½ (ω + ω⁺) only ½ h I⁻¹ τ is left.
  const Real h = settings.timestep;
  const Vec3 added = h * torque.cwiseQuotient(inertia);
  const Vec3 turned = world.body(body).angularVelocity() - added - omega;
  EXPECT_NEAR(work, 0.5 * h * torque.dot(turned), 1e-14);
  const Vec3 rate = omega.cross(inertia.cwiseProduct(omega).eval()).cwiseQuotient(inertia);
  EXPECT_NEAR(work, -0.5 * h * h * torque.dot(rate), 0.1 * std::abs(work));
  EXPECT_GT(std::abs(work), 1e-4);
}

}  // namespace
}  // namespace drystone
