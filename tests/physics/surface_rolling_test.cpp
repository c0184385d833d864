// Rolling resistance against closed forms, with every solver of the model (M.9).
#include <gtest/gtest.h>

#include <cmath>

#include "core/input_error.h"
#include "scenes/scene_builder.h"
#include "scenes/scene_reader.h"
#include "tests/support/constants.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

using test::kGravity;
constexpr Real kRollerRadius = 0.5;
constexpr Real kRollingArm = 0.05;  // μ_r [m]

/// A world whose pairs have this resistance, of any body.
World rollingWorld(const WorldSettings& settings, Real resistance) {
  World world(settings, test::registry());
  world.setMaterialPair(0, 0, {.friction = 0.6, .rollingResistance = resistance});
  return world;
}

/// Rolls without slip by `velocity`.
BodyId addRollingBall(World& world, const Vec3& velocity) {
  return test::addBody(world, Sphere{kRollerRadius}, 2, {{0, 0, kRollerRadius}, Quat::Identity()},
                       velocity, Vec3::UnitZ().cross(velocity) / kRollerRadius);
}

std::string rollerName(const testing::TestParamInfo<std::string>& parameter) {
  std::string name = parameter.param;
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
}

std::vector<std::string> rollingSolvers() {
  std::vector<std::string> names;
  for (const std::string& name : test::registry().names()) {
    const SolverTraits& traits = test::registry().traits(name);
    if (traits.supports(FrictionModel::kRolling) && traits.takesBodyForm) names.push_back(name);
  }
  return names;
}

class Rolling : public testing::TestWithParam<std::string> {
 protected:
  WorldSettings settings() const { return test::settingsFor(GetParam(), FrictionModel::kRolling); }
};

TEST_P(Rolling, BallOnAPlane_SlowsDownByFiveSeventhsOfGTimesTheArmOverTheRadius) {
  World world = rollingWorld(settings(), kRollingArm);
  test::addPlane(world);
  const BodyId ball = addRollingBall(world, {0.6, 0.8, 0});
  Real work = 0;
  for (int i = 0; i < 30; ++i) {
    const StepReport& report = world.step();
    ASSERT_LE(std::abs(report.energy.ledgerError), 1e-11);
    work += report.energy.friction;
  }
  const Real left = 1 - 5.0 / 7 * kGravity * kRollingArm / kRollerRadius * 0.5;
  const Vec3 v = world.body(ball).linearVelocity();
  EXPECT_NEAR(v.norm(), left, 1e-6);
  EXPECT_NEAR(v.y() / v.x(), 0.8 / 0.6, 1e-5);
  EXPECT_NEAR(world.body(ball).angularVelocity().norm(), left / kRollerRadius, 1e-5);
  EXPECT_NEAR(work, 0.7 * 2 * (left * left - 1), 1e-5);  // 7/10 m v² in all
}

TEST_P(Rolling, BallOnAPlane_ComesToRestAndStays) {
  World world = rollingWorld(settings(), kRollingArm);
  test::addPlane(world);
  const BodyId ball = addRollingBall(world, {1, 0, 0});
  test::simulate(world, 3);
  // v²/2a of the closed form, plus up to half a step of v.
  const Real expected = 1 / (2 * 5.0 / 7 * kGravity * kRollingArm / kRollerRadius);
  EXPECT_NEAR(world.body(ball).centerOfMass().x(), expected, 0.5 / 60 + 1e-3);
  EXPECT_LE(world.body(ball).linearVelocity().norm(), 1e-8);
}

TEST_P(Rolling, BallOnASlope_RestsBelowTheAngleOfTheArmAndRollsAbove) {
  const Real critical = std::atan(kRollingArm / kRollerRadius);
  for (const Real share : {0.9, 1.5}) {
    World world = rollingWorld(settings(), kRollingArm);
    const Real angle = share * critical;
    const Quat q = test::turn(Vec3::UnitY(), angle);
    test::addSlope(world, angle, 0);
    const BodyId ball =
        test::addBody(world, Sphere{kRollerRadius}, 2, {q * Vec3(0, 0, kRollerRadius), q});
    test::simulate(world, 0.25);
    const Real early = world.body(ball).linearVelocity().norm();
    test::simulate(world, 0.5);
    const Real gained = (world.body(ball).linearVelocity().norm() - early) / 0.5;
    if (share < 1) {
      EXPECT_LE(world.body(ball).linearVelocity().norm(), 1e-7);
      continue;
    }
    const Real arm = kRollingArm / kRollerRadius;
    const Real expected = 5.0 / 7 * kGravity * (std::sin(angle) - arm * std::cos(angle));
    EXPECT_NEAR(gained / expected, 1, 1e-3);
  }
}

TEST_P(Rolling, Cylinder_SlowsDownByTwoThirds) {
  World world = rollingWorld(settings(), kRollingArm);
  test::addPlane(world);
  const Quat lying = test::turn(Vec3::UnitX(), M_PI / 2);
  const BodyId roller =
      test::addBody(world, Cylinder{.radius = kRollerRadius, .halfLength = 0.4}, 2,
                    {{0, 0, kRollerRadius}, lying}, {1, 0, 0}, {0, 1 / kRollerRadius, 0});
  test::simulate(world, 0.5);
  const Real left = 1 - 2.0 / 3 * kGravity * kRollingArm / kRollerRadius * 0.5;
  EXPECT_NEAR(world.body(roller).linearVelocity().x(), left, 1e-5);
}

TEST_P(Rolling, WithoutResistance_MovesAsUnderTheCone) {
  Vec3 velocity[2], spin[2];
  for (const bool rolls : {false, true}) {
    const FrictionModel model = rolls ? FrictionModel::kRolling : FrictionModel::kCone;
    World world = rollingWorld(test::settingsFor(GetParam(), model), 0);
    test::addGround(world);
    const BodyId ball = test::addBody(world, Sphere{kRollerRadius}, 2,
                                      {{0, 0, kRollerRadius}, Quat::Identity()}, {2, 1, 0});
    const BodyId box =
        test::addBody(world, Box{{0.5, 0.5, 0.05}}, 1, {{3, 0, 0.05}, Quat::Identity()}, {2, 1, 0});
    test::simulate(world, 0.3);
    velocity[rolls ? 1 : 0] = world.body(box).linearVelocity();
    spin[rolls ? 1 : 0] = world.body(ball).angularVelocity();
  }
  EXPECT_NEAR((velocity[1] - velocity[0]).norm(), 0, 1e-6);
  EXPECT_NEAR((spin[1] - spin[0]).norm(), 0, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Solver, Rolling, testing::ValuesIn(rollingSolvers()), rollerName);

TEST(RollingWarmStart, BallAtRestOnASlope_IsSolvedByTheImpulsesOfTheStepBefore) {
  World world = rollingWorld(test::settingsFor("nsgs", FrictionModel::kRolling), kRollingArm);
  const Real angle = 0.5 * kRollingArm / kRollerRadius;
  const Quat q = test::turn(Vec3::UnitY(), angle);
  test::addSlope(world, angle, 0);
  test::addBody(world, Sphere{kRollerRadius}, 2, {q * Vec3(0, 0, kRollerRadius), q});
  test::simulate(world, 1);
  EXPECT_EQ(world.step().worst.result.solver.iterations, 0);
}

TEST(RollingWarmStart, RestoredState_GoesOnBitForBit) {
  WorldSettings settings = test::settingsFor("sor-prox", FrictionModel::kRolling);
  settings.solver.budget.iterations = 2;  // so few that the answer shows where it started
  World world = rollingWorld(settings, kRollingArm);
  test::addSlope(world, 0.1, 0);
  const Quat q = test::turn(Vec3::UnitY(), 0.1);
  test::addBody(world, Box{Vec3::Constant(0.5)}, 1, {q * Vec3(0, 0, 0.5), q});
  test::simulate(world, 0.2);
  const std::vector<std::byte> state = world.save();
  test::simulate(world, 0.2);
  const std::uint64_t hash = world.observe().hash();
  world.restore(state);
  test::simulate(world, 0.2);
  EXPECT_EQ(world.observe().hash(), hash);
}

TEST(RollingPair, LargerResistanceCounts) {
  World world(test::settingsFor("auto", FrictionModel::kRolling), test::registry());
  const MaterialId rubber = world.addMaterial({.friction = 0.5, .rollingResistance = kRollingArm});
  test::addPlane(world, rubber);
  const BodyId ball = addRollingBall(world, {1, 0, 0});
  test::simulate(world, 0.25);
  EXPECT_NEAR(world.body(ball).linearVelocity().x(),
              1 - 5.0 / 7 * kGravity * kRollingArm / kRollerRadius * 0.25, 1e-6);
  EXPECT_THROW(world.addMaterial({.rollingResistance = -1}), InputError);
}

// A ball of I = 2/5 m r² that rolls without slip: a = 5/7 g (sin α - μ_r/r cos α), and none where
// tan α < μ_r/r. α = 5°, r = 0.25 m; the floor has no resistance, so that of the ball counts.
TEST(RollingBallsOfTheLibrary, RollAsTheirResistanceLetsThem) {
  World world = buildWorld(readScene("rolling_balls"), test::registry());
  const Real angle = 5 * M_PI / 180;
  const Vec3 downhill(std::cos(angle), 0, -std::sin(angle));
  test::simulate(world, 2);
  const auto expectSpeed = [&](const char* name, Real arm) {
    const Vec3 velocity = world.body(world.findBody(name)).linearVelocity();
    const Real speed = 2 * 5.0 / 7 * kGravity * (std::sin(angle) - arm / 0.25 * std::cos(angle));
    EXPECT_NEAR(velocity.dot(downhill) / speed, 1, 1e-3) << name;
  };
  expectSpeed("slope_steel", 0);
  expectSpeed("slope_rubber", 0.01);
  EXPECT_LE(world.body(world.findBody("slope_felt")).linearVelocity().norm(), 1e-6);
}

}  // namespace
}  // namespace drystone
