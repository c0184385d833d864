// What must stand, stands: whole scenes of the library with an exact solver, judged at every step.
#include <gtest/gtest.h>

#include <algorithm>

#include "scenes/scene_builder.h"
#include "scenes/scene_reader.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

struct Outcome {
  Real drift = 0;       ///< farthest any dynamic body ever was from its start [m]
  Real naturalMap = 0;  ///< worst of all steps [m/s]
  Real lateDrift = 0;   ///< farthest any body moved in the last half [m]
};

Outcome simulate(const std::string& name, Real duration,
                 const std::vector<ParameterOverride>& overrides = {}) {
  World world = buildWorld(readScene(name, {.overrides = overrides}), test::registry());
  std::vector<BodyId> bodies;
  std::vector<Vec3> start, half;
  for (const BodyId body : world.bodies()) {
    if (world.body(body).kind() == BodyKind::kDynamic) bodies.push_back(body);
  }
  for (const BodyId body : bodies) start.push_back(world.body(body).centerOfMass());
  Outcome outcome;
  const int steps = static_cast<int>(std::lround(duration / world.settings().timestep));
  for (int step = 0; step < steps; ++step) {
    outcome.naturalMap = std::max(outcome.naturalMap, world.step().naturalMap);
    if (step == steps / 2) {
      for (const BodyId body : bodies) half.push_back(world.body(body).centerOfMass());
    }
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const Vec3 place = world.body(bodies[i]).centerOfMass();
      outcome.drift = std::max(outcome.drift, (place - start[i]).norm());
      if (!half.empty()) outcome.lateDrift = std::max(outcome.lateDrift, (place - half[i]).norm());
    }
  }
  return outcome;
}

// 1e-8 m/s is what counts as exact: a body that moved so for a year would go 30 cm.
constexpr Real kExact = 1e-8;

// Bounds of drift: some ten times those of docs/results/accuracy.md, far inside what is asked.
TEST(LibraryScene, Stack40_StandsForTenSeconds) {
  const Outcome outcome = simulate("stack_40", 10);
  EXPECT_LE(outcome.drift, 1e-7);
  EXPECT_LE(outcome.naturalMap, kExact);
}

TEST(LibraryScene, CardHouse_StandsForTenSeconds) {
  const Outcome outcome = simulate("card_house", 10);
  EXPECT_LE(outcome.drift, 1e-7);
  EXPECT_LE(outcome.naturalMap, kExact);
}

TEST(LibraryScene, Arch_StandsForTenSeconds) {
  const Outcome outcome = simulate("arch", 10);
  EXPECT_LE(outcome.drift, 1e-4);
  EXPECT_LE(outcome.naturalMap, kExact);
}

// Rounds between the two QPs creep on both: friction and normals bear the same loads.
TEST(LibraryScene, CardHouseAndArch_TakeFewRoundsOfStaggeredProjectionsWithDiamonds) {
  for (const char* name : {"card_house", "arch"}) {
    const Outcome outcome = simulate(name, 10,
                                     {{"solver.name", "staggered"},
                                      {"solver.max_iterations", "10"},
                                      {"world.friction", "diamond"}});
    EXPECT_LE(outcome.naturalMap, 1e-6) << name;
    EXPECT_LE(outcome.drift, 1e-4) << name;
    EXPECT_LE(outcome.lateDrift, 5e-5) << name;
  }
}

// The bricks of a wall that is hit: redundant contacts that slide, whose sets have no Newton step
// that leads to them.
TEST(LibraryScene, WallThatIsHit_IsSolvedInFiftyRoundsOfStaggeredProjections) {
  for (const char* friction : {"diamond", "pyramid", "cone"}) {
    const Outcome outcome = simulate("wall", 0.5,
                                     {{"solver.name", "staggered"},
                                      {"solver.max_iterations", "50"},
                                      {"world.friction", friction}});
    // One step of the pyramid's stalls at 2.2e-6 m/s, however many rounds it gets.
    EXPECT_LE(outcome.naturalMap, friction == std::string("pyramid") ? 5e-6 : 1e-6) << friction;
    EXPECT_GE(outcome.drift, 0.1) << friction;
  }
}

TEST(LibraryScene, AMillionOnOne_SinksLessThanATenthOfAMillimetre) {
  for (const char* ratio : {"10000", "1000000"}) {
    const Outcome outcome = simulate("heavy_on_light", 5, {{"scene.ratio", ratio}});
    EXPECT_LE(outcome.drift, 1e-4) << "1:" << ratio;
    EXPECT_LE(outcome.naturalMap, kExact) << "1:" << ratio;
  }
}

TEST(LibraryScene, SlopeStick_CreepsLessThanANanometreASecond) {
  EXPECT_LE(simulate("slope_stick", 10).lateDrift, 1e-9 * 5);
}

TEST(LibraryScene, BrickWall_StandsExactly) {
  // One second of 410 bricks; five are in docs/results/accuracy.md.
  const Outcome outcome = simulate("brick_wall_20x20", 1);
  EXPECT_LE(outcome.drift, 1e-6);
  EXPECT_LE(outcome.naturalMap, kExact);
}

TEST(LibraryScene, SlopeSlip_AcceleratesAtGSinMinusMuCos) {
  World world = buildWorld(readScene("slope_slip"), test::registry());
  BodyId box;
  for (const BodyId body : world.bodies()) {
    if (world.body(body).kind() == BodyKind::kDynamic) box = body;
  }
  const Real angle = 30 * M_PI / 180;
  const Vec3 downhill(std::cos(angle), 0, -std::sin(angle));
  for (int step = 0; step < 30; ++step) world.step();
  const Real before = world.body(box).linearVelocity().dot(downhill);
  for (int step = 0; step < 60; ++step) world.step();
  const Real measured = world.body(box).linearVelocity().dot(downhill) - before;
  EXPECT_NEAR(measured / (9.81 * (std::sin(angle) - 0.2 * std::cos(angle))), 1, 1e-3);
}

}  // namespace
}  // namespace drystone
