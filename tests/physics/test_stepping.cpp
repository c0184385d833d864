// Options of the step: inner steps, rows on the mean velocity, projection of the poses, geometric
// stiffness.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/core/input_error.h"
#include "scenes/scene_builder.h"
#include "scenes/scene_reader.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

BodyId addPost(World& world) {
  BodyDefinition post;
  post.kind = BodyKind::kStatic;
  return world.addBody(post);
}

Real energyOf(const World& world) {
  return world.lastReport().energy.kinetic + world.lastReport().energy.potential;
}

// -- inner steps -------------------------------------------------------------------------------

TEST(Substeps, AreTheStepsOfTheirSize) {
  WorldSettings whole = test::settingsFor("bpp"), parts = whole;
  whole.timestep = 1.0 / 240;
  parts.timestep = 1.0 / 60;
  parts.substeps = 4;
  std::vector<World> worlds;
  std::vector<BodyId> boxes;
  for (const WorldSettings& settings : {whole, parts}) {
    World& world = worlds.emplace_back(settings, test::registry());
    test::addGround(world);
    boxes.push_back(test::addUnitBox(world, {0, 0, 0.6}, {2, 0, 0}));
  }
  Real warmStarted = 0;
  for (int step = 0; step < 30; ++step) {
    for (int i = 0; i < 4; ++i) worlds[0].step();
    warmStarted += worlds[1].step().warmStarted;
  }
  // 1/240 and (1/60)/4 are the same double, so the two must agree in every bit.
  EXPECT_EQ(worlds[0].centerOfMass(boxes[0]), worlds[1].centerOfMass(boxes[1]));
  EXPECT_EQ(worlds[0].angularVelocity(boxes[0]), worlds[1].angularVelocity(boxes[1]));
  EXPECT_EQ(worlds[0].time(), worlds[1].time());
  EXPECT_GT(warmStarted, 0);
}

TEST(Substeps, LedgerOfTheStepIsTheSumOfTheirs) {
  WorldSettings settings = test::settingsFor("bpp");
  settings.substeps = 5;
  World world(settings, test::registry());
  test::addGround(world);
  test::addUnitBox(world, {0, 0, 0.55}, {3, 0, -1});
  for (int step = 0; step < 20; ++step) {
    const EnergyLedger ledger = world.step().energy;
    // Energies of some joules: round-off of a few hundred operations.
    EXPECT_NEAR(ledger.kineticAfter - ledger.kineticBefore,
                ledger.external + ledger.gyroscopic + ledger.joints + ledger.normal +
                    ledger.friction + ledger.restitution + ledger.stabilisation,
                1e-12);
  }
}

TEST(Substeps, JointReactionIsTheMeanOverTheStep) {
  WorldSettings settings = test::settingsFor("bpp");
  settings.substeps = 8;
  World world(settings, test::registry());
  const BodyId post = addPost(world);
  const BodyId bob = test::addBody(world, Sphere{0.1}, 3, {{0, 0, -1}, Quat::Identity()});
  const JointId joint = world.addJoint(ballJoint(post, bob, Vec3::Zero(), {0, 0, 1}));
  world.step();
  EXPECT_NEAR(world.jointReaction(joint).force.z(), 3 * 9.81, 1e-6);
}

// -- rows on the mean velocity -----------------------------------------------------------------

/// A small ball that runs around a post on a rod of 1 m at 1 rad/s times `rate`, without gravity.
World merryGoRound(const WorldSettings& from, Real rate, BodyId& ball) {
  WorldSettings settings = from;
  settings.gravity.setZero();
  World world(settings, test::registry());
  const BodyId post = addPost(world);
  ball = test::addBody(world, Sphere{0.05}, 1, {{1, 0, 0}, Quat::Identity()}, {0, rate, 0});
  world.addJoint(distanceJoint(post, ball, Vec3::Zero(), Vec3::Zero(), 1, 1));
  return world;
}

/// Share of its energy that the ball of the merry-go-round loses in a second, over ω² h.
Real lossOfEndRows(Real rate, Real gamma, int projections) {
  WorldSettings settings = test::settingsFor("bpp");
  settings.timestep = 1e-3;
  settings.stabilization.gamma = gamma;
  settings.projection.iterations = projections;
  BodyId ball;
  World world = merryGoRound(settings, rate, ball);
  test::simulate(world, 1);
  const Real lost = 1 - world.linearVelocity(ball).squaredNorm() / (rate * rate);
  return lost / (rate * rate * 1e-3);
}

TEST(EndRows, LoseEnergyAtOmegaSquaredHWhereNoVelocityTakesTheErrorBack) {
  // Each step keeps of the velocity what lies along the new tangent, cos ωh of it: the energy falls
  // by (ωh)² a step, at the rate ω² h; 2 % for what is of the next order. Projected poses change
  // nothing of that.
  for (const Real rate : {1.0, 3.0}) {
    EXPECT_NEAR(lossOfEndRows(rate, 0, 0), 1, 0.02) << rate;
    EXPECT_NEAR(lossOfEndRows(rate, 0.2, 4), 1, 0.02) << rate;
  }
}

TEST(EndRows, KeepTheEnergyOfASteadyTurnWhereVelocitiesTakeTheErrorBack) {
  // The error that a step makes, ½ (ωh)² of the radius, is taken back by an inward velocity of
  // ½ ω² h r. Seen from the next tangent, turned by ωh, that is forward and makes up for the loss.
  // It builds up within 1/γ steps of the thousand.
  EXPECT_LT(std::abs(lossOfEndRows(1, 0.2, 0)), 0.01);
  EXPECT_LT(std::abs(lossOfEndRows(3, 0.2, 0)), 0.01);
}

TEST(MeanRows, KeepTheEnergyOfARunAround) {
  WorldSettings settings = test::settingsFor("bpp");
  settings.timestep = 1e-3;
  settings.integrator = Integrator::kMoreau;
  settings.jointRows = JointRows::kMean;
  BodyId ball;
  World world = merryGoRound(settings, 3, ball);
  test::simulate(world, 1);
  // No power in J (u⁺ + u) = 0; what the compliance C of 1e-9 takes is below 1e-8.
  EXPECT_NEAR(world.linearVelocity(ball).squaredNorm() / 9, 1, 1e-8);
}

/// Two rods of 1 m with a ball of 1 kg at each end, let go horizontally.
World doublePendulum(const WorldSettings& settings, BodyId& first, BodyId& second) {
  World world(settings, test::registry());
  const BodyId post = addPost(world);
  first = test::addBody(world, Sphere{0.1}, 1, {{1, 0, 0}, Quat::Identity()});
  second = test::addBody(world, Sphere{0.1}, 1, {{2, 0, 0}, Quat::Identity()});
  world.addJoint(ballJoint(post, first, Vec3::Zero(), {-1, 0, 0}));
  world.addJoint(ballJoint(first, second, Vec3::Zero(), {-1, 0, 0}));
  return world;
}

TEST(MeanRows, DoublePendulumKeepsItsEnergyForAMinute) {
  for (const int projections : {0, 4}) {
    WorldSettings settings = test::settingsFor("bpp");
    settings.timestep = 1e-3;
    settings.integrator = Integrator::kMoreau;
    settings.jointRows = JointRows::kMean;
    settings.projection.iterations = projections;
    BodyId first, second;
    World world = doublePendulum(settings, first, second);
    // The scale is what the two swing through: m g (1 m + 2 m) from the start, where E = 0.
    const Real scale = 3 * 9.81;
    Real worst = 0;
    while (world.time() < 60) {
      world.step();
      worst = std::max(worst, std::abs(energyOf(world)) / scale);
    }
    EXPECT_LT(worst, 0.01) << projections;
    // Without the projection nothing takes the drift back, which goes with h² a second.
    EXPECT_LT(world.lastReport().maxJointDrift, projections > 0 ? 1e-10 : 1e-2);
  }
}

/// Where a swinging ball is after 0.5 s with a timestep.
Vec3 swing(WorldSettings settings, Real timestep) {
  settings.timestep = timestep;
  World world(settings, test::registry());
  const BodyId post = addPost(world);
  const BodyId bob = test::addBody(world, Sphere{0.1}, 1, {{1, 0, 0}, Quat::Identity()});
  world.addJoint(ballJoint(post, bob, Vec3::Zero(), {-1, 0, 0}));
  const int steps = static_cast<int>(std::lround(0.5 / timestep));
  for (int i = 0; i < steps; ++i) world.step();
  return world.centerOfMass(bob);
}

TEST(MeanRows, MidpointSchemeConvergesInSecondOrder) {
  WorldSettings mean = test::settingsFor("bpp");
  mean.integrator = Integrator::kMoreau;
  mean.jointRows = JointRows::kMean;
  mean.stabilization.compliance = 1e-12;  // below what the finest step resolves
  const Vec3 exact = swing(mean, 1.0 / 25600);
  // Halving the step divides the error by four; the finest reference is 64 times as fine as the
  // finest that is compared, so that it does not show.
  const Real coarse = (swing(mean, 1.0 / 100) - exact).norm();
  const Real middle = (swing(mean, 1.0 / 200) - exact).norm();
  const Real fine = (swing(mean, 1.0 / 400) - exact).norm();
  EXPECT_NEAR(coarse / middle, 4, 0.2);
  EXPECT_NEAR(middle / fine, 4, 0.2);
  // The end rows of the explicit scheme halve it.
  const WorldSettings end = test::settingsFor("bpp");
  const Real first = (swing(end, 1.0 / 200) - exact).norm();
  const Real second = (swing(end, 1.0 / 400) - exact).norm();
  EXPECT_NEAR(first / second, 2, 0.2);
}

TEST(MeanRows, NeedTheMidpointScheme) {
  WorldSettings settings = test::settingsFor("bpp");
  settings.jointRows = JointRows::kMean;
  EXPECT_THROW(World(settings, test::registry()), InputError);
}

// -- projection --------------------------------------------------------------------------------

WorldSettings projecting(int iterations = 4) {
  WorldSettings settings = test::settingsFor("bpp");
  settings.projection.iterations = iterations;
  return settings;
}

TEST(Projection, JointErrorsOfASwingingChainStayBelowTheTolerance) {
  const WorldSettings settings = projecting();
  BodyId first, second;
  World world = doublePendulum(settings, first, second);
  for (int step = 0; step < 120; ++step) {
    EXPECT_LE(world.step().maxJointDrift, settings.projection.tolerance);
  }
}

TEST(Projection, LeavesVelocitiesAsTheSolverMadeThem) {
  // One step from the same state: only the poses may differ.
  std::vector<World> worlds;
  std::vector<BodyId> ends;
  for (const int iterations : {0, 4}) {
    BodyId first, second;
    worlds.push_back(doublePendulum(projecting(iterations), first, second));
    worlds.back().setVelocity(second, {0, 0, -5}, Vec3::Zero());
    worlds.back().step();
    ends.push_back(second);
  }
  EXPECT_EQ(worlds[0].linearVelocity(ends[0]), worlds[1].linearVelocity(ends[1]));
  EXPECT_NE(worlds[0].centerOfMass(ends[0]), worlds[1].centerOfMass(ends[1]));
}

TEST(Projection, TakesOverlapBackWithoutThrowingTheBodyUp) {
  World world(projecting(), test::registry());
  test::addGround(world);
  const BodyId box = test::addUnitBox(world, {0, 0, 0.495});
  world.step();
  EXPECT_NEAR(world.centerOfMass(box).z(), 0.5, 1e-6);
  for (int step = 0; step < 60; ++step) world.step();
  EXPECT_NEAR(world.centerOfMass(box).z(), 0.5, 1e-6);
  EXPECT_NEAR(world.linearVelocity(box).z(), 0, 1e-6);
}

TEST(Projection, DeepOverlapLeavesAtThePushSpeed) {
  WorldSettings settings = projecting();
  settings.gravity.setZero();
  World world(settings, test::registry());
  test::addGround(world);
  const BodyId box = test::addUnitBox(world, {0, 0, 0.3});
  // 0.2 m deep at 1 m/s of push-out: 1/60 m a step, 12 steps.
  for (int step = 1; step <= 12; ++step) {
    world.step();
    EXPECT_NEAR(world.centerOfMass(box).z(), 0.3 + step / 60.0, 1e-6) << step;
  }
  world.step();
  EXPECT_NEAR(world.centerOfMass(box).z(), 0.5, 1e-6);
}

TEST(Projection, HingePastItsLimitTurnsBack) {
  WorldSettings settings = projecting();
  settings.gravity.setZero();
  World world(settings, test::registry());
  const BodyId post = addPost(world);
  const BodyId door = test::addBody(world, Box{{0.4, 0.1, 0.5}}, 2, {});
  JointDefinition hinge = hingeJoint(post, door, {}, {});
  hinge.axes[kAboutX] = JointAxis::limited(-0.5, 0.5);
  const JointId joint = world.addJoint(hinge);
  world.setPose(door, {Vec3::Zero(), test::turn(Vec3::UnitX(), 0.7)});
  world.step();
  EXPECT_NEAR(world.jointCoordinate(joint, kAboutX), 0.5, 1e-9);
  EXPECT_NEAR(world.angularVelocity(door).x(), 0, 1e-12);
}

TEST(Projection, WhatIsCompliantOnPurposeKeepsItsStretch) {
  WorldSettings settings = projecting();
  World world(settings, test::registry());
  const BodyId post = addPost(world);
  const BodyId load = test::addBody(world, Sphere{0.1}, 10, {{0, 0, -1}, Quat::Identity()});
  JointDefinition joint = ballJoint(post, load, Vec3::Zero(), {0, 0, 1});
  joint.compliance = 1e-2;
  world.addJoint(joint);
  for (int step = 0; step < 600; ++step) world.step();
  // At rest γ φ/h = C λ with λ = m g h: φ = m g h² C/γ.
  const Real h = settings.timestep;
  EXPECT_NEAR(-1 - world.centerOfMass(load).z(),
              10 * 9.81 * h * h * 1e-2 / settings.stabilization.gamma, 1e-6);
}

TEST(Projection, SoftMaterialCarriesItsLoadAtTheSameDepth) {
  WorldSettings settings = projecting();
  World world(settings, test::registry());
  world.setMaterialPair(0, 0, {.friction = 0.5, .compliance = 1e-2});
  test::addGround(world);
  const BodyId box = test::addUnitBox(world, {0, 0, 0.5});
  for (int step = 0; step < 600; ++step) world.step();
  // At rest γ φ/h = C λ with λ = m g h/4 a corner; without γ it would sink by h C λ every step.
  const Real h = settings.timestep;
  EXPECT_NEAR(0.5 - world.centerOfMass(box).z(),
              9.81 / 4 * h * h * 1e-2 / settings.stabilization.gamma, 1e-8);
  EXPECT_NEAR(world.linearVelocity(box).norm(), 0, 1e-8);
}

/// Chains on one turning body, two hinges tied by a gear, and a stack that starts out overlapping.
World manyIslands(int threads) {
  WorldSettings settings = projecting();
  settings.threads = threads;
  settings.geometricStiffness = true;
  World world(settings, test::registry());
  test::addGround(world);
  BodyDefinition carousel{.kind = BodyKind::kKinematic, .angularVelocity = {0, 0, 1}};
  carousel.pose.position = {0, 0, 6};
  const BodyId center = world.addBody(carousel);
  for (int chain = 0; chain < 5; ++chain) {
    BodyId above = center;
    for (int i = 0; i < 4; ++i) {
      const BodyId link = test::addBody(world, Sphere{0.1}, i == 3 ? 20 : 1,
                                        {{0.5 + 0.5 * i, 2.0 * chain, 6}, Quat::Identity()});
      const Vec3 anchor(0.25, i == 0 ? 2.0 * chain : 0, 0);
      world.addJoint(ballJoint(above, link, anchor, {-0.25, 0, 0}));
      above = link;
    }
  }
  const BodyId post = addPost(world);
  JointId wheels[2];
  for (int i = 0; i < 2; ++i) {
    const Pose place{{-3.0 * i - 8, 0, 6}, Quat::Identity()};
    const BodyId wheel = test::addBody(world, Box{{0.2, 0.3, 0.4}}, 1, place);
    JointDefinition hinge = hingeJoint(post, wheel, place, {});
    hinge.axes[kAboutX].motor = JointMotor{.target = 4, .maxForce = 2.0 - i};
    wheels[i] = world.addJoint(hinge);
  }
  world.addJoint(gearJoint(wheels[0], wheels[1], -2));
  for (int i = 0; i < 4; ++i) test::addUnitBox(world, {-20, 0, 0.49 + 0.98 * i});
  return world;
}

TEST(Projection, IsTheSameForEveryThreadCountAndAfterRestoring) {
  World one = manyIslands(1), four = manyIslands(4);
  for (int step = 0; step < 60; ++step) {
    one.step();
    four.step();
    ASSERT_EQ(one.hash(), four.hash()) << step;
    ASSERT_EQ(one.lastReport().maxJointDrift, four.lastReport().maxJointDrift) << step;
    if (step == 30) {
      four = manyIslands(3);
      four.restore(one.save());
    }
  }
  EXPECT_EQ(one.islandCount(), 7);
}

TEST(Projection, ChangeOfPotentialIsInTheLedger) {
  BodyId first, second;
  World world = doublePendulum(projecting(), first, second);
  Real energy = 0;  // at the start, where both hang at the height of the post
  for (int step = 0; step < 60; ++step) {
    const EnergyLedger ledger = world.step().energy;
    // The pose update moves by h u⁺, and h m g·u⁺ is what it changes of the potential.
    Real fallen = 0;
    for (const BodyId body : {first, second}) {
      fallen += world.settings().timestep * 9.81 * world.linearVelocity(body).z();
    }
    EXPECT_NEAR(ledger.potential - energy, fallen + ledger.projection, 1e-12);
    energy = ledger.potential;
  }
}

// -- geometric stiffness -----------------------------------------------------------------------

/// Worst joint error and highest energy of the library's chain at 1/60 s.
struct ChainRun {
  Real drift = 0;   // [m]
  Real energy = 0;  // [J], 0 at the start
  Real ledger = 0;  // [J]
};

ChainRun runChain(const char* links, const char* load, bool stiff, int projections, Real seconds) {
  Scene scene = readScene("chain", {.overrides = {{"scene.links", links}, {"scene.load", load}}});
  scene.settings.geometricStiffness = stiff;
  scene.settings.projection.iterations = projections;
  World world = buildWorld(scene, test::registry());
  ChainRun run;
  const int steps = static_cast<int>(std::lround(seconds / scene.settings.timestep));
  for (int step = 0; step < steps; ++step) {
    const StepReport& report = world.step();
    run.drift = std::max(run.drift, report.maxJointDrift);
    run.energy = std::max(run.energy, energyOf(world));
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
  WorldSettings settings = test::settingsFor("bpp");
  settings.geometricStiffness = true;
  World world(settings, test::registry());
  const BodyId post = addPost(world);
  BodyDefinition bob;
  bob.mass = MassProperties{1, Vec3::Zero(), 1e-4 * Mat3::Identity()};
  bob.pose.position = {0, 0, -0.5 * side};
  const BodyId body = world.addBody(bob);
  world.addJoint(ballJoint(post, body, Vec3::Zero(), {0, 0, 0.5 * side}));
  world.step();  // its joint bears the weight
  world.setVelocity(body, {0, 0.5 * side, 0}, {1, 0, 0});
  world.step();
  return world.angularVelocity(body).x();
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
    WorldSettings settings = test::settingsFor("bpp");
    settings.timestep = 1e-3;
    settings.geometricStiffness = stiff;
    BodyId first, second;
    World world = doublePendulum(settings, first, second);
    for (int step = 0; step < 200; ++step) world.step();
    places.push_back(world.centerOfMass(second));
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
  const std::uint64_t hash = world.hash();
  world.restore(state);
  for (int step = 0; step < 10; ++step) world.step();
  EXPECT_EQ(world.hash(), hash);
}

}  // namespace
}  // namespace drystone
