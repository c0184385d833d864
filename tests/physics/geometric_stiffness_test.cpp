// Geometric stiffness of joints.
#include <gtest/gtest.h>

#include <cmath>

#include "scenes/scene_builder.h"
#include "scenes/scene_reader.h"
#include "tests/physics/pendulums.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

/// Worst joint error and highest energy of the library's chain at 1/60 s.
struct ChainRun {
  Real drift = 0;   // [m]
  Real energy = 0;  // [J], 0 at the start
  Real ledger = 0;  // [J]
};

ChainRun runChain(const char* links, const char* load, bool stiff, int projections, Real seconds) {
  Scene scene = readScene("chain", {.overrides = {{"scene.links", links}, {"scene.load", load}}});
  scene.settings.geometricStiffness = stiff;
  scene.settings.holdJoints = false;
  scene.settings.projection.iterations = projections;
  World world = buildWorld(scene, test::registry());
  ChainRun run;
  const int steps = static_cast<int>(std::lround(seconds / scene.settings.timestep));
  for (int step = 0; step < steps; ++step) {
    const StepReport& report = world.step();
    run.drift = std::max(run.drift, report.maxJointDrift);
    run.energy = std::max(run.energy, test::energyOf(world));
    run.ledger = std::max(run.ledger, std::abs(report.energy.ledgerError));
  }
  return run;
}

TEST(GeometricStiffness, ChainsThatTearWithoutItHoldWithIt) {
  // Both swing through at a sixtieth of a second; 1e-2 m is a twenty-fifth of a link.
  for (const auto& [links, load] : {std::pair("20", "50"), std::pair("100", "500")}) {
    const ChainRun run = runChain(links, load, true, 4, 10);
    EXPECT_LE(run.drift, 1e-2) << links;
    EXPECT_LE(run.energy, 0) << links;
    // Of some 1e5 J that flow.
    EXPECT_LE(run.ledger, 1e-9) << links;
  }
  EXPECT_GT(runChain("20", "50", false, 0, 2).drift, 0.1);
}

/// Share of its spin about x that a body of 1 kg and 1e-4 kg m² keeps in a step, `side` · 0.5 m
/// below the post that it is tied to at rest.
Real keptSpin(Real side) {
  WorldSettings settings = test::settingsFor("bpp-auto");
  settings.geometricStiffness = true;
  settings.holdJoints = false;
  World world(settings, test::registry());
  const BodyId post = test::addPost(world);
  BodyDefinition bob;
  bob.mass = MassProperties{1, Vec3::Zero(), 1e-4 * Mat3::Identity()};
  bob.pose.position = {0, 0, -0.5 * side};
  const BodyId body = world.addBody(bob);
  world.addJoint(ballJoint(post, body, Vec3::Zero(), {0, 0, 0.5 * side}));
  world.step();  // its joint bears the weight
  world.body(body).setVelocity({0, 0.5 * side, 0}, {1, 0, 0});
  world.step();
  return world.body(body).angularVelocity().x();
}

TEST(GeometricStiffness, AddsToTheInertiaWhatKappaExceedsOneBy) {
  // The weight m g on the arm r gives K = m g r across it, κ = h² K/I, and about the post
  // (I + m r² + (κ - 1) I) ω⁺ = (I + m r²) ω, weight and joint force being in line.
  const Real inertia = 1e-4, kappa = 9.81 * 0.5 / 3600 / inertia, pivot = inertia + 0.25;
  EXPECT_NEAR(keptSpin(1), pivot / (pivot + (kappa - 1) * inertia), 1e-8);
  EXPECT_NEAR(keptSpin(-1), 1, 1e-8);  // standing on the post K is negative, and left out
}

TEST(GeometricStiffness, LeavesWhatIsSlowEnoughAlone) {
  // A ball on a long arm: κ = h² m g l/I stays below 1, so that every bit is that of the plain
  // step.
  std::vector<Vec3> places;
  for (const bool stiff : {false, true}) {
    WorldSettings settings = test::settingsFor("bpp-auto");
    settings.timestep = 1e-3;
    settings.geometricStiffness = stiff;
    BodyId first, second;
    World world = test::doublePendulum(settings, first, second);
    for (int step = 0; step < 200; ++step) world.step();
    places.push_back(world.body(second).centerOfMass());
  }
  EXPECT_EQ(places[0], places[1]);
}

TEST(GeometricStiffness, RestoredWorldGoesOnBitForBit) {
  Scene scene = readScene("chain");
  scene.settings.geometricStiffness = true;
  scene.settings.projection.iterations = 4;
  World world = buildWorld(scene, test::registry());
  for (int step = 0; step < 30; ++step) world.step();
  const std::vector<std::byte> state = world.save();
  for (int step = 0; step < 10; ++step) world.step();
  const std::uint64_t hash = world.observe().hash();
  world.restore(state);
  for (int step = 0; step < 10; ++step) world.step();
  EXPECT_EQ(world.observe().hash(), hash);
}

}  // namespace
}  // namespace drystone
