// How a scene stays laid out while it is simulated.
#include "core/input_error.h"
#include "tests/unit/viewer_session/simulation_fixture.h"

namespace drystone::viewer::test {
namespace {

/// A ball in a bin of two sides on a floor.
std::string binText(double height) {
  return R"({"version": 1, "name": "bin", "bodies": [
    {"name": "floor", "kind": "static", "shape": {"type": "plane"}, "position": [0, 0, )" +
         std::to_string(height) + R"(]},
    {"name": "left", "kind": "static", "shape": {"type": "box", "half_extents": [0.1, 2, 4]},
     "position": [-2, 0, 4]},
    {"name": "right", "kind": "static", "shape": {"type": "box", "half_extents": [0.1, 2, 4]},
     "position": [2, 0, 4]},
    {"name": "ball", "shape": {"type": "sphere", "radius": 0.5}, "position": [0, 0, 1]}]})";
}

std::vector<std::string> walls(const SceneView& scene) {
  std::vector<std::string> names;
  for (const ViewBody& body : scene.bodies) {
    if (body.isWall) names.push_back(body.name);
  }
  return names;
}

// The box comes from outside, where the camera is.
TEST(SceneOfASimulation, BoxThrownIntoABin_LeavesItsSidesGlass) {
  const TestFile file("bin.json", binText(0));
  Simulated run(file.path);
  const std::shared_ptr<const SceneView> before = run.frame().scene;
  ASSERT_EQ(walls(*before), (std::vector<std::string>{"left", "right"}));
  run.sendAndFinish(Throw{{9, -9, 20}, {0, 0, 0}, 0.2});
  const std::shared_ptr<const SceneView> after = run.frame().scene;
  ASSERT_EQ(after->bodies.size(), 5u);
  EXPECT_EQ(walls(*after), walls(*before));
  EXPECT_EQ(after->source, before->source);
  EXPECT_EQ(after->layout.ground.radius, before->layout.ground.radius);
  run.sendAndFinish(Restart{});
  EXPECT_EQ(run.frame().scene->bodies.size(), 4u);
  EXPECT_EQ(walls(*run.frame().scene), walls(*before));
}

TEST(SceneOfASimulation, FileThatWasEditedAndOpenedAgain_IsLaidOutAnew) {
  const TestFile file("bin.json", binText(0));
  Simulated run(file.path);
  const std::shared_ptr<const SceneView> before = run.frame().scene;
  EXPECT_EQ(before->layout.ground.height, 0);
  std::ofstream(file.path) << binText(-1.5);
  run.sendAndFinish(Open{file.path});
  const std::shared_ptr<const SceneView> after = run.frame().scene;
  EXPECT_EQ(after->name, before->name);
  EXPECT_NE(after->source, before->source);
  EXPECT_EQ(after->layout.ground.height, -1.5F);
}

Color colorOf(Simulated& run, const std::string& name) {
  for (const ViewBody& body : run.frame().scene->bodies) {
    if (body.name == name) return body.color.value_or(Color{});
  }
  return {};
}

TEST(SceneOfASimulation, ColorsOfBodies_GoBeforeThoseOfTheirMaterials) {
  const TestFile file("colors.json", R"({"version": 1, "name": "colors",
    "materials": {"rubber": {"friction": 1, "color": "#ff0000"}, "plain": {}},
    "bodies": [
      {"name": "own", "shape": {"type": "sphere", "radius": 1}, "material": "rubber",
       "color": "#0080FF"},
      {"name": "material's", "shape": {"type": "sphere", "radius": 1}, "material": "rubber",
       "position": [5, 0, 0]},
      {"name": "none", "shape": {"type": "sphere", "radius": 1}, "material": "plain",
       "position": [9, 0, 0]}]})");
  Simulated run(file.path);
  EXPECT_EQ(colorOf(run, "own"), (Color{0, 128.0F / 255, 1, 1}));
  EXPECT_EQ(colorOf(run, "material's"), (Color{1, 0, 0, 1}));
  EXPECT_FALSE(run.frame().scene->bodies[2].color.has_value());
  run.sendAndFinish(Throw{.position = {0, 0, 9}});
  EXPECT_FALSE(run.frame().scene->bodies[3].color.has_value()) << "it is not of the scene";
}

TEST(SceneOfASimulation, ColorThatIsNone_IsAnErrorWithItsPlace) {
  for (const char* color : {"red", "#12345", "#12345g", "#1234567", "0x12345"}) {
    const TestFile file("color.json", R"({"version": 1, "name": "colors", "bodies": [
      {"name": "a", "shape": {"type": "sphere", "radius": 1}, "color": ")" +
                                          std::string(color) + "\"}]}");
    try {
      Simulated run(file.path);
      ADD_FAILURE() << color;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("#rrggbb"));
      EXPECT_THAT(error.what(), testing::HasSubstr("color"));
    }
  }
}

TEST(SceneOfASimulation, CameraThatFollowsNoBody_IsAnErrorWithItsName) {
  const TestFile file("follow.json", R"({"version": 1, "name": "a", "bodies": [
      {"name": "ball", "shape": {"type": "sphere", "radius": 1}}],
      "camera": {"follow": "bal"}})");
  try {
    Simulated run(file.path);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("\"ball\""));
  }
}

}  // namespace
}  // namespace drystone::viewer::test
