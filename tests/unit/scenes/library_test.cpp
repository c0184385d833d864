// The library as a list: what is in it, and that each scene is read and described.

#include "scenes/scene_library.h"

#include <gtest/gtest.h>

#include "scenes/scene_reader.h"

namespace drystone {
namespace {

class LibraryScenes : public testing::TestWithParam<LibraryScene> {};

TEST_P(LibraryScenes, IsReadUnderItsOwnName) {
  const Scene scene = readScene(std::string(GetParam().name));
  EXPECT_EQ(scene.name, GetParam().name);
  EXPECT_FALSE(scene.description.empty());
  EXPECT_FALSE(scene.bodies.empty());
}

TEST_P(LibraryScenes, Description_IsToldWithoutReadingTheScene) {
  EXPECT_EQ(sceneDescription(GetParam()), readScene(std::string(GetParam().name)).description);
}

INSTANTIATE_TEST_SUITE_P(All, LibraryScenes,
                         testing::ValuesIn(libraryScenes().begin(), libraryScenes().end()),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(Library, HoldsTheClassicAndThePublishedScenes) {
  for (const char* name : {"wall",
                           "boxes",
                           "bricks",
                           "ball_grid_small",
                           "ball_grid_medium",
                           "ball_grid_large",
                           "ball_pile_small",
                           "ball_pile_large",
                           "spheres_box",
                           "bounce",
                           "stack_10",
                           "stack_20",
                           "stack_40",
                           "heavy_on_light",
                           "brick_wall_20x20",
                           "brick_wall_40x25",
                           "pyramid_20",
                           "pyramid_30",
                           "card_house",
                           "arch",
                           "slope_stick",
                           "slope_slip",
                           "pile_1000",
                           "pile_4000",
                           "pile_8000"}) {
    EXPECT_NE(findLibraryScene(name), nullptr) << name;
  }
}

TEST(Library, EveryScene_SaysHowManyRowsItsRunsHave) {
  for (const LibraryScene& scene : libraryScenes()) {
    EXPECT_GT(readScene(std::string(scene.name)).peakRows, 0)
        << scene.name << ": measure a run and add \"peak_rows\"";
  }
}

}  // namespace
}  // namespace drystone
