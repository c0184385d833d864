// Numbers of any size at the doors of a world: refused, or stepped to finite numbers, or a step
// that says that it diverged. No NaN leaves a step.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/input_error.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

/// All that a step says of its world is a number.
void expectNumbers(World& world, std::span<const BodyId> bodies, const std::string& what) {
  const StepReport& report = world.lastReport();
  for (const EnergyFlow& flow : kEnergyFlows) {
    EXPECT_TRUE(std::isfinite(report.energy.*flow.value)) << what << ": " << flow.name;
  }
  EXPECT_TRUE(std::isfinite(report.maxSpeed)) << what;
  EXPECT_TRUE(std::isfinite(report.energy.kinetic)) << what;
  EXPECT_TRUE(std::isfinite(report.energy.potential)) << what;
  for (const BodyId id : bodies) {
    const BodyHandle body = world.body(id);
    EXPECT_TRUE(body.pose().position.allFinite()) << what;
    EXPECT_TRUE(body.pose().rotation.coeffs().allFinite()) << what;
    EXPECT_TRUE(body.linearVelocity().allFinite()) << what;
    EXPECT_TRUE(body.angularVelocity().allFinite()) << what;
  }
}

using Abuse = std::function<void(World&, BodyId, Real)>;

const std::map<std::string, Abuse> kAbuses = {
    {"torque",
     [](World& w, BodyId b, Real x) {
       w.body(b).applyTorque({x, 0.5 * x, 0});
     }},
    {"force",
     [](World& w, BodyId b, Real x) {
       w.body(b).applyForce({x, 0.5 * x, 0});
     }},
    {"force at",
     [](World& w, BodyId b, Real x) {
       w.body(b).applyForceAt({0, 0, 1}, {x, x, 0});
     }},
    {"impulse",
     [](World& w, BodyId b, Real x) {
       w.body(b).applyImpulse({x, 0, x}, {x, 1, 0});
     }},
    {"angular impulse",
     [](World& w, BodyId b, Real x) {
       w.body(b).applyAngularImpulse({x, 0, x});
     }},
    {"spin",
     [](World& w, BodyId b, Real x) {
       w.body(b).setVelocity({0, 0, 0}, {x, 0.5 * x, 0});
     }},
    {"speed",
     [](World& w, BodyId b, Real x) {
       w.body(b).setVelocity({x, 0.5 * x, 0}, {0, 0, 0});
     }},
    {"place",
     [](World& w, BodyId b, Real x) {
       w.body(b).setPose({{x, 0, x}, Quat::Identity()});
     }},
    {"mass", [](World& w, BodyId b,
                Real x) { w.body(b).setMass({.mass = x, .inertia = x * Mat3::Identity()}); }},
    {"inertia", [](World& w, BodyId b,
                   Real x) { w.body(b).setMass({.mass = 1, .inertia = x * Mat3::Identity()}); }},
    {"centre of mass",
     [](World& w, BodyId b, Real x) {
       w.body(b).setMass({.mass = 1, .centerOfMass = {x, 0, 0}, .inertia = Mat3::Identity()});
     }},
    {"density", [](World& w, BodyId b, Real x) { w.body(b).setDensity(x); }},
    {"radius",
     [](World& w, BodyId b, Real x) { w.body(b).setShape(Sphere{x}, ShapeMass::kByDensity); }},
    {"radius kept", [](World& w, BodyId b, Real x) { w.body(b).setShape(Sphere{x}); }},
    {"new ball", [](World& w, BodyId, Real x) { w.addBody({.shape = Sphere{x}}); }},
    {"new box",
     [](World& w, BodyId, Real x) {
       w.addBody({.shape = Box{{x, 1, 1}}});
     }},
    {"gravity scale", [](World& w, BodyId b, Real x) { w.body(b).setGravityScale(x); }},
    {"damping", [](World& w, BodyId b, Real x) { w.body(b).setDamping(x, x); }},
    {"surface velocity",
     [](World& w, BodyId, Real x) {
       w.body(BodyId{0, 0}).setSurfaceVelocity({x, 0, 0});
     }},
    {"kinematic",
     [](World& w, BodyId b, Real x) {
       w.body(b).setKind(BodyKind::kKinematic);
       w.body(b).setVelocity({x, 0, 0}, {0, x, 0});
     }},
    {"motion",
     [](World& w, BodyId b, Real x) {
       w.body(b).setKind(BodyKind::kKinematic);
       w.body(b).setMotion({{0, {x, 0, 0}, {0, 0, 0}}, {1e-3, {-x, 0, 0}, {0, x, 0}}});
     }},
    {"schedule",
     [](World& w, BodyId b, Real x) {
       w.body(b).setForces({{0, {x, 0, 0}, {x, 0, 0}}, {1e-3, {-x, 0, 0}, {0, x, 0}}});
     }},
};

// The sizes end where squares and cubes of numbers do: 1e154 has a square, 1e160 none.
constexpr std::array kSizes = {1e-300, 1e-160, 1e-100, 1e-60, 1e-15, 1e-9,  1e6,   1e15,
                               1e16,   1e60,   1e100,  1e154, 1e160, 1e200, 1e300, 1.7e308};

/// Whether the world took it. Then it steps, and all that it says is a number.
bool isTaken(Integrator integrator, const std::string& name, const Abuse& abuse, Real size) {
  WorldSettings settings = test::settingsFor("bpp");
  settings.integrator = integrator;
  World world(settings, test::registry());
  test::addGround(world);
  const BodyId box = test::addUnitBox(world, {0, 0, 0.5});
  const BodyId above = test::addUnitBox(world, {0, 0, 1.5});
  try {
    abuse(world, box, size);
  } catch (const InputError&) {
    return false;
  }
  for (int i = 0; i < 3; ++i) {
    world.step();
    expectNumbers(world, std::array{box, above}, fmt::format("{} of {:g}", name, size));
  }
  return true;
}

TEST(Extremes, NumbersOfAnySize_LeaveNumbers) {
  int taken = 0, refused = 0;
  for (const Integrator integrator : {Integrator::kSemiImplicitEuler, Integrator::kMoreau}) {
    for (const auto& [name, abuse] : kAbuses) {
      for (const Real size : kSizes) ++(isTaken(integrator, name, abuse, size) ? taken : refused);
    }
  }
  EXPECT_GT(taken, 200);
  EXPECT_GT(refused, 200);
}

/// Two balls, far apart for their size.
Compound farBalls(Real radius) {
  const Vec3 at(4e5, -6e5, 3e5);
  return {{{Sphere{radius}, {at}}, {Sphere{radius}, {-at}}}};
}

// A ball of 1000 kg/m³ has 4/3 π ρ r³ = 4.2e-18 kg at 0.1 µm: too little, as for a given mass.
// About the line through two balls at ±p the moment is 4/5 m r², which m p² loses to round-off: of
// r = 10 µm and p = 780 km it is 1e-22 of it.
TEST(Extremes, ShapeWhoseMassIsNone_IsRefusedWithIt) {
  World world(test::settingsFor("bpp"), test::registry());
  const BodyHandle ball = world.body(world.addBody({.name = "ball", .shape = Sphere{1e-6}}));
  const std::vector<std::byte> before = world.save();
  const auto expectRefused = [&](auto&& call, const char* what) {
    EXPECT_THAT(call, testing::ThrowsMessage<InputError>(testing::HasSubstr(what)));
    EXPECT_EQ(world.save(), before);
  };
  expectRefused([&] { world.addBody({.name = "dust", .shape = Sphere{1e-7}}); },
                "body 'dust': its shape, a sphere, and its density of 1000 kg/m^3 make a mass of "
                "4.18879e-18 kg with principal moments of");
  expectRefused([&] { ball.setShape(Sphere{1e-7}, ShapeMass::kByDensity); }, "give `mass`");
  expectRefused([&] { ball.setDensity(1e-3); }, "make a mass of 4.18879e-21 kg");
  int refused = 0;
  for (const Real radius : {1e-5, 2e-5, 3e-5, 4e-5, 5e-5}) {
    const Compound pair = farBalls(radius);
    const MassProperties mass = massProperties(pair, 1000);
    if (principalInertia(mass.inertia).moments.minCoeff() > 0) continue;
    ++refused;
    expectRefused([&] { world.addBody({.shape = pair}); }, "its shape, a compound");
  }
  EXPECT_GT(refused, 0) << "round-off takes some moment to 0 or below";
}

// A load is no state: what it does may be too much, and the step says so.
TEST(Extremes, HugeTorque_DivergesAndLeavesTheBody) {
  for (const Real size : {1e200, 1e300}) {
    World world(test::settingsFor("bpp"), test::registry());
    const BodyId box = test::addUnitBox(world, {0, 0, 0.5});
    world.body(box).applyTorque({size, 0, 0});
    EXPECT_EQ(world.step().diverged, box);
    EXPECT_FALSE(world.lastReport().withinTolerance);
    EXPECT_EQ(world.body(box).angularVelocity(), Vec3(0, 0, 0));
  }
}

TEST(Extremes, VelocitiesBeyondTheBound_AreRefusedWithIt) {
  World world(test::settingsFor("bpp"), test::registry());
  const BodyId box = test::addUnitBox(world, {0, 0, 0.5});
  try {
    world.body(box).setVelocity({0, 0, 0}, {0, 1e160, 0});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "setVelocity: angular velocity must be within ±1e+15 rad/s, got 1e+160");
  }
  BodyDefinition fast = world.body(box).definition();
  fast.linearVelocity.x() = -2e15;
  try {
    world.addBody(fast);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(),
                testing::HasSubstr("linear velocity must be within ±1e+15 m/s, got 2e+15"));
  }
}

/// So many unit boxes at one point, without gravity.
World boxesAtOnePoint(int count, const Projection& projection) {
  WorldSettings settings;
  settings.gravity.setZero();
  settings.projection = projection;
  World world(settings, test::registry());
  for (int i = 0; i < count; ++i) test::addUnitBox(world, {0, 0, 0});
  return world;
}

// Each pair parts at the push-out speed p of 1 m/s, and all along one line: the i-th box moves at
// (i − (n − 1)/2) p, and the energy is m p² n (n² − 1)/24 = 21 J.
TEST(Extremes, BodiesAtOnePoint_PartPairByPairAtThePushOutSpeed) {
  World world = boxesAtOnePoint(8, {});
  const StepReport& report = world.step();
  EXPECT_TRUE(report.solvesWithin);
  EXPECT_NEAR(report.maxSpeed, 3.5, 1e-6);
  EXPECT_NEAR(report.energy.kinetic, 21, 1e-5);
}

TEST(Extremes, BodiesAtOnePointWithProjection_PartWithoutSpeed) {
  World world = boxesAtOnePoint(8, Projection::on());
  for (int i = 0; i < 60; ++i) {
    EXPECT_LT(world.step().energy.kinetic, 1e-9) << i;
  }
  EXPECT_LT(world.lastReport().maxPenetration, 0.5);
}

// Values that no name of an enumeration has, as of a program with other headers.
TEST(Extremes, ValuesBeyondAnEnumeration_AreRefused) {
  World world({}, test::registry());
  const BodyId a = world.addBody({.shape = Sphere{0.5}}), b = world.addBody({.shape = Sphere{0.5}});
  EXPECT_THAT([&] { world.addBody({.kind = static_cast<BodyKind>(77), .shape = Sphere{0.5}}); },
              testing::ThrowsMessage<InputError>(
                  testing::HasSubstr("kind must be one of BodyKind, got 77")));
  JointDefinition joint = hingeJoint(a, b);
  joint.geometry = static_cast<JointGeometry>(9);
  EXPECT_THAT([&] { world.addJoint(joint); }, testing::ThrowsMessage<InputError>(testing::HasSubstr(
                                                  "geometry must be one of JointGeometry, got 9")));
  WorldSettings settings;
  settings.integrator = static_cast<Integrator>(9);
  EXPECT_THAT(
      [&] { World(settings, test::registry()); },
      testing::ThrowsMessage<InputError>(testing::HasSubstr("integrator must be ≤ 1, got 9")));
  EXPECT_THAT([&] { world.setThreads(1'000'000); },
              testing::ThrowsMessage<InputError>(testing::HasSubstr("threads must be ≤ 1024")));
}

TEST(Extremes, HullWithWrongEdges_IsRefused) {
  const HullData good = *makeHull({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}).data;
  World world({}, test::registry());
  const auto refused = [&](auto&& spoil) {
    auto data = std::make_shared<HullData>(good);
    spoil(*data);
    EXPECT_THAT([&] { world.addBody({.shape = ConvexHull{data}}); },
                testing::ThrowsMessage<InputError>(testing::HasSubstr("make it with makeHull()")));
  };
  refused([](HullData& data) { data.edges[0].second = 99; });
  refused([](HullData& data) { data.edgeFaces[0].first = -1; });
  refused([](HullData& data) { data.edgeFaces[1].second = 4; });
  EXPECT_NO_THROW(world.addBody({.shape = ConvexHull{std::make_shared<HullData>(good)}}));
}

}  // namespace
}  // namespace drystone
