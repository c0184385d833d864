// Coulomb friction against closed forms, with every solver of the exact cone.
#include <gtest/gtest.h>

#include "tests/support/constants.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

using test::kGravity;
constexpr Real kSlideStep = 1.0 / 60;

class Friction : public testing::TestWithParam<std::string> {
 protected:
  World makeWorld(Real friction) {
    World world(test::settingsFor(GetParam()), test::registry());
    material_ = world.addMaterial({.friction = friction});
    world.setMaterialPair(0, material_, {.friction = friction});
    return world;
  }
  /// A slab turned by `angle` about y, falling towards +x, and a unit box on it.
  BodyId boxOnSlope(World& world, Real angle, const Shape& shape = Box{Vec3::Constant(0.5)},
                    Real height = 0.5) {
    const Quat q = test::turn(Vec3::UnitY(), angle);
    test::addSlope(world, angle, material_);
    return test::addBody(world, shape, 1, {q * Vec3(0, 0, height), q});
  }
  MaterialId material_ = 0;
};

std::vector<std::string> coneSolvers() {
  std::vector<std::string> names;
  for (const std::string& name : test::registry().names()) {
    const SolverTraits& traits = test::registry().traits(name);
    if (traits.supports(FrictionModel::kCone) && traits.takesBodyForm) names.push_back(name);
  }
  return names;
}

TEST_P(Friction, BoxOnASteepSlope_SlidesAtGSinMinusMuCos) {
  World world = makeWorld(0.2);
  const Real angle = 30 * M_PI / 180;
  const BodyId box = boxOnSlope(world, angle);
  const Vec3 downhill = test::turn(Vec3::UnitY(), angle) * Vec3::UnitX();
  test::simulate(world, 0.5);
  const Real early = world.body(box).linearVelocity().dot(downhill);
  test::simulate(world, 1);
  const Real measured = world.body(box).linearVelocity().dot(downhill) - early;
  const Real expected = kGravity * (std::sin(angle) - 0.2 * std::cos(angle));
  EXPECT_NEAR(measured / expected, 1, 1e-3);
}

TEST_P(Friction, BoxOnAGentleSlope_Sticks) {
  World world = makeWorld(0.5);
  const BodyId box = boxOnSlope(world, 20 * M_PI / 180);
  test::simulate(world, 1);
  const Vec3 start = world.body(box).centerOfMass();
  test::simulate(world, 1);
  // Creep ≤ 1e-8 m/s: compliance gives 1e-9 · m g h sin θ; the rest is for solver tolerances.
  EXPECT_LE((world.body(box).centerOfMass() - start).norm(), 1e-8);
}

TEST_P(Friction, SlidingBox_StopsAfterV2Over2MuG) {
  World world = makeWorld(0.4);
  test::addGround(world, material_);
  const BodyId box =
      test::addBody(world, Box{{0.5, 0.5, 0.05}}, 1, {{0, 0, 0.05}, Quat::Identity()}, {3, 0, 0});
  test::simulate(world, 2);
  // Discrete: v_k = v - k μ g h, x = Σ h v_k; differs from v² / (2 μ g) by half a step of v.
  const Real expected = 3 * 3.0 / (2 * 0.4 * kGravity);
  EXPECT_NEAR(world.body(box).centerOfMass().x(), expected, 3 * kSlideStep / 2 + 1e-3);
  EXPECT_LE(world.body(box).linearVelocity().norm(), 1e-8);
}

TEST_P(Friction, SlidingDiagonally_FrictionOpposesTheSlip) {
  World world = makeWorld(0.3);
  test::addGround(world, material_);
  const BodyId box =
      test::addBody(world, Box{{0.5, 0.5, 0.05}}, 1, {{0, 0, 0.05}, Quat::Identity()}, {2, 1, 0});
  test::simulate(world, 0.25);
  // The exact cone keeps the direction of motion; a pyramid would turn it.
  const Vec3 v = world.body(box).linearVelocity();
  EXPECT_NEAR(v.y() / v.x(), 0.5, 1e-6);
  EXPECT_NEAR(v.norm(), std::sqrt(5.0) - 0.3 * kGravity * 0.25, 1e-6);
}

TEST_P(Friction, SlidingSphere_RollsAtFiveSeventhsOfItsSpeed) {
  World world = makeWorld(0.3);
  test::addGround(world, material_);
  const BodyId ball =
      test::addBody(world, Sphere{0.5}, 1, {{0, 0, 0.5}, Quat::Identity()}, {7, 0, 0});
  test::simulate(world, 2);
  // Rolling starts at t = 2 v / (7 μ g) = 0.68 s; impulse and its moment give v_end = 5/7 v.
  EXPECT_NEAR(world.body(ball).linearVelocity().x(), 5, 1e-6);
  EXPECT_NEAR(world.body(ball).angularVelocity().y(), 5 / 0.5, 1e-5);
}

TEST_P(Friction, TallBox_TipsBeyondAtanOfItsWidthOverHeight) {
  // A box 1 wide and 2 high tips when tan(angle) > 1/2, i.e. beyond 26.57 degrees.
  for (const auto& [degrees, tips] : {std::pair{25.5, false}, {27.5, true}}) {
    World world = makeWorld(2.0);
    const BodyId box = boxOnSlope(world, degrees * M_PI / 180, Box{{0.5, 0.5, 1}}, 1.0);
    test::simulate(world, 1.5);
    EXPECT_EQ(world.body(box).angularVelocity().norm() > 1e-2, tips) << degrees << " degrees";
  }
}

TEST_P(Friction, BlockOnABlock_ShareTheirMomentum) {
  World world = makeWorld(0.5);
  const MaterialId ice = world.addMaterial({.friction = 0});
  world.setMaterialPair(ice, 0, {.friction = 0});
  world.setMaterialPair(0, 0, {.friction = 0.5});
  test::addGround(world, ice);
  const BodyId lower = test::addBody(world, Box{{2, 0.5, 0.1}}, 3, {{0, 0, 0.1}, Quat::Identity()});
  const BodyId upper =
      test::addBody(world, Box{{0.2, 0.2, 0.05}}, 1, {{-1, 0, 0.25}, Quat::Identity()}, {2, 0, 0});
  test::simulate(world, 2);
  // m v = (m + M) v': 2 / 4 = 0.5 m/s for both.
  EXPECT_NEAR(world.body(upper).linearVelocity().x(), 0.5, 1e-7);
  EXPECT_NEAR(world.body(lower).linearVelocity().x(), 0.5, 1e-7);
}

TEST_P(Friction, FourRedundantContacts_CarryTheWeightInSum) {
  World world = makeWorld(0.5);
  test::addGround(world);
  test::addUnitBox(world, {0, 0, 0.5});
  test::simulate(world, 0.5);
  WorldSnapshot snapshot;
  world.observe().snapshot(snapshot);
  ASSERT_EQ(snapshot.contacts.size(), 4u);
  Vec3 sum = Vec3::Zero();
  for (const ContactSnapshot& contact : snapshot.contacts) sum += contact.impulse;
  // In rest the impulses of a step balance gravity: m g h upwards, nothing sideways.
  EXPECT_NEAR((sum - Vec3(0, 0, kGravity * kSlideStep)).norm(), 0, 1e-8);
}

INSTANTIATE_TEST_SUITE_P(Solver, Friction, testing::ValuesIn(coneSolvers()),
                         [](const auto& parameter) {
                           std::string name = parameter.param;
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

TEST(BoxFriction, TakesTheNormalImpulseOfTheStepBefore) {
  World world(test::settingsFor("bpp-auto", FrictionModel::kBox), test::registry());
  world.setMaterialPair(0, 0, {.friction = 0.4});
  test::addGround(world);
  const BodyId box =
      test::addBody(world, Box{{0.5, 0.5, 0.05}}, 1, {{0, 0, 0.05}, Quat::Identity()}, {3, 0, 0});
  test::simulate(world, 0.5);
  // Coulomb's μ g from the second step on; the first has no normal impulse to go by.
  EXPECT_NEAR(world.body(box).linearVelocity().x(), 3 - 0.4 * kGravity * (0.5 - kSlideStep), 1e-6);
}

TEST(Contensou, SpinningSphere_SlowsDownLinearly) {
  WorldSettings settings = test::settingsFor("sor-prox", FrictionModel::kContensou);
  World world(settings, test::registry());
  const MaterialId material = world.addMaterial({.friction = 0.4, .contensouRadius = 0.05});
  world.setMaterialPair(0, material, {.friction = 0.4, .contensouRadius = 0.05});
  test::addPlane(world, material);
  const BodyId ball = test::addBody(world, Sphere{0.5}, 1, {{0, 0, 0.5}, Quat::Identity()},
                                    Vec3::Zero(), {0, 0, 2});
  test::simulate(world, 0.5);
  // Pure torsion: λ_τ = 2/3 μ λ_n, τ = R λ_τ / h, so ω falls by (2/3) μ m g R t / I, I = 2/5 m r².
  const Real expected = 2 - (2.0 / 3) * 0.4 * kGravity * 0.05 * 0.5 / (0.4 * 0.25);
  EXPECT_NEAR(world.body(ball).angularVelocity().z(), expected, 1e-8);
}

}  // namespace
}  // namespace drystone
