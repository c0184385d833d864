#include "viewer/window/camera_control.h"

#include <gtest/gtest.h>

#include "scenes/scene_reader.h"

namespace drystone::viewer {
namespace {

TEST(CameraJson, PastedIntoASceneFile_IsReadBack) {
  SceneCamera camera;
  camera.position = {1.5, -2.25, 1e-3};
  camera.target = {-40, 0, 3};
  camera.fieldOfViewDeg = 30;
  const Scene scene = readSceneText(
      R"({"version": 1, "bodies": [{"name": "b", "shape": {"type": "sphere", "radius": 1}}], )" +
          cameraJson(camera) + "}",
      "test");
  EXPECT_EQ(scene.camera.position, camera.position);
  EXPECT_EQ(scene.camera.target, camera.target);
  EXPECT_EQ(scene.camera.up, camera.up);
  EXPECT_NEAR(scene.camera.fieldOfViewDeg, 30, 1e-12);
}

// Six digits would put a camera that far out metres beside its place.
TEST(CameraJson, EveryDigitOfAPlace_ComesBack) {
  SceneCamera camera;
  camera.position = {1234567.891, -1.0 / 3, 1e-17};
  camera.target = {1234567.25, 2.0 / 3, 3e8};
  camera.fieldOfViewDeg = 180 / 3.14159265358979;
  const Scene scene = readSceneText(
      R"({"version": 1, "bodies": [{"name": "b", "shape": {"type": "sphere", "radius": 1}}], )" +
          cameraJson(camera) + "}",
      "test");
  EXPECT_EQ(scene.camera.position, camera.position);
  EXPECT_EQ(scene.camera.target, camera.target);
  EXPECT_EQ(scene.camera.fieldOfViewDeg, camera.fieldOfViewDeg);
}

}  // namespace
}  // namespace drystone::viewer
