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

/// Budgets of sweeps: dense piles, which take an exact solver up to seconds a step.
const std::set<std::string_view> kFewSweeps = {"pile_1000", "pile_4000", "pile_8000",
                                               "spheres_box"};
/// Those that have a smaller one of their kind are left to the study.
const std::set<std::string_view> kLarge = {"ball_grid_large", "ball_grid_medium",
                                           "ball_pile_large"};

/// Thousands of rows, of which the first steps take a second each: fewer of them.
const std::set<std::string_view> kSlow = {"ball_pile_small", "joint_grid", "pyramid_20"};

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
  constexpr int kFirstSteps = 15, kFewSteps = 3;
  int scenes = 0;
  for (const LibraryScene& scene : libraryScenes()) {
    if (kFewSweeps.contains(scene.name) || kLarge.contains(scene.name)) continue;
    worstOf(std::string(scene.name), kSlow.contains(scene.name) ? kFewSteps : kFirstSteps);
    ++scenes;
  }
  EXPECT_GE(scenes, 40);
}

// Heavy machines on Coulomb friction: 3000 rows of which joints leave 400.
TEST(Library, TrucksAsTheyMeetTheGround_MissNoStepOnTheExactCone) {
  EXPECT_GE(worstOf("trucks", 30).rows, 3000);
}

}  // namespace
}  // namespace drystone
