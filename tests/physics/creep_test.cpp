// A warm start that solves its problem is taken as the answer, step after step. What rests must
// neither creep by it nor jitter: velocities that are off by less than the tolerance move a body by
// less than the tolerance times the time.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "scenes/scene_builder.h"
#include "scenes/scene_reader.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

constexpr int kSteps = 10'000;

struct Rest {
  Real drift = 0;            ///< farthest any body is from where it had settled [m]
  Real fastest = 0;          ///< of the centres of mass, at any step [m/s]
  double acceptedShare = 0;  ///< of the steps in which no solver was run
};

Rest watch(World& world) {
  constexpr int kSettling = 120;
  for (int step = 0; step < kSettling; ++step) world.step();
  std::vector<BodyId> bodies;
  std::vector<Vec3> start;
  for (const BodyId id : world.bodies()) {
    if (world.body(id).kind() != BodyKind::kDynamic) continue;
    bodies.push_back(id);
    start.push_back(world.body(id).centerOfMass());
  }
  Rest rest;
  int accepted = 0;
  for (int step = 0; step < kSteps; ++step) {
    const StepReport& report = world.step();
    accepted += !report.islands.empty() &&
                std::ranges::all_of(report.islands, [](const IslandReport& island) {
                  return island.result.reason == SolveReason::kWarmStart;
                });
    rest.fastest = std::max(rest.fastest, report.maxSpeed);
  }
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    rest.drift = std::max(rest.drift, (world.body(bodies[i]).centerOfMass() - start[i]).norm());
  }
  rest.acceptedShare = static_cast<double>(accepted) / kSteps;
  return rest;
}

/// The velocity that a warm start may be off by adds up over the contacts from the ground to a
/// body: forty in a stack.
void expectRest(World& world, Real contactsToTheGround) {
  const Rest rest = watch(world);
  const Real accepted = 1e-3 * world.settings().solver.budget.tolerance;
  const Real time = kSteps * world.settings().timestep;
  EXPECT_GE(rest.acceptedShare, 0.5);
  EXPECT_LE(rest.drift, contactsToTheGround * accepted * time);
  EXPECT_LE(rest.fastest, contactsToTheGround * accepted);
}

class Creep : public testing::TestWithParam<std::string> {};

TEST_P(Creep, TenThousandStepsAtRest_DriftByNoMoreThanWhatIsAcceptedTimesTime) {
  Scene scene = readScene(GetParam());
  scene.settings.sleeping.enabled = false;
  World world = buildWorld(scene, test::registry());
  expectRest(world, 40);
}

INSTANTIATE_TEST_SUITE_P(Library, Creep, testing::Values("stack_40", "card_house"),
                         [](const auto& test) { return test.param; });

// Tangential rows have the compliance C, too, and nothing takes back what it lets through: a load
// that friction holds creeps at C λ_t, with λ_t = m g sin α h / n of n contacts. That is 10⁶ kg ·
// 9.81 m/s² · sin 20° / (240/s · 4) · 1e-9/kg = 3.5 µm/s.
TEST(Creep, OfAHeavyLoadOnASlope_IsComplianceTimesImpulse) {
  WorldSettings settings = test::settingsFor("bpp-auto");
  settings.timestep = 1.0 / 240;
  settings.solver.budget.tolerance = 1e-12;
  World world(settings, test::registry());
  const Real angle = 20 * M_PI / 180, mass = 1e6;
  const MaterialId material = world.addMaterial({.friction = 0.8});
  test::addSlope(world, angle, material);
  const Quat q = test::turn(Vec3::UnitY(), angle);
  BodyDefinition definition{.shape = Box{{1, 1, 0.25}}, .density = mass / 2, .material = material};
  definition.pose = {q * Vec3(0, 0, 0.25), q};
  const BodyId box = world.addBody(definition);
  test::simulate(world, 1);
  const Vec3 start = world.body(box).centerOfMass();
  test::simulate(world, 1);
  const Real expected = settings.stabilization.complianceFor(settings.timestep) * mass *
                        test::kGravity * std::sin(angle) * settings.timestep / 4;
  EXPECT_NEAR(expected, 3.5e-6, 1e-8);
  EXPECT_NEAR((world.body(box).centerOfMass() - start).norm() / expected, 1, 0.01);
}

// At 0.999 of the critical angle friction has next to nothing to spare.
TEST(Creep, SlopeNearTheCriticalAngle_HoldsForTenThousandSteps) {
  World world(test::settingsFor("bpp-auto"), test::registry());
  const Real friction = 0.5;
  const Real angle = 0.999 * std::atan(friction);
  const Quat q = test::turn(Vec3::UnitY(), angle);
  const MaterialId material = world.addMaterial({.friction = friction});
  world.setMaterialPair(0, material, {.friction = friction});
  test::addSlope(world, angle, material);
  test::addBody(world, Box{Vec3::Constant(0.5)}, 1, {q * Vec3(0, 0, 0.5), q});
  // The natural map takes half of the normal's own error, and friction follows the normal.
  expectRest(world, 3);
}

}  // namespace
}  // namespace drystone
