// Inner steps of a step, and rows of joints on the velocity at the end or on the mean.
#include <gtest/gtest.h>

#include <cmath>

#include "core/input_error.h"
#include "scenes/scene_builder.h"
#include "scenes/scene_reader.h"
#include "tests/physics/pendulums.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

TEST(Substeps, AreTheStepsOfTheirSize) {
  WorldSettings whole = test::settingsFor("bpp-auto"), parts = whole;
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
  EXPECT_EQ(worlds[0].body(boxes[0]).centerOfMass(), worlds[1].body(boxes[1]).centerOfMass());
  EXPECT_EQ(worlds[0].body(boxes[0]).angularVelocity(), worlds[1].body(boxes[1]).angularVelocity());
  EXPECT_EQ(worlds[0].time(), worlds[1].time());
  EXPECT_GT(warmStarted, 0);
}

TEST(Substeps, LedgerOfTheStepIsTheSumOfTheirs) {
  WorldSettings settings = test::settingsFor("bpp-auto");
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
  WorldSettings settings = test::settingsFor("bpp-auto");
  settings.substeps = 8;
  World world(settings, test::registry());
  const BodyId post = test::addPost(world);
  const BodyId bob = test::addBody(world, Sphere{0.1}, 3, {{0, 0, -1}, Quat::Identity()});
  const JointId joint = world.addJoint(ballJoint(post, bob, Vec3::Zero(), {0, 0, 1}));
  world.step();
  EXPECT_NEAR(world.joint(joint).reaction().force.z(), 3 * 9.81, 1e-6);
}

TEST(Substeps, SixteenHoldTheSwingingChainToATenthOfAMillimetre) {
  Scene scene = readScene("chain");
  scene.settings.substeps = 16;
  World world = buildWorld(scene, test::registry());
  for (int step = 0; step < 600; ++step) ASSERT_LE(world.step().maxJointDrift, 1e-4) << step;
}

/// A small ball that runs around a post on a rod of 1 m at 1 rad/s times `rate`, without gravity.
World merryGoRound(const WorldSettings& from, Real rate, BodyId& ball) {
  WorldSettings settings = from;
  settings.gravity.setZero();
  World world(settings, test::registry());
  const BodyId post = test::addPost(world);
  ball = test::addBody(world, Sphere{0.05}, 1, {{1, 0, 0}, Quat::Identity()}, {0, rate, 0});
  world.addJoint(distanceJoint(post, ball, Vec3::Zero(), Vec3::Zero(), 1, 1));
  return world;
}

/// Share of its energy that the ball of the merry-go-round loses in a second, over ω² h.
Real lossOfEndRows(Real rate, Real gamma, int projections) {
  WorldSettings settings = test::settingsFor("bpp-auto");
  settings.timestep = 1e-3;
  settings.holdJoints = false;
  settings.stabilization.gamma = gamma;
  settings.projection.iterations = projections;
  BodyId ball;
  World world = merryGoRound(settings, rate, ball);
  test::simulate(world, 1);
  const Real lost = 1 - world.body(ball).linearVelocity().squaredNorm() / (rate * rate);
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
  WorldSettings settings = test::settingsFor("bpp-auto");
  settings.timestep = 1e-3;
  settings.integrator = Integrator::kMoreau;
  settings.jointRows = JointRows::kMean;
  BodyId ball;
  World world = merryGoRound(settings, 3, ball);
  test::simulate(world, 1);
  // No power in J (u⁺ + u) = 0; what the compliance C of 1e-9 takes is below 1e-8.
  EXPECT_NEAR(world.body(ball).linearVelocity().squaredNorm() / 9, 1, 1e-8);
}

TEST(EndRows, HangingChainOfMassRatio2000KeepsItsJointsTogether) {
  World world = buildWorld(readScene("chain_hanging"), test::registry());
  for (int step = 0; step < 600; ++step) ASSERT_LE(world.step().maxJointDrift, 1e-8) << step;
}

TEST(MeanRows, DoublePendulumKeepsItsEnergyForAMinute) {
  for (const int projections : {0, 4}) {
    WorldSettings settings = test::settingsFor("bpp-auto");
    settings.timestep = 1e-3;
    settings.integrator = Integrator::kMoreau;
    settings.jointRows = JointRows::kMean;
    settings.projection.iterations = projections;
    BodyId first, second;
    World world = test::doublePendulum(settings, first, second);
    // The scale is what the two swing through: m g (1 m + 2 m) from the start, where E = 0.
    const Real scale = 3 * 9.81;
    Real worst = 0;
    while (world.time() < 60) {
      world.step();
      worst = std::max(worst, std::abs(test::energyOf(world)) / scale);
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
  const BodyId post = test::addPost(world);
  const BodyId bob = test::addBody(world, Sphere{0.1}, 1, {{1, 0, 0}, Quat::Identity()});
  world.addJoint(ballJoint(post, bob, Vec3::Zero(), {-1, 0, 0}));
  const int steps = static_cast<int>(std::lround(0.5 / timestep));
  for (int i = 0; i < steps; ++i) world.step();
  return world.body(bob).centerOfMass();
}

TEST(MeanRows, MidpointSchemeConvergesInSecondOrder) {
  WorldSettings mean = test::settingsFor("bpp-auto");
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
  WorldSettings end = test::settingsFor("bpp-auto");
  end.holdJoints = false;
  const Real first = (swing(end, 1.0 / 200) - exact).norm();
  const Real second = (swing(end, 1.0 / 400) - exact).norm();
  EXPECT_NEAR(first / second, 2, 0.2);
}

TEST(MeanRows, NeedTheMidpointScheme) {
  WorldSettings settings = test::settingsFor("bpp-auto");
  settings.jointRows = JointRows::kMean;
  EXPECT_THROW(World(settings, test::registry()), InputError);
}

}  // namespace
}  // namespace drystone
