#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/scenes/scene_testing.h"

namespace drystone {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Scene generate(const std::string& generator) {
  return readSceneText(sceneWith("\"generators\": [" + generator + "]"), "s.json");
}

const BodyDefinition& bodyNamed(const Scene& scene, std::string_view name) {
  for (const BodyDefinition& body : scene.bodies) {
    if (body.name == name) return body;
  }
  throw std::runtime_error("no body " + std::string(name));
}

const std::string kSphere = R"("shape": {"type": "sphere", "radius": 0.5})";

TEST(Grid, FirstBodyStandsAtThePosition_XRunsFastest) {
  const Scene scene = generate(
      R"({"type": "grid", "counts": [2, 3, 2], "spacing": [1, 2, 3], "position": [10, 0, 0], )" +
      kSphere + "}");
  ASSERT_EQ(scene.bodies.size(), 12u);
  EXPECT_EQ(scene.bodies[0].name, "grid_0_0_0");
  EXPECT_EQ(scene.bodies[0].pose.position, Vec3(10, 0, 0));
  EXPECT_EQ(scene.bodies[1].name, "grid_1_0_0");
  EXPECT_EQ(scene.bodies[11].pose.position, Vec3(11, 4, 3));
}

TEST(Grid, Centered_HasItsMiddleAboveThePosition) {
  const Scene scene =
      generate(R"({"type": "grid", "counts": [3, 2, 2], "spacing": [1, 1, 1], "centered": true, )" +
               kSphere + "}");
  Vec3 sum = Vec3::Zero();
  for (const BodyDefinition& body : scene.bodies) sum += body.pose.position;
  EXPECT_EQ(sum, Vec3(0, 0, 6));  // twelve bodies, half of them at z = 1
}

TEST(Generators, FrameTurnsPosesAndVelocities) {
  const Scene scene = generate(
      R"({"type": "stack", "count": 2, "step": [1, 0, 0], "velocity": [1, 0, 0], "position": [0, 0, 5],
          "orientation": {"axis": [0, 0, 1], "angle_deg": 90}, )" +
      kSphere + "}");
  // A quarter turn about z takes x to y. Round-off of the quaternion allowed.
  EXPECT_LT((scene.bodies[1].pose.position - Vec3(0, 1, 5)).norm(), 1e-15);
  EXPECT_LT((scene.bodies[1].linearVelocity - Vec3(0, 1, 0)).norm(), 1e-15);
}

TEST(Wall, OpenEnds_LeaveABrickOutOfOddRows) {
  const Scene scene = generate(
      R"({"type": "wall", "columns": 4, "rows": 3, "half_extents": [0.5, 0.2, 0.25], "gap": 0.1, "vertical_gap": 0.01,
          "ends": "open", "density": 1000})");
  ASSERT_EQ(scene.bodies.size(), 4u + 3u + 4u);
  // Width 4 · 1.1 - 0.1 = 4.3; the odd row starts half a pitch, 0.55, further right.
  EXPECT_NEAR(bodyNamed(scene, "wall_0_0").pose.position.x(), -2.15 + 0.5, 1e-14);
  EXPECT_NEAR(bodyNamed(scene, "wall_1_0").pose.position.x(), -2.15 + 0.5 + 0.55, 1e-14);
  // 0.01 under each row: 0.01 + 0.25, then 0.51 a row.
  EXPECT_NEAR(bodyNamed(scene, "wall_2_3").pose.position.z(), 0.26 + 2 * 0.51, 1e-14);
}

TEST(Wall, HalfBricks_FillOddRowsToTheWidthOfEvenOnes) {
  const Scene scene = generate(
      R"({"type": "wall", "columns": 3, "rows": 2, "half_extents": [0.5, 0.2, 0.25], "gap": 0.1})");
  ASSERT_EQ(scene.bodies.size(), 3u + 4u);
  const auto leftEnd = [&](const char* name) {
    const BodyDefinition& body = bodyNamed(scene, name);
    return body.pose.position.x() - std::get<Box>(*body.shape).halfExtents.x();
  };
  EXPECT_NEAR(leftEnd("wall_1_0"), leftEnd("wall_0_0"), 1e-14);
  // Neighbours of the odd row are a gap apart: half brick (1 - 0.1)/2 = 0.45 long, then 0.1.
  EXPECT_NEAR(leftEnd("wall_1_1"), leftEnd("wall_1_0") + 0.55, 1e-14);
}

TEST(Wall, MassOfABrick_IsRefusedSinceBricksDiffer) {
  EXPECT_THAT(
      problemsOfGenerator(
          R"({"type": "wall", "columns": 3, "rows": 2, "half_extents": [1, 1, 1], "mass": 1})"),
      ElementsAre(
          "s.json:2:85 /generators/0/mass: the bricks of a wall differ in size; give \"density\""));
}

const std::string kFill =
    R"({"type": "random_fill", "count": 50, "columns_x": 3, "columns_y": 4, "cell": 1,
    "base": 0.5, "jitter": 0.2, "sphere_share": 0.4, "sphere": {"radius": 0.1, "spread": 0.2},
    "box": {"half_extents": [0.1, 0.1, 0.1], "spread": [0.1, 0, 0]})";

TEST(RandomFill, SameSeed_GivesTheSameBodies) {
  const Scene a = generate(kFill + R"(, "seed": 7})");
  const Scene b = generate(kFill + R"(, "seed": 7})");
  const Scene c = generate(kFill + R"(, "seed": 8})");
  bool differs = false;
  for (std::size_t i = 0; i < a.bodies.size(); ++i) {
    EXPECT_EQ(a.bodies[i].pose.position, b.bodies[i].pose.position);
    EXPECT_EQ(a.bodies[i].pose.rotation.coeffs(), b.bodies[i].pose.rotation.coeffs());
    differs = differs || a.bodies[i].pose.position != c.bodies[i].pose.position;
  }
  EXPECT_TRUE(differs);
}

TEST(RandomFill, BodiesStayInTheirCellsAndSizes) {
  const Scene scene = generate(kFill + "}");
  ASSERT_EQ(scene.bodies.size(), 50u);
  for (int i = 0; i < 50; ++i) {
    const BodyDefinition& body = scene.bodies[static_cast<std::size_t>(i)];
    const int k = i % 12;
    const Vec3 cell(k % 3 - 1, k / 3 - 1.5, 0.5 + i / 12);
    EXPECT_LE((body.pose.position - cell).cwiseAbs().maxCoeff(), 0.1);
    EXPECT_NEAR(body.pose.rotation.norm(), 1, 1e-15);
    if (const Sphere* sphere = std::get_if<Sphere>(&*body.shape)) {
      EXPECT_GE(sphere->radius, 0.1);
      EXPECT_LT(sphere->radius, 0.3);
    } else {
      const Vec3 half = std::get<Box>(*body.shape).halfExtents;
      EXPECT_EQ(half.tail<2>(), Eigen::Vector2d(0.1, 0.1));
      EXPECT_LT(half.x(), 0.2);
    }
  }
}

TEST(RandomFill, KindsThatAreDrawn_NeedTheirSizes) {
  EXPECT_THAT(
      problemsOfGenerator(
          R"({"type": "random_fill", "count": 5, "columns_x": 3, "columns_y": 4, "cell": 1})"),
      ElementsAre("s.json:2:16 /generators/0: random_fill needs \"sphere\""));
}

TEST(Replicate, CopiesTheGroupOverTheLattice) {
  const Scene scene = generate(R"({"type": "replicate", "name": "cars", "counts": [2, 1, 2],
      "offsets": [[5, 0, 0], [0, 0, 0], [0, 0, 3]], "bodies": [
        {"name": "base", "mass": 1, "inertia": [1, 1, 1]},
        {"name": "top", "mass": 2, "inertia": [1, 1, 1], "position": [0, 0, 1]}]})");
  ASSERT_EQ(scene.bodies.size(), 8u);
  EXPECT_EQ(bodyNamed(scene, "cars_top_1_0_1").pose.position, Vec3(5, 0, 4));
  EXPECT_EQ(bodyNamed(scene, "cars_base_0_0_1").pose.position, Vec3(0, 0, 3));
}

TEST(Replicate, MistakeInTheGroup_HasItsPlace) {
  EXPECT_THAT(
      problemsOfGenerator(
          "{\"type\": \"replicate\", \"bodies\": [{\"mass\": -2, \"inertia\": [1, 1, 1]}]}"),
      ElementsAre("s.json:2:58 /generators/0/bodies/0/mass: must be ≥ 1e-15 kg, got -2"));
}

TEST(Arch, InnerRadiusBeyondTheOuter_IsAnError) {
  EXPECT_THAT(
      problemsOfGenerator(
          R"({"type": "arch", "count": 5, "inner_radius": 3, "outer_radius": 2, "depth": 1})"),
      ElementsAre("s.json:2:80 /generators/0/outer_radius: must be > inner_radius"));
}

}  // namespace
}  // namespace drystone
