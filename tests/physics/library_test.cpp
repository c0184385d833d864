// The promise of the default: every step of every scene of the library meets the tolerance, with
// the exact cone unless the scene is about another law. Here the first steps; `bench_exactness
// --library` does the whole durations. Joints and overlaps meet theirs but for a table of known
// misses.
#include <gtest/gtest.h>

#include <set>

#include "scenes/scene_builder.h"
#include "scenes/scene_library.h"
#include "scenes/scene_reader.h"
#include "tests/support/known_misses.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

/// Thousands of bodies that wait for their fall, and the budgets of sweeps of published runs.
const std::set<std::string_view> kLargePiles = {
    "ball_grid_large", "ball_grid_medium", "ball_grid_small", "ball_pile_large", "ball_pile_small",
    "bricks",          "pile_1000",        "pile_4000",       "pile_8000",       "spheres_box"};

/// The worst solve of the first steps.
StepReport worstOf(const std::string& name, int steps) {
  Scene scene = readScene(name);
  scene.settings.friction = FrictionModel::kCone;
  World world = buildWorld(scene, test::registry());
  StepReport worst;
  test::MissCount misses(name);
  for (int step = 0; step < steps; ++step) {
    const StepReport& report = world.step();
    if (report.naturalMap >= worst.naturalMap) worst = report;
    misses.add(report);
  }
  EXPECT_EQ(misses.contradictions(), "") << name;
  return worst;
}

TEST(Library, FirstStepsOfEveryScene_MeetTheToleranceOnTheExactCone) {
  constexpr int kFirstSteps = 15;
  int scenes = 0;
  for (const LibraryScene& scene : libraryScenes()) {
    if (kLargePiles.contains(scene.name)) continue;
    const StepReport worst = worstOf(std::string(scene.name), kFirstSteps);
    EXPECT_TRUE(worst.solvesWithin) << scene.name << ": " << worst.naturalMap << " m/s";
    ++scenes;
  }
  EXPECT_GE(scenes, 35);
}

// Heavy machines on Coulomb friction: 3000 rows of which joints leave 400.
TEST(Library, TrucksAsTheyMeetTheGround_MissNoStepOnTheExactCone) {
  const StepReport worst = worstOf("trucks", 30);
  EXPECT_TRUE(worst.solvesWithin) << worst.naturalMap;
  EXPECT_GE(worst.rows, 3000);
}

}  // namespace
}  // namespace drystone
