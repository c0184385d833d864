// Joints that swing fast hold at the end of the step, by default.
#include <gtest/gtest.h>

#include <cmath>

#include "scenes/scene_builder.h"
#include "scenes/scene_reader.h"
#include "tests/physics/pendulums.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

/// Links of 0.5 m and 5 kg with a ball of 1 t at the end, let go horizontally from a point of
/// `holder`, whose frame is the world's at first. Returns the ball.
BodyId hang(World& world, BodyId holder, const Vec3& from, int links) {
  BodyId above = holder;
  Vec3 anchor = from;
  for (int i = 0; i < links; ++i) {
    const Pose pose{from + Vec3(0.25 + 0.5 * i, 0, 0), Quat::Identity()};
    const BodyId link = test::addBody(world, Sphere{0.1}, 5, pose);
    world.addJoint(ballJoint(above, link, anchor, {-0.25, 0, 0}));
    above = link;
    anchor = {0.25, 0, 0};
  }
  const Pose pose{from + Vec3(0.5 * links + 0.5, 0, 0), Quat::Identity()};
  const BodyId ball = test::addBody(world, Sphere{0.5}, 1000, pose);
  world.addJoint(ballJoint(above, ball, anchor, {-0.5, 0, 0}));
  return ball;
}

/// Ten links with a ball.
World wreckingBall(const WorldSettings& settings, const BodyDefinition& holder, BodyId& ball) {
  World world(settings, test::registry());
  ball = hang(world, world.addBody(holder), Vec3::Zero(), 10);
  return world;
}

/// What 10 s of a chain that is let go with E = 0 show.
struct Swings {
  Real drift = 0;                  ///< worst [m]
  Real end = 0, highest = 0;       ///< energy [J]
  Real flow = 0;                   ///< largest part of it that became kinetic [J]
  Real ledger = 0, accounted = 0;  ///< what the ledgers leave open, and all they took [J]
};

Swings swing(World& world, int steps = 600) {
  Swings swings;
  for (int step = 0; step < steps; ++step) {
    const StepReport& report = world.step();
    const Real energy = test::energyOf(world);
    swings.drift = std::max(swings.drift, report.maxJointDrift);
    swings.end = energy;
    swings.highest = std::max(swings.highest, energy);
    swings.flow = std::max(swings.flow, report.energy.kinetic);
    swings.ledger = std::max(swings.ledger, std::abs(report.energy.ledgerError));
    swings.accounted += report.energy.geometric + report.energy.joints;
  }
  return swings;
}

void expectHeld(const Swings& swings) {
  EXPECT_LE(swings.drift, 1e-4);
  EXPECT_GE(swings.end, -0.05 * swings.flow);
  // Velocities are those of the middle of the step, poses those of its end: h/2 of the power.
  EXPECT_LE(swings.highest, 0.01 * swings.flow);
  EXPECT_LE(swings.ledger, 1e-13 * swings.flow);
}

TEST(HeldJoints, ChainsUnderALoadKeepTogetherAndSwingOn) {
  for (const auto& [links, load] : {std::pair("20", "50"), std::pair("100", "500")}) {
    World world = buildWorld(
        readScene("chain", {.overrides = {{"scene.links", links}, {"scene.load", load}}}),
        test::registry());
    SCOPED_TRACE(links);
    expectHeld(swing(world));
  }
}

TEST(HeldJoints, WreckingBallOfATonKeepsItsChainTogetherAndSwingsOn) {
  BodyId ball;
  World world = wreckingBall(test::settingsFor("bpp-auto"), {.kind = BodyKind::kStatic}, ball);
  const Swings swings = swing(world);
  expectHeld(swings);
  EXPECT_GT(swings.flow, 0.9 * 1000 * 9.81 * 5.5);  // it went through the lowest point
  EXPECT_LT(swings.accounted, 0);  // what is lost stands under geometric and joints
}

TEST(HeldJoints, PendulumLetGoHorizontallyHasItsPeriodAndKeepsItsEnergy) {
  const WorldSettings settings = test::settingsFor("bpp-auto");
  World world(settings, test::registry());
  const BodyId post = test::addPost(world);
  const BodyId bob = test::addBody(world, Sphere{0.1}, 1, {{1, 0, 0}, Quat::Identity()});
  world.addJoint(ballJoint(post, bob, Vec3::Zero(), {-1, 0, 0}));
  // T = 4 K(sin 45°) √(l/g), K = 1.854075, l = (r² + ⅖ R²)/r.
  const Real period = 4 * 1.8540746773 * std::sqrt((1 + 0.4 * 0.01) / 9.81);
  // Ten periods, by the passes of the lowest point to the left.
  int passes = 0;
  Real first = 0, last = 0, highest = -1;
  Real x = 1;
  while (passes < 11) {
    world.step();
    const Real next = world.body(bob).centerOfMass().x();
    if (x > 0 && next <= 0) {
      last = world.time() - settings.timestep * next / (next - x);
      if (passes++ == 0) first = last;
    }
    if (passes == 10) highest = std::max(highest, world.body(bob).centerOfMass().z());
    x = next;
  }
  // About (ω h)²/2 at ω = √(2 g/l), and 1 % of the 2 m that a full swing over would take.
  EXPECT_NEAR((last - first) / 10, period, 3e-3 * period);
  EXPECT_NEAR(highest, 0, 2e-2);
}

TEST(HeldJoints, LeaveWhatIsSlowEnoughAlone) {
  std::vector<Vec3> places;
  for (const bool holds : {false, true}) {
    WorldSettings settings = test::settingsFor("bpp-auto");
    settings.timestep = 1e-4;  // ½ (ω h)² of an arm of 1 m is below 0.2 · 3e-5 m up to 34 rad/s
    settings.holdJoints = holds;
    BodyId first, second;
    World world = test::doublePendulum(settings, first, second);
    for (int step = 0; step < 2000; ++step) world.step();
    places.push_back(world.body(second).centerOfMass());
  }
  EXPECT_EQ(places[0], places[1]);
}

TEST(HeldJoints, StayWithinACentimetreWhereTheBallHitsTheFloor) {
  // The holder turns at 1 rad/s about the vertical, and the floor stops the ball of 1 t within a
  // step: the chain goes slack, and its links whip.
  BodyDefinition carousel{.kind = BodyKind::kKinematic, .angularVelocity = {0, 0, 1}};
  BodyId ball;
  World world = wreckingBall(test::settingsFor("bpp-auto"), carousel, ball);
  BodyDefinition wall{.kind = BodyKind::kStatic};
  wall.pose.position = {0, 0, -5};
  wall.shape = Box{{20, 20, 0.5}};
  world.addBody(wall);
  Real drift = 0, contacts = 0;
  for (int step = 0; step < 300; ++step) {
    const StepReport& report = world.step();
    drift = std::max(drift, report.maxJointDrift);
    contacts += report.contacts;
    EXPECT_LE(report.naturalMap, 1e-6) << step;
  }
  EXPECT_GT(contacts, 0);
  EXPECT_LE(drift, 1e-2);
}

// A chain of six links that turns as a whole by 0.1 rad a step. The first sweeps end at once and
// say nothing of those of the repeated solves: where these are cut to as many, joints come apart by
// 2.5 mm.
TEST(HeldJoints, OfASweepingSolverKeepTogether) {
  World world(test::settingsFor("sor-prox-wide"), test::registry());
  BodyId last = world.addBody({.kind = BodyKind::kStatic});
  const Real rate = 0.1 / world.settings().timestep;
  Vec3 anchor = Vec3::Zero();
  for (int i = 0; i < 6; ++i) {
    const Real reach = 0.25 + 0.5 * i;
    const BodyId link =
        test::addBody(world, Box{{0.25, 0.05, 0.05}}, 1, {{reach, 0, 0}, Quat::Identity()},
                      {0, rate * reach, 0}, {0, 0, rate});
    world.addJoint(ballJoint(last, link, anchor, {-0.25, 0, 0}));
    last = link;
    anchor = {0.25, 0, 0};
  }
  Real drift = 0;
  for (int i = 0; i < 40; ++i) drift = std::max(drift, world.step().maxJointDrift);
  EXPECT_LE(drift, 1e-4);
}

// Four chains of different length, islands of their own, hang from one body that moves.
TEST(HeldJoints, AreTheSameForEveryThreadCountAndAfterRestoring) {
  std::vector<World> worlds;
  for (const int threads : {1, 4, 3}) {
    WorldSettings settings = test::settingsFor("bpp-auto");
    settings.threads = threads;
    World world(settings, test::registry());
    const BodyId holder =
        world.addBody({.kind = BodyKind::kKinematic, .angularVelocity = {0, 0, 1}});
    for (const int links : {2, 7, 3, 10}) {
      const Vec3 anchor(0, 10 * links, 0);
      hang(world, holder, anchor, links);
    }
    worlds.push_back(std::move(world));
  }
  for (int step = 0; step < 90; ++step) {
    worlds[0].step();
    worlds[1].step();
    ASSERT_EQ(worlds[0].observe().hash(), worlds[1].observe().hash()) << step;
    if (step == 45) {
      worlds[2].restore(worlds[0].save());
      worlds[1] = std::move(worlds[2]);
    }
  }
}

}  // namespace
}  // namespace drystone
