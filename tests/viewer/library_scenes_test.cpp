// Every scene of the library goes through the whole way from a world to pixels while it runs, with
// every option of the drawing, and the driver checks each call.
#include <gtest/gtest.h>

#include <map>

#include "scenes/scene_builder.h"
#include "scenes/scene_library.h"
#include "scenes/scene_reader.h"
#include "solvers/default_registry.h"
#include "viewer/draw/draw_scene.h"
#include "viewer/draw/scene_view.h"
#include "viewer/render/offscreen.h"
#include "viewer/session/measurer.h"

namespace drystone::test {
namespace {

constexpr int kFrames = 60, kFramesPerStep = 6;

/// Scenes of which a picture or a step takes a processor alone a good part of a second, for the
/// thousands to hundreds of thousands of bodies in it, with cones, boxes and contacts of each.
const std::map<std::string_view, int> kFewerFrames = {{"ball_pile_small", 6},
                                                      {"pile_8000", 12},
                                                      {"pile_4000", 24},
                                                      {"joint_grid", 24},
                                                      {"pyramid_30", 24}};

/// Goes through the options, so that each is on and off in some frames.
viewer::DrawOptions optionsOf(int frame) {
  viewer::DrawOptions options;
  const auto has = [frame](int bit) { return ((frame >> bit) & 1) != 0; };
  options.contactPoints = has(0);
  options.contactNormals = options.joints = has(1);
  options.impulses = options.bounds = has(2);
  options.cones = options.centersOfMass = has(3);
  options.transparent = has(4);
  options.axes = options.legends = has(5);
  options.wireframe = frame % 7 == 3;
  options.shadows = frame % 5 != 4;
  options.ground = frame % 11 != 5;
  options.bodies = static_cast<viewer::BodyColoring>(frame % 3);
  options.contacts = static_cast<viewer::ContactColoring>(frame % 3);
  return options;
}

/// Those that have a smaller one of their kind in the library are left to it.
std::vector<std::string> drawnScenes() {
  std::vector<std::string> names = librarySceneNames();
  std::erase_if(names, [](const std::string& name) {
    return name.ends_with("_large") || name.ends_with("_medium");
  });
  return names;
}

class SceneOfTheLibrary : public testing::TestWithParam<std::string> {};

TEST_P(SceneOfTheLibrary, IsDrawnWhileItRunsWithoutAnError) {
  const SolverRegistry registry = makeDefaultRegistry();
  const Scene scene = readScene(GetParam());
  World world = buildWorld(scene, registry);
  viewer::OffscreenRenderer renderer(192, 108, {.samples = 1, .debug = true});
  viewer::SceneDrawer drawer;
  viewer::DrawList list;
  viewer::Measurer measurer;
  viewer::ViewFrame frame;
  frame.scene = std::make_shared<const viewer::SceneView>(viewer::sceneViewOf(scene, world));
  frame.friction = world.settings().friction;
  world.observe().snapshot(frame.snapshot);
  viewer::Camera camera = initialCamera(frame, 16.0 / 9);
  const auto fewer = kFewerFrames.find(GetParam());
  const int frames = fewer == kFewerFrames.end() ? kFrames : fewer->second;
  for (int i = 0; i < frames; ++i) {
    if (i % kFramesPerStep == kFramesPerStep - 1) {
      frame.report = world.step();
      world.observe().snapshot(frame.snapshot);
      measurer.measure(world, {.residuals = true, .graphColors = true}, frame);
    }
    drawer.draw(frame, optionsOf(i), list);
    camera.orbit(0.1, 0.01);
    const viewer::Image image = renderer.render(list, camera);
    ASSERT_EQ(renderer.takeErrors(), "") << "picture " << i;
    if (i > 0) continue;  // the camera may lose small scenes from sight later
    const viewer::Image empty = renderer.render(viewer::DrawList(), camera);
    int different = 0;
    for (std::size_t k = 0; k < image.pixels.size(); ++k)
      different += image.pixels[k] != empty.pixels[k];
    ASSERT_GT(different, 300) << "shows nothing but the sky";
  }
  EXPECT_EQ(frame.snapshot.step, frames / kFramesPerStep);
  EXPECT_EQ(frame.contactResidual.size(), frame.snapshot.contacts.size());
}

INSTANTIATE_TEST_SUITE_P(Viewer, SceneOfTheLibrary, testing::ValuesIn(drawnScenes()),
                         [](const auto& one) { return one.param; });

}  // namespace
}  // namespace drystone::test
