#include "scenes/scene_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/input_error.h"
#include "scenes/scene_library.h"
#include "scenes/scene_reader.h"
#include "solvers/default_registry.h"

namespace drystone {
namespace {

class BuiltScene : public testing::TestWithParam<LibraryScene> {};

TEST_P(BuiltScene, HasTheScenesBodiesInOrder) {
  const SolverRegistry registry = makeDefaultRegistry();
  const Scene scene =
      readScene(std::string(GetParam().name), {.overrides = {}, .registry = &registry});
  const World world = buildWorld(scene, registry);
  ASSERT_EQ(std::ssize(world.bodies()), std::ssize(scene.bodies));
  const std::vector<BodyId> bodies = world.bodies();
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    EXPECT_EQ(world.body(bodies[i]).name(), scene.bodies[i].name);
    EXPECT_EQ(world.body(bodies[i]).kind(), scene.bodies[i].kind);
  }
}

/// Those of hundreds of thousands of bodies are made by the generators of a smaller one.
std::vector<LibraryScene> builtScenes() {
  std::vector<LibraryScene> scenes(libraryScenes().begin(), libraryScenes().end());
  std::erase_if(scenes, [](const LibraryScene& scene) { return scene.name.ends_with("_large"); });
  return scenes;
}

INSTANTIATE_TEST_SUITE_P(All, BuiltScene, testing::ValuesIn(builtScenes()),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(SceneBuilder, DroppedBall_FallsByGravity) {
  const SolverRegistry registry = makeDefaultRegistry();
  World world = buildWorld(readScene("bounce"), registry);
  world.step();
  // Semi-implicit Euler from rest: v = -g h after a step. Round-off of one product allowed.
  EXPECT_NEAR(world.body(world.findBody("ball")).linearVelocity().z(), -9.81 / 60, 1e-15);
}

TEST(SceneBuilder, Stack_RestsOnTheGroundAfterAStep) {
  const SolverRegistry registry = makeDefaultRegistry();
  World world = buildWorld(readScene("stack_10"), registry);
  const StepReport& report = world.step();
  EXPECT_EQ(report.contacts, 40);  // four points a face, ten faces
  EXPECT_TRUE(report.withinTolerance);
}

TEST(SceneBuilder, JointsAndMaterials_ReachTheWorld) {
  const char* text = R"({"version": 1,
    "world": {"gravity": [0, 0, 0]},
    "materials": {"ice": {"friction": 0}},
    "bodies": [{"name": "a", "shape": {"type": "sphere", "radius": 0.5}, "material": "ice"},
               {"name": "b", "shape": {"type": "sphere", "radius": 0.5}, "position": [2, 0, 0], "mass": 5}],
    "joints": [{"type": "ball", "body_a": "a", "body_b": "b", "anchor": [1, 0, 0]}]})";
  const SolverRegistry registry = makeDefaultRegistry();
  const World world = buildWorld(readSceneText(text, "s.json"), registry);
  EXPECT_EQ(std::ssize(world.joints()), 1);
  EXPECT_NEAR(world.body(world.findBody("b")).mass(), 5, 1e-14);
}

TEST(SceneBuilder, MaterialsOfParts_AreThoseNamed) {
  const char* text = R"({"version": 1,
    "materials": {"ice": {"friction": 0}, "wood": {"friction": 0.4}},
    "bodies": [{"name": "floor", "kind": "static", "part_materials": ["wood", "ice"],
                "shape": {"type": "compound", "children": [
                  {"shape": {"type": "sphere", "radius": 1}},
                  {"shape": {"type": "sphere", "radius": 1}, "position": [3, 0, 0]}]}}]})";
  const SolverRegistry registry = makeDefaultRegistry();
  const World world = buildWorld(readSceneText(text, "s.json"), registry);
  const auto parts = world.body(world.findBody("floor")).definition().partMaterials;
  ASSERT_EQ(parts.size(), 2);
  EXPECT_EQ(world.material(parts[0]).friction, 0.4);
  EXPECT_EQ(world.material(parts[1]).friction, 0);
}

TEST(SceneBuilder, UnknownMaterialOfAPart_IsNamedWithItsPlace) {
  const char* text = R"({"version": 1, "materials": {"wood": {}}, "bodies": [
    {"shape": {"type": "sphere", "radius": 1}, "part_materials": ["wood", "wod"]}]})";
  try {
    readSceneText(text, "s.json");
    ADD_FAILURE() << "the name was taken";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what())
                  .find("/bodies/0/part_materials/1: there is no material \"wod\"; did you mean"),
              std::string::npos)
        << error.what();
  }
}

TEST(SceneBuilder, BodyThatTheEngineRefuses_IsNamedOnce) {
  const SolverRegistry registry = makeDefaultRegistry();
  Scene scene = readScene("bounce");
  const auto ball = std::find_if(scene.bodies.begin(), scene.bodies.end(),
                                 [](const BodyDefinition& body) { return body.name == "ball"; });
  ASSERT_NE(ball, scene.bodies.end());
  ball->mass = MassProperties{.mass = 1, .centerOfMass = Vec3::Zero(), .inertia = Mat3::Zero()};
  try {
    buildWorld(scene, registry);
    ADD_FAILURE() << "a body without inertia was built";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "body 'ball': inertia: must be positive definite; it was left out: "
                 "massOf(shape, mass) gives that of the shape with the mass");
  }
}

TEST(SceneBuilder, TimestepOfAnotherUnit_IsAnInputError) {
  const SolverRegistry registry = makeDefaultRegistry();
  Scene scene = readScene("bounce");
  scene.settings.timestep = 1001;
  EXPECT_THROW(buildWorld(scene, registry), InputError);
  scene.settings.timestep = 1000;
  EXPECT_NO_THROW(buildWorld(scene, registry));
}

TEST(SceneBuilder, UnknownSolver_IsAnInputError) {
  const SolverRegistry registry = makeDefaultRegistry();
  Scene scene = readScene("bounce");
  scene.settings.solver.name = "bppp";
  EXPECT_THROW(buildWorld(scene, registry), InputError);
}

}  // namespace
}  // namespace drystone
