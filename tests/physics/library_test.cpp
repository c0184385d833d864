// The promise of the default: every step of every scene of the library meets the tolerance, with
// the exact cone unless the scene is about another law. Here the first steps; `bench_exactness
// --library` does the whole durations.
#include <gtest/gtest.h>

#include <set>

#include "scenes/scene_builder.h"
#include "scenes/scene_library.h"
#include "scenes/scene_reader.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

/// Thousands of bodies that wait for their fall, and the budgets of sweeps of published runs.
const std::set<std::string_view> kLargePiles = {
    "ball_grid_large", "ball_grid_medium", "ball_grid_small", "ball_pile_large", "ball_pile_small",
    "bricks",          "pile_1000",        "pile_4000",       "pile_8000",       "spheres_box"};

/// The step with the worst solve of the first ones. All must have met their tolerances.
StepReport worstOf(const std::string& name, int steps) {
  Scene scene = readScene(name);
  scene.settings.friction = FrictionModel::kCone;
  World world = buildWorld(scene, test::registry());
  StepReport worst;
  for (int step = 0; step < steps; ++step) {
    const StepReport& report = world.step();
    if (report.naturalMap >= worst.naturalMap) worst = report;
    EXPECT_TRUE(report.withinTolerance)
        << name << ", step " << step + 1 << ": " << report.naturalMap << " m/s, joints "
        << report.jointError << " m, overlaps " << report.overlapError << " m";
  }
  return worst;
}

TEST(Library, FirstStepsOfEveryScene_MeetTheToleranceOnTheExactCone) {
  constexpr int kFirstSteps = 15;
  int scenes = 0;
  for (const LibraryScene& scene : libraryScenes()) {
    if (kLargePiles.contains(scene.name)) continue;
    worstOf(std::string(scene.name), kFirstSteps);
    ++scenes;
  }
  EXPECT_GE(scenes, 35);
}

// Heavy machines on Coulomb friction: 3000 rows of which joints leave 400.
TEST(Library, TrucksAsTheyMeetTheGround_MissNoStepOnTheExactCone) {
  EXPECT_GE(worstOf("trucks", 30).rows, 3000);
}

}  // namespace
}  // namespace drystone
