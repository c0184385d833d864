// Joints of machines in scenes: wheels, racks and pulleys, and the scenes of the page on scene
// files, which have a joint of each type.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "engine/model/joint_presets.h"
#include "scenes/scene_builder.h"
#include "solvers/default_registry.h"
#include "tests/unit/scenes/scene_testing.h"

namespace drystone {
namespace {

/// The last of some joints between a post at the origin and three bodies, a, b and c.
JointDefinition lastJointOf(const std::string& joints) {
  const Scene scene = readSections(
      R"("shapes": {"ball": {"type": "sphere", "radius": 0.1}}, "bodies": [)"
      R"({"name": "post", "kind": "static"}, {"name": "a", "shape": "ball", "position": [1, 0, 0]}, )"
      R"({"name": "b", "shape": "ball", "position": [0, 1, 0]}, {"name": "c", "shape": "ball"}], )"
      R"("joints": [)" +
      joints + "]");
  return scene.joints.back().definition;
}

JointDefinition wheelWith(const std::string& keys) {
  return lastJointOf(R"({"type": "wheel", "body_a": "post", "body_b": "a", "anchor": [1, 0, 0],
    "steer_axis": [0, 0, 2], "wheel_axis": [0, 1, 0])" +
                     keys + "}");
}

TEST(WheelOfAScene, TravelsAndSpinsAndIsSteeredWhereThatIsSaid) {
  const JointDefinition bare = wheelWith("");
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(bare.axes[i].isLocked(), i != kAlongX && i != kAboutZ) << i;
  }
  EXPECT_NEAR((bare.frameA.rotation * Vec3::UnitX() - Vec3::UnitZ()).norm(), 0, 1e-15);
  EXPECT_NEAR((bare.frameA.rotation * Vec3::UnitZ() - Vec3::UnitY()).norm(), 0, 1e-15);
  EXPECT_FALSE(wheelWith(R"(, "steer": {})").axes[kAboutX].isLocked());
  EXPECT_FALSE(wheelWith(R"(, "steer": "free")").axes[kAboutX].isLocked());
  EXPECT_TRUE(wheelWith(R"(, "suspension": "locked")").axes[kAlongX].isLocked());
  const JointDefinition whole = wheelWith(
      R"(, "suspension": {"upper": 0.2, "spring": {"stiffness": 7}}, "steer": {"lower": -0.5}, "spin": {"friction": 3})");
  EXPECT_EQ(whole.axes[kAlongX].upper, 0.2);
  EXPECT_EQ(whole.axes[kAlongX].spring->stiffness, 7);
  EXPECT_EQ(whole.axes[kAboutX].lower, -0.5);
  EXPECT_EQ(whole.axes[kAboutX].upper, kInfinity);
  EXPECT_EQ(whole.axes[kAboutZ].friction, 3);
}

const char* const kRopes =
    R"({"type": "distance", "name": "one", "body_a": "post", "body_b": "a", "anchor_a": [1, 0, 2], "anchor_b": [0, 0, 0], "lower": 0.1},
{"type": "distance", "name": "two", "body_a": "post", "body_b": "b", "anchor_a": [0, 1, 2], "anchor_b": [0, 0, 0], "lower": 0.1}, )";

TEST(GearsOfAScene, HaveTheirNumberAndARopeItsSlack) {
  const JointDefinition pulley = lastJointOf(
      kRopes +
      std::string(R"({"type": "pulley", "joint_a": "one", "joint_b": "two", "ratio": 2})"));
  EXPECT_EQ(pulley.gearRatio, 2);
  EXPECT_EQ(pulley.axes[0].lower, -kInfinity);
  EXPECT_EQ(pulley.axes[0].upper, 0);
  const JointDefinition gear = lastJointOf(
      kRopes + std::string(R"({"type": "gear", "joint_a": "one", "joint_b": "two", "ratio": 2})"));
  EXPECT_TRUE(gear.axes[0].isLocked());
  const JointDefinition rack = lastJointOf(
      R"({"type": "slider", "name": "guide", "body_a": "post", "body_b": "a", "anchor": [1, 0, 0], "axis": [1, 0, 0]},
{"type": "hinge", "name": "axle", "body_a": "post", "body_b": "b", "anchor": [0, 1, 0], "axis": [0, 0, 1]},
{"type": "rack_and_pinion", "joint_a": "guide", "joint_b": "axle", "radius": 0.3})");
  EXPECT_EQ(rack.gearRatio, -0.3);
  EXPECT_TRUE(rack.axes[0].isLocked());
  const JointDefinition winch = lastJointOf(
      kRopes + std::string(R"({"type": "hinge", "name": "drum", "body_a": "post", "body_b": "b", )"
                           R"("anchor": [0, 1, 0], "axis": [0, 0, 1]},
{"type": "winch", "joint_a": "one", "joint_b": "drum", "radius": 0.3})"));
  EXPECT_EQ(winch.gearRatio, 0.3);
  EXPECT_EQ(winch.axes[0].lower, -kInfinity);
  EXPECT_EQ(winch.axes[0].upper, 0);
}

TEST(PageOfSceneFiles, ShowsScenesThatRunWithoutAWordAndEveryTypeOfJoint) {
  std::ostringstream text;
  text << std::ifstream(DRYSTONE_SOURCE_DIR "/docs/scene_format.md").rdbuf();
  const std::string page = text.str(), mark = "```json\n";
  int scenes = 0;
  for (std::size_t at = page.find(mark); at != std::string::npos; at = page.find(mark, at + 1)) {
    const std::size_t begin = at + mark.size();
    const std::string block = page.substr(begin, page.find("```", begin) - begin);
    if (!block.starts_with("{\n  \"version\"")) continue;  // a part of a scene
    const Scene scene = readSceneText(block, "scene_format.md");
    EXPECT_THAT(scene.warnings, testing::IsEmpty()) << scene.name;
    const SolverRegistry registry = makeDefaultRegistry();
    World world = buildWorld(scene, registry);
    for (int i = 0; i < 20; ++i) EXPECT_TRUE(world.step().withinTolerance) << scene.name;
    ++scenes;
  }
  EXPECT_EQ(scenes, 4);
  for (const JointPreset& preset : jointPresets()) {
    EXPECT_THAT(page, testing::HasSubstr("{\"type\": \"" + std::string(preset.name) + "\""))
        << preset.name;
  }
}

}  // namespace
}  // namespace drystone
