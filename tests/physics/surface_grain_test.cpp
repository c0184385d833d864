// Friction within an ellipse against closed forms: docs/theory/friction.md, (M.9).
#include <gtest/gtest.h>

#include "core/input_error.h"
#include "scenes/scene_builder.h"
#include "scenes/scene_reader.h"
#include "tests/support/constants.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

using test::kGravity;
constexpr Real kAlong = 0.1;
constexpr Real kAcross = 0.4;
constexpr Real kSteepAngle = M_PI / 6;

/// A world of one grain, whose pairs with the default material have its coefficients.
struct GrainWorld {
  explicit GrainWorld(const WorldSettings& settings) : GrainWorld(settings, sledge()) {}
  GrainWorld(const WorldSettings& settings, const Material& surface)
      : world(settings, test::registry()), grain(world.addMaterial(surface)) {
    world.setMaterialPair(grain, 0, surface);
  }
  static Material sledge() { return sledge(Vec3::UnitX()); }
  static Material sledge(const Vec3& direction) {
    return {.friction = kAlong, .frictionAcross = kAcross, .frictionDirection = direction};
  }
  BodyId add(const Shape& shape, const Pose& pose, const Vec3& velocity = Vec3::Zero(),
             const Vec3& spin = Vec3::Zero()) {
    const BodyId id = test::addBody(world, shape, 1, pose, velocity, spin);
    world.body(id).setMaterial(grain);
    return id;
  }
  BodyId addBlock(const Quat& turn, const Vec3& place = {0, 0, 0.05},
                  const Vec3& velocity = Vec3::Zero(), const Vec3& spin = Vec3::Zero()) {
    return add(Box{{0.5, 0.5, 0.05}}, {place, turn}, velocity, spin);
  }
  /// A block on a slope that falls towards +x, turned on it by `angle` to the left.
  BodyId addBlockOnSlope(Real slope, Real angle) {
    test::addSlope(world, slope, 0);
    const Quat q = test::turn(Vec3::UnitY(), slope);
    return addBlock(q * test::turn(Vec3::UnitZ(), angle), q * Vec3(0, 0, 0.05));
  }

  World world;
  MaterialId grain;
};

/// Friction per unit of normal force of a slip along `v`, in the axes of the ellipse: of all that
/// the ellipse has, it takes the most power from v.
Vec3 slidingFriction(const Vec3& v) {
  const Vec3 scaled(kAlong * kAlong * v.x(), kAcross * kAcross * v.y(), 0);
  return -scaled / std::hypot(kAlong * v.x(), kAcross * v.y());
}

class AnisotropicFriction : public testing::TestWithParam<std::string> {};

TEST_P(AnisotropicFriction, BlockOnASlope_SlidesByTheFrictionOfItsDirection) {
  for (const auto& [angle, friction] : {std::pair{0.0, kAlong}, {M_PI / 2, kAcross}}) {
    GrainWorld one(test::settingsFor(GetParam()));
    const BodyId block = one.addBlockOnSlope(kSteepAngle, angle);
    test::simulate(one.world, 0.25);
    const Real early = one.world.body(block).linearVelocity().norm();
    test::simulate(one.world, 0.5);
    const Real gained = (one.world.body(block).linearVelocity().norm() - early) / 0.5;
    const Real expected = kGravity * (std::sin(kSteepAngle) - friction * std::cos(kSteepAngle));
    EXPECT_NEAR(gained / expected, 1, 1e-3) << friction;
  }
}

TEST_P(AnisotropicFriction, PushedAskew_LeavesAlongTheNormalOfTheEllipse) {
  GrainWorld one(test::settingsFor(GetParam()));
  const Real turned = 0.7;
  const BodyId block = one.addBlockOnSlope(kSteepAngle, turned);
  test::simulate(one.world, 0.25);
  const Quat toBlock = one.world.body(block).pose().rotation.conjugate();
  const Vec3 v = toBlock * one.world.body(block).linearVelocity();
  // In the block's axes: a = g sin α (cos β, -sin β) + g cos α f(v), and v ∥ a from rest.
  const Vec3 pull = kGravity * std::sin(kSteepAngle) * Vec3(std::cos(turned), -std::sin(turned), 0);
  const Vec3 a = pull + kGravity * std::cos(kSteepAngle) * slidingFriction(v);
  EXPECT_NEAR(a.cross(v).z() / (a.norm() * v.norm()), 0, 1e-5);
  EXPECT_NEAR(v.norm() / (0.25 * a.norm()), 1, 1e-3);
  EXPECT_GT(std::atan2(v.y(), v.x()), -turned + 0.1);  // it drifts towards its runners
}

TEST_P(AnisotropicFriction, SlidingBlock_LosesTheMostPower) {
  GrainWorld one(test::settingsFor(GetParam()));
  test::addGround(one.world);
  const Vec3 start(2, 1, 0);
  const BodyId block = one.addBlock(Quat::Identity(), {0, 0, 0.05}, start);
  one.world.step();
  const Vec3 v = one.world.body(block).linearVelocity();
  const Real h = one.world.settings().timestep;
  const Vec3 force = (v - start) / (kGravity * h);
  EXPECT_NEAR((force - slidingFriction(v)).norm(), 0, 1e-6);
  for (int i = 0; i < 90; ++i) {
    const Real angle = i * M_PI / 45;
    const Vec3 other(kAlong * std::cos(angle), kAcross * std::sin(angle), 0);
    EXPECT_LE(force.dot(v), other.dot(v) + 1e-6) << angle;
  }
}

std::vector<std::string> exactSolvers() {
  std::vector<std::string> names;
  for (const std::string& name : test::registry().names()) {
    const SolverTraits& traits = test::registry().traits(name);
    if (traits.supports(FrictionModel::kCone) && traits.takesBodyForm) names.push_back(name);
  }
  return names;
}

INSTANTIATE_TEST_SUITE_P(Solver, AnisotropicFriction, testing::ValuesIn(exactSolvers()),
                         [](const auto& parameter) {
                           std::string name = parameter.param;
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

/// Where a block that is pushed by (2, 1) and spun ends after 0.3 s.
struct End {
  Vec3 velocity, spin;
};
End endOf(GrainWorld& one, const Quat& turn, Real spin, Real duration = 0.3) {
  const BodyId block = one.addBlock(turn, {0, 0, 0.05}, turn * Vec3(2, 1, 0), {0, 0, spin});
  test::simulate(one.world, duration);
  const ConstBodyHandle at = std::as_const(one.world).body(block);
  return {turn.conjugate() * at.linearVelocity(), at.angularVelocity()};
}

TEST(Grain, TurnedWithItsBody_TurnsTheMotion) {
  GrainWorld straight(test::settingsFor("bpp-auto"));
  test::addPlane(straight.world);
  GrainWorld turned(test::settingsFor("bpp-auto"));
  test::addPlane(turned.world);
  const End expected = endOf(straight, Quat::Identity(), 3);
  const End got = endOf(turned, test::turn(Vec3::UnitZ(), 0.6), 3);
  EXPECT_NEAR((got.velocity - expected.velocity).norm(), 0, 1e-7);
  EXPECT_NEAR((got.spin - expected.spin).norm(), 0, 1e-7);
}

TEST(Grain, OfEqualCoefficients_GivesTheBitsOfNone) {
  const Material plain{.friction = 0.3};
  const Material equal{.friction = 0.3, .frictionAcross = 0.3, .frictionDirection = Vec3(1, 2, 3)};
  GrainWorld one(test::settingsFor("bpp-auto"), plain);
  GrainWorld other(test::settingsFor("bpp-auto"), equal);
  for (GrainWorld* each : {&one, &other}) {
    test::addGround(each->world);
    endOf(*each, test::turn(Vec3::UnitZ(), 0.3), 2);
  }
  EXPECT_EQ(one.world.observe().hash(), other.world.observe().hash());
}

TEST(Grain, CarriedFromInnerStepToInnerStep_TurnsWithTheBody) {
  // A puck that spins by half a turn in 30 steps; without turning the direction it ends elsewhere.
  End ends[2];
  for (const Detection detection : {Detection::kSubstep, Detection::kStep}) {
    WorldSettings settings = test::settingsFor("bpp-auto");
    settings.timestep = 1.0 / 15;
    settings.substeps = 16;
    settings.detection = detection;
    GrainWorld one(settings);
    test::addPlane(one.world);
    ends[static_cast<int>(detection)] = endOf(one, Quat::Identity(), 10);
  }
  EXPECT_NEAR((ends[0].velocity - ends[1].velocity).norm(), 0, 1e-4);
  EXPECT_NEAR((ends[0].spin - ends[1].spin).norm(), 0, 1e-4);
}

TEST(Grain, SquareToTheSurface_LeavesTheMeanFriction) {
  GrainWorld one(test::settingsFor("bpp-auto"), GrainWorld::sledge(Vec3::UnitZ()));
  test::addGround(one.world);
  const End end = endOf(one, Quat::Identity(), 0, 0.25);
  const Real expected = std::sqrt(5.0) - std::sqrt(kAlong * kAcross) * kGravity * 0.25;
  EXPECT_NEAR(end.velocity.norm(), expected, 1e-6);
  EXPECT_NEAR(end.velocity.y() / end.velocity.x(), 0.5, 1e-6);
}

TEST(Grain, OfBothBodies_MakesTheMeanOfTheirMatrices) {
  for (const auto& [direction, slip] : {std::pair{Vec3::UnitX(), 0.1}, {Vec3::UnitY(), 0.2}}) {
    World world(test::settingsFor("bpp-auto"), test::registry());
    const MaterialId lower = world.addMaterial(GrainWorld::sledge());
    const MaterialId upper = world.addMaterial(GrainWorld::sledge(direction));
    test::addGround(world, lower);
    const BodyId id =
        test::addBody(world, Box{{0.5, 0.5, 0.05}}, 1, {{0, 0, 0.05}, Quat::Identity()}, {2, 0, 0});
    world.body(id).setMaterial(upper);
    test::simulate(world, 0.25);
    // Side by side they keep their 0.1 along x; crossed, a circle of √(0.1 · 0.4) = 0.2.
    EXPECT_NEAR(world.body(id).linearVelocity().x(), 2 - slip * kGravity * 0.25, 1e-6) << slip;
  }
}

TEST(Grain, OfSoftMaterial_CreepsByItsComplianceOverTheRatio) {
  // Holding a pull p a step, a contact of compliance C creeps at C p; across an ellipse at C p/s.
  Real creep[2];
  for (const bool hasGrain : {false, true}) {
    Material soft{.friction = 1.5, .compliance = 1e-3};
    if (hasGrain) soft.frictionAcross = 0.9;
    GrainWorld one(test::settingsFor("bpp-auto"), soft);
    const BodyId block = one.addBlockOnSlope(0.3, M_PI / 2);
    test::simulate(one.world, 1);
    creep[hasGrain ? 1 : 0] = one.world.body(block).linearVelocity().norm();
  }
  EXPECT_GT(creep[0], 1e-5);
  EXPECT_NEAR(creep[1] / creep[0], 1.5 / 0.9, 1e-3);
}

TEST(Grain, TangentialRestitution_ReboundsAsWithoutGrain) {
  for (const ImpactLaw law : {ImpactLaw::kNewton, ImpactLaw::kPoisson}) {
    Vec3 rebound[2];
    for (const bool hasGrain : {false, true}) {
      Material rubber{.friction = 5, .restitution = 0.5, .tangentialRestitution = 0.6};
      if (hasGrain) {
        rubber.frictionAcross = 2;
        rubber.frictionDirection = Vec3(1, 2, 0);
      }
      WorldSettings settings = test::settingsFor("bpp-auto");
      settings.impactLaw = law;
      GrainWorld one(settings, rubber);
      test::addPlane(one.world);
      const BodyId id = one.add(Sphere{0.5}, {{0, 0, 0.55}, Quat::Identity()}, {1, -0.5, -4});
      test::simulate(one.world, 0.1);
      ASSERT_GT(one.world.body(id).linearVelocity().z(), 0);
      const Vec3 spin = one.world.body(id).angularVelocity();
      rebound[hasGrain ? 1 : 0] =
          one.world.body(id).linearVelocity() + spin.cross(Vec3(0, 0, -0.5));
    }
    EXPECT_NEAR(rebound[0].x(), -0.6, 1e-6);
    EXPECT_NEAR((rebound[1] - rebound[0]).norm(), 0, 1e-7);
  }
}

TEST(Grain, SoftSteps_SlideByTheFrictionOfTheDirection) {
  for (const auto& [angle, friction] : {std::pair{0.0, kAlong}, {M_PI / 2, kAcross}}) {
    WorldSettings settings;
    settings.stepping = Stepping::kSoft;
    GrainWorld one(settings);
    const BodyId block = one.addBlockOnSlope(kSteepAngle, angle);
    test::simulate(one.world, 1);
    const Real expected = kGravity * (std::sin(kSteepAngle) - friction * std::cos(kSteepAngle));
    EXPECT_NEAR(one.world.body(block).linearVelocity().norm() / expected, 1, 0.02) << friction;
  }
}

TEST(Grain, WorkOfFriction_IsAllThatASlidingBlockLoses) {
  GrainWorld one(test::settingsFor("bpp-auto"));
  test::addGround(one.world);
  const BodyId block = one.addBlock(Quat::Identity(), {0, 0, 0.05}, {2, 1, 0});
  Real work = 0;
  for (int i = 0; i < 15; ++i) {
    const EnergyLedger& ledger = one.world.step().energy;
    ASSERT_LE(std::abs(ledger.ledgerError), 1e-11) << i;
    work += ledger.friction;
  }
  const Real left = 0.5 * one.world.body(block).linearVelocity().squaredNorm();
  EXPECT_NEAR(work, left - 0.5 * 5, 1e-6);
}

TEST(Grain, SkisOfTheLibrary_RunDownAskewAndHold) {
  World world = buildWorld(readScene("skis"), test::registry());
  const Real angle = 20 * M_PI / 180;
  const auto find = [&](const std::string& name) {
    for (const BodyId body : world.bodies()) {
      if (world.body(body).name().find(name) != std::string::npos) return body;
    }
    return BodyId{};
  };
  test::simulate(world, 2);
  const Vec3 downhill(std::cos(angle), 0, -std::sin(angle));
  const Vec3 down = world.body(find("down")).linearVelocity();
  const Real expected = 2 * kGravity * (std::sin(angle) - 0.05 * std::cos(angle));
  EXPECT_NEAR(down.dot(downhill) / expected, 1, 1e-3);
  EXPECT_LE(world.body(find("across")).linearVelocity().norm(), 1e-6);
  const Vec3 askew = world.body(find("askew")).linearVelocity();
  EXPECT_GT(askew.y(), 0.5 * askew.dot(downhill));
}

TEST(Grain, PairsAndMaterials_RefuseWhatHasNoMeaning) {
  World world({}, test::registry());
  EXPECT_THROW(world.addMaterial({.friction = 0, .frictionAcross = 0.4}), InputError);
  EXPECT_THROW(world.addMaterial({.frictionAcross = 0.0}), InputError);
  EXPECT_THROW(world.addMaterial({.frictionDirection = Vec3::Zero()}), InputError);
  EXPECT_THROW(world.setMaterialPair(0, 0, GrainWorld::sledge()), InputError);
}

}  // namespace
}  // namespace drystone
