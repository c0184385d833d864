// A warm start within the tolerance is taken as the answer, step after step. What rests must not
// creep by it: a velocity that is off by less than the tolerance moves a body by less than the
// tolerance times the time.
#include <gtest/gtest.h>

#include <algorithm>

#include "scenes/scene_builder.h"
#include "scenes/scene_reader.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

struct Rest {
  Real drift = 0;            ///< farthest any body went from where it had settled [m]
  Real kinetic = 0;          ///< largest kinetic energy [J]
  Real mass = 0;             ///< of all bodies that move [kg]
  double acceptedShare = 0;  ///< of the steps in which no solver was run
  Real time = 0;             ///< [s]
};

Rest watch(World& world, int steps) {
  constexpr int kSettling = 120;
  for (int step = 0; step < kSettling; ++step) world.step();
  Rest rest;
  std::vector<BodyId> bodies;
  std::vector<Vec3> start;
  for (const BodyId id : world.bodies()) {
    if (world.body(id).kind() != BodyKind::kDynamic) continue;
    bodies.push_back(id);
    start.push_back(world.body(id).centerOfMass());
    rest.mass += world.body(id).mass();
  }
  int accepted = 0;
  for (int step = 0; step < steps; ++step) {
    const StepReport& report = world.step();
    accepted += std::ranges::all_of(report.islands, [](const IslandReport& island) {
      return island.result.reason == SolveReason::kWarmStart;
    });
    rest.kinetic = std::max(rest.kinetic, report.energy.kinetic);
  }
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    rest.drift = std::max(rest.drift, (world.body(bodies[i]).centerOfMass() - start[i]).norm());
  }
  rest.acceptedShare = static_cast<double>(accepted) / steps;
  rest.time = steps * world.settings().timestep;
  return rest;
}

class Creep : public testing::TestWithParam<std::string> {};

TEST_P(Creep, TenThousandStepsAtRest_DriftByNoMoreThanToleranceTimesTime) {
  constexpr int kSteps = 10'000;
  Scene scene = readScene(GetParam());
  scene.settings.sleeping.enabled = false;
  World world = buildWorld(scene, test::registry());
  const Real tolerance = world.settings().solver.budget.tolerance;
  const Rest rest = watch(world, kSteps);
  EXPECT_GE(rest.acceptedShare, 0.99);
  EXPECT_LE(rest.drift, tolerance * rest.time);
  EXPECT_LE(rest.kinetic, 0.5 * rest.mass * tolerance * tolerance);
}

INSTANTIATE_TEST_SUITE_P(Library, Creep,
                         testing::Values("stack_40", "card_house", "arch", "pyramid_20"),
                         [](const auto& test) { return test.param; });

// At 0.999 of the critical angle friction has next to nothing to spare.
TEST(Creep, SlopeNearTheCriticalAngle_HoldsForTenThousandSteps) {
  World world(test::settingsFor("bpp-auto"), test::registry());
  WorldSettings settings = world.settings();
  const Real friction = 0.5;
  const Real angle = 0.999 * std::atan(friction);
  const MaterialId material = world.addMaterial({.friction = friction});
  world.setMaterialPair(0, material, {.friction = friction});
  const Quat q = test::turn(Vec3::UnitY(), angle);
  BodyDefinition slab;
  slab.kind = BodyKind::kStatic;
  slab.shape = Box{{100, 10, 1}};
  slab.pose = {q * Vec3(0, 0, -1), q};
  slab.material = material;
  world.addBody(slab);
  test::addBody(world, Box{Vec3::Constant(0.5)}, 1, {q * Vec3(0, 0, 0.5), q});
  const Rest rest = watch(world, 10'000);
  EXPECT_GE(rest.acceptedShare, 0.99);
  EXPECT_LE(rest.drift, settings.solver.budget.tolerance * rest.time);
}

}  // namespace
}  // namespace drystone
