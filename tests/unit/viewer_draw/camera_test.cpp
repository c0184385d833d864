#include "viewer/draw/camera.h"

#include <gtest/gtest.h>

#include "core/random.h"

namespace drystone::viewer {
namespace {

constexpr Real kAspect = 16.0 / 9;

/// Place in the picture, x and y in [-1, 1] where it is inside; z: depth, in [-1, 1] if not cut.
Vec3 project(const Camera& camera, Real aspect, const Vec3& lower, const Vec3& upper,
             const Vec3& point) {
  const Eigen::Vector4f clip = camera.projectionMatrix(aspect, lower, upper) * camera.viewMatrix() *
                               point.cast<float>().homogeneous();
  EXPECT_GT(clip.w(), 0);
  return (clip.head<3>() / clip.w()).cast<Real>();
}

std::vector<Vec3> corners(const Vec3& lower, const Vec3& upper) {
  std::vector<Vec3> all;
  for (int i = 0; i < 8; ++i) {
    all.emplace_back(i & 1 ? upper.x() : lower.x(), i & 2 ? upper.y() : lower.y(),
                     i & 4 ? upper.z() : lower.z());
  }
  return all;
}

TEST(Camera, Orbit_KeepsDistanceTargetAndUp) {
  Camera camera;
  const Real distance = camera.distance();
  Random random(1);
  for (int i = 0; i < 200; ++i) {
    camera.orbit(random.uniform(-1, 1), random.uniform(-1, 1));
    ASSERT_NEAR(camera.distance(), distance, 1e-9);
    ASSERT_EQ(camera.target, Vec3(0, 0, 1));
    ASSERT_EQ(camera.up, Vec3(0, 0, 1));
    ASSERT_TRUE(camera.viewMatrix().allFinite());
  }
}

TEST(Camera, DragToTheRight_TurnsTheSceneToTheRight) {
  Camera camera{.position = {0, -10, 0}, .target = {0, 0, 0}};
  camera.orbit(0.1, 0);
  // What faced the viewer moves to the right, so the viewer goes left.
  EXPECT_NEAR(camera.position.x(), -10 * std::sin(0.1), 1e-9);
  camera = {.position = {0, -10, 0}, .target = {0, 0, 0}};
  camera.orbit(0, 0.1);
  EXPECT_NEAR(camera.position.z(), 10 * std::sin(0.1), 1e-9);
}

TEST(Camera, Orbit_StopsShortOfUpAndGoesBackFromThere) {
  Camera camera{.position = {0, -10, 0}, .target = {0, 0, 0}};
  for (int i = 0; i < 100; ++i) camera.orbit(0, 0.2);
  EXPECT_LT(camera.position.z(), 10);
  EXPECT_GT(camera.position.z(), 9.99);
  EXPECT_LT(camera.position.y(), 0);  // did not go over the pole
  for (int i = 0; i < 100; ++i) camera.orbit(0, -0.2);
  EXPECT_LT(camera.position.z(), -9.99);
  EXPECT_LT(camera.position.y(), 0);
}

TEST(Camera, PanByTheHeightOfThePicture_MovesTheTargetThatFar) {
  Camera camera{.position = {0, -10, 0}, .target = {0, 0, 0}};
  camera.pan(1, 0.5);
  const Real height = 2 * 10 * std::tan(0.5 * camera.fieldOfView);
  EXPECT_LT((camera.target - Vec3(height, 0, 0.5 * height)).norm(), 1e-9);
  EXPECT_LT((camera.position - camera.target - Vec3(0, -10, 0)).norm(), 1e-9);
}

TEST(Camera, Zoom_MultipliesTheDistanceWithinLimits) {
  Camera camera;
  const Real distance = camera.distance();
  camera.zoom(0.5);
  EXPECT_NEAR(camera.distance(), 0.5 * distance, 1e-9);
  for (int i = 0; i < 1000; ++i) camera.zoom(0.5);
  EXPECT_GT(camera.distance(), 0);
  for (int i = 0; i < 1000; ++i) camera.zoom(2);
  EXPECT_LT(camera.distance(), 1e8);
}

TEST(Camera, Frame_ShowsAllOfTheBoxAndFillsThePicture) {
  Random random(2);
  for (int trial = 0; trial < 200; ++trial) {
    const Vec3 lower(random.uniform(-9, 9), random.uniform(-9, 9), random.uniform(-9, 9));
    const Vec3 upper =
        lower + Vec3(std::exp(random.uniform(-3, 5)), std::exp(random.uniform(-3, 5)),
                     std::exp(random.uniform(-3, 5)));
    const Real aspect = random.uniform(0.4, 2.5);
    Camera camera;
    camera.orbit(random.uniform(-3, 3), random.uniform(-1, 1));
    const Vec3 direction = (camera.target - camera.position).normalized();
    camera.frame(lower, upper, aspect);
    EXPECT_LT(((camera.target - camera.position).normalized() - direction).norm(), 1e-9);
    Real reach = 0;
    for (const Vec3& corner : corners(lower, upper)) {
      const Vec3 at = project(camera, aspect, lower, upper, corner);
      ASSERT_LT(at.cwiseAbs().maxCoeff(), 1);
      reach = std::max(reach, at.head<2>().cwiseAbs().maxCoeff());
    }
    // One of the two directions is filled up to the border that is left.
    EXPECT_NEAR(reach, 0.92, 1e-3);
  }
}

// 24 bits of depth: what is 1 cm behind another thing is farther by some steps of them.
TEST(Camera, WideBox_LeavesTheDepthToWhatIsLookedAt) {
  Camera camera{.position = {0, -10, 1}, .target = {0, 0, 1}};
  const auto depth = [&](const Vec3& lower, const Vec3& upper, Real y) {
    return project(camera, kAspect, lower, upper, camera.target + Vec3(0, y, 0)).z();
  };
  for (const auto& [lower, upper] : {std::pair{Vec3(-2, -2, -5e4), Vec3(2, 2, 2)},
                                     {Vec3(-1e6, -1e6, 0), Vec3(1e6, 1e6, 2)},
                                     {Vec3(1e6, 0, 0), Vec3(1e6 + 2, 2, 2)}}) {
    EXPECT_GT(depth(lower, upper, -5), -1) << "cut";
    EXPECT_GT(depth(lower, upper, 0.01) - depth(lower, upper, 0), 2e-7);
  }
}

TEST(Camera, FrameOfAPoint_LeavesADistance) {
  Camera camera;
  camera.frame({1, 2, 3}, {1, 2, 3}, kAspect);
  EXPECT_GT(camera.distance(), 0);
  EXPECT_TRUE(camera.viewMatrix().allFinite());
}

TEST(Camera, RayThroughAProjectedPoint_HitsThePoint) {
  Random random(3);
  Camera camera;
  camera.orbit(0.7, 0.3);
  for (int trial = 0; trial < 100; ++trial) {
    const Vec3 point(random.uniform(-3, 3), random.uniform(-3, 3), random.uniform(-3, 3));
    const Vec3 at = project(camera, kAspect, Vec3::Constant(-3), Vec3::Constant(3), point);
    const Vec3 ray = camera.rayThrough(at.x(), at.y(), kAspect);
    const Vec3 toPoint = (point - camera.position).normalized();
    EXPECT_NEAR(ray.norm(), 1, 1e-12);
    // Single precision of the matrices.
    EXPECT_LT((ray - toPoint).norm(), 1e-5);
  }
}

TEST(Camera, LookingAlongUp_StillHasAPicture) {
  const Camera camera{.position = {0, 0, 10}, .target = {0, 0, 0}};
  EXPECT_TRUE(camera.viewMatrix().allFinite());
  const Eigen::Matrix3f axes = camera.viewMatrix().topLeftCorner(3, 3);
  EXPECT_NEAR(axes.determinant(), 1, 1e-5);
}

TEST(Camera, OfAScene_ComesBackAsItWas) {
  const SceneCamera camera{{1, 2, 3}, {4, 5, 6}, {0, 1, 0}, 30};
  const SceneCamera back = sceneCameraOf(cameraOf(camera));
  EXPECT_EQ(back.position, camera.position);
  EXPECT_EQ(back.target, camera.target);
  EXPECT_EQ(back.up, camera.up);
  EXPECT_NEAR(back.fieldOfViewDeg, 30, 1e-12);
}

}  // namespace
}  // namespace drystone::viewer
