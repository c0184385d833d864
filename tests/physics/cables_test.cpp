// Routed cables against closed forms: one tension in all spans, tackles, the capstan.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/input_error.h"
#include "engine/world/world.h"
#include "scenes/scene_builder.h"
#include "scenes/scene_reader.h"
#include "solvers/default_registry.h"
#include "tests/physics/cable_rig.h"
#include "tests/support/constants.h"

namespace drystone {
namespace {

using test::CableAtwood;
using test::CableRig;
using test::cableSettings;
using test::kGravity;
using test::kStep;

// a = g (m2 - m1)/(m1 + m2), T = 2 g m1 m2/(m1 + m2).
TEST(Cable, Atwood_AcceleratesAndPullsAsItsMassesSay) {
  for (const char* solver : {"auto", "bpp", "nsgs", "apgd"}) {
    CableAtwood rig(2, 3, 0, cableSettings(solver));
    rig.steps(60);
    const Real speed = kGravity / 5 * 60 * kStep;
    EXPECT_NEAR(rig.rise(rig.a), speed, 1e-9) << solver;
    EXPECT_NEAR(rig.rise(rig.b), -speed, 1e-9) << solver;
    EXPECT_NEAR(rig.tension(0), 2 * kGravity * 6 / 5, 1e-6) << solver;
    EXPECT_NEAR(rig.tension(1), rig.tension(0), 1e-9 * rig.tension(0)) << solver;
  }
}

// n falls between frame and block: n T carries the block, and T the load at the free end.
TEST(Cable, Tackle_OfNFallsCarriesNTimesTheLoad) {
  for (int falls = 1; falls <= 6; ++falls) {
    CableRig rig;
    const BodyId block = rig.load(falls * 2.0, {0, 0, -4});
    const BodyId free = rig.load(2, {0, 0, -2});
    // From the free end over the frame, then down to the block and up again.
    std::vector<CablePoint> points = {{free}, {rig.frame}};
    for (int i = 0; i < falls; ++i) points.push_back({i % 2 == 0 ? block : rig.frame});
    const JointId cable = rig.cable(points);
    rig.steps(120);
    EXPECT_NEAR(rig.rise(block), 0, 1e-9) << falls;
    for (int i = 0; i <= falls; ++i) EXPECT_NEAR(rig.tension(i), 2 * kGravity, 1e-7) << falls;
    EXPECT_NEAR(rig.world.joint(cable).coordinate(0), 2 + 4 * falls, 1e-9) << falls;

    // A push of the free end comes to the block by 1/n, with n² of its mass less: v = p/(m + M/n²).
    rig.world.body(free).applyImpulse({0, 0, -1}, Vec3::Zero());
    rig.steps(1);
    const Real speed = 1 / (2 + falls * 2.0 / (falls * falls));
    EXPECT_NEAR(rig.rise(free), -speed, 1e-9) << falls;
    EXPECT_NEAR(rig.rise(block), speed / falls, 1e-9) << falls;
  }
}

// Five free bodies on one cable: it moves none of their common momentum, its tension is one, it
// takes no work that it does not lose at the jerk, and it gets no longer.
TEST(Cable, ChainOfFreeBodies_KeepsMomentumAndOneTension) {
  WorldSettings settings = cableSettings();
  settings.gravity.setZero();
  CableRig rig(settings);
  std::vector<BodyId> bodies;
  std::vector<CablePoint> points;
  const Vec3 places[] = {{0, 0, 0}, {1, 0.4, 0}, {2, -0.3, 0.5}, {3, 0.1, -0.2}, {4, 0, 0.3}};
  for (int i = 0; i < 5; ++i) {
    bodies.push_back(rig.load(1 + i, places[i]));
    points.push_back({.body = bodies.back(), .position = Vec3(0.05, 0.02 * i, 0)});
  }
  const JointId cable = rig.cable(points);
  const Real length = rig.world.joint(cable).coordinate(0);
  rig.world.body(bodies[0]).applyImpulse({-3, 0.5, 0}, Vec3::Zero());
  rig.world.body(bodies[3]).applyImpulse({4, 1, -2}, Vec3::Zero());
  const auto momentum = [&] {
    Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
    for (int i = 0; i < 5; ++i) {
      const auto body = rig.world.body(bodies[static_cast<std::size_t>(i)]);
      const Vec3 p = (1 + i) * body.linearVelocity();
      linear += p;
      angular += body.pose().position.cross(p) + 0.4 * (1 + i) * 0.01 * body.angularVelocity();
    }
    return std::pair(linear, angular);
  };
  const auto [linear, angular] = momentum();
  rig.steps(1);
  Real energy = rig.world.lastReport().energy.kinetic;
  for (int i = 0; i < 200; ++i) {
    rig.steps(1);
    for (int span = 1; span < 4; ++span) {
      ASSERT_NEAR(rig.tension(span), rig.tension(0), 1e-9 * rig.tension(0));
    }
    const std::span<const Real> impulses = rig.world.observe().islandImpulses(0);
    ASSERT_NEAR(std::abs(impulses[0]), rig.tension(0) * kStep, 1e-12);
    const Real now = rig.world.lastReport().energy.kinetic;
    EXPECT_LE(now, energy + 1e-9);
    energy = now;
  }
  EXPECT_NEAR((momentum().first - linear).norm(), 0, 1e-10);
  EXPECT_NEAR((momentum().second - angular).norm(), 0, 1e-10);
  EXPECT_LE(rig.world.joint(cable).coordinate(0), length + 1e-3);
}

TEST(Cable, Slack_PullsNothingUntilItIsTaut) {
  CableRig rig;
  const BodyId a = rig.load(1, {0, 0, -1}), b = rig.load(1, {0.5, 0, -1});
  // Both fall by 0.1 m before 0.2 m of slack are gone.
  rig.cable({{a}, {rig.frame}, {.body = rig.frame, .position = {0.5, 0, 0}}, {b}}, 2.7);
  const Real taut = std::sqrt(2 * 0.1 / kGravity);
  const int free = static_cast<int>(taut / kStep) - 1;
  rig.steps(free);
  EXPECT_DOUBLE_EQ(rig.tension(0), 0);
  EXPECT_NEAR(rig.rise(a), -kGravity * free * kStep, 1e-12);
  rig.steps(4);
  EXPECT_NEAR(rig.rise(a), 0, 1e-9);
  EXPECT_NEAR(rig.tension(0), kGravity, 1e-7);
}

// Half a turn over the eyelet: it slips where m2 > m1 e^{μπ}, and then T2 = T1 e^{μπ}.
TEST(Cable, Capstan_HoldsUpToEToTheMuThetaAndSlipsAtIt) {
  constexpr Real kFriction = 0.3;
  const Real gain = std::exp(kFriction * std::numbers::pi);
  for (const char* solver : {"auto", "bpp", "nsgs"}) {
    for (const bool isTurned : {false, true}) {
      const auto rigOf = [&](Real heavy) {
        return isTurned ? CableAtwood(heavy, 1, kFriction, cableSettings(solver))
                        : CableAtwood(1, heavy, kFriction, cableSettings(solver));
      };
      CableAtwood holds = rigOf(0.99 * gain);
      holds.steps(60);
      EXPECT_NEAR(holds.rise(holds.a), 0, 1e-9) << solver;
      EXPECT_NEAR(holds.tension(isTurned ? 1 : 0), kGravity, 1e-6) << solver;
      EXPECT_NEAR(holds.tension(isTurned ? 0 : 1), 0.99 * gain * kGravity, 1e-6) << solver;

      const Real heavy = 1.5 * gain;
      CableAtwood slips = rigOf(heavy);
      slips.steps(60);
      const Real low = slips.tension(isTurned ? 1 : 0), high = slips.tension(isTurned ? 0 : 1);
      EXPECT_NEAR(high, gain * low, 1e-8 * high) << solver;
      const Real speed = kGravity * (heavy - gain) / (heavy + gain) * 60 * kStep;
      EXPECT_NEAR(slips.rise(isTurned ? slips.b : slips.a), speed, 1e-7) << solver;
    }
  }
}

// Two eyelets of a quarter turn each, with a span between them that cannot change.
TEST(Cable, Capstan_AddsTheAnglesOfEyeletsOnOneBody) {
  CableRig rig;
  const BodyId a = rig.load(1, {0, 0, -2}), b = rig.load(4, {1, 0, -2});
  rig.cable({{a},
             {.body = rig.frame, .friction = 0.2},
             {.body = rig.frame, .position = {1, 0, 0}, .friction = 0.2},
             {b}});
  rig.steps(30);
  EXPECT_NEAR(rig.tension(1), std::exp(0.2 * std::numbers::pi) * rig.tension(0), 1e-7);
}

TEST(Cable, WindsUp_WhereItsLengthIsSet) {
  CableAtwood rig(2, 2);
  const JointId cable = rig.world.findJoint("cable");
  for (int i = 1; i <= 240; ++i) {
    rig.world.joint(cable).setLimits(0, -kInfinity, 5 - i * kStep);
    rig.steps(1);
  }
  // Each step takes back γ of what is missing: so it lags by (1/γ - 1) of a step's 1/240 m.
  EXPECT_NEAR(rig.world.joint(cable).coordinate(0), 4 + 4 * kStep, 1e-9);
  EXPECT_NEAR(rig.world.body(rig.a).pose().position.z(), -1.5, 1e-2);
}

TEST(Cable, Restored_GoesOnToTheSameBits) {
  CableAtwood rig(1, 3, 0.1), other(1, 3, 0.1);
  rig.steps(20);
  other.world.restore(rig.world.save());
  rig.steps(20);
  other.steps(20);
  EXPECT_EQ(rig.world.observe().hash(), other.world.observe().hash());
}

TEST(Cable, GoesAsAWhole_WithAnyOfItsSpansOrBodies) {
  CableAtwood one(1, 3), two(1, 3);
  one.world.removeJoint(one.world.findJoint("cable_1"));
  EXPECT_LT(one.world.findJoint("cable").index, 0);
  two.world.removeBody(two.b);
  EXPECT_LT(two.world.findJoint("cable").index, 0);
  one.steps(1);
  EXPECT_NEAR(one.rise(one.a), -kGravity * kStep, 1e-12);
}

TEST(Cable, BreaksAsAWhole_WhereItBearsTooMuch) {
  CableRig rig;
  const BodyId a = rig.load(1, {0, 0, -2}), b = rig.load(1, {0, 0, -3});
  rig.world.addCable({.name = "cable",
                      .points = {{a}, {rig.frame}, {b}},
                      .breakingImpulse = 0.9 * kGravity * kStep});
  rig.steps(2);
  EXPECT_NEAR(rig.rise(a), -kGravity * kStep, 1e-12);
  EXPECT_NEAR(rig.rise(b), -kGravity * kStep, 1e-12);
}

TEST(Cable, Island_IsOneRowThatTheJudgeSees) {
  CableRig rig;
  const BodyId a = rig.load(1, {0, 0, -2}), b = rig.load(1, {1, 0, -2}),
               c = rig.load(1, {2, 0, -2});
  rig.cable({{a}, {rig.frame}, {b}, {.body = rig.frame, .position = {2, 0, 0}}, {c}});
  rig.steps(1);
  const WorldObserver observer = rig.world.observe();
  ASSERT_EQ(observer.islandCount(), 1);
  EXPECT_EQ(observer.islandProblem(0).rowCount(), 1);
  EXPECT_EQ(std::ssize(observer.islandImpulses(0)), 1);
  EXPECT_EQ(rig.world.lastReport().islands.front().bodies, 3);
}

// Over an eyelet that does not move, the loads fall asleep together, and a push of one wakes both.
TEST(Cable, LoadsOverAStaticEyelet_SleepAndWakeTogether) {
  WorldSettings settings = cableSettings();
  settings.sleeping = Sleeping::on();
  CableAtwood rig(2, 2, 0, settings);
  rig.steps(240);
  ASSERT_FALSE(rig.world.body(rig.a).isAwake());
  ASSERT_FALSE(rig.world.body(rig.b).isAwake());
  rig.world.body(rig.b).applyImpulse({0, 0, -2}, Vec3::Zero());
  rig.steps(1);
  EXPECT_TRUE(rig.world.body(rig.a).isAwake());
  EXPECT_NEAR(rig.rise(rig.a), 0.5, 1e-9);
  EXPECT_NEAR(rig.rise(rig.b), -0.5, 1e-9);
}

// A cable 0.01 m too short moves 1 kg by three quarters of that and 3 kg by a quarter, and gives
// neither a velocity.
TEST(Cable, Projection_TakesBackWhatItIsTooLongByMasses) {
  for (const Real friction : {0.0, 0.3}) {
    WorldSettings settings = cableSettings();
    settings.projection = Projection::on();
    settings.gravity.setZero();
    CableRig rig(settings);
    const BodyId a = rig.load(1, {0, 0, -2}), b = rig.load(3, {0, 0, -3});
    rig.cable({{a}, {.body = rig.frame, .friction = friction}, {b}}, 4.99);
    rig.steps(1);
    EXPECT_NEAR(rig.world.body(a).pose().position.z(), -2 + 0.0075, 1e-9);
    EXPECT_NEAR(rig.world.body(b).pose().position.z(), -3 + 0.0025, 1e-9);
    EXPECT_NEAR(rig.rise(a), 0, 1e-12);
  }
}

TEST(Cable, TackleOfTheLibrary_LiftsAsItsDescriptionSays) {
  World world = buildWorld(readScene("tackle"), makeDefaultRegistry());
  const BodyId load = world.findBody("load");
  while (world.time() < 1) world.step();
  // a = g (n m - M)/(n² m + M)
  const Real a = kGravity * (4 * 105 - 400) / (16 * 105 + 400);
  EXPECT_NEAR(world.body(load).linearVelocity().z(), a * world.time(), 1e-6);
}

// Sweeps know rows over two bodies only: what hangs on a cable is solved.
TEST(Cable, SoftStepping_MovesTheScenesAsExactSteppingDoes) {
  for (const char* name : {"tackle", "jib_crane"}) {
    Scene scene = readScene(name);
    World exact = buildWorld(scene, makeDefaultRegistry());
    scene.settings.stepping = Stepping::kSoft;
    World soft = buildWorld(scene, makeDefaultRegistry());
    for (int i = 0; i < 200; ++i) {
      exact.step();
      soft.step();
    }
    for (const BodyId body : exact.bodies()) {
      EXPECT_NEAR((exact.body(body).centerOfMass() - soft.body(body).centerOfMass()).norm(), 0,
                  1e-12)
          << name;
    }
  }
}

// Two chains of 30 balls, which soft steps would take without the cable between them.
TEST(Cable, SoftStepping_SolvesAlsoLargeIslandsWithOne) {
  const auto riseOf = [](Stepping stepping) {
    WorldSettings settings = cableSettings();
    settings.stepping = stepping;
    CableRig rig(settings);
    const auto chain = [&](Real x, Real mass) {
      const BodyId top = rig.load(mass, {x, 0, -2});
      BodyId above = top;
      for (int i = 1; i < 30; ++i) {
        const BodyId ball = rig.load(mass, {x, 0, -2 - 0.2 * i});
        rig.world.addJoint(ballJoint(above, ball, {0, 0, -0.1}, {0, 0, 0.1}));
        above = ball;
      }
      return top;
    };
    const BodyId light = chain(0, 2), heavy = chain(1, 3);
    rig.cable({{light}, {rig.frame}, {.body = rig.frame, .position = {1, 0, 0}}, {heavy}});
    for (int i = 0; i < 60; ++i) EXPECT_EQ(rig.world.step().softIslands, 0);
    return rig.rise(light);
  };
  EXPECT_NEAR(riseOf(Stepping::kSoft), kGravity / 5 * 60 * kStep, 1e-7);
  EXPECT_NEAR(riseOf(Stepping::kSoft), riseOf(Stepping::kExact), 1e-9);
}

TEST(Cable, WhatCannotStepIt_IsRefusedByName) {
  const auto problemOf = [](const WorldSettings& settings) {
    try {
      CableAtwood(1, 2, 0, settings).world.step();
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(problemOf(cableSettings("sor-prox-wide")),
              testing::StartsWith("cable 'cable': solver 'sor-prox-wide'"));
  EXPECT_EQ(problemOf(cableSettings()), "");
}

// An arm on a ball joint turns by about 1 rad a step, so that repeated solves get worse and an
// older answer is put back: the observer shows that one.
TEST(Cable, ObservedImpulse_IsTheOneThatMovedTheBodies) {
  WorldSettings settings = cableSettings();
  settings.integrator = Integrator::kMoreau;  // it takes no halved steps
  int repeated = 0;
  for (const Real spin : {130.0, 1200.0}) {
    CableRig rig(settings);
    const BodyId arm = rig.load(1, {0.5, 0, 0}), far = rig.load(1, {1, 0, 1});
    rig.world.addJoint(ballJoint(rig.frame, arm, Vec3::Zero(), {-0.5, 0, 0}));
    rig.cable({{arm}, {.body = rig.frame, .position = {0, 0, 3}}, {far}});
    rig.world.body(arm).setVelocity({0, spin / 2, 0}, {0, 0, spin});
    for (int i = 0; i < 60; ++i) {
      const IslandReport& island = rig.world.step().islands.front();
      repeated += island.repeatedSolves;
      const WorldObserver observer = rig.world.observe();
      const ContactProblem problem = observer.islandProblem(0);
      const auto cable = std::ranges::find(problem.blocks, 1, &ProblemBlock::rows);
      ASSERT_NE(cable, problem.blocks.end());
      const Real impulse = observer.islandImpulses(0)[cable->firstRow];
      ASSERT_NEAR(std::abs(impulse), rig.tension(1) * kStep, 1e-9) << spin << ", " << i;
    }
  }
  EXPECT_GT(repeated, 0);
}

// Whichever end is named first, and whether its length is taken back or it yields.
TEST(Cable, ThatRubs_PullsBothEndsAlike) {
  for (const auto& [length, compliance, isTurned] :
       {std::tuple(4.4, 0.0, false), {4.4, 0.0, true}, {2 * std::sqrt(5.0), 0.5, true}}) {
    CableRig rig;
    const BodyId a = rig.load(1, {-1, 0, -2}), b = rig.load(1, {1, 0, -2});
    CableDefinition cable{.name = "cable", .length = length, .compliance = compliance};
    cable.points = {{isTurned ? b : a}, {.body = rig.frame, .friction = 0.3}, {isTurned ? a : b}};
    rig.world.addCable(cable);
    rig.steps(30);
    const Real ofA = rig.world.body(a).centerOfMass().z();
    EXPECT_NEAR(ofA, rig.world.body(b).centerOfMass().z(), 1e-9);
    EXPECT_GT(std::abs(ofA + 2), 1e-3);
  }
}

TEST(Cable, RefusesWhatItCannotBe) {
  CableRig rig;
  const BodyId a = rig.load(1, {0, 0, -2}), b = rig.load(1, {1, 0, -2});
  EXPECT_THROW(rig.cable({{a}}), InputError);
  EXPECT_THROW(rig.cable({{rig.frame}, {.body = rig.frame, .position = {1, 0, 0}}}), InputError);
  EXPECT_THROW(rig.cable({{a}, {rig.frame}, {b}}, -1), InputError);
  EXPECT_THROW(rig.cable({{.body = a, .friction = 1}, {rig.frame}, {b}}), InputError);
  EXPECT_THROW(rig.cable({{a},
                          {.body = rig.frame, .friction = 0.1},
                          {b},
                          {.body = rig.frame, .friction = 0.1},
                          {a}}),
               InputError);
  EXPECT_LT(rig.world.findJoint("cable").index, 0);  // nothing of it stays
  const JointId cable = rig.cable({{a}, {rig.frame}, {b}});
  EXPECT_THROW(rig.world.joint(cable).setSpring(0, JointSpring{.stiffness = 1}), InputError);
  EXPECT_THROW(rig.world.joint(rig.world.findJoint("cable_1")).setLimits(0, 0, 1), InputError);

  EXPECT_THROW(rig.world.body(a).setKind(BodyKind::kStatic), InputError);
  EXPECT_THROW(rig.world.body(rig.frame).setKind(BodyKind::kKinematic), InputError);
  rig.world.removeJoint(cable);
  rig.world.body(a).setKind(BodyKind::kStatic);
  WorldSettings box = cableSettings();
  box.friction = FrictionModel::kBox;
  CableAtwood rubs(1, 1, 0.1, box);
  EXPECT_THROW(rubs.world.step(), InputError);
}

}  // namespace
}  // namespace drystone
