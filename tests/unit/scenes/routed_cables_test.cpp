// Section `cables`: what a scene says of cables from eyelet to eyelet, and its mistakes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "scenes/scene_builder.h"
#include "solvers/default_registry.h"
#include "tests/unit/scenes/scene_testing.h"

namespace drystone {
namespace {

constexpr const char* kShapes = R"("shapes": {"ball": {"type": "sphere", "radius": 0.1}}, )";
constexpr const char* kBodies =
    R"("bodies": [{"name": "post", "kind": "static"}, )"
    R"({"name": "a", "shape": "ball", "mass": 1, "position": [0, 0, -2]}, )"
    R"({"name": "b", "shape": "ball", "mass": 1, "position": [0, 0, -3]}], )";

/// A scene of a post at the origin and two balls 2 m and 3 m below it, with some cables.
std::string withCables(const std::string& cables, const std::string& rest = "") {
  return std::string(kShapes) + kBodies + R"("cables": [)" + cables + "]" + rest;
}

constexpr const char* kOverPost =
    R"("points": [{"body": "a"}, {"body": "post", "friction": 0.2}, {"body": "b"}])";

TEST(CableOfAScene, BecomesTheJointsOfItsSpans) {
  const Scene scene = readSections(withCables(
      std::string(R"({"name": "rope", "length": 6, "compliance": 1e-7, "breaking_impulse": 9, )") +
      kOverPost + "}, {" + kOverPost + "}"));
  ASSERT_EQ(scene.joints.size(), 4U);
  const JointDefinition &first = scene.joints[0].definition, &second = scene.joints[1].definition;
  EXPECT_EQ(first.name, "rope");
  EXPECT_EQ(second.name, "rope_1");
  EXPECT_EQ(first.axes[0].upper, 6);
  EXPECT_EQ(first.compliance, 1e-7);
  EXPECT_EQ(first.breakingImpulse, 9);
  EXPECT_EQ(second.breakingImpulse, 9);
  EXPECT_EQ(second.wrapFriction, 0.2);
  EXPECT_EQ(scene.joints[1].cable, 0);
  EXPECT_EQ(scene.joints[3].cable, 2);
  EXPECT_EQ(scene.joints[2].definition.name, "cable_1");
  EXPECT_EQ(scene.joints[2].definition.axes[0].upper, 5);  // its way at the start

  const World world = buildWorld(scene, makeDefaultRegistry());
  EXPECT_NEAR(world.joint(world.findJoint("rope")).coordinate(0), 5, 1e-15);
  EXPECT_NEAR(world.joint(world.findJoint("cable_1")).coordinate(0), 5, 1e-15);
}

TEST(CableOfAScene, AnchorIsAPointOfTheWorldAndPositionOneOfTheBody) {
  const Scene scene = readSections(
      withCables(R"({"points": [{"body": "a", "anchor": [1, 0, 0]}, {"body": "post"}, )"
                 R"({"body": "b", "position": [1, 0, 0]}]})"));
  EXPECT_EQ(scene.joints[0].definition.frameA.position, Vec3(1, 0, 2));
  EXPECT_EQ(scene.joints[1].definition.frameB.position, Vec3(1, 0, 0));
}

// Over a post that goes with each copy, turned by a right angle about x: what was below is beside.
TEST(CableOfAScene, IsCopiedWithItsGroup) {
  const Scene scene =
      readSections(std::string(kShapes) +
                   R"("generators": [{"type": "replicate", "name": "g", )"
                   R"("counts": [1, 2, 1], "offsets": [[0, 0, 0], [5, 0, 0]], )"
                   R"("orientation": {"axis": [1, 0, 0], "angle_deg": 90}, )" +
                   kBodies + R"("cables": [{"name": "rope", "length": 6, )" + kOverPost + "}]}]");
  ASSERT_EQ(scene.joints.size(), 4U);
  EXPECT_EQ(scene.joints[2].definition.name, "g_rope_0_1_0");
  EXPECT_EQ(scene.joints[3].definition.name, "g_rope_1_0_1_0");
  EXPECT_EQ(scene.joints[3].cable, 2);
  EXPECT_EQ(scene.joints[2].bodyA, 4);
  EXPECT_EQ(scene.joints[3].bodyA, 3);

  const World world = buildWorld(scene, makeDefaultRegistry());
  EXPECT_NEAR(world.body(world.findBody("g_b_0_1_0")).pose().position.y(), 3, 1e-12);
  EXPECT_NEAR(world.joint(world.findJoint("g_rope_0_1_0")).coordinate(0), 5, 1e-12);
}

TEST(CableOfAScene, IsChangedByTheCommandLine) {
  const std::string text = withCables(std::string(R"({"name": "rope", )") + kOverPost + "}");
  const Scene scene =
      readSections(text, {{"cables.rope.length", "7"}, {"cables.rope.points.1.friction", "0.5"}});
  EXPECT_EQ(scene.joints[0].definition.axes[0].upper, 7);
  EXPECT_EQ(scene.joints[1].definition.wrapFriction, 0.5);
  EXPECT_THAT(problemsOf(sceneWith(text), {.overrides = {{"cables.rop.length", "7"}}}),
              testing::ElementsAre(testing::HasSubstr("did you mean \"rope\"?")));
}

TEST(CableOfAScene, EndsOnADrum) {
  const Scene scene =
      readSections(withCables(R"({"points": [{"body": "a"}, {"body": "b", "drum_radius": 0.6, )"
                              R"("axis": [0, 3, 0]}]})"));
  const JointDefinition& span = scene.joints[0].definition;
  EXPECT_EQ(span.drumRadius, 0.6);
  EXPECT_NEAR((span.frameB.rotation * Vec3::UnitX() - Vec3::UnitY()).norm(), 0, 1e-15);
  EXPECT_NEAR(span.axes[0].upper, 0.8, 1e-15);  // along the tangent
  EXPECT_THAT(scene.warnings, testing::IsEmpty());
}

TEST(CableOfAScene, ShorterThanItsWay_IsWarnedOf) {
  const auto warningsOf = [](const std::string& length) {
    return readSections(
               withCables(R"({"name": "rope", "length": )" + length + ", " + kOverPost + "}"))
        .warnings;
  };
  EXPECT_THAT(warningsOf("4.5"), testing::ElementsAre(testing::HasSubstr(
                                     "/cables/0: cable 'rope' does not hold at the "
                                     "start: its way is 5 m, 0.5 m more")));
  EXPECT_TRUE(warningsOf("5").empty());
}

TEST(CableOfAScene, Mistakes_AreReportedWithTheirPlace) {
  const std::vector<Mistake> mistakes = {
      {"unknown body", withCables(R"({"points": [{"body": "a"}, {"body": @"pst"}]})"),
       R"(/cables/0/points/1/body: there is no body "pst"; did you mean "post"?)"},
      {"no body", withCables(R"({"points": [{"body": "a"}, @{}]})"),
       R"(/cables/0/points/1: cable_point needs "body")"},
      {"no points", withCables("@{}"), R"(/cables/0: routed_cable needs "points")"},
      {"one point", withCables(R"(@{"points": [{"body": "a"}]})"),
       "/cables/0: cable 'cable_0': needs two points at least"},
      {"friction < 0",
       withCables(
           R"({"points": [{"body": "a"}, {"body": "post", "friction": @-1}, {"body": "b"}]})"),
       "/cables/0/points/1/friction: must be ≥ 0, got -1"},
      {"friction at an end",
       withCables(R"(@{"points": [{"body": "a", "friction": 1}, {"body": "post"}]})"),
       "/cables/0: cable 'cable_0': its ends are fixed: friction belongs to points between them"},
      {"length", withCables(std::string(R"({"length": @-2, )") + kOverPost + "}"),
       "/cables/0/length: must be ≥ 1e-15 m, got -2"},
      {"both places",
       withCables(R"({"points": [{"body": "a", "position": [0, 0, 0], @"anchor": [0, 0, 0]}, )"
                  R"({"body": "post"}]})"),
       R"(/cables/0/points/0/anchor: "position" is given already; leave one out)"},
      {"nothing moves",
       withCables(R"(@{"points": [{"body": "post"}, {"body": "post", "position": [1, 0, 0]}]})"),
       "/cables/0: cable 'cable_0': none of its spans can change: one of its bodies must be "
       "dynamic"},
      {"drum at the first point",
       withCables(R"(@{"points": [{"body": "b", "drum_radius": 0.1}, {"body": "a"}]})"),
       "/cables/0: cable 'cable_0': a drum is its last point: name the points from the other end"},
      {"rubs twice",
       withCables(
           R"(@{"points": [{"body": "a"}, {"body": "post", "friction": 0.1}, {"body": "b"}, )"
           R"({"body": "post", "friction": 0.1}, {"body": "a"}]})"),
       "/cables/0: cable 'cable_0': a cable rubs at one place alone: cut it by a small body "
       "between "
       "two such places"}};
  for (const Mistake& mistake : mistakes) {
    SCOPED_TRACE(mistake.claim);
    expectReported(mistake);
  }
  // Each span's name is taken.
  const std::string twice = std::string(R"({"name": "x", )") + kOverPost + "}";
  EXPECT_THAT(problemsOf(sceneWith(withCables(twice + ", " + twice))),
              testing::ElementsAre(testing::HasSubstr(R"(another joint is named "x" already)"),
                                   testing::HasSubstr(R"(another joint is named "x_1" already)")));
}

}  // namespace
}  // namespace drystone
