// Cables that a drum winds up against closed forms: the involute, the falling weight, the winch.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
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

using test::CableRig;
using test::cableSettings;
using test::kGravity;
using test::kStep;

constexpr Real kRadius = 0.25;    // of all drums [m]
constexpr Real kInertia = 0.8;    // about their axes [kg m²]
constexpr Real kDrumMass = 20.0;  // [kg]

BodyDefinition drumBody(const Vec3& position) {
  BodyDefinition body{.name = "drum"};
  body.mass = {kDrumMass, Vec3::Zero(), kInertia * Mat3::Identity()};
  body.pose.position = position;
  return body;
}

/// A load below an eyelet at the origin, and a drum beyond it that winds up about +y: the cable
/// comes from the left and arrives at its top.
struct DrumRig : CableRig {
  explicit DrumRig(Real mass, Real friction = 0, const WorldSettings& settings = cableSettings())
      : CableRig(settings),
        load_(load(mass, {0, 0, -4})),
        drum(world.addBody(drumBody({2, 0, -kRadius}))) {
    axle = world.addJoint(hingeJoint(frame, drum), jointFrame({2, 0, -kRadius}, Vec3::UnitY()));
    rope = cable({{load_},
                  {.body = frame, .friction = friction},
                  {.body = drum, .drumRadius = kRadius, .axis = {0, 2, 0}}});
  }
  Real height() const { return world.body(load_).pose().position.z(); }
  Real turned() const { return world.joint(axle).coordinate(kAboutX); }

  BodyId load_, drum;
  JointId axle, rope;
};

// a = g m / (m + I/r²), over several turns, and h = r θ all the way.
TEST(CableDrum, LoadThatUnwindsIt_FallsAsItsInertiaSays) {
  DrumRig rig(3);
  const JointId rope = rig.rope;
  EXPECT_NEAR(rig.world.joint(rope).coordinate(0), 4 + 2, 1e-12);
  const Real a = kGravity * 3 / (3 + kInertia / (kRadius * kRadius));
  rig.steps(480);
  EXPECT_NEAR(rig.rise(rig.load_), -a * 480 * kStep, 1e-6);
  EXPECT_LT(rig.turned(), -2 * 2 * std::numbers::pi);  // more than two turns
  EXPECT_NEAR(rig.height(), -4 + kRadius * rig.turned(), 1e-6);
  EXPECT_NEAR(rig.world.joint(rope).coordinate(0), 6, 1e-6);
  EXPECT_NEAR(rig.tension(1), 3 * (kGravity - a), 1e-6);
  EXPECT_NEAR(rig.tension(0), rig.tension(1), 1e-9);
  // What the weight gave is what both have, but for the half step of semi-implicit Euler.
  const Real speed = rig.rise(rig.load_), spin = speed / kRadius;
  const Real kinetic = (3 * speed * speed + kInertia * spin * spin) / 2;
  EXPECT_NEAR(kinetic, 3 * kGravity * (-4 - rig.height()), 1.01 * kinetic / 480);
}

// Up with m g e^{μθ} and down with m g e^{-μθ}; between them the drum is held by less.
TEST(CableDrum, Winch_PullsWithTheLoadTimesTheCapstanFactor) {
  constexpr Real kFriction = 0.2;
  const Real gain = std::exp(kFriction * std::numbers::pi / 2);
  for (const Real speed : {1.5, -1.5}) {
    DrumRig rig(3, kFriction);
    rig.world.joint(rig.axle).setMotor(kAboutX, JointMotor{.target = speed, .maxForce = 1e4});
    rig.steps(60);
    const Real before = rig.height();
    Real work = 0, heat = 0;
    for (int i = 0; i < 240; ++i) {
      const Real from = rig.turned(), low = rig.height();
      rig.steps(1);
      work += rig.world.joint(rig.axle).axisForce(kAboutX).motor * (rig.turned() - from);
      heat += std::abs(rig.tension(1) - rig.tension(0)) * std::abs(rig.height() - low);
    }
    EXPECT_NEAR(rig.tension(0), 3 * kGravity, 1e-6);
    EXPECT_NEAR(rig.tension(1), 3 * kGravity * (speed > 0 ? gain : 1 / gain), 1e-6);
    EXPECT_NEAR(rig.world.joint(rig.axle).axisForce(kAboutX).motor, kRadius * rig.tension(1), 1e-6);
    EXPECT_NEAR(rig.height() - before, kRadius * speed, 1e-8);  // r ω for a second
    EXPECT_NEAR(work, 3 * kGravity * (rig.height() - before) + heat, 1e-6);
    rig.world.joint(rig.axle).setMotorTarget(kAboutX, 0);
    rig.steps(240);
    EXPECT_GE(rig.tension(1), 3 * kGravity / gain * (1 - 1e-9));
    EXPECT_LE(rig.tension(1), 3 * kGravity * gain * (1 + 1e-9));
  }
}

// A ball on a string about a post that stands: the string is at a right angle to its way, so that
// its speed stays, and l² = l0² ± 2 r v t as it unwinds or winds up.
TEST(CableDrum, StringAboutAPost_IsAnInvolute) {
  for (const Real side : {1.0, -1.0}) {
    WorldSettings settings = cableSettings();
    settings.gravity.setZero();
    settings.timestep = 1e-4;
    CableRig rig(settings);
    constexpr Real kFree = 1, kSpeed = 2;
    // Wound up forwards about z, the string leaves the post at (0, -r) towards -x.
    const BodyId ball = rig.load(1, {-kFree, -kRadius, 0});
    rig.cable({{ball}, {.body = rig.frame, .drumRadius = kRadius, .axis = Vec3::UnitZ()}});
    rig.world.body(ball).setVelocity({0, side * kSpeed, 0}, Vec3::Zero());
    const int steps = side > 0 ? 4000 : 8000;
    rig.steps(steps);
    const Vec3 at = rig.world.body(ball).pose().position;
    const Real free = std::sqrt(at.head<2>().squaredNorm() - kRadius * kRadius);
    const Real way = side > 0 ? -1 : 1;
    EXPECT_NEAR(free * free, kFree * kFree + way * 2 * kRadius * kSpeed * steps * 1e-4, 2e-3)
        << side;
    EXPECT_NEAR(rig.world.body(ball).linearVelocity().norm(), kSpeed, 2e-3) << side;
  }
}

// A free drum and a free ball: what the cable does to them is one force at one line.
TEST(CableDrum, FreeDrumAndBall_KeepTheirMomentum) {
  WorldSettings settings = cableSettings();
  settings.gravity.setZero();
  CableRig rig(settings);
  const BodyId drum = rig.world.addBody(drumBody({0, 0, 0}));
  const BodyId ball = rig.load(2, {1, 0.3, 0.4});
  rig.cable({{.body = ball, .position = {0, 0.05, 0}},
             {.body = drum, .position = {0.1, 0, 0}, .drumRadius = kRadius, .axis = {0.3, -1, 2}}});
  rig.world.body(ball).setVelocity({1, 2, -1}, {0, 3, 1});
  rig.world.body(drum).setVelocity({-0.5, 0, 0}, {1, 2, -9});
  const auto momentum = [&] {
    Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
    for (const auto& [id, mass, inertia] :
         {std::tuple(drum, kDrumMass, kInertia), {ball, 2.0, 0.4 * 2 * 0.01}}) {
      const auto body = rig.world.body(id);
      const Vec3 p = mass * body.linearVelocity();
      linear += p;
      angular += body.pose().position.cross(p) + inertia * body.angularVelocity();
    }
    return std::pair(linear, angular);
  };
  const auto [linear, angular] = momentum();
  Real pulled = 0;
  for (int i = 0; i < 240; ++i) {
    rig.steps(1);
    pulled = std::max(pulled, rig.tension(0));
  }
  EXPECT_GT(pulled, 1);
  EXPECT_NEAR((momentum().first - linear).norm(), 0, 1e-9);
  EXPECT_NEAR((momentum().second - angular).norm(), 0, 1e-9);
}

// With its turns, which no pose tells.
TEST(CableDrum, Restored_GoesOnToTheSameBits) {
  DrumRig rig(30, 0.1), other(30, 0.1);
  rig.steps(300);
  ASSERT_LT(rig.turned(), -7);
  other.world.restore(rig.world.save());
  rig.steps(20);
  other.steps(20);
  EXPECT_EQ(rig.world.observe().hash(), other.world.observe().hash());
}

TEST(CableDrum, WinchOfTheLibrary_LiftsAsItsDescriptionSays) {
  World world = buildWorld(readScene("cable_winch"), makeDefaultRegistry());
  const auto tension = [&](const char* span) {
    return -world.joint(world.findJoint(span)).axisForce(0).limit;
  };
  const Real weight = 200 * kGravity;
  // From straight up to the near side of the drum, (1.2, -3.4) m away.
  const Real wrap = std::numbers::pi / 2 + std::atan2(3.4, 1.2) + std::asin(0.25 / std::sqrt(13));
  while (world.time() < 3) ASSERT_TRUE(world.step().solvesWithin);
  EXPECT_NEAR(world.body(world.findBody("load")).linearVelocity().z(), 1.5 * 0.25, 1e-4);
  EXPECT_NEAR(tension("rope"), weight, 1e-3 * weight);
  EXPECT_NEAR(tension("rope_1"), weight * std::exp(0.15 * wrap), 2e-3 * weight);
  while (world.time() < 6.5) ASSERT_TRUE(world.step().solvesWithin);
  EXPECT_NEAR(tension("rope_1"), weight * std::exp(-0.15 * wrap), 2e-3 * weight);
}

TEST(CableDrum, RefusesWhatItCannotBe) {
  CableRig rig;
  const BodyId a = rig.load(1, {1, 0, -2}), drum = rig.world.addBody(drumBody({0, 0, -1}));
  const auto problemOf = [&](std::vector<CablePoint> points) {
    try {
      rig.cable(std::move(points));
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  using testing::HasSubstr;
  const CablePoint onDrum{.body = drum, .drumRadius = kRadius};
  EXPECT_THAT(problemOf({onDrum, {a}}), HasSubstr("name the points from the other end"));
  EXPECT_THAT(problemOf({{a}, {.body = drum, .drumRadius = -1}}), HasSubstr("radius of a drum"));
  EXPECT_THAT(problemOf({{a}, {.body = drum, .drumRadius = 1, .axis = Vec3::Zero()}}),
              HasSubstr("axis of its drum"));
  EXPECT_THAT(problemOf({{a}, {.body = drum, .drumRadius = 3}}), HasSubstr("lies within the drum"));
  EXPECT_THAT(problemOf({{a}, {.body = drum, .position = {0, 0, 1}}, onDrum}),
              HasSubstr("its drum does not turn"));
  EXPECT_THROW(
      rig.world.addJoint(
          {.geometry = JointGeometry::kFrames, .bodyA = a, .bodyB = drum, .drumRadius = kRadius}),
      InputError);
  EXPECT_EQ(problemOf({{a}, onDrum}), "");
  EXPECT_THROW(rig.world.joint(rig.world.findJoint("cable")).setFriction(0, 1), InputError);
}

}  // namespace
}  // namespace drystone
